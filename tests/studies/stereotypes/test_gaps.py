"""The gap between stereotypes about men and women: closed forms, drawn sentences, sizes, tuned models."""

import numpy as np
import pytest

from studies.stereotypes.gaps import (
    gap,
    order_with_size,
    resampled_moments,
    standardised_gap,
    tuned_pairs,
)
from studies.stereotypes.gest import read_summary

LABELS = np.repeat(np.arange(1, 17), 50)


def test_the_gap_is_men_less_women_and_doubling_scores_doubles_it_but_not_in_spreads():
    means = np.r_[np.full(7, -1.0), np.full(9, 0.5)][:, None]
    assert gap(means) == pytest.approx([1.5])
    assert standardised_gap(means, np.full((16, 1), 4.0)) == pytest.approx([0.75])
    assert standardised_gap(2 * means, np.full((16, 1), 16.0)) == pytest.approx([0.75])


def test_drawn_sentences_have_the_spread_of_a_mean():
    scores = np.random.default_rng(0).normal(size=(len(LABELS), 1)) + 5
    means, variances = resampled_moments(scores, LABELS, draws=2000, rng=0)
    assert means.shape == variances.shape == (2000, 16, 1)
    spread = np.sqrt(np.mean([scores[i == LABELS].var() / 50 for i in range(1, 17)]))
    assert means.std(axis=0).mean() == pytest.approx(spread, rel=0.03)
    assert variances.mean() == pytest.approx(scores.var(), rel=0.1)


@pytest.mark.parametrize(
    ("values", "rho", "p"),
    [([1, 2, 3, 4], 1, 2 / 24), ([4, 3, 2, 1], -1, 2 / 24), ([1, 2, 4, 3], 0.8, 8 / 24)],
)
def test_orders_are_counted_exactly(values, rho, p):
    found = order_with_size([10, 20, 30, 40], values)
    assert found == pytest.approx((rho, p, 2 / 24))


def test_too_few_or_equal_sizes_are_refused(refuses):
    refuses(lambda: order_with_size([1, 2], [1, 2]), ["3 to 9 different ones"])
    refuses(lambda: order_with_size([1, 1, 2], [1, 2, 3]), ["3 to 9 different ones", "[1, 1, 2]"])


def test_gaps_of_the_released_scores_are_as_counted_before():
    """An independent count: 0.05 for the smallest Pythia, 0.19 for the largest, 0.44 for a tuned Mistral."""
    cells = read_summary().pivot(index="stereotype", columns=["model", "template"], values="mean")
    gaps = (cells.loc[8:].mean() - cells.loc[:7].mean()).groupby("model").mean()
    named = ["pythia-70m", "gpt2", "pythia-12b", "Llama-2-13b-hf", "Llama-2-13b-chat-hf"]
    assert gaps[named].round(2).tolist() == [0.05, 0.10, 0.19, 0.26, 0.41]
    assert gaps["Mistral-7B-Instruct-v0.2"].round(2) == 0.44


def test_four_tuned_models_have_their_base_beside_them():
    pairs = tuned_pairs()
    assert len(pairs) == 4 and pairs["base"].nunique() == 3
