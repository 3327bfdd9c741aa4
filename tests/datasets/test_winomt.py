"""WinoMT's files: the sentences of the paper, and released outputs line by line of them."""

import pytest

from lib.datasets import winomt
from lib.datasets.winomt import (
    PUBLISHED,
    human_genders,
    published_translations,
    read_sentences,
    tokens,
)

KEYS = ("winomt_en", "winomt_en_pro", "winomt_en_anti")
KEEPS = ["gender", "place", "text"]


@pytest.mark.sample(*KEYS)
def test_the_sentences_are_those_of_the_paper():
    sentences = read_sentences()
    assert len(sentences) == 3888
    assert len(read_sentences("pro")) == len(read_sentences("anti")) == 1584
    for subset in ("pro", "anti"):
        assert len(read_sentences(subset).merge(sentences.drop_duplicates(KEEPS))) == 1584
    assert all(
        tokens(text)[place].isalpha() for text, place in zip(sentences["text"], sentences["place"])
    )


@pytest.mark.parametrize("pair", PUBLISHED, ids="-".join)
def test_numbers_of_a_log_follow_from_each_other(pair):
    log = PUBLISHED[pair]
    men, women, all_sentences = 1826, 1822, 3888
    by_gender = (men * log.recall_male + women * log.recall_female) / all_sentences
    neutral = 240 / all_sentences  # at most as many are read right besides
    assert by_gender - 0.1 <= log.accuracy <= by_gender + 100 * neutral
    for recall, f1 in ((log.recall_male, log.f1_male), (log.recall_female, log.f1_female)):
        assert f1 / 2 < recall and recall * f1 / (2 * recall - f1) < 100  # a precision exists


def test_a_file_with_other_lines_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "out.txt").write_text("a ||| b\nc\n")
    monkeypatch.setattr(winomt, "fetch", lambda key: tmp_path / "out.txt")
    monkeypatch.setattr(winomt, "read_sentences", lambda: [None, None])
    refuses(
        lambda: published_translations("google", "es"),
        ["winomt_out_google_en_es", "2 lines 'English ||| translation'"],
    )


def test_other_subsets_and_languages_are_refused(refuses):
    refuses(lambda: read_sentences("half"), ["all, pro, anti", "'half'"])
    refuses(lambda: human_genders("de"), ["es, he", "'de'"])
