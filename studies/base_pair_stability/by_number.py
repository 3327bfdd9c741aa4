"""What it changes to ask with more pairs: how many words get both sides, and what counts as one pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import comb

from lib.checks import real_numbers

# forms of one word: she and he stands for her and his, too
PRONOUN = [("she", "he"), ("her", "his"), ("herself", "himself")]

# names of vectors, for print
IN_PRINT = {
    "minilm": "MiniLM",
    "sweater_googlenews": "Google News",
    "glove_twitter_25d_12k": "GloVe Twitter",
    "glove_6b_50d_5k": "GloVe 6B",
    "word2vec-google-news-300": "Google News",
    "sgns": "our skip-gram",
    "gap": "Wikipedia (GAP)",
    "news": "news",
    "film": "film reviews",
    "social": "Reddit, debates",
    "brown": "Brown corpus",
}


def kinds_of(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """A name for each pair, the same for the forms of one pronoun."""
    return ["pronoun" if tuple(pair) in PRONOUN else "–".join(pair) for pair in pairs]


def one_of_each_kind(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """The places of the pairs that are no forms of one another: of the three forms of a pronoun, the first."""
    kinds = kinds_of(pairs)
    return [kinds.index(kind) for kind in dict.fromkeys(kinds)]


def chance_of_both_sides(scores: ArrayLike, counts: ArrayLike) -> NDArray[np.float64]:
    """How likely so many of the p pairs, drawn at random, put a word on both sides; zero counts as male, as in the paper.

    From scores (n, p) and counts (c,) to chances (n, c), NaN for more pairs than there are. The mean over the words is the
    share of words that change sides, on average over all choices of so many pairs.
    """
    sides = real_numbers("scores", scores) > 0
    p, asked = sides.shape[1], np.asarray(counts)
    female = sides.sum(axis=1, keepdims=True)
    choices = np.where(asked <= p, comb(p, asked), np.nan)
    return np.asarray(1 - (comb(female, asked) + comb(p - female, asked)) / choices, float)


def share_on_both_sides(scores: ArrayLike, counts: ArrayLike) -> NDArray[np.float64]:
    """Share of words (c,) that change sides between so many pairs, on average over all choices of them."""
    return np.asarray(chance_of_both_sides(scores, counts).mean(axis=0), float)
