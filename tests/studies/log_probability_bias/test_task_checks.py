"""What a model writes into a gap, how much of it is the targets, and whether a cue counts."""

import numpy as np
import pytest

from studies.log_probability_bias.task_checks import (
    cue_odds,
    sentence_case,
    top_fills,
)

SAID = "the {noun} said that [MASK] was tired."


def test_the_likeliest_pieces_are_those_of_transformers(model, plain):
    m, sentence = model("bert"), "[MASK] is a nurse."
    ids, values, tokenizer = plain("bert", sentence)
    log_p = values[ids.index(tokenizer.mask_token_id)]
    best = np.argsort(-log_p)[:3]
    fills = top_fills(m, [sentence], 3)
    assert fills["piece"].tolist() == tokenizer.convert_ids_to_tokens(best.tolist())
    assert fills["probability"].to_numpy() == pytest.approx(np.exp(log_p[best]), rel=1e-4)


def test_cue_odds_turn_with_the_pair(model):
    m = model("bert")
    there, back = cue_odds(m, ["nurse"], [SAID]), cue_odds(m, ["nurse"], [SAID], ("he", "she"))
    assert there.to_numpy() == pytest.approx(-back.to_numpy())
    assert cue_odds(m, [], [SAID]).shape == (0, 1)


def test_a_cased_model_reads_a_capital_at_the_start_and_only_there(model):
    templates = ["last year {target} was the {attribute}.", "{target} is the {attribute}."]
    assert sentence_case(model("bert-cased"), templates) == ["L" + templates[0][1:], templates[1]]
    assert sentence_case(model("bert"), templates) == templates
