"""Pairs of sentences: differences a piece, and what they say beside exchanged sentences."""

import numpy as np
import pytest

from audit.model.sentence_pairs import (
    CROWS,
    SHARED,
    WHOLE,
    differences,
    pairs_for,
    read_pairs,
    summary,
    table,
)
from lib.datasets.crows_pairs import read_crows_pairs
from lib.language_models import MaskedLanguageModel
from lib.language_models.causal_scores import CausalLanguageModel
from lib.own_lists import read_own_sentence_pairs, read_own_sentences

FIRST = ["the woman is a nurse", "she walks", "the doctor is new"]
SECOND = ["the man is a nurse", "she works", "the doctor is kind"]


def test_a_decoder_is_read_behind_what_differs(tiny_gguf):
    model = CausalLanguageModel(str(tiny_gguf), "cpu")
    apart = differences(model, FIRST, SECOND)
    sides = (("the woman is a nurse", "the woman"), ("the man is a nurse", "the man"))
    pieces = len(model.transformer.tokenizer(" is a nurse", add_special_tokens=False)["input_ids"])
    values = [model.log_probabilities([text], [given])[0] / pieces for text, given in sides]
    assert apart[SHARED][0] == pytest.approx(values[0] - values[1], abs=1e-4)
    assert np.isnan(apart[SHARED][1:]).all() and np.isfinite(apart[WHOLE]).all()
    back = differences(model, SECOND, FIRST)
    assert np.allclose(apart[WHOLE], -back[WHOLE], atol=1e-5)


def test_a_masked_model_is_read_a_piece_at_a_time(tiny_model):
    model = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    apart = differences(model, FIRST, SECOND)
    shared = [model.pseudo_log_likelihood([x], [y])[0] for x, y in zip(FIRST, SECOND)]
    other = [model.pseudo_log_likelihood([y], [x])[0] for x, y in zip(FIRST, SECOND)]
    assert apart[SHARED][0] == pytest.approx((shared[0] - other[0]) / 4, abs=1e-4)


def test_fair_pairs_pass_one_time_in_twenty_and_planted_ones_are_found():
    rng = np.random.default_rng(0)
    fair = [table({WHOLE: rng.normal(size=40)}, rng=0)["adjusted_p"].min() for _ in range(100)]
    assert sum(p <= 0.05 for p in fair) <= 10
    planted = table({WHOLE: rng.normal(1, 1, 40), SHARED: np.full(3, np.nan)}, rng=0)
    assert planted["adjusted_p"][:2].max() < 0.01 and planted["n"][2] == 0
    assert (planted["p"][:2] >= planted["smallest_p"][:2]).all()


def test_power_is_that_of_a_sign_test():
    n = pairs_for(0.6)
    rng = np.random.default_rng(1)
    found = [summary(rng.choice([1, -1], n, p=[0.6, 0.4]), rng=0)["share_p"] for _ in range(200)]
    assert 0.7 < np.mean(np.array(found) <= 0.05) < 0.9
    assert summary([], rng=0)["n"] == 0 and summary([0.0, 1.0], rng=0)["share"] == 0.75


def test_own_sentences_are_read_with_their_commas_and_pairs_with_their_heading(tmp_path, refuses):
    lines = tmp_path / "texts.txt"
    lines.write_text("# mine\nas soon as the {word} came,\nla {word} dijo, que\n", encoding="utf-8")
    assert read_own_sentences(lines) == ("as soon as the {word} came,", "la {word} dijo, que")
    path = tmp_path / "pairs.csv"
    path.write_text('sent_more,sent_less\n"Well, she won","Well, he won"\nShe won,He won\n')
    assert read_own_sentence_pairs(path) == (
        ("Well, she won", "Well, he won"),
        ("She won", "He won"),
    )
    path.write_text("She won,He won\n")
    assert read_own_sentence_pairs(path) == (("She won", "He won"),)
    path.write_text("She won,She won\n")
    refuses(lambda: read_own_sentence_pairs(path), ["two different sentences", "She won"])
    refuses(lambda: read_own_sentence_pairs(lines), [".csv or .tsv"])
    lines.write_text("")
    refuses(lambda: read_own_sentences(lines), ["got none"])


@pytest.mark.sample("crows_pairs")
def test_crows_pairs_come_with_the_more_stereotypical_sentence_first():
    pairs = read_pairs(CROWS)
    rows = read_crows_pairs().set_index("sent_more")
    assert len(pairs) > 250 and len(set(pairs)) == len(pairs)
    assert all(rows.loc[[more], "sent_less"].eq(less).any() for more, less in pairs)
    assert set(rows.loc[[more for more, _ in pairs], "bias_type"]) == {"gender"}
