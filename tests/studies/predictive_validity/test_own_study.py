"""A reader's own systems: what a table may look like, what it becomes, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from studies.predictive_validity.own_study import (
    correlation_that_matters,
    one_row_a_system,
    read_own_study,
    spelled,
    study_or,
    why_not,
)

PLAIN = "name,WEAT,gap\nA,0.5,3\nB,−1,4\nC,,5\n"


@pytest.fixture
def written(tmp_path):
    """A function from a text to its file."""

    def write(text, name="mine.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PLAIN, "mine.csv"),
        ("\ufeff" + PLAIN, "mine.csv"),
        (PLAIN.replace(",", "\t"), "mine.tsv"),
        ("name;WEAT;gap\nA;0,5;3\nB;-1,0;4\nC;n/a;5\n", "excel.csv"),
        (PLAIN.replace("\n", "\r\n") + "\r\n", "mine.csv"),
    ],
)
def test_one_table_is_read_as_it_is_written(written, text, name):
    table = read_own_study(written(text, name))
    assert list(table.columns) == ["WEAT", "gap"] and list(table.index) == ["A", "B", "C"]
    assert np.array_equal(table, [[0.5, 3], [-1, 4], [np.nan, 5]], equal_nan=True)


def test_two_columns_of_a_wide_table_are_named_after_a_colon(written):
    path = written("name,WEAT,RIPA,gap\nA,1,2,3\nB,4,5,6\n")
    assert read_own_study(f"{path}:RIPA,gap").to_numpy().tolist() == [[2, 3], [5, 6]]


def test_systems_without_names_are_numbered(written):
    assert list(read_own_study(written("WEAT,gap\n1,2\n3,4\n")).index) == ["1", "2"]


REFUSED = [
    ("mine.json", "{}", "as .csv or .tsv"),
    ("mine.csv", "name,WEAT,gap\n", "a heading and a system a line"),
    ("mine.csv", "1,2\n3,4\n", "a heading such as"),
    ("mine.csv", "name,WEAT\nA,1\n", "one of outcomes, got columns of numbers: WEAT"),
    ("mine.csv", "name,a,b,c\nA,1,2,3\n", "Name two: mine.csv:SCORE,OUTCOME"),
    ("mine.csv", "name,a,b\nA,1\n", "expected 3 cells in each line"),
    ("mine.csv", "name,a,b\nA,1,high\nB,2,3\n", "columns of numbers: a"),
    ("mine.csv", 'name,a,b\n"A,1,2\n', "between cells"),
]


@pytest.mark.parametrize(("name", "text", "said"), REFUSED)
def test_what_is_no_table_of_systems_is_refused_with_what_to_do(written, name, text, said):
    with pytest.raises(ValueError, match="expected") as refusal:
        read_own_study(written(text, name))
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("columns", "said"),
    [("WEAT,gpa", "Did you mean 'gap'?"), ("WEAT", "SCORE,OUTCOME"), ("name,gap", "got 'A'")],
)
def test_columns_that_are_not_there_are_refused(written, columns, said):
    with pytest.raises(ValueError, match="expected") as refusal:
        read_own_study(f"{written(PLAIN)}:{columns}")
    assert said in str(refusal.value)


def test_a_parameter_is_the_book_or_a_table(written):
    rule = study_or("book")
    path = written(PLAIN)
    assert rule("study", "book") == "book" and rule("study", path) == path
    for wrong in ("bok", 7, {}, "", written("a\n", "other.csv")):
        with pytest.raises(ValueError, match="study: expected"):
            rule("study", wrong)
    with pytest.raises(ValueError, match="Did you mean 'book'"):
        rule("study", "bok")


@pytest.mark.parametrize("wrong", [0, 1, -0.5, "much", float("nan"), True])
def test_a_correlation_that_matters_lies_between_none_and_all(wrong):
    assert correlation_that_matters("bound", 0.5) == 0.5
    with pytest.raises(ValueError, match="bound: expected"):
        correlation_that_matters("bound", wrong)


def test_rows_of_one_name_count_once_and_rows_without_a_number_are_named():
    table = pd.DataFrame(
        {"score": [1, 3, 5, None], "gap": ["2", "4", "no", "1"], "more": 0}, [*"AABC"]
    )
    means, notes = one_row_a_system(table)
    assert means.loc["A"].tolist() == [2, 3] and list(means.index) == ["A"]
    assert [note.split(":")[0] for note in notes] == [
        "2 rows lack a number and are left out",
        "2 rows are of 1 systems; rows of one name count once, with their mean.",
        "The first two columns are read; not used",
    ]


def test_a_whole_table_is_left_as_it_is():
    table = pd.DataFrame({"score": [1.0, 2], "gap": [3.0, 4]}, ["B", "A"])
    means, notes = one_row_a_system(table)
    assert means.equals(table) and notes == []


@pytest.mark.parametrize("wrong", [[1, 2], pd.DataFrame({"score": [1.0]})])
def test_something_else_than_a_table_of_two_columns_is_refused(wrong):
    with pytest.raises(ValueError, match="systems: expected a table"):
        one_row_a_system(wrong)


def test_too_few_and_constant_systems_say_why_they_have_no_correlation():
    table = pd.DataFrame({"score": [1.0, 2, 3, 4], "gap": [3.0, 4, 1, 2]})
    assert why_not(table) == ""
    assert (
        why_not(table.head(3)) == "it takes 4 systems with a score and an outcome, and here are 3"
    )
    assert why_not(table.assign(gap=1.0)) == "all systems have the same gap"


def test_numbers_begin_a_sentence_as_words():
    assert [spelled(n) for n in (1, 10, 20, 30, 31, 1200)] == [
        "one",
        "ten",
        "twenty",
        "thirty",
        "31",
        "1,200",
    ]
