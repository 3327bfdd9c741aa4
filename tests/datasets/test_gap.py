"""GAP: who the pronoun is, whether it refers to a name, and the counts its authors give."""

import pytest

from lib.datasets import gap
from lib.datasets.gap import KEYS, read_gap

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
