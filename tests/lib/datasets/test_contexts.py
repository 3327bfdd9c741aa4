"""Frames: ours fit the words they are for, real ones are cut cleanly, and swapping changes one word and nothing else."""

import csv
import json
import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.datasets import bold, corpora, gap
from lib.datasets.contexts import SLOT, fill, frame_of, frames_of, read_sentences
from lib.lexicons import load_lexicon

OURS = load_lexicon("contexts").lists
FRAMES = [frame for name, items in OURS.items() if SLOT in str(items[0]) for frame in items]
SENTENCES = [
    "The nurse spoke to the Nurse in charge.",
    "A nurse is not a nursery.",
    "Nurses and a judge met.",
    "Judge not, said she.",
]


def test_our_frames_are_sentences_with_one_slot_each_said_once():
    assert len(FRAMES) >= 70 and len(set(FRAMES)) == len(FRAMES)
    assert all(
        frame.count(SLOT) == 1 and frame[0].isupper() and frame.endswith(".") for frame in FRAMES
    )


def test_our_frames_name_no_gender_so_that_the_slot_alone_does():
    gendered = {word for words in load_lexicon("gender_specific").lists.values() for word in words}
    assert [frame for frame in FRAMES if gendered & set(re.findall(r"\w+", frame.lower()))] == []


def test_filling_puts_the_word_in_the_slot_with_a_capital_at_the_beginning():
    assert fill(["{} slept.", "Then {} woke."], "she") == ["She slept.", "Then she woke."]
    assert fill("So {} left.", "Mary") == ["So Mary left."]


@given(st.sampled_from(FRAMES), st.sampled_from(["she", "he", "Mary", "stranger"]))
def test_swapping_changes_the_slot_and_nothing_else(frame, word):
    (sentence,) = fill([frame], word)
    assert frame_of(sentence, word) == frame


def test_real_frames_hold_the_word_once_whole_and_in_any_case():
    found = frames_of(SENTENCES, ["nurse", "judge", "surgeon"], rng=0)
    assert found["nurse"] == ["A {} is not a nursery."]
    assert sorted(found["judge"]) == ["Nurses and a {} met.", "{} not, said she."]
    assert found["surgeon"] == []


def test_sentences_with_barred_words_are_left_out_and_the_word_in_the_slot_does_not_bar_itself():
    assert frames_of(SENTENCES, ["judge"], without=["she", "judge"]) == {
        "judge": ["Nurses and a {} met."]
    }


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Three files in the form of GAP, BOLD and Brown in place of registered ones."""
    with (tmp_path / "gap_test").open("w", newline="") as file:
        text = "She met the old doctor at noon. He said: no {} today, thank you all."
        row = {
            "ID": "1",
            "Text": text,
            "Pronoun": "She",
            "Pronoun-offset": 0,
            "A": "noon",
            "A-offset": 26,
        }
        row |= {"A-coref": False, "B": "doctor", "B-offset": 16, "B-coref": True, "URL": "page"}
        writer = csv.writer(file, delimiter="\t")
        writer.writerows([row.keys(), row.values()])
    (tmp_path / "bold_profession_wiki").write_text(
        json.dumps({"dance": {"ballet": [" A dancer is a person who dances well. "] * 2}})
    )
    with zipfile.ZipFile(tmp_path / "nltk_brown", "w") as archive:
        archive.writestr(
            "brown/ca01",
            "``/`` The/at jury/nn said/vbd nothing/pn about/in it/ppo ,/, then/rb left/vbd ./. ''/''\n",
        )
        archive.writestr("brown/README", "The/at jury/nn is/bez not/* this/dt one/cd ./.")
    for reader in (gap, bold, corpora):
        monkeypatch.setattr(reader, "fetch", lambda key: tmp_path / key)
    return ["gap_test", "bold_profession_wiki", "nltk_brown"]


def test_sentences_of_three_corpora_each_once_without_short_ones_and_braces(texts):
    assert read_sentences(texts) == [
        "She met the old doctor at noon.",
        "A dancer is a person who dances well.",
        '" The jury said nothing about it, then left. "',
    ]


@pytest.mark.sample("gap_development", "nltk_brown")
def test_real_corpora_give_frames_for_pronouns_and_professions():
    sentences = read_sentences(["gap_development", "nltk_brown"])
    found = frames_of(sentences, ["she", "he", "lawyer"], without=["she", "he"], most=5, rng=0)
    assert len(sentences) > 30_000 and all(
        len(frames) == 5 and SLOT in frames[0] for frames in found.values()
    )


def test_bad_input_says_what_was_expected_and_what_to_do(refuses):
    refuses(lambda: fill(["She slept."], "he"), ["one slot {}", "'She slept.'", "frames_of"])
