"""Split halves and Spearman-Brown: what a mean over items is worth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.inference.reliability import spearman_brown, split_half


def sample(things=3000, items=10, noise=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((things, 1)) + noise * rng.standard_normal((things, items))


def test_spearman_brown_by_hand():
    assert spearman_brown(0.5) == pytest.approx(2 / 3)
    assert spearman_brown(0.8, 0.5) == pytest.approx(2 / 3)
    assert spearman_brown(0.0, 7) == 0 and spearman_brown(1.0, 7) == 1
    assert np.isnan(spearman_brown(np.nan)) and spearman_brown(-1) == -1


def test_halves_of_parallel_items_have_the_reliability_of_theory():
    found = split_half(sample(), n_splits=50, rng=0)
    assert found.half == pytest.approx(5 / 6, abs=0.02)
    assert found.whole == pytest.approx(10 / 11, abs=0.015)
    assert found.low <= found.half <= found.high and found.sizes == (5, 5)


def test_copies_of_an_item_are_no_further_opinion():
    distinct = sample(items=4, noise=2.0)
    copied = np.column_stack([distinct, distinct[:, :1], distinct[:, :1]])
    apart = split_half(copied, n_splits=200, rng=0)
    together = split_half(copied, ["a", "b", "c", "d", "a", "a"], n_splits=200, rng=0)
    assert together.sizes == (3, 3) and together.half < apart.half - 0.1


@settings(max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=9).filter(lambda g: len(set(g)) > 1))
def test_sizes_are_as_even_as_the_groups_allow(groups):
    found = split_half(sample(5, len(groups)), groups, n_splits=3, rng=0)
    assert sum(found.sizes) == len(groups) and 0 < found.sizes[0] <= found.sizes[1]
    counts = [groups.count(label) for label in set(groups)]
    reachable = {
        sum(c for c, bit in zip(counts, f"{mask:09b}"[::-1]) if bit == "1") for mask in range(512)
    }
    assert found.sizes[0] == max(total for total in reachable if 2 * total <= len(groups))


def test_bad_inputs_are_refused(refuses):
    good = sample(5, 4)
    refuses(lambda: split_half(good[:2]), ["at least 3 and 2", "(2, 4)"])
    refuses(lambda: split_half(good[:, :1]), ["(5, 1)"])
    refuses(lambda: split_half(np.where(good > 0, np.nan, good)), ["NaN", "leave"])
    refuses(lambda: split_half(good, ["a", "b"]), ["4 labels", "got 2"])
    refuses(lambda: split_half(good, ["a"] * 4), ["two groups", "one"])
    refuses(lambda: split_half(good, n_splits=0), ["n_splits", "0"])
    refuses(lambda: spearman_brown(1.5), ["-1 to 1", "1.5"])
    refuses(lambda: spearman_brown(0.5, 0), ["positive", "0"])
