"""Which definitions a result depends on: all that are reached, wherever they stand, and no others."""

import importlib
import textwrap
from functools import partial

import pytest

from lib.association import effect_size, weat
from lib.definitions import Definitions, code_hash, code_of

MODULES = {
    "lib/__init__.py": "",
    "lib/room/__init__.py": "from lib.room.sums import total as sum_of",
    "lib/room/sums.py": """
        import numpy as np
        from lib.room import tables
        FACTOR = 2
        def total(x):
            return FACTOR * np.sum(x) + _share(x)
        def _share(x):
            if x is None:
                raise ValueError('no')
            return tables.SHARES["a"]
        def unused(x):
            return FACTOR
        class Unused:
            pass
    """,
    "lib/room/tables.py": "SHARES = {}\nSHARES['a'] = 1\nNAMES = ['a']\n",
    "studies/__init__.py": "",
    "studies/one.py": """
        def late(x):
            from lib.room import sum_of
            return sum_of(x)
    """,
}
CELLS = "from lib.room import sum_of\nprint(sum_of([1]))"


@pytest.fixture
def house(tmp_path):
    """Writes the modules, with changes as (file, old, new); gives what is reached from cells."""

    def write(*changes, cells=CELLS, files=MODULES):
        files = dict(files)
        for name, old, new in changes:
            assert old in files[name]
            files[name] = files[name].replace(old, new)
        for name, source in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(textwrap.dedent(source))
        return Definitions(tmp_path).of_source(cells)

    return write


def test_what_is_reached_is_followed_through_packages_modules_and_late_imports(house):
    reached = {
        "lib.room.sums:total",
        "lib.room.sums:FACTOR",
        "lib.room.sums:_share",
        "lib.room.tables:SHARES",
        "lib.room.tables:<module>",
        "what it imports",
    }
    assert set(house()) == reached
    late = house(cells="import studies.one\nstudies.one.late(1)")
    assert set(late) == {*reached, "studies.one:late"}


SUMS, TABLES = "lib/room/sums.py", "lib/room/tables.py"


@pytest.mark.parametrize(
    "change",
    [
        (SUMS, "FACTOR = 2", "FACTOR = 3"),
        (SUMS, "raise ValueError", "raise TypeError"),
        (TABLES, "SHARES['a'] = 1", "SHARES['a'] = 2"),
        ("lib/room/__init__.py", "import total as", "import unused as"),
    ],
)
def test_what_is_computed_counts(house, change):
    assert code_hash(house(change)) != code_hash(house())


@pytest.mark.parametrize(
    "change",
    [
        (SUMS, "def unused(x):", "def unused(x, y):"),
        (SUMS, "def total(x):", "def total(x: int) -> 'float':\n            'Twice.'  # and so on"),
        (TABLES, "NAMES = ['a']", "NAMES = ['b']"),
        (SUMS, "raise ValueError('no')", "raise ValueError(f'expected a number, got {x}')"),
    ],
)
def test_what_nothing_reaches_and_what_is_only_written_does_not(house, change):
    assert house(change) == house()


def test_code_may_move(house):
    sums = textwrap.dedent(MODULES[SUMS])
    moved = {
        **MODULES,
        "lib/room/__init__.py": "",
        SUMS: "",
        "studies/two/__init__.py": "",
        "studies/two/all.py": sums.replace("from lib.room import tables", "from lib import tables"),
        "lib/tables.py": MODULES[TABLES],
    }
    cells = CELLS.replace(
        "from lib.room import sum_of", "from studies.two.all import total as sum_of"
    )
    assert code_hash(house(cells=cells, files=moved)) == code_hash(house())


@pytest.mark.parametrize(
    ("cells", "reached"),
    [
        ("Ledger().one()", ["one", "both"]),
        ("Ledger()", ["both"]),
        ("getattr(Ledger(), 'two')()", ["both", "two"]),
    ],
)
def test_of_the_great_doors_a_method_counts_where_it_is_asked_for(house, cells, reached):
    source = """
        class Ledger:
            def __init__(self):
                self.both()
            def one(self):
                return 1
            def two(self):
                return 2
            def both(self):
                return 3
    """
    found = house(cells=f"from lib.doors import Ledger\n{cells}", files={"lib/doors.py": source})
    methods = {place.partition("Ledger.")[2] for place in found if "Ledger." in place}
    assert methods == {*reached}


def test_who_refers_to_what_counts_where_two_share_a_name(house):
    """Two functions named `load`, used by two others: exchanging them changes both."""
    files = {
        "lib/a.py": "def load():\n    return 1",
        "lib/b.py": "def load():\n    return 2",
        "lib/c.py": "from lib.a import load\ndef f():\n    return load()",
        "lib/d.py": "from lib.b import load\ndef g():\n    return load()",
    }
    cells = "from lib.c import f\nfrom lib.d import g\nf() - g()"
    exchanged = house(
        ("lib/c.py", "lib.a", "lib.b"), ("lib/d.py", "lib.b", "lib.a"), files=files, cells=cells
    )
    assert code_hash(exchanged) != code_hash(house(files=files, cells=cells))


def test_a_module_that_is_handed_on_whole_counts_whole(house):
    whole = house(cells="from lib.room import tables\nprint(vars(tables))")
    assert "lib.room.tables:NAMES" in whole


def test_a_function_and_a_part_of_it_have_the_same_code():
    assert code_of(partial(weat, x=1)) == code_of(weat) != code_of(effect_size)


def test_a_function_in_a_file_of_one_s_own_has_that_file_as_its_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    found = {}
    for name, factor in {"first": "2 ", "reworded": "2", "second": "3"}.items():
        source = (
            f"from lib.slug import slug\ndef f():\n    return {factor}*len(slug({{}}))  # {name}"
        )
        (tmp_path / f"own_{name}.py").write_text(source)
        found[name] = code_of(importlib.import_module(f"own_{name}").f)
    assert found["first"] != found["second"]
    assert "lib.slug:slug" in Definitions().of_place("own_first", "f")


def test_a_function_in_no_file_is_refused(refuses):
    space = {"__name__": "a_notebook"}
    exec("def made():\n    return 1", space)
    refuses(lambda: code_of(space["made"]), ["made of 'a_notebook'", "into a file"])
