"""Counts of a corpus and what they say under a perfect factorisation."""

import numpy as np
import pytest

from lib import measures
from lib.paths import DATA
from studies.ripa.counts import cspmi, genderedness, read_counts


def test_cspmi_is_pmi_plus_the_logarithm_of_the_joint_probability():
    together, first, second, total = 8, 40, 100, 10_000
    pmi = np.log(together * total / (first * second))
    assert cspmi([together], [first], [second]) == pytest.approx([pmi + np.log(together / total)])


def test_a_perfect_factorisation_shows_what_the_corpus_says():
    """Equation 5 the other way round: RIPA of vectors with W C' = PMI and C = lambda W is the corpus's genderedness."""
    rng = np.random.default_rng(0)
    words, scale = rng.standard_normal((6, 3)), 1.7
    x, y = words[4], words[5]
    ratios = scale * words[:4] @ (x - y)[:, None]  # PMI(w, x) - PMI(w, y)
    of_pair = -scale * np.sum((x - y) ** 2) + 0.5  # csPMI with alpha = 0.5
    found = genderedness(ratios, [of_pair], scale=scale, shift=0.5)
    assert found == pytest.approx(measures.ripa(words[:4], x[None], y[None]))


def test_shipped_counts_hold_both_halves_of_the_whole():
    folder = DATA / "models" / "sgns" / "counts.npz"
    whole, a, b = (read_counts(folder, part) for part in ("whole", "a", "b"))
    assert (whole.beside == a.beside + b.beside).all()
    assert (whole.totals == a.totals + b.totals).all()
    assert (whole.beside.max(axis=1) <= whole.totals).all()
