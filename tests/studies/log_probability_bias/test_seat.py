"""SEAT: tests with words, and tests with sentences taken apart."""

import json

import pytest

from studies.log_probability_bias import seat


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(seat, "fetch", lambda key: tmp_path / "file")

    return write


LISTS = {"attr1": ["calm"], "attr2": ["loud"], "targ1": ["Anne"], "targ2": ["Ebony"]}


def as_seat(lists):
    return json.dumps({part: {"examples": words} for part, words in lists.items()})


def test_a_test_with_words_gets_a_plain_sentence(file):
    file(as_seat(LISTS))
    words = ["calm"], ["loud"], ["Anne"], ["Ebony"]
    assert seat.read_seat("seat_x") == (*words, "{target} is {attribute}")


def test_a_test_with_sentences_is_taken_apart(file):
    adjectives = {"attr1": ["The engineer is able."], "attr2": ["The engineer is unable."]}
    names = {"targ1": ["John is an engineer."], "targ2": ["Amy is an engineer."]}
    file(as_seat(adjectives | names))
    test = seat.read_seat("seat_x")
    assert test[:4] == (["able"], ["unable"], ["John"], ["Amy"])
    assert test.template == "{target} is an engineer. The engineer is {attribute}"
