"""SEAT: tests with words, and tests with sentences taken apart."""

import json

from studies.multiclass import seat


def as_seat(lists):
    return json.dumps({part: {"examples": words} for part, words in lists.items()})


def test_a_test_with_sentences_is_taken_apart(registered_file):
    adjectives = {"attr1": ["The engineer is able."], "attr2": ["The engineer is unable."]}
    names = {"targ1": ["John is an engineer."], "targ2": ["Amy is an engineer."]}
    registered_file(seat, as_seat(adjectives | names))
    test = seat.read_seat("seat_x")
    assert test[:4] == (["able"], ["unable"], ["John"], ["Amy"])
    assert test.template == "{target} is an engineer. The engineer is {attribute}"
