"""The association test: printed values, agreement of its methods with one another and with SciPy, nulls, and bad input."""

from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from lib import association
from lib.association import effect_size, effect_size_interval, random_target_effects, weat
from lib.embeddings import load_embedding
from lib.inference.permutation import permutation_test, rejection_rate
from lib.lexicons import load_lexicon

GOLDEN = {  # Google News rows: d, strict p, p with ties
    "b1": (1.371, 0.0011655, 0.0012432, 15),
    "b2": (1.022, 0.0179487, 0.0180264, 231),
    "b3": (1.253, 0.0041958, 0.0042735, 54),
}
SIDES = ("greater", "less", "two-sided")


def random_sets(seed=0, sizes=(4, 4, 3, 3), d=6):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((n, d)) + 0.3 * (i % 2) for i, n in enumerate(sizes)]


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


@pytest.mark.sample("wefe_weat_w2v")
@pytest.mark.parametrize("name", GOLDEN)
def test_google_news_gives_the_effect_sizes_that_chaloner_prints_and_their_exact_p(name):
    news = load_embedding("wefe_weat_w2v")
    found = weat(*(news.rows(words).vectors for words in load_lexicon("chaloner2019").test(name)))
    d, strict, valid, more_extreme = GOLDEN[name]
    assert found.effect_size == pytest.approx(d, abs=5e-4)
    assert found.p_value_strict == more_extreme / 12870 == pytest.approx(strict, abs=5e-8)
    assert found.p_value == (more_extreme + 1) / 12870 == pytest.approx(valid, abs=5e-8)
    assert (found.method, found.ties, found.partitions, found.p_error) == ("exact", 1, 12870, 0)


def test_the_statistic_and_effect_size_follow_the_formulas():
    X, Y, A, B = random_sets(1, sizes=(3, 5, 2, 4))
    cosine = lambda u, v: u @ v / np.linalg.norm(u) / np.linalg.norm(v)  # noqa: E731
    s = [
        [np.mean([cosine(w, a) for a in A]) - np.mean([cosine(w, b) for b in B]) for w in words]
        for words in (X, Y)
    ]
    found = weat(X, Y, A, B, ddof=0)
    assert np.allclose(found.x_associations, s[0]) and np.allclose(found.y_associations, s[1])
    assert found.statistic == pytest.approx(sum(s[0]) - sum(s[1]))
    assert found.effect_size == pytest.approx(
        (np.mean(s[0]) - np.mean(s[1])) / np.std(s[0] + s[1])
    )  # as WEFE computes it
    assert weat(X, Y, A, B).effect_size == pytest.approx(found.effect_size * sqrt(7 / 8))


def test_two_single_words_reach_the_largest_effect_whatever_they_are():
    for seed in range(20):
        sets = random_sets(seed, sizes=(1, 1, 2, 2))
        found = weat(*sets, ddof=0)
        assert abs(found.effect_size) == pytest.approx(2)
        assert abs(weat(*sets).effect_size) == pytest.approx(sqrt(2))
        assert (found.p_value, found.p_value_strict) == (
            (0.5, 0) if found.effect_size > 0 else (1, 0.5)
        )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9999), st.integers(1, 6), st.integers(1, 6))
def test_swapping_flips_the_sign_and_rotation_and_scaling_change_nothing(seed, n_x, n_y):
    X, Y, A, B = sets = random_sets(seed, sizes=(n_x, n_y, 3, 2))
    turn = 5 * np.linalg.qr(np.random.default_rng(seed).standard_normal((6, 6)))[0]
    found, swapped, turned = (
        weat(*sets),
        weat(Y, X, A, B, alternative="less"),
        weat(*(rows @ turn for rows in sets)),
    )
    assert swapped.effect_size == pytest.approx(-found.effect_size)
    assert swapped.statistic == pytest.approx(-found.statistic)
    assert swapped.p_value == found.p_value == turned.p_value
    assert turned.effect_size == pytest.approx(found.effect_size)
    assert weat(X, Y, B, A).effect_size == pytest.approx(-found.effect_size)
    assert found.p_value_strict <= found.p_value


@pytest.mark.parametrize("side", SIDES)
def test_the_exact_p_equals_that_of_scipy(side):
    for seed in range(25):
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
        assert permutation_test(x, y, alternative=side).p_value == pytest.approx(
            theirs.pvalue, rel=1e-12
        )


