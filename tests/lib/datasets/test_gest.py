"""GEST: sixteen stereotypes and their sentences."""

import pytest

from lib.datasets import gest
from lib.datasets.gest import MEN, SENTENCES, STEREOTYPES, WOMEN, read_sentences


def test_stereotypes_are_seven_about_women_and_nine_about_men():
    assert (len(WOMEN), len(MEN)) == (7, 9)
    assert (STEREOTYPES[7], STEREOTYPES[8], STEREOTYPES[13]) == ("beautiful", "tough", "leaders")


def test_another_file_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "x.csv").write_text("sentence,stereotype\nI am.,1\n", encoding="utf-8")
    monkeypatch.setattr(gest, "fetch", lambda key: tmp_path / "x.csv")
    refuses(read_sentences, ["gest_data_gest", "expected 3565 rows", "got 1", "fetch it again"])


@pytest.mark.sample("gest_data_gest")
def test_every_sentence_is_about_women_or_men():
    table = read_sentences()
    assert len(table) == SENTENCES
    assert table["about"].value_counts().to_dict() == {"men": 1993, "women": 1572}
