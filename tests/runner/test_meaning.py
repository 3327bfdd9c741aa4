"""What counts as a change of code: everything that is computed, and nothing that is only written or shown."""

import nbformat
import pytest

from lib.definitions import Definitions
from runner.meaning import code_meaning, meaning, reached, shows_only

SOURCE = '''"""A module."""
import math

class Circle:
    """Round."""
    def area(self, radius):
        """Of a circle."""
        return math.pi * radius ** 2
'''


@pytest.mark.parametrize(
    "old, new",
    [
        ('"""A module."""\n', ""),
        ('    """Round."""\n', ""),
        ('        """Of a circle."""\n', "        # of a circle\n"),
        ("math.pi * radius ** 2", "(\n            math.pi * radius**2\n        )"),
        ("import math\n", "import math  # for pi\n\n\n"),
    ],
)
def test_comments_docstrings_and_layout_mean_nothing(old, new):
    assert meaning(SOURCE.replace(old, new)) == meaning(SOURCE) != SOURCE


@pytest.mark.parametrize(
    "old, new",
    [
        ("radius ** 2", "radius ** 3"),
        ("math.pi * radius", "radius * math.pi"),
        ("self, radius", "self, radius=1"),
        (
            "        return math",
            "        'no docstring' if radius else radius.x\n        return math",
        ),
    ],
)
def test_what_is_computed_counts(old, new):
    changed = SOURCE.replace(old, new)
    assert changed != SOURCE and meaning(changed) != meaning(SOURCE)


def test_a_string_that_is_no_docstring_and_what_is_no_python_count_as_written():
    assert meaning("x = 'a'") != meaning("x = 'b'") and meaning("x = 'a'") == meaning('x = "a"')
    assert meaning("%timeit 1  # now") == "%timeit 1  # now"


def notebook(*cells):
    """Cells as (source, *tags); those that begin with # and a blank line are prose."""
    made = nbformat.v4.new_notebook()
    for source, *tags in cells:
        cell = nbformat.v4.new_code_cell(source, metadata={"tags": tags})
        made.cells += [nbformat.v4.new_markdown_cell(f"# {source}"), cell]
    return made


def test_a_chapter_is_what_its_cells_compute_in_order():
    chapter = code_meaning(notebook(("seed = 0", "parameters"), ("a = seed", "set-up"), ("b = a",)))
    same = [
        notebook(("seed = 0", "parameters"), ("a = seed\nb = a",)),
        notebook(("seed = 0  # any", "parameters"), ("# only words",), ("a = seed",), ("b=a",)),
        notebook(("seed = 0", "parameters", "remove-input"), ("a = seed",), ("b = a;", "picture")),
    ]
    assert {code_meaning(one) for one in same} == {chapter}
    other = [
        notebook(("seed = 0", "parameters"), ("b = a",), ("a = seed",)),
        notebook(("seed = 1", "parameters"), ("a = seed",), ("b = a",)),
        notebook(("seed = 0\na = seed", "parameters"), ("b = a",)),
        notebook(("seed = 0", "parameters"), ("a = seed",), ("b = a", "skip-execution")),
        notebook(("seed = 0", "parameters"), ("a = seed",)),
    ]
    assert len({code_meaning(one) for one in other} | {chapter}) == len(other) + 1


def test_where_a_definition_is_imported_from_means_nothing():
    cells = "from {} import largest\nimport {}\nlargest([1])"
    assert meaning(cells.format("lib.a", "lib")) == meaning(
        cells.format("studies.a.b", "studies.c")
    )
    assert meaning("from numpy import max") != meaning("from math import max")


def test_what_only_shows_is_not_reached_and_magics_reach_nothing():
    cells = notebook(
        ("from lib.plots.dots import dots\nfrom lib.checks import one_of\ndots(one_of)",),
        ("%matplotlib inline\nfrom lib.slug import slug\nslug",),
    )
    found = {
        place.partition(":")[0] for place in reached(cells, Definitions(passed_over=shows_only))
    }
    assert "lib.checks" in found and not {"lib.plots.dots", "lib.slug"} & found