def test_exact_grid_and_sampled_agree_within_their_errors_on_200_cases():
    beyond = []
    for seed in range(200):
        x, y = random_scores(seed)
        side = SIDES[seed % 3]
        exact, grid, drawn = (
            permutation_test(x, y, alternative=side, method=method, resamples=2000, rng=seed)
            for method in ("exact", "grid", "sampled")
        )
        assert grid.p_value - grid.p_error - 1e-12 <= exact.p_value <= grid.p_value + 1e-12
        assert abs(grid.p_value_strict - exact.p_value_strict) <= grid.p_error + 1e-12
        for found in (exact, grid, drawn):
            assert 0 <= found.p_value_strict <= found.p_value <= 1 and found.p_value > 0
        error = sqrt(exact.p_value * (1 - exact.p_value) / 2000) + 1 / 2000
        beyond.append(abs(drawn.p_value - exact.p_value) / error)
    assert max(beyond) < 4.5
    assert np.mean(np.array(beyond) < 2) > 0.9


def test_larger_sets_are_exact_by_their_halves_and_the_grid_bounds_them():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(16) + 1.2, rng.standard_normal(17)
    exact, grid = permutation_test(x, y), permutation_test(x, y, method="grid")
    assert (exact.method, exact.partitions, exact.ties) == ("exact", comb(33, 16), 1)
    assert grid.p_value - grid.p_error <= exact.p_value <= grid.p_value
    assert grid.p_error < 0.005 * grid.p_value < 1e-4


def test_sets_of_25_words_are_counted_on_a_grid():
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal(25) + 0.5, rng.standard_normal(25)
    grid, drawn = permutation_test(x, y), permutation_test(x, y, method="sampled", rng=0)
    assert (grid.method, grid.partitions, grid.ties) == ("grid", comb(50, 25), None)
    assert 0 < grid.p_error < 0.01 * grid.p_value
    assert abs(grid.p_value - drawn.p_value) < 4 * drawn.p_error + grid.p_error


def test_sampling_draws_without_replacement_so_that_it_sees_every_partition_equally_often():
    x, y = np.array([1.0, 2.0]), np.array([4.0, 8.0, 16.0])
    found = permutation_test(x, y, method="sampled", rng=0)
    sums, counts = np.unique(found.null_distribution.statistics.round(6), return_counts=True)
    assert np.allclose(sums, sorted(2 * (a + b) - 31 for a, b in combinations([1, 2, 4, 8, 16], 2)))
    assert stats.chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize(
    ("method", "n_x", "n_y"),
    [("exact", 3, 4), ("exact", 14, 10), ("grid", 8, 9), ("sampled", 9, 4)],
)
def test_the_null_distribution_carries_the_p_value(method, n_x, n_y):
    rng = np.random.default_rng(n_x)
    x, y = rng.standard_normal(n_x) + 0.8, rng.standard_normal(n_y)
    found = permutation_test(x, y, method=method, resamples=20_000, rng=0)
    statistics, shares = found.null_distribution
    assert shares.sum() == pytest.approx(1)
    assert shares[statistics >= found.statistic - 1e-9].sum() == pytest.approx(
        found.p_value, abs=0.004
    )
    assert statistics @ shares == pytest.approx(
        (n_x - n_y) * np.concatenate([x, y]).mean(), abs=0.15
    )


def test_unequal_sets_are_cut_into_their_own_sizes():
    x, y = np.array([3.0, 5.0]), np.array([0.0, 1.0, 2.0, 2.5, 4.0])
    better = sum(a + b >= 8 for a, b in combinations(np.concatenate([x, y]), 2))
    assert permutation_test(x, y).p_value == better / 21
    assert permutation_test(y, x, alternative="less").p_value == better / 21


def test_two_sided_compares_means_and_not_sums():
    x, y = np.array([10.0, 11.0, 12.5]), np.array([9.0, 10.5])
    pooled = np.concatenate([x, y])
    means = np.abs([np.mean(c) - (pooled.sum() - sum(c)) / 2 for c in combinations(pooled, 3)])
    observed = abs(x.mean() - y.mean())
    assert permutation_test(x, y, alternative="two-sided").p_value == np.mean(
        means >= observed - 1e-9
    )


def test_ties_count_for_the_valid_p_only():
    found = permutation_test([0.1, 0.2, 0.3], [0.3, 0.2, 0.1])
    assert (
        found.ties
        == sum(abs(sum(c) - 0.6) < 1e-9 for c in combinations([0.1, 0.2, 0.3] * 2, 3))
        == 8
    )
    assert found.p_value == pytest.approx(found.p_value_strict + 8 / 20)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("inclusive", [True, False])
def test_rejection_rates_equal_a_full_enumeration(n, side, strict, inclusive):
    scores, p_values = np.random.default_rng(n).standard_normal(2 * n), []
    for chosen in combinations(range(2 * n), n):
        found = permutation_test(scores[list(chosen)], np.delete(scores, chosen), alternative=side)
        p_values.append(found.p_value_strict if strict else found.p_value)
    rejected = [p <= 0.05 + 1e-12 if inclusive else p < 0.05 - 1e-12 for p in p_values]
    assert rejection_rate(
        n, n, strict=strict, inclusive=inclusive, alternative=side
    ) == pytest.approx(np.mean(rejected))


