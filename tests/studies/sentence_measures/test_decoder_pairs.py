"""Which sentence of a pair a decoder finds likelier, in twins too, and by what is wrong with pairs."""

import numpy as np
import pytest

from lib.language_models.causal_scores import CausalLanguageModel, sentence_log_odds
from studies.sentence_measures.decoder_pairs import pair_odds, shares_by_kind, shares_of_sides

PAIRS = ["she is a nurse.", "she is a doctor."], ["he is a nurse.", "he is a doctor."]
TWINS = PAIRS[::-1]


def test_odds_are_those_of_the_sentences_and_turn_with_the_sides(tiny_causal_model):
    model = CausalLanguageModel(str(tiny_causal_model), device="cpu")
    found = pair_odds(model, {"turned": (PAIRS, TWINS)})["turned"]
    assert found[0] == pytest.approx(sentence_log_odds(model, *PAIRS), abs=1e-4)
    assert found[1] == pytest.approx(-found[0])
    assert pair_odds(model, {}) == {}


def test_a_turned_twin_always_changes_sides_and_an_equal_one_never():
    odds = np.array([1.0, -2, 3, 0.5])
    pairs = [list("abcd"), list("efgh")]
    turned = shares_of_sides(pairs, (odds, -odds), n_resamples=50, rng=0)
    assert turned["change"] == turned["change_low"] == 1 and turned["prefer"] == 0.75
    assert turned["chance"] == pytest.approx(0.75 * 0.75 + 0.25 * 0.25)
    assert shares_of_sides(pairs, (odds, odds), n_resamples=50, rng=0)["change"] == 0


def test_twins_of_one_pair_are_drawn_together():
    odds = np.array([1.0, 1, -1, -1])
    pairs = ["a", "a", "b", "b"], ["c", "c", "d", "d"]
    found = shares_of_sides(pairs, (odds, odds), n_resamples=200, rng=0)
    assert (found["prefer_low"], found["prefer_high"]) == (0, 1)


def test_shares_by_kind_count_the_marked_pairs_and_leave_out_what_has_fewer_than_two():
    odds = np.array([1.0, -1, 2, 3])
    kinds = {"all": [True] * 4, "first two": [1, 1, 0, 0], "one": [0, 0, 0, 1]}
    found = shares_by_kind(odds, kinds, n_resamples=50, rng=0)
    assert found["value"].to_dict() == {"all": 0.75, "first two": 0.5}
    assert found["n"].to_dict() == {"all": 4, "first two": 2}
