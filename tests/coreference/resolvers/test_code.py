"""Keys made of code: what changes them, and what does not."""

import pytest

from lib.coreference.resolvers.code import code_of

SOURCE = '''"""A module."""


def double(x):
    """Twice as much."""
    return 2 * x
'''
OTHERS = {
    "docstring": (SOURCE.replace("Twice as much", "Two of them"), True),
    "no_docstring": (SOURCE.replace('    """Twice as much."""\n', ""), True),
    "comment": (SOURCE.replace("2 * x", "2 * x  # not x**2"), True),
    "layout": (SOURCE.replace("2 * x", "(2*x)"), True),
    "code": (SOURCE.replace("2 * x", "3 * x"), False),
    "import_of_the_room": (f"from lib.coreference.resolvers import kept\n{SOURCE}", False),
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_changed_docstring_gives_the_same_key_and_changed_code_another(
    name, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(tmp_path)
    source, same = OTHERS[name]
    (tmp_path / f"plain_{name}.py").write_text(SOURCE)
    (tmp_path / f"other_{name}.py").write_text(source)
    assert (code_of(f"plain_{name}") == code_of(f"other_{name}")) is same


def test_what_is_kept_has_the_code_that_makes_it_as_a_key(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    from importlib import import_module

    import numpy as np

    from lib.coreference.resolvers.kept import kept

    for name, value in {"first": 1, "reworded": 1, "second": 2}.items():
        comment = f"# {name}\n"
        (tmp_path / f"makes_{name}.py").write_text(
            f"{comment}import numpy as np\n\n\ndef values():\n    return np.array([{value}])\n"
        )
    found = [
        kept("tests", "one", import_module(f"makes_{name}").values)[0]
        for name in ("first", "second")
    ]
    assert found == [1, 2]
    reworded = import_module("makes_reworded")
    reworded.np = None  # nothing is computed again
    np.testing.assert_array_equal(kept("tests", "one", reworded.values), [1])


def test_a_module_without_a_file_has_no_key():
    with pytest.raises(ValueError, match="expected a module with a file, got 'no_such_module'"):
        code_of("no_such_module")