def test_the_strict_rule_rejects_a_true_null_too_often_and_the_valid_one_does_not():
    assert rejection_rate(3, 3, strict=True) == 2 / 20
    assert rejection_rate(4, 4, strict=True) == 4 / 70
    assert rejection_rate(3, 3) == 1 / 20
    assert rejection_rate(4, 4) == 3 / 70
    assert all(
        rejection_rate(a, b, level) <= level
        for a in range(1, 9)
        for b in range(1, 9)
        for level in (0.01, 0.05, 0.1)
    )


def test_the_interval_covers_the_value_repeats_with_its_seed_and_pairs_narrow_it():
    rng = np.random.default_rng(0)
    pair = rng.standard_normal((9, 6)) * 1.5
    A, B = pair + np.eye(6)[0], pair - np.eye(6)[0]
    X, Y = rng.standard_normal((8, 6)) + np.eye(6)[0], rng.standard_normal((8, 6)) - np.eye(6)[0]
    low, high = effect_size_interval(X, Y, A, B, resamples=500, rng=3)
    assert low < weat(X, Y, A, B).effect_size < high
    assert (low, high) == effect_size_interval(X, Y, A, B, resamples=500, rng=3)
    paired = effect_size_interval(X, Y, A, B, resamples=500, rng=3, paired=True)
    assert paired[1] - paired[0] < high - low


def test_the_interval_equals_a_bootstrap_that_measures_every_draw_afresh():
    X, Y, A, B = sets = random_sets(2, sizes=(5, 6, 4, 3))
    theirs = stats.bootstrap(
        [np.arange(len(rows)) for rows in sets],
        lambda x, y, a, b: effect_size(
            *(association.associations(words, A[a], B[b]) for words in (X[x], Y[y]))
        ),
        n_resamples=300,
        vectorized=False,
        method="BCa",
        rng=1,
        batch=500,
    )
    assert effect_size_interval(*sets, resamples=300, rng=1) == pytest.approx(
        tuple(theirs.confidence_interval)
    )


def test_the_interval_is_too_short_for_8_words_with_skewed_associations_as_its_docstring_says():
    rng, covered = np.random.default_rng(0), 0

    def vectors(scores):
        return np.stack([scores / 20, np.sqrt(1 - (scores / 20) ** 2)], axis=1)

    A = np.repeat([[1.0, 0.0]], 3, axis=0)
    truth = 2 / sqrt(1 + 1)  # two exponentials, two deviations apart
    for seed in range(150):
        X, Y = vectors(rng.exponential(size=8) + 2), vectors(rng.exponential(size=8))
        low, high = effect_size_interval(X, Y, A, -A, resamples=300, rng=seed)
        covered += low <= truth <= high
    assert 0.7 < covered / 150 < 0.9


def test_random_targets_have_no_effect_on_average():
    rng = np.random.default_rng(0)
    vocabulary, A, B = (
        rng.standard_normal((400, 20)),
        rng.standard_normal((5, 20)),
        rng.standard_normal((5, 20)),
    )
    found = random_target_effects(vocabulary, A, B, (8, 8), draws=2000, rng=1)
    assert found.shape == (2000,)
    assert abs(found.mean()) < 0.05
    assert found.std() == pytest.approx(2 / sqrt(16), abs=0.05)
    assert np.array_equal(found, random_target_effects(vocabulary, A, B, (8, 8), draws=2000, rng=1))


def test_matched_random_targets_are_different_words_near_the_rank_of_those_they_stand_for(
    monkeypatch,
):
    angle = np.linspace(0, np.pi / 2, 5000)
    vocabulary, A, seen = np.stack([np.cos(angle), np.sin(angle)], axis=1), np.array([[1.0, 0]]), []
    monkeypatch.setattr(association, "_effect_sizes", lambda x, y, ddof: seen.extend([x, y]))
    positions = [*range(10, 20), 1000, 4000]
    random_target_effects(
        vocabulary, A, -A, (10, 2), positions=positions, draws=300, matched=True, rng=0
    )
    rows = np.rint(np.arccos(np.hstack(seen) / 2) / np.pi * 2 * 4999).astype(int)
    assert rows.shape == (300, 12)
    assert (
        rows[:, :10].max() <= 44
        and rows[:, 10].min() >= 750
        and rows[:, 10].max() <= 1250
        and rows[:, 11].min() >= 3000
    )
    assert not np.isin(rows, positions).any()
    assert all(len(set(row)) == 12 for row in rows)


def test_benjamini_hochberg_keeps_the_order_and_never_lowers_a_p():
    assert association.benjamini_hochberg([0.01, 0.04, 0.03, 0.5]) == pytest.approx(
        [0.04, 0.16 / 3, 0.16 / 3, 0.5]
    )
    assert association.benjamini_hochberg([]).shape == (0,)


