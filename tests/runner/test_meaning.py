"""What counts as a change of code: everything that is computed, and nothing that is only written or shown."""

import nbformat
import pytest

from lib.definitions import Definitions
from runner.meaning import code_meaning, deciding, meaning, reached, shows_only

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


def test_a_chapter_is_what_leads_to_what_it_records_in_order():
    says = ("ledger.record('x', b)",)
    chapter = code_meaning(
        notebook(("seed = 0", "parameters"), ("a = seed", "set-up"), ("b = a",), says)
    )
    same = [
        notebook(("seed = 0", "parameters"), ("a = seed\nb = a",), says),
        notebook(
            ("seed = 0  # any", "parameters"), ("# only words",), ("a = seed",), ("b=a",), says
        ),
        notebook(
            ("seed = 0", "parameters", "remove-input"), ("a = seed",), ("b = a;", "picture"), says
        ),
        notebook(
            ("seed = 0", "parameters"),
            ("a = seed\nsaid = f'{a} words'",),
            ("b = a",),
            says,
            ("display(said)", "remove-input"),
            ("table = b * 2\ntable",),
        ),
    ]
    assert {code_meaning(one) for one in same} == {chapter}
    other = [
        notebook(("seed = 0", "parameters"), ("b = a",), ("a = seed",), says),
        notebook(("seed = 1", "parameters"), ("a = seed",), ("b = a",), says),
        notebook(("seed = 0\na = seed", "parameters"), ("b = a",), says),
        notebook(("seed = 0", "parameters"), ("a = seed",), ("b = a", "skip-execution"), says),
        notebook(("seed = 0", "parameters"), ("a = seed",), says),
    ]
    assert len({code_meaning(one) for one in other} | {chapter}) == len(other) + 1


DECIDES = {
    "a list that a loop fills": (
        "rows = {'a': []}\nfor name, part in rows.items():\n    part.append(1)",
        "rows",
    ),
    "a value that stands in a call": ("rows = {}\nrows.setdefault('a', []).append(1)", "rows"),
    "a function that records": ("def keep(x):\n    ledger.record('x', x)\nkeep(1)", "1"),
    "a function that fills": ("rows = []\ndef more():\n    rows.append(1)\nmore()", "rows"),
    "a draw before": ("rng = np.random.default_rng(0)\nrng.random()", "rng.random()"),
    "a draw in a function": (
        "lots = np.random.default_rng(0)\ndraw = lambda: lots.random()\nfirst = draw()",
        "draw()",
    ),
    "a condition and what ends it": (
        "rows = []\nfor x in (1, 2):\n    if x > 1:\n        break\n    rows.append(x)",
        "rows",
    ),
    "an element that is set": ("rows = [0]\nrows[0] = 1", "rows"),
    "a part that is changed under another name": (
        "rows = {'a': [0]}\npart = rows['a']\npart[0] = 1",
        "rows",
    ),
}


@pytest.mark.parametrize("source, recorded", DECIDES.values(), ids=DECIDES)
def test_whatever_may_change_a_recorded_value_counts(source, recorded):
    """All of it: taking any line away gives another meaning."""
    lines = source.split("\n")
    record = (f"ledger.record('y', {recorded})",)
    whole = code_meaning(notebook((source,), record))
    kept = [
        line.strip()
        for _, part in deciding(notebook((source,), record))
        for line in part.split("\n")
    ]
    assert [line.strip() for line in lines] == kept[: len(lines)]
    assert whole != code_meaning(notebook((source + "\n" + lines[-1].lstrip(),), record))


def test_a_sentence_that_is_made_of_what_is_recorded_does_not_count():
    found = ("value = 1\nledger.record('x', value)",)
    plain = code_meaning(notebook(found))
    for more in (
        "said = f'{value} of 3'\nif value > 2:\n    said += ', which is more'\ndisplay(said)",
        "plots.bars(value)",
        "rows = []\nfor x in (1, 2):\n    rows.append(x * value)\npd.DataFrame(rows)",
    ):
        assert code_meaning(notebook(found, (more,))) == plain


def test_where_a_definition_is_imported_from_means_nothing():
    cells = "from {} import largest\nimport {}\nlargest([1])"
    assert meaning(cells.format("lib.a", "lib")) == meaning(
        cells.format("studies.a.b", "studies.c")
    )
    assert meaning("from numpy import max") != meaning("from math import max")


def test_what_only_shows_is_not_reached_and_magics_reach_nothing():
    cells = notebook(
        ("from lib.plots.dots import dots\nfrom lib.checks import one_of\nledger.x(dots(one_of))",),
        ("%matplotlib inline\nfrom lib.slug import slug\nslug",),
    )
    found = {
        place.partition(":")[0] for place in reached(cells, Definitions(passed_over=shows_only))
    }
    assert "lib.checks" in found and not {"lib.plots.dots", "lib.slug"} & found
