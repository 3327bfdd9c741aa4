"""MT-GenEval: words that only the other reference has, and that the references themselves come out right."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.datasets.mt_geneval import CONTEXT_LANGUAGES, LANGUAGES, read_contexts, read_counterparts
from lib.translation import load_translator
from studies.prefix_injection.mt_geneval import gained_by_context, overlaps, overlaps_by_context

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


@pytest.mark.sample
def test_references_are_right_for_their_own_gender_and_wrong_for_the_other():
    for language in LANGUAGES:
        rows = read_counterparts(language)
        assert len(rows) == 300
        woman, man = rows["feminine"], rows["masculine"]
        assert overlaps(woman, woman, man).accuracy == 1
        assert overlaps(man, woman, man).wrong.mean() > 0.9


CONTEXTS = pd.DataFrame(
    [
        ["She won.", "It was Kim.", WOMAN, MAN, "feminine"],
        ["Her book sold.", "It was Ann.", WOMAN, MAN, "feminine"],
        ["He won.", "It was Lee.", MAN, WOMAN, "masculine"],
    ],
    columns=["context", "english", "right", "wrong", "gender"],
)


@pytest.mark.parametrize(
    ("translate", "gain"),
    [
        (lambda text: WOMAN if text.startswith(("She", "Her")) else MAN, 2),
        (lambda text: "Nadie sabe.", 0),
    ],
    ids=["follows the context", "no form at all"],
)
def test_what_a_context_gains_is_two_for_each_sentence_of_a_translator_that_follows_it(
    translate, gain
):
    translator = load_translator(lambda texts: [translate(text) for text in texts])
    gained = gained_by_context(overlaps_by_context(translator, CONTEXTS, rng=0))
    np.testing.assert_array_equal(gained, [gain] * 3)


@pytest.mark.sample
def test_contexts_say_a_gender_and_their_references_differ():
    for language in CONTEXT_LANGUAGES:
        rows = read_contexts(language)
        assert 1094 <= len(rows) <= 1100
        assert (rows["right"] != rows["wrong"]).all()
        assert rows["gender"].isin(["feminine", "masculine", ""]).all()
        assert (rows["gender"] != "").mean() > 0.89