def test_a_large_vocabulary_keeps_its_precision():
    X, _, A, B = random_sets()
    assert association.associations(np.float32(X), A, B).dtype == np.float32


X, Y, A, B = random_sets(5)
MANY = random_sets(0, (90,))[0]
SCORES = [0.1, 0.2, 0.4]
NEAR = {"positions": [*range(25), 26], "matched": True}  # only row 25 is near both row 0 and row 1
BAD = {
    "a word in both target sets": (
        lambda: weat(X, np.vstack([Y, X[2:3]]), A, B),
        ["common", "[(2, 4)]", "leave"],
    ),
    "X = Y": (lambda: weat(X, X, A, B), ["common words", "(0, 0)", "(3, 3)"]),
    "constant associations": (
        lambda: weat(X, 2 * X, A, A[::-1]),
        ["associations that differ", "all 8", "one set"],
    ),
    "two words on one ray": (
        lambda: weat(X[:1], 2 * X[:1], A, B),
        ["differ", "all 2 words", "one vector"],
    ),
    "all words missing": (lambda: weat(np.empty((0, 6)), Y, A, B), ["X", "got none", "missing"]),
    "no attribute word": (lambda: weat(X, Y, A, np.empty((0, 6))), ["B", "got none", "missing"]),
    "one vector where rows are expected": (lambda: weat(X[0], Y, A, B), ["X", "2-d", "(6,)"]),
    "vectors of two embeddings": (lambda: weat(X, Y, A[:, :4], B), ["one space", "4", "6", "load"]),
    "a zero vector": (
        lambda: weat(X, Y * [[0], [1], [1], [1]], A, B),
        ["Y", "zero length", "row 0"],
    ),
    "a NaN vector": (lambda: weat(X, Y, A * np.nan, B), ["A", "NaN", "row 0"]),
    "an unknown deviation": (lambda: weat(X, Y, A, B, ddof=2), ["ddof", "1 (sample", "got 2"]),
    "an unknown alternative": (
        lambda: weat(X, Y, A, B, alternative="right"),
        ["'greater'", "'two-sided'", "'right'"],
    ),
    "an unknown method": (lambda: weat(X, Y, A, B, method="bootstrap"), ["'exact'", "'bootstrap'"]),
    "no draws": (lambda: weat(X, Y, A, B, resamples=0), ["resamples", "1 or more", "0"]),
    "too much to enumerate": (
        lambda: permutation_test(np.arange(30.0), np.arange(30.0) + 1, method="exact"),
        ["24 + 24", "grid", "sampled"],
    ),
    "too much for a grid": (
        lambda: permutation_test(np.arange(600.0), np.arange(600.0), method="grid"),
        ["1,000", "1200", "sampled"],
    ),
    "scores that are no list": (lambda: permutation_test([SCORES], SCORES), ["x", "(1, 3)"]),
    "a NaN score": (lambda: permutation_test(SCORES, [0.1, np.nan]), ["y", "nan", "place 1"]),
    "scores all equal": (lambda: permutation_test([0.2, 0.2], [0.2]), ["differ", "3 times 0.2"]),
    "a level of 5 per cent as 5": (lambda: rejection_rate(3, 3, 5), ["0 < level < 1", "5"]),
    "effect of no word": (lambda: effect_size([], SCORES), ["an association or more", "(0,)"]),
    "two words to resample": (
        lambda: effect_size_interval(X, Y[:2], A, B),
        ["three words", "[4, 2, 3, 3]"],
    ),
    "pairs of unequal lists": (
        lambda: effect_size_interval(X, Y, A, X, paired=True),
        ["paired", "3 and 4"],
    ),
    "a level of 95": (lambda: effect_size_interval(X, Y, A, B, level=95), ["level", "95"]),
    "matched to nothing": (
        lambda: random_target_effects(X, A, B, (1, 1), matched=True),
        ["positions", "None"],
    ),
    "positions outside the vocabulary": (
        lambda: random_target_effects(X, A, B, (1, 1), positions=[0, 4]),
        ["(2,)", "of 4", "[0, 4]"],
    ),
    "a vocabulary that is too small": (
        lambda: random_target_effects(X, A, B, (3, 2)),
        ["5 words", "got 4", "larger"],
    ),
    "too few words of that rank": (
        lambda: random_target_effects(MANY, A, B, (13, 13), **NEAR),
        ["26 different", "near", "matched=False"],
    ),
    "an empty set of targets": (
        lambda: random_target_effects(X, A, B, (0, 2)),
        ["sizes", "(0, 2)"],
    ),
    "a p above 1": (lambda: association.benjamini_hochberg([0.2, 1.2]), ["p_values", "0 to 1"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected_and_what_came(case, refuses, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refuses(*BAD[case])
    assert list(tmp_path.iterdir()) == []
