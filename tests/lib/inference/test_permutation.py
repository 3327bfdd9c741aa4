"""The permutation test: its methods agree with one another and with SciPy, closed forms, and bad input."""

from itertools import combinations
from math import comb, inf, sqrt

import numpy as np
import pytest
from scipy import stats

from lib.inference import permutation
from lib.inference.permutation import partition_test

SIDES = ("greater", "less", "two-sided")


def random_scores(seed, fewest=1):
    rng = np.random.default_rng(seed)
    n_x, n_y = rng.integers(fewest, 9, 2)
    scores = (
        rng.standard_normal(n_x + n_y) if seed % 3 else rng.integers(-3, 4, n_x + n_y) / 10
    )  # a third with many ties
    scores[0] += 0.01
    return scores[:n_x], scores[n_x:]


def mean_difference(x, y, axis=-1):
    return x.mean(axis=axis) - y.mean(axis=axis)


@pytest.mark.parametrize("side", SIDES)
def test_the_exact_p_equals_that_of_scipy(side):
    for seed in range(6):
        x, y = random_scores(seed, fewest=2)  # SciPy refuses one
        both = (
            side == "two-sided"
        )  # scipy doubles the smaller tail instead of comparing absolute differences
        statistic = (
            (lambda x, y, axis=-1: np.abs(mean_difference(x, y, axis))) if both else mean_difference
        )
        theirs = stats.permutation_test(
            (x, y),
            statistic,
            vectorized=True,
            n_resamples=np.inf,
            alternative="greater" if both else side,
        )
        assert partition_test(x, y, alternative=side).pvalue == pytest.approx(
            theirs.pvalue, rel=1e-12
        )


def test_exact_grid_and_sampled_agree_within_their_errors_on_60_cases():
    beyond = []
    for seed in range(60):
        x, y = random_scores(seed)
        side = SIDES[seed % 3]
        exact, grid, drawn = (
            partition_test(x, y, alternative=side, method=method, n_resamples=2000, rng=seed)
            for method in ("exact", "grid", "sampled")
        )
        assert grid.pvalue - grid.pvalue_error - 1e-12 <= exact.pvalue <= grid.pvalue + 1e-12
        assert abs(grid.pvalue_strict - exact.pvalue_strict) <= grid.pvalue_error + 1e-12
        for found in (exact, grid, drawn):
            assert 0 <= found.pvalue_strict <= found.pvalue <= 1 and found.pvalue > 0
        error = sqrt(exact.pvalue * (1 - exact.pvalue) / 2000) + 1 / 2000
        beyond.append(abs(drawn.pvalue - exact.pvalue) / error)
    assert max(beyond) < 4.5
    assert np.mean(np.array(beyond) < 2) > 0.9


def test_larger_sets_are_exact_by_their_halves_and_the_grid_bounds_them():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(16) + 1.2, rng.standard_normal(17)
    exact, grid = partition_test(x, y), partition_test(x, y, method="grid")
    assert (exact.method, exact.partitions, exact.ties) == ("exact", comb(33, 16), 1)
    assert grid.pvalue - grid.pvalue_error <= exact.pvalue <= grid.pvalue
    assert grid.pvalue_error < 0.005 * grid.pvalue < 1e-4


def test_sampling_draws_without_replacement_so_that_it_sees_every_partition_equally_often():
    scores = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    for chosen in combinations(range(5), 2):
        x, y = scores[list(chosen)], np.delete(scores, chosen)
        exact, drawn = (partition_test(x, y, method=name, rng=0) for name in ("exact", "sampled"))
        error = sqrt(exact.pvalue * (1 - exact.pvalue) / 100_000)
        assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * error + 1e-5)


def test_ties_count_for_the_valid_p_only():
    found = partition_test([0.1, 0.2, 0.3], [0.3, 0.2, 0.1])
    assert (
        found.ties
        == sum(abs(sum(c) - 0.6) < 1e-9 for c in combinations([0.1, 0.2, 0.3] * 2, 3))
        == 8
    )
    assert found.pvalue == pytest.approx(found.pvalue_strict + 8 / 20)


SCORES = [0.1, 0.2, 0.4]
MANY = np.random.default_rng(0).standard_normal(10**6)
BAD = {
    "an unknown alternative": (
        lambda: partition_test(SCORES, [0.3], alternative="right"),
        ["greater", "two-sided", "'right'"],
    ),
    "an unknown method": (
        lambda: partition_test(SCORES, [0.3], method="bootstrap"),
        ["exact", "'bootstrap'"],
    ),
    "too much to enumerate": (
        lambda: partition_test(np.arange(30.0), np.arange(30.0) + 1, method="exact"),
        ["24 + 24", "grid", "sampled"],
    ),
    "two million scores, of which a hundred thousand draws would take hours": (
        lambda: partition_test(MANY, -MANY),
        ["n_resamples", "up to 2,147 draws of 2,000,000 scores", "100,000", "draw fewer"],
    ),
    "a NaN score": (lambda: partition_test(SCORES, [0.1, np.nan]), ["y", "nan", "place 1"]),
    "scores all equal": (lambda: partition_test([0.2, 0.2], [0.2]), ["differ", "3 times 0.2"]),
}


def test_two_million_scores_are_tested():
    test = partition_test(MANY + 0.01, MANY[::-1], n_resamples=19, rng=0)
    assert (test.method, test.pvalue, test.partitions) == ("sampled", 0.05, inf)


def test_subsets_drawn_whole_have_the_p_of_all_partitions(monkeypatch):
    x, y = random_scores(1, fewest=4)
    exact = partition_test(x, y)
    monkeypatch.setattr(permutation, "MANY_SCORES", 0)
    drawn = partition_test(x, y, method="sampled", n_resamples=20_000, rng=0)
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * drawn.pvalue_error)


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses):
    refuses(*BAD[case])
