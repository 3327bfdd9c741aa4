"""Values of parameters: what a cell may hold, and what profile and command line may say."""

import pytest

from runner.parameters import checked, choices, defaults, parsed


def test_defaults_are_read_and_not_run():
    source = '"""What a reader may change."""\nseed: int = 0\nothers = ["gap", "news"]  # or none\n'
    assert defaults(source) == {"seed": 0, "others": ["gap", "news"]}


@pytest.mark.parametrize("source", ["seed = hash(0)", "import os", "a = b = 1", "seed = other"])
def test_a_cell_that_computes_is_refused(source):
    with pytest.raises(ValueError):
        defaults(source)


@pytest.mark.parametrize(
    ("default", "text", "value"),
    [
        ("minilm", "7", "7"),
        (0, "7", 7),
        (2.0, "1e-3", 0.001),
        (True, "false", False),
        (None, "[1, 2]", [1, 2]),
        ([], "gap,news", ["gap", "news"]),
        ([], "gap", ["gap"]),
        ([1], "2,3", [2, 3]),
        (["gap"], "none", []),
    ],
)
def test_text_becomes_a_value_of_the_default_s_type(default, text, value):
    assert parsed("name", default, text) == value


@pytest.mark.parametrize(
    ("default", "text", "fragments"),
    [
        (0, "1.5", ["name", "type int", "default 0", "1.5"]),
        (True, "1", ["type bool", "of type int"]),
    ],
)
def test_another_type_is_refused(default, text, fragments, refuses):
    refuses(lambda: parsed("name", default, text), fragments)


def test_a_profile_gives_lists_as_lists_or_as_text():
    assert checked("others", [], ["gap"]) == checked("others", [], "gap") == ["gap"]


def test_a_list_where_text_is_expected_is_refused(refuses):
    refuses(lambda: checked("embedding", "minilm", ["gap"]), ["embedding", "type str", "['gap']"])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("seed=0,1,1", ["0", "1"]),
        ("others=[],[gap],news", ["[]", "[gap]", "news"]),
        ("embedding=", [""]),
    ],
)
def test_a_grid_has_a_value_between_commas_that_no_bracket_holds(text, values):
    assert list(choices([], [text]).values()) == [values]


def test_an_override_is_one_value_however_many_commas_it_has():
    assert choices(["others=gap,news"], []) == {"others": ["gap,news"]}
