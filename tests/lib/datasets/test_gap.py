"""GAP: who the pronoun is, whether it refers to a name, and the counts its authors give."""

import pytest

from lib.datasets import gap
from lib.datasets.gap import KEYS, read_gap, read_predictions, read_stage2
from tests.support.mutations import not_worded

ROWS = """ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL
t-1\t"Ann met Bea," it said. She left.\tShe\t24\tAnn\t1\tTRUE\tBea\t9\tFALSE\tu
t-2\tBob saw Cal and his dog.\this\t16\tBob\t0\tFALSE\tCal\t8\tFALSE\tu
t-3\tAnn or Bea: the bag was hers.\thers\t24\tAnn\t0\tFALSE\tBea\t7\tTRUE\tu
"""

PREDICTIONS = {
    "commas": "ID,A,B,NEITHER\nt-1,0.8,0.1,0.1\nt-2,0.1,0.2,0.7\nt-3,0,1,0\n",
    "tabs": "ID\tA\tB\tNEITHER\nt-1\t0.8\t0.1\t0.1\nt-2\t0.1\t0.2\t0.7\nt-3\t0\t1\t0\n",
    "the scorer's": "t-1\tTRUE\tFALSE\nt-2\tFALSE\tFALSE\nt-3\tFALSE\tTRUE\n",
}


def test_each_passage_has_the_gender_of_its_pronoun_and_whether_it_names_neither(
    tmp_path, monkeypatch
):
    (tmp_path / "gap_test").write_text(ROWS, encoding="utf-8")
    monkeypatch.setattr(gap, "fetch", lambda key: tmp_path / key)
    passages = read_gap("gap_test")
    assert passages["gender"].tolist() == ["female", "male", "female"]
    assert passages["neither"].tolist() == [False, True, False]
    assert passages["Text"][0] == '"Ann met Bea," it said. She left.'


@pytest.mark.sample(*KEYS)
def test_the_parts_are_as_large_as_published_and_half_female():
    parts = [read_gap(key) for key in KEYS]
    assert [len(part) for part in parts] == [2000, 2000, 454]
    assert [(part["gender"] == "female").mean() for part in parts] == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    "old, new, fragments",
    [
        ("She\t24", "She\t25", ("t-1", "Pronoun 'She'", "25", "quote")),
        ("\tURL", "\tpage", ("URL is missing", "page")),
        ("t-3", "t-1", ("each ID once", "t-1")),
        ("9\tFALSE", "9\tTRUE", ("at most one name", "t-1")),
        ("She\t24", "She\t", ("t-1", "Pronoun-offset", "the number of a character")),
        ("Bob\t0", "Bob\t0\t0", ("line 3", "expected 11 cells", "got 12")),
        ("his\t16", "dog\t20", ("t-2", "one of the pronouns", "'dog'")),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, refuses, old, new, fragments):
    path = tmp_path / "own.tsv"
    path.write_text(ROWS.replace(old, new, 1), encoding="utf-8")
    refuses(lambda: read_gap(path), fragments)


def test_bytes_of_another_encoding_and_a_file_that_is_not_there_are_named(tmp_path, refuses):
    path = tmp_path / "own.tsv"
    path.write_bytes(ROWS.replace("Ann", "Zoë").encode("cp1252"))
    refuses(lambda: read_gap(path), ("own.tsv, line 2", "UTF-8", "0xeb"))
    for read in (read_gap, read_predictions):
        with pytest.raises(FileNotFoundError, match=r"none\.tsv: expected a file of"):
            read(tmp_path / "none.tsv")


def test_a_damaged_file_of_passages_is_read_right_or_refused_by_name(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(ROWS, encoding="utf-8")
    assert read_gap(path)["answer"].tolist() == ["A", "NEITHER", "B"]
    assert not not_worded(read_gap, path, n=300)


@pytest.mark.parametrize("form", [*PREDICTIONS])
def test_damaged_predictions_are_read_right_or_refused_by_name(tmp_path, form):
    path = tmp_path / "own.csv"
    path.write_text(PREDICTIONS[form], encoding="utf-8")
    assert not not_worded(read_predictions, path)


@pytest.mark.parametrize("form", [*PREDICTIONS])
def test_predictions_are_read_with_commas_tabs_and_in_the_format_of_gaps_scorer(tmp_path, form):
    path = tmp_path / "own.csv"
    path.write_text(PREDICTIONS[form], encoding="utf-8")
    frame = read_predictions(path)
    assert list(frame.columns) == ["ID", "A", "B", "NEITHER"]
    assert frame["ID"].tolist() == ["t-1", "t-2", "t-3"]
    assert frame[["A", "B", "NEITHER"]].to_numpy().argmax(axis=1).tolist() == [0, 2, 1]


def test_both_names_for_one_pronoun_are_refused_with_the_line(tmp_path, refuses):
    path = tmp_path / "own.tsv"
    path.write_text("t-1\tTRUE\tFALSE\nt-2\tTRUE\tTRUE\n", encoding="utf-8")
    refuses(lambda: read_predictions(path), ("own.tsv, line 2", "one of them at most"))


@pytest.mark.sample("gap_stage2_text", "gap_stage2_solution")
def test_the_second_stage_scores_760_of_its_passages():
    passages = read_stage2()
    scored = passages[passages["scored"]]
    assert len(passages) == 12_359
    assert scored["gender"].value_counts().to_dict() == {"female": 383, "male": 377}
    assert scored["answer"].value_counts().to_dict() == {"A": 340, "B": 346, "NEITHER": 74}
    assert set(passages.loc[~passages["scored"], "answer"]) == {"NEITHER"}
