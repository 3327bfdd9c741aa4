"""GAP: who the pronoun is, whether it refers to a name, and the counts its authors give."""

import pytest

from lib.datasets import gap
from lib.datasets.gap import KEYS, read_gap, read_predictions, read_stage2

ROWS = """ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL
t-1\t"Ann met Bea," it said. She left.\tShe\t24\tAnn\t1\tTRUE\tBea\t9\tFALSE\tu
t-2\tBob saw Cal and his dog.\this\t16\tBob\t0\tFALSE\tCal\t8\tFALSE\tu
t-3\tAnn or Bea: the bag was hers.\thers\t24\tAnn\t0\tFALSE\tBea\t7\tTRUE\tu
"""


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
        ("Bob\t0", "Bob\t-1", ("t-2", "A 'Bob'", "-1")),
        ("\tURL", "\tpage", ("URL is missing", "page")),
        ("t-3", "t-1", ("each ID once", "t-1")),
        ("TRUE", "yes", ("TRUE or FALSE", "A-coref", "yes")),
        ("9\tFALSE", "9\tTRUE", ("at most one name", "t-1")),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, refuses, old, new, fragments):
    path = tmp_path / "own.tsv"
    path.write_text(ROWS.replace(old, new, 1), encoding="utf-8")
    refuses(lambda: read_gap(path), fragments)


def test_a_file_of_ones_own_is_read_with_its_answers(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(ROWS, encoding="utf-8")
    assert read_gap(path)["answer"].tolist() == ["A", "NEITHER", "B"]


@pytest.mark.parametrize(
    "content, fragments",
    [("ID,A,B\nx,1,0\n", ("NEITHER is missing",)), ("", ("expected a CSV",))],
)
def test_predictions_without_their_columns_are_refused(tmp_path, refuses, content, fragments):
    path = tmp_path / "own.csv"
    path.write_text(content, encoding="utf-8")
    refuses(lambda: read_predictions(path), fragments)


@pytest.mark.sample("gap_stage2_text", "gap_stage2_solution")
def test_the_second_stage_scores_760_of_its_passages():
    passages = read_stage2()
    scored = passages[passages["scored"]]
    assert len(passages) == 12_359
    assert scored["gender"].value_counts().to_dict() == {"female": 383, "male": 377}
    assert scored["answer"].value_counts().to_dict() == {"A": 340, "B": 346, "NEITHER": 74}
    assert set(passages.loc[~passages["scored"], "answer"]) == {"NEITHER"}
