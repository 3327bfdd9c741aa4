"""Rated professions: their words, their order, their number."""

import json

import pytest

from lib.datasets import bolukbasi2016


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(bolukbasi2016, "fetch", lambda key: tmp_path / "file")

    return write


def test_professions_are_words_parted_by_spaces_in_their_order(file):
    file(json.dumps([["police_officer", 0.0, 0.5], ["actress", -1.0, -0.9]]))
    table = bolukbasi2016.read_professions()
    assert table["profession"].tolist() == ["police officer", "actress"]
    assert table["stereotype"].tolist() == [0.5, -0.9]


@pytest.mark.sample("bolukbasi_professions")
def test_there_are_as_many_as_published():
    assert len(bolukbasi2016.read_professions()) == 320


@pytest.mark.sample("bolukbasi_gender_specific_full")
def test_hard_debiasing_spares_as_many_words_as_published():
    words = bolukbasi2016.read_gender_specific_words()
    assert len(words) == 1441 and "actress" in words
