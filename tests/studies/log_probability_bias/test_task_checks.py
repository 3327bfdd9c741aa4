"""What a model writes into a gap, how much of it is the targets, and whether a cue counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models import MaskedLanguageModel, log_probability_bias
from studies.log_probability_bias.task_checks import (
    cue_odds,
    known_sides,
    mass_on_targets,
    sentence_case,
    top_fills,
)

IS = "{target} is a {attribute}."
SAID = "the {noun} said that [MASK] was tired."


def test_the_likeliest_pieces_are_those_of_transformers(model, plain):
    m, sentence = model("bert"), "[MASK] is a nurse."
    ids, values, tokenizer = plain("bert", sentence)
    log_p = values[ids.index(tokenizer.mask_token_id)]
    best = np.argsort(-log_p)[:3]
    fills = top_fills(m, [sentence], 3)
    assert fills["piece"].tolist() == tokenizer.convert_ids_to_tokens(best.tolist())
    assert fills["probability"].to_numpy() == pytest.approx(np.exp(log_p[best]), rel=1e-4)


@settings(max_examples=10)
@given(k=st.integers(1, 30))
def test_fills_come_in_order_and_are_the_first_of_more(k, model):
    m = model("bert")
    few, more = top_fills(m, ["she is a [MASK]."], k), top_fills(m, ["she is a [MASK]."], k + 5)
    assert few["piece"].tolist() == more["piece"].tolist()[:k]
    assert (np.diff(more["probability"]) <= 0).all() and more["probability"].sum() <= 1 + 1e-6


def test_the_mass_is_the_sum_of_the_probabilities_of_the_targets_that_fit(model):
    m = model("bert")
    mass = mass_on_targets(m, ["nurse"], [IS], ["he", "she", "they"])
    singular = m.log_probabilities(["[MASK] is a nurse."], ["he", "she"])
    assert mass.loc["nurse", IS] == pytest.approx(np.exp(singular).sum())
    assert np.isnan(mass_on_targets(m, ["nurse"], [IS], ["they"]).loc["nurse", IS])


def test_the_mass_is_read_at_the_targets_gap_wherever_it_stands(model):
    m, template = model("bert"), "the {attribute} is {target}."
    mass = mass_on_targets(m, ["nurse"], [template], ["he", "she"])
    expected = m.log_probabilities(["the nurse is [MASK]."], ["he", "she"])
    assert mass.loc["nurse", template] == pytest.approx(np.exp(expected).sum())


def test_cue_odds_turn_with_the_pair(model):
    m = model("bert")
    there, back = cue_odds(m, ["nurse"], [SAID]), cue_odds(m, ["nurse"], [SAID], ("he", "she"))
    assert there.to_numpy() == pytest.approx(-back.to_numpy())
    assert cue_odds(m, [], [SAID]).shape == (0, 1)


def test_known_sides_are_the_scores_the_odds_and_the_odds_after_each_cue(model):
    m, nouns = model("bert"), ["nurse", "she"]
    tables = known_sides(m, nouns, [IS], [(SAID, "she", "he"), (SAID, "xylophonist", "he")])
    bias = log_probability_bias(m, nouns, [IS], [("she", "he")])
    assert tables["the score"][IS].tolist() == pytest.approx(bias["bias"].tolist())
    odds = bias["log_p_first"] - bias["log_p_second"]
    assert tables["log odds"][IS].tolist() == pytest.approx(odds.tolist())
    assert tables["log odds after a cue"].equals(cue_odds(m, nouns, [SAID]))
    assert list(known_sides(m, nouns, [IS], [])) == ["the score", "log odds"]


@pytest.fixture(scope="module")
def ours():
    return MaskedLanguageModel("minilm-mlm", "cpu")


def test_our_model_fills_in_a_particle_and_orders_queen_before_king(ours):
    fills = top_fills(ours, ["We are going [MASK] eat."], 1)
    assert fills["piece"].item() == "to"
    odds = cue_odds(ours, ["queen", "king"], ["the {noun} lost [MASK] way."], ("her", "his"))
    assert odds.loc["queen"].item() > odds.loc["king"].item()


def test_a_cased_model_reads_a_capital_at_the_start_and_only_there(model):
    templates = ["last year {target} was the {attribute}.", "{target} is the {attribute}."]
    assert sentence_case(model("bert-cased"), templates) == ["L" + templates[0][1:], templates[1]]
    assert sentence_case(model("bert"), templates) == templates
