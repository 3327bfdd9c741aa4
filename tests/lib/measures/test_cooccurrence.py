"""Counts of a corpus and what they say under a perfect factorisation: closed forms, a small corpus by hand, properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import measures
from lib.measures import cooccurrence
from lib.measures.cooccurrence import (
    PairCounts,
    cooccurrences,
    cspmi,
    fit_constants,
    genderedness,
    log_ratio,
)
from lib.paths import DATA

TEXTS = st.lists(st.lists(st.integers(0, 4), max_size=12), min_size=1, max_size=6)


def counted_by_hand(texts, size, window):
    counts = np.zeros((size, size), int)
    for text in texts:
        for i, word in enumerate(text):
            for j, other in enumerate(text):
                counts[word, other] += 0 < abs(i - j) <= window
    return counts


def test_counts_of_one_sentence_are_those_of_its_windows():
    found = cooccurrences([[0, 1, 2, 1]], size=3, window=1).toarray()
    assert found.tolist() == [[0, 1, 0], [1, 0, 2], [0, 2, 0]]


@settings(max_examples=80)
@given(TEXTS, st.integers(1, 4), st.integers(1, 30))
def test_counts_equal_the_double_loop_whatever_the_block(texts, window, block):
    found = cooccurrences(texts, size=5, window=window, block=block).toarray()
    assert (found == counted_by_hand(texts, 5, window)).all()
    assert (found == found.T).all()


def test_weights_fall_with_distance_and_stop_at_the_window_and_at_the_end_of_a_text():
    found = cooccurrences([[0, 1, 2, 0], [2, 1]], 3, window=2, weighted=True).toarray()
    assert np.allclose(found, [[0, 1 + 1 / 2, 1 + 1 / 2], [3 / 2, 0, 2], [3 / 2, 2, 0]])


@pytest.mark.parametrize("block", [1, 3, 100])
def test_weights_do_not_depend_on_the_block(block):
    texts = [np.random.default_rng(seed).integers(6, size=9) for seed in range(5)]
    counts = cooccurrences(texts, 6, 4, weighted=True, block=block)
    assert np.allclose(counts.toarray(), cooccurrences(texts, 6, 4, weighted=True).toarray())


def test_a_number_below_zero_is_a_place_without_a_word():
    counts = cooccurrences([[0, -1, 1, 0]], size=2, window=2)
    assert counts.toarray().tolist() == [[0, 2], [2, 0]]


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


def test_constants_are_found_again():
    squared = np.linspace(1, 9, 20)
    assert fit_constants(squared, -0.8 * squared - 1.2) == pytest.approx((0.8, -1.2))


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
    whole, a, b = (cooccurrence.read_counts(folder, part) for part in ("whole", "a", "b"))
    assert (whole.beside == a.beside + b.beside).all()
    assert (whole.totals == a.totals + b.totals).all()
    assert (whole.beside.max(axis=1) <= whole.totals).all()


BAD = {
    "a number that is no word's": (
        lambda: cooccurrences([[0, 7]], size=3),
        ["from 0 to 2", "got 0 to 7"],
    ),
    "no window": (
        lambda: cooccurrences([[0, 1]], size=3, window=0),
        ["window", "1 or more", "window=0"],
    ),
    "a word that never occurs": (lambda: cspmi([1], [0], [3]), ["words that occur"]),
    "shapes that disagree": (
        lambda: log_ratio([[1, 2]], [[1]], [1, 2], [1, 2]),
        ["(n, p)", "(1, 2)", "(1, 1)"],
    ),
    "a csPMI above the shift": (
        lambda: genderedness([[1.0]], [-0.5], shift=-1),
        ["below shift=-1", "-0.50", "raise"],
    ),
    "a scale of zero": (lambda: genderedness([[1.0]], [-5], scale=0), ["scale above 0", "scale=0"]),
    "too few pairs": (lambda: fit_constants([1, 2], [-3, -np.inf]), ["three or more", "got 1"]),
    "an unknown column": (
        lambda: PairCounts(("a",), ("a",), np.zeros((1, 1)), np.ones(1), 1).cspmi([("a", "z")]),
        ["no counts beside z", "expected some of a"],
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_says_what_was_expected(case, refuses):
    refuses(*BAD[case])
