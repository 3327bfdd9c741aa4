"""The order of sixteen stereotypes: means, halves, shuffled labels, and agreement on them."""

import numpy as np
import pandas as pd
import pytest

from studies.stereotypes.gest import read_summary
from studies.stereotypes.order import (
    between,
    family_means,
    half_means,
    median_agreement,
    rank_agreement,
    shuffled_means,
    stereotype_means,
    template_agreement,
    within_sides,
)

LABELS = np.repeat(np.arange(1, 17), 6)


def made(noise, k=3, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.normal(size=16)
    return true[LABELS - 1, None] + noise * rng.normal(size=(len(LABELS), k)), true


def test_means_are_those_of_pandas_and_a_stereotype_without_sentences_has_none():
    scores, _ = made(1)
    assert stereotype_means(scores, LABELS) == pytest.approx(
        pd.DataFrame(scores).groupby(LABELS).mean().to_numpy()
    )
    assert np.isnan(stereotype_means(scores[:6], LABELS[:6])[1:]).all()


def test_agreement_is_one_without_noise_and_within_sides_looks_past_the_two_sides():
    scores, _ = made(0)
    assert median_agreement(stereotype_means(scores, LABELS)) == pytest.approx((1, 1))
    sides = np.r_[np.zeros(7), np.full(9, 10.0)][:, None] + np.random.default_rng(1).normal(
        size=(16, 40)
    )
    whole, within = median_agreement(sides)
    assert whole > 0.7 and abs(within) < 0.15
    assert within_sides(sides)[:7].mean(axis=0) == pytest.approx(np.zeros(40))


def test_halves_share_no_sentence_and_together_are_the_whole():
    scores, _ = made(1)
    first, second = half_means(scores, LABELS, splits=5, rng=0)
    assert (first + second) / 2 == pytest.approx(
        np.broadcast_to(stereotype_means(scores, LABELS), first.shape)
    )
    assert not np.allclose(first[0], first[1])


def test_shuffled_labels_keep_what_columns_share_and_their_sides_if_asked():
    scores = np.random.default_rng(0).normal(size=(96, 1)) @ np.ones((1, 2))
    null = shuffled_means(scores, LABELS, draws=20, rng=0)
    assert all(median_agreement(draw)[0] == pytest.approx(1) for draw in null)
    within = shuffled_means(scores, LABELS, within=True, draws=20, rng=0)
    assert within[:, :7].mean(axis=1) == pytest.approx(np.full((20, 2), scores[:42].mean()))


def test_pairs_are_counted_once_or_across_halves_twice():
    square = rank_agreement(np.random.default_rng(0).normal(size=(16, 4)))
    assert len(between(square)) == 6
    other = rank_agreement(*np.random.default_rng(0).normal(size=(2, 16, 4)))
    assert len(between(other)) == 12


def test_the_released_scores_agree_as_counted_before():
    """Medians found by an independent count of the files: .90 between templates, .91 between decoders."""
    cells = read_summary().pivot(index="stereotype", columns=["model", "template"], values="mean")
    pairs = template_agreement({key: column.to_numpy() for key, column in cells.items()})
    decoders = pairs[~pairs["model"].str.contains("bert|electra|xlm")]
    assert len(decoders) == 23 and decoders["value"].median() == pytest.approx(0.897, abs=0.002)
    by_model = cells.T.groupby(level="model").mean().T
    square = rank_agreement(by_model[decoders["model"]].to_numpy())
    assert np.median(between(square)) == pytest.approx(0.906, abs=0.002)
    families = family_means(by_model)
    assert list(families) == sorted(families, key=list(families).index) and families.shape == (
        16,
        9,
    )
    assert families["Phi"].to_numpy() == pytest.approx(
        by_model[["phi-1", "phi-1_5", "phi-2"]].mean(axis=1).to_numpy()
    )
