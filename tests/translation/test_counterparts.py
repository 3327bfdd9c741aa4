"""MT-GenEval: words that only the other reference has, and that the references themselves come out right."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.datasets.mt_geneval import LANGUAGES, read_counterparts
from lib.translation import load_translator
from lib.translation.counterparts import gained_accuracy, overlaps, overlaps_by_speaker

WOMAN, MAN = "Ella era una actriz famosa.", "Él era un actor famoso."


def test_outputs_by_the_words_of_one_reference_only():
    outputs = ["Era una actriz.", "Era ACTOR, y nada más", "una actriz y un actor", "Nadie sabe."]
    found = overlaps(outputs, [WOMAN] * 4, [MAN] * 4)
    assert found.right.tolist() == [True, False, True, False] and found.wrong.tolist() == [
        False,
        True,
        True,
        False,
    ]
    assert found.accuracy == 0.5 and found.shown.tolist() == [True, True, True, False]


@given(st.lists(st.tuples(*[st.text("abcd ", max_size=12)] * 3), min_size=1, max_size=8))
def test_exchanged_references_exchange_right_and_wrong(rows):
    outputs, this, that = map(list, zip(*rows))
    one, other = overlaps(outputs, this, that), overlaps(outputs, that, this)
    assert one.right.tolist() == other.wrong.tolist() and one.wrong.tolist() == other.right.tolist()
    assert len(one.shown) == len(rows) and 0 <= one.accuracy <= 1
    assert overlaps(this, this, that).accuracy == 1


def test_lists_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="as many references"):
        overlaps(["a"], ["b"], [])
    with pytest.raises(ValueError, match="as many references"):
        overlaps([], [], [])
    with pytest.raises(ValueError, match="one of ar, de"):
        read_counterparts("en")


def test_a_translator_that_echoes_follows_the_speaker_only_where_the_prefix_is_read():
    pairs = pd.DataFrame(
        {
            "feminine_english": ["The actress was famous."],
            "masculine_english": ["The actor was famous."],
            "feminine": [WOMAN],
            "masculine": [MAN],
        }
    )
    by_speaker = overlaps_by_speaker(
        load_translator(lambda texts: [WOMAN if "She" in text else MAN for text in texts]),
        pairs,
        "es",
    )
    assert by_speaker["feminine", "she"].accuracy == by_speaker["masculine", "he"].accuracy == 1
    gained = gained_accuracy(by_speaker).iloc[0]
    assert gained.to_dict() == {"feminine": 1, "masculine": -1, "leak": 2}


@pytest.mark.sample
@pytest.mark.parametrize("language", LANGUAGES)
def test_references_are_right_for_their_own_gender_and_wrong_for_the_other(language):
    rows = read_counterparts(language)
    assert len(rows) == 300
    woman, man = rows["feminine"], rows["masculine"]
    assert overlaps(woman, woman, man).accuracy == 1
    assert overlaps(man, woman, man).wrong.mean() > 0.9
