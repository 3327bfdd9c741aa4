"""MT-GenEval: words that only the other reference has, and that the references themselves come out right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.geneval import LANGUAGES, Overlaps, overlaps, read_counterparts

WOMAN, MAN = "Ella era una actriz famosa.", "Él era un actor famoso."


def test_outputs_by_the_words_of_one_reference_only():
    outputs = ["Era una actriz.", "Era ACTOR, y nada más", "una actriz y un actor", "Nadie sabe."]
    found = overlaps(outputs, [WOMAN] * 4, [MAN] * 4)
    assert found == Overlaps(right=1, wrong=1, both=1, neither=1)
    assert found.accuracy == 0.5 and found.shown == 3 and found.n == 4


@given(st.lists(st.tuples(*[st.text("abcd ", max_size=12)] * 3), min_size=1, max_size=8))
def test_exchanged_references_exchange_right_and_wrong(rows):
    outputs, this, that = map(list, zip(*rows))
    one, other = overlaps(outputs, this, that), overlaps(outputs, that, this)
    assert (one.right, one.wrong, one.both, one.neither) == (other.wrong, other.right, other.both, other.neither)
    assert one.n == len(rows) and 0 <= one.accuracy <= 1
    assert overlaps(this, this, that).accuracy == 1


def test_lists_that_do_not_match_are_refused():
    with pytest.raises(ValueError, match="as many references"):
        overlaps(["a"], ["b"], [])
    with pytest.raises(ValueError, match="as many references"):
        overlaps([], [], [])
    with pytest.raises(ValueError, match="one of ar, de"):
        read_counterparts("en")


@pytest.mark.sample
@pytest.mark.parametrize("language", LANGUAGES)
def test_references_are_right_for_their_own_gender_and_wrong_for_the_other(language):
    rows = read_counterparts(language)
    assert len(rows) == 300
    woman, man = [row.feminine for row in rows], [row.masculine for row in rows]
    assert overlaps(woman, woman, man).accuracy == 1
    assert overlaps(man, woman, man).wrong > 0.9 * len(rows)
