"""Counts of a corpus and what they say under a perfect factorisation."""

import numpy as np
import pytest

from lib import measures
from lib.paths import DATA
from studies.ripa.counts import PairCounts, cspmi, genderedness, log_ratio, read_counts


def test_cspmi_is_pmi_plus_the_logarithm_of_the_joint_probability():
    together, first, second, total = 8, 40, 100, 10_000
    pmi = np.log(together * total / (first * second))
    assert cspmi([together], [first], [second]) == pytest.approx([pmi + np.log(together / total)])


def test_words_that_never_meet_have_minus_infinity_and_no_genderedness():
    apart = cspmi([0], [3], [4])
    assert apart[0] == -np.inf
    assert genderedness([[2.0]], apart).tolist() == [[0.0]]


def test_the_ratio_is_unknown_where_a_count_is_zero():
    found = log_ratio([[4, 0], [2, 3]], [[2, 5], [2, 3]], [10, 10], [10, 20])
    assert np.isnan(found).tolist() == [[False, True], [False, False]]
    assert found[0, 0] == pytest.approx(np.log(2))
    assert found[1, 1] == pytest.approx(np.log(2))  # the male word occurs twice as often


def test_a_perfect_factorisation_shows_what_the_corpus_says():
    """Equation 5 the other way round: RIPA of vectors with W C' = PMI and C = lambda W is the corpus's genderedness."""
    rng = np.random.default_rng(0)
    words, scale = rng.standard_normal((6, 3)), 1.7
    x, y = words[4], words[5]
    ratios = scale * words[:4] @ (x - y)[:, None]  # PMI(w, x) - PMI(w, y)
    of_pair = -scale * np.sum((x - y) ** 2) + 0.5  # csPMI with alpha = 0.5
    found = genderedness(ratios, [of_pair], scale=scale, shift=0.5)
    assert found == pytest.approx(measures.ripa(words[:4], x[None], y[None]))


def test_pair_counts_give_the_same_as_the_functions_they_call():
    words = ("she", "he", "nurse")
    beside = np.array([[0, 6], [6, 0], [9, 3]])
    counts = PairCounts(words, ("she", "he"), beside, np.array([50, 80, 30]), total=400)
    pairs = [("she", "he")]
    assert counts.ratios(["nurse"], pairs) == pytest.approx(np.log([[9 / 3 / (50 / 80)]]))
    assert counts.pmi(pairs) == pytest.approx([np.log(6 * 400 / (50 * 80))])
    assert counts.cspmi(pairs) == pytest.approx(cspmi([6], [50], [80]))
    assert counts.genderedness(["nurse"], pairs, shift=0.0) == pytest.approx(
        genderedness(counts.ratios(["nurse"], pairs), counts.cspmi(pairs), shift=0.0)
    )
    assert counts.ratios(["nurse"], pairs) == pytest.approx(
        -counts.ratios(["nurse"], [("he", "she")])
    )


def test_shipped_counts_hold_both_halves_of_the_whole():
    folder = DATA / "models" / "sgns" / "counts.npz"
    whole, a, b = (read_counts(folder, part) for part in ("whole", "a", "b"))
    assert (whole.beside == a.beside + b.beside).all()
    assert (whole.totals == a.totals + b.totals).all()
    assert (whole.beside.max(axis=1) <= whole.totals).all()
