"""CrowS-Pairs: what can be counted without reading each pair."""

import pytest

from lib.datasets import crows_pairs


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(crows_pairs, "fetch", lambda key: tmp_path / "file")

    return write


def test_pairs_know_whether_they_differ_in_one_word_and_whether_all_agree(file):
    file(
        "id,sent_more,sent_less,bias_type,annotations\n"
        "0,Women can drive.,Men can drive.,gender,\"[['gender'], ['gender', 'age']]\"\n"
        "1,Women can drive.,All men drive.,gender,\"[['gender'], ['age']]\"\n"
    )
    pairs = crows_pairs.read_crows_pairs()
    assert pairs["one_word"].tolist() == [True, False]
    assert pairs["all_agree"].tolist() == [True, False]


@pytest.mark.sample("crows_pairs")
def test_there_are_as_many_as_published():
    assert len(crows_pairs.read_crows_pairs()) == 1508
