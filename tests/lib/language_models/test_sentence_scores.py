"""Scores of sentence pairs: agreement with plain forward passes, and what is refused."""

import numpy as np
import pytest
import torch

from lib.language_models.sentence_scores import (
    RULES,
    all_margins,
    margins_without_context,
    pair_margins,
    piece_scores,
    side_changes,
    unmasked_likelihoods,
)
from tests.support.crowded import refuse_large_batches

pytestmark = pytest.mark.usefixtures("one_thread")

FIRST = ["she is the nurse.", "the woman works in the new town.", "women walks to the town"]
SECOND = ["he is the nurse.", "the man works in the new town.", "men walks to the town"]


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_every_piece_is_read_where_it_alone_is_masked(kind, model, plain):
    m = model(kind)
    tokenizer = m.transformer.tokenizer
    [scores] = piece_scores(m, FIRST[:1], SECOND[:1])
    ids = tokenizer(FIRST[0])["input_ids"]
    for place in range(1, len(ids) - 1):
        masked = torch.tensor([[*ids[:place], m.mask_id, *ids[place + 1 :]]])
        with torch.inference_mode():
            logits = m.transformer.model(masked).logits[0, place]
        expected = torch.log_softmax(logits, -1)[ids[place]].item()
        assert scores.log_p[place - 1] == pytest.approx(expected, abs=1e-5)
    assert not scores.shared[0] and scores.shared[1:].all()


def test_the_rules_add_up_and_the_shared_words_are_those_of_crows_pairs(model):
    m = model()
    margins = pair_margins(m, FIRST, SECOND)
    assert list(margins) == list(RULES)
    crows = m.pseudo_log_likelihood(FIRST, SECOND) - m.pseudo_log_likelihood(SECOND, FIRST)
    assert margins["pseudo-log-likelihood"].to_numpy() == pytest.approx(crows, abs=1e-5)
    whole = m.pseudo_log_likelihood(FIRST) - m.pseudo_log_likelihood(SECOND)
    parts = margins["log probability"] + margins["pseudo-log-likelihood"]
    assert parts.to_numpy() == pytest.approx(whole, abs=1e-5)
    sizes = [len(scores.log_p) for scores in piece_scores(m, FIRST, SECOND)]
    assert margins["per piece"].to_numpy() == pytest.approx(whole / sizes, abs=1e-5)


def test_the_log_probability_of_one_changed_word_is_the_odds_in_the_gap(model):
    m = model()
    odds = m.log_probabilities(["[MASK] is the nurse."], ["she", "he"])[0]
    margins = pair_margins(m, FIRST[:1], SECOND[:1])
    assert margins["log probability"][0] == pytest.approx(odds[0] - odds[1], abs=1e-5)
    assert margins["probability"][0] == pytest.approx(np.diff(np.exp(odds[::-1]))[0], abs=1e-6)


def test_swapping_the_two_turns_every_sign(model):
    there, back = pair_margins(model(), FIRST, SECOND), pair_margins(model(), SECOND, FIRST)
    assert there.to_numpy() == pytest.approx(-back.to_numpy(), abs=1e-6)


def test_a_word_only_put_in_has_no_probability_against_nothing(model):
    margins = pair_margins(model(), ["the new nurse is kind"], ["the nurse is kind"])
    assert margins[["log probability", "probability"]].isna().all(axis=None)
    assert margins["pseudo-log-likelihood"].notna().all()


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_unmasked_likelihoods_are_those_of_the_published_program(kind, model):
    m = model(kind)
    found = unmasked_likelihoods(m, [*FIRST, "the town"])
    for sentence, row in zip([*FIRST, "the town"], found.to_numpy()):
        ids = torch.tensor([m.transformer.tokenizer(sentence)["input_ids"]])
        network = m.transformer.model
        usual = network.config._attn_implementation
        network.set_attn_implementation("eager")
        with torch.inference_mode():
            output = network(ids, output_attentions=True)
        network.set_attn_implementation(usual)
        log_p = torch.log_softmax(output.logits[0], 1).gather(1, ids.view(-1, 1))[1:-1, 0]
        attended = torch.cat(output.attentions, 0).mean(0).mean(0).mean(0)[1:-1]
        assert row[0] == pytest.approx(log_p.mean().item(), abs=1e-5)
        assert row[1] == pytest.approx((log_p * attended).mean().item(), abs=1e-5)


def test_a_twin_with_its_sentences_exchanged_changes_sides_and_one_that_is_the_same_does_not(model):
    m = model()
    turned = side_changes(m, (FIRST, SECOND), (SECOND, FIRST))
    assert (turned["change"] == 1).all() and (turned["n"] == 3).all()
    prefer = (all_margins(m, FIRST, SECOND) > 0).mean()
    assert turned["prefer"].to_numpy() == pytest.approx(prefer.to_numpy())
    assert turned["chance"].to_numpy() == pytest.approx((prefer**2 + (1 - prefer) ** 2).to_numpy())
    assert (side_changes(m, (FIRST, SECOND), (FIRST, SECOND))["change"] == 0).all()


def test_without_context_the_words_that_differ_are_read_where_all_is_masked(model, plain):
    m = model()
    found = margins_without_context(m, [FIRST[0], "the new nurse"], [SECOND[0], "the nurse"])
    _, log_p, tokenizer = plain("bert", "[MASK] " * 4 + "[MASK]")
    she, he = tokenizer.convert_tokens_to_ids(["she", "he"])
    assert found[0] == pytest.approx(float(log_p[1, she] - log_p[1, he]), abs=1e-5)
    assert np.isnan(found[1])


def test_shares_have_intervals_over_pairs_and_twins_of_one_pair_are_drawn_together(model):
    m = model()
    once = side_changes(m, (FIRST, SECOND), (SECOND, FIRST), n_resamples=200, rng=0)
    doubled = [side * 2 for side in (FIRST, SECOND)]
    twice = side_changes(m, doubled, doubled[::-1], n_resamples=200, rng=0)
    ends = [f"{name}_{end}" for name in ("prefer", "twin", "alone") for end in ("low", "high")]
    assert twice[ends].equals(once[ends])
    assert np.allclose(twice["twin"], 1 - twice["prefer"])
    assert (once["prefer_low"] <= once["prefer"]).all()
    assert once[["alone", "alone_chance"]].stack().between(0, 1).all()


def test_a_full_device_gets_smaller_batches_and_the_numbers_stay(model, monkeypatch):
    m, sentences = model(), [*FIRST, *SECOND]
    expected = unmasked_likelihoods(m, sentences)
    refused = refuse_large_batches(monkeypatch, m.transformer.model.base_model)
    found = unmasked_likelihoods(m, sentences)
    assert len(refused) >= 2
    assert found.to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-5)
