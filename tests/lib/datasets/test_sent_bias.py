"""Sentence sets of SEAT: which word a sentence is about."""

import json

import pytest

from lib.datasets import sent_bias
from lib.datasets.sent_bias import by_word, read_sentence_sets, sentence_tests


def test_irregular_forms_go_with_the_word_before_them():
    sentences = ["This is a woman.", "Women are people.", "This is her.", "It is an equation."]
    assert by_word(sentences, ["woman", "her", "equations"]) == {
        "woman": sentences[:2],
        "her": sentences[2:3],
        "equations": sentences[3:],
    }


def test_the_longest_word_is_meant():
    assert by_word(["A white woman is a person."], ["woman", "white woman"]) == {
        "white woman": ["A white woman is a person."]
    }


def test_a_test_is_read_from_its_two_files(tmp_path, monkeypatch):
    words = {"targ1": ["math"], "targ2": ["art"], "attr1": ["he"], "attr2": ["she"]}
    for name, frame in (("seat_sent_weat7", "This is {}."), ("seat_weat7", "{}")):
        content = {part: {"examples": [frame.format(w[0])]} for part, w in words.items()}
        (tmp_path / name).write_text(json.dumps(content))
    monkeypatch.setattr(sent_bias, "fetch", lambda key: tmp_path / key)
    assert read_sentence_sets("seat_sent_weat7").X == {"math": ["This is math."]}


def test_other_keys_are_refused():
    with pytest.raises(ValueError, match="expected one of seat_sent_angry"):
        read_sentence_sets("seat_weat1")


@pytest.mark.sample(*[key.replace("sent_", "") for key in sentence_tests()], *sentence_tests())
def test_every_word_of_every_published_test_has_its_sentences():
    sets = {key: read_sentence_sets(key) for key in sentence_tests()}
    assert len(sets) == 19
    assert {len(held) for test in sets.values() for part in test for held in part.values()} <= {
        *range(2, 15)
    }
    first = sets["seat_sent_weat1"]
    assert [len(part) for part in first] == [25, 25, 25, 25]
    assert sum(map(len, first.X.values())) == 350
