"""The words of tests and lists in a set of vectors, and random lists in place of a list.

A list that holds words it is tested with passes that test by construction, and random lists never hold them. So each test also has lists without
its words, and random lists of that size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import solve

from lib.datasets import karve2019
from lib.debiasing.apertures import in_lengths
from lib.debiasing.rows import Array
from lib.debiasing.treatments import Change, WordVectors, effect_sizes
from lib.embeddings import Embedding, load_embedding
from lib.embeddings.embedding import Rows
from lib.inference.random_words import random_words
from lib.lexicons import load_lexicon, word_list

RACE = "names and pleasantness"
FREQUENT = 20_000  # the first words of a vocabulary, from which random ones are drawn
FEWEST_FREE = 2_000  # words that are left to draw from, beside those of the list
MORE_ROWS = {"wefe_weat_w2v": "sweater_googlenews"}  # other rows of the same vectors


def words_of_tests() -> dict[str, tuple[tuple[str, ...], ...]]:
    """The words of the paper's four tests: lists X, Y, A and B."""
    caliskan = load_lexicon("caliskan2017")
    names = {
        "career vs family": ("career", "family", "male_names", "female_names"),
        "maths vs arts": caliskan.tests["weat7"],
        "science vs arts": caliskan.tests["weat8"],
        RACE: caliskan.tests["weat3"],
    }
    return {test: tuple(tuple(caliskan[name]) for name in four) for test, four in names.items()}


def race_names() -> list[str]:
    """The names of the list for race, which hold every name of the test on race."""
    caliskan, karve = load_lexicon("caliskan2017"), load_lexicon("karve2019")
    tests = [caliskan.test(test)[:2] for test in ("weat3", "weat4", "weat5")]
    names = [name for side in (0, 1) for test in tests for name in test[side]]
    rare = [karve[f"rare_names_{group}"] for group in ("european_american", "african_american")]
    return [*names, *rare[0], *rare[1]]


def gender_lists(lists: Mapping[str, Sequence[str]] | str) -> dict[str, list[str]]:
    """The lists that are turned down, without repeats: "Pronouns", longer ones, and "All" of them.

    `lists` is "book", "published", which reads those of the paper's code, or one's own in place of the longer ones.
    """
    tests = words_of_tests()
    pronouns = [
        word
        for test in ("maths vs arts", "science vs arts")
        for side in tests[test][2:]
        for word in side
    ]
    karve = load_lexicon("karve2019")
    if lists == "book":
        both = ("female", "male")
        longer = {
            "Extended List": [w for side in both for w in word_list(f"gender_specific/{side}")],
            "Propernouns": [w for side in both for w in karve[f"first_names_{side}"]],
        }
    elif lists == "published":
        longer = karve2019.read_word_lists()
    elif isinstance(lists, str):
        raise ValueError(f"lists: expected 'book', 'published' or lists of words, got {lists!r}")
    else:
        longer = {name: list(words) for name, words in lists.items()}
    parts = {"Pronouns": pronouns, **longer}
    parts["All"] = [word for words in parts.values() for word in words]
    return {name: list(dict.fromkeys(words)) for name, words in parts.items()}


def held_rows(e: Embedding, lists: Iterable[Iterable[str]]) -> list[Rows]:
    """The rows of a test's lists: all in lower case, as in the published code, or all as written where that finds more."""
    lists = [list(words) for words in lists]
    both = [
        [e.rows(dict.fromkeys(map(form, words)), missing="drop") for words in lists]
        for form in (str.lower, str)
    ]
    return max(both, key=lambda rows: sum(len(part.words) for part in rows))


def list_rows(e: Embedding, words: Iterable[str]) -> Rows:
    """The rows of one list: as written, or in lower case where the vectors have no capitals."""
    cased = any(word != word.lower() for word in e.words[:FREQUENT])
    written = words if cased else map(str.lower, words)
    return e.rows(dict.fromkeys(written), missing="drop")


class RandomLists(NamedTuple):
    """Random lists in place of a list of n words: rows (draws, n) of a vocabulary (v, d), one column for each word of the list."""

    words: tuple[str, ...]
    vocabulary: Array
    rows: NDArray[np.integer]

    def vectors(self, draw: int) -> Array:
        """The vectors (n, d) of one list."""
        return self.vocabulary[self.rows[draw]]


def random_lists_of(
    e: Embedding,
    words: Sequence[str],
    never: Collection[str],
    draws: int,
    *,
    matched: bool = True,
    rng: np.random.Generator | int | None = None,
) -> RandomLists | None:
    """Lists of as many random words, none of them on the list or among those `never` drawn (in small letters); None with too few to draw from.

    Drawn are frequent words of letters alone, `matched` in rank where the vectors come in order of frequency.
    """
    source = load_embedding(MORE_ROWS[e.name]) if e.name in MORE_ROWS else e
    own = [word.lower() for word in words]
    off = {*never} - {*own}
    free = [w for w in source.words[:FREQUENT] if w.isalpha() and w.lower() not in off]
    if len(own) < 2 or len(free) <= FEWEST_FREE + len(own):
        return None
    row_of = {word: row for row, word in enumerate(free)}
    places = [row_of.get(word, -1) for word in own]
    rows = random_words(places, len(free), draws, matched=source.ranked and matched, rng=rng)
    return RandomLists(tuple(own), source.rows(free).vectors, rows)


def turned_down(Z: Array, aperture: float) -> Change:
    """The negated conceptor of a list, aperture in lengths of the list, for few words: one system of equations, no directions.

    The same change as `lib.debiasing.apertures.damped`, which decomposes the list.
    """
    rows = in_lengths(Z)
    n, d = rows.shape
    ridge = n / aperture**2
    if n < d:
        inner = rows @ rows.T + ridge * np.eye(n)
        return lambda words: words - solve(inner, rows @ words.T, assume_a="pos").T @ rows
    inner = rows.T @ rows + ridge * np.eye(d)
    return lambda words: ridge * solve(inner, np.asarray(words, float).T, assume_a="pos").T


def without_tested(words: Sequence[str], sets: Sequence[WordVectors]) -> list[int]:
    """Places on a list of the words that a test does not use."""
    tested = {word.lower() for part in sets for word in part.words}
    return [place for place, word in enumerate(words) if word.lower() not in tested]


def held_out_effects(
    tests: Mapping[str, Sequence[WordVectors]], drawn: RandomLists, aperture: float
) -> pd.DataFrame:
    """The effect size of each test, a column, after each random list less the words that stand for words of that test, a row.

    So the null has the size, and where ranks are matched the frequencies, of the list without the tested words. NaN where fewer than two are left.
    """
    effects = {}
    for test, sets in tests.items():
        kept = without_tested(drawn.words, sets)
        effects[test] = np.full(len(drawn.rows), np.nan)
        for draw, rows in enumerate(drawn.rows[:, kept] if len(kept) > 1 else ()):
            change = turned_down(drawn.vocabulary[rows], aperture)
            effects[test][draw] = effect_sizes({test: sets}, change)[test]
    return pd.DataFrame(effects)
