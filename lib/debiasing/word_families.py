"""Telling two groups of words apart when forms of one word must not be taught and asked at once.

A classifier that has seen *aunts* knows *aunt*: their vectors are neighbours. What it finds about
new words shows only where all forms of a word, and what is built of it, are kept together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, vectors

SHORTEST_PART = 3  # letters of a word that counts as part of a longer one
FOLDS = 5


def word_families(words: Sequence[str]) -> list[str]:
    """The family of each word: plural and singular, and a word with what is built of it.

    Parameters
    ----------
    words : sequence of str
        English words in small letters, of one side of a contrast.

    Returns
    -------
    list of str
        A name for each word's family, its shortest singular. A word belongs to the family of
        another where the singular of one, of three letters or more, begins or ends the other's.

    Examples
    --------
    >>> word_families(["aunt", "aunts", "mother", "stepmother", "wives", "wife"])
    ['aunt', 'aunt', 'mother', 'mother', 'wife', 'wife']
    """
    singulars = [_singular(word, set(words)) for word in words]
    by_length = sorted(set(singulars), key=lambda word: (len(word), word))
    family: dict[str, str] = {}
    for word in by_length:
        parts = [part for part in family if len(part) >= SHORTEST_PART and _is_part(part, word)]
        family[word] = family[parts[0]] if parts else word
    return [family[word] for word in singulars]


def told_apart(
    words: ArrayLike,
    sides: ArrayLike,
    families: Sequence[str] | None = None,
    *,
    rng: int = 0,
) -> NDArray[np.bool_]:
    """Whether a linear classifier puts each word on its side, taught on words of other families.

    Parameters
    ----------
    words : array_like of shape (n, d)
        Vectors; only their directions count.
    sides : array_like of shape (n,)
        0 or 1.
    families : sequence of str, optional
        What is never divided between teaching and asking; by default each word for itself.
    rng : int
        Seed of the division in five parts.

    Returns
    -------
    numpy.ndarray of bool, shape (n,)
        True where the word, asked when its part was left out, is put on its side.

    Raises
    ------
    ValueError
        Where a side has fewer than five families, so that not every part can have one.

    Examples
    --------
    >>> rows = np.repeat([[1.0, 0.2], [0.2, 1.0]], 5, axis=0)
    >>> told_apart(rows, [1] * 5 + [0] * 5).all()
    np.True_
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    unit, labels = unit_rows("words", vectors("words", words)), np.asarray(sides)
    groups = np.arange(len(unit)).astype(str) if families is None else np.asarray(families)
    if labels.shape != (len(unit),) or groups.shape != labels.shape:
        raise ValueError(
            f"expected a side and a family for each of {len(unit)} words, "
            f"got {labels.shape} and {groups.shape}"
        )
    fewest = min((len(set(groups[labels == side])) for side in (0, 1)), default=0)
    if fewest < FOLDS:
        raise ValueError(f"families: expected {FOLDS} or more of each side, got {fewest}")
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=rng)
    classifier = LogisticRegression(max_iter=2000)
    guesses = cross_val_predict(classifier, unit, labels, groups=groups, cv=folds)
    return np.asarray(guesses == labels)


def _singular(word: str, vocabulary: set[str]) -> str:
    """A word without the ending of its plural, where the word without it makes sense."""
    if word.endswith("men"):
        return word[:-3] + "man"
    if word.endswith("ves"):
        return next((word[:-3] + end for end in ("fe", "f") if word[:-3] + end in vocabulary), word)
    for ending, singular in (("ies", "y"), ("es", ""), ("s", "")):
        stem = word[: -len(ending)] + singular
        if word.endswith(ending) and (stem in vocabulary or (ending == "s" and len(stem) > 3)):
            return stem if not word.endswith("ss") else word
    return word


def _is_part(part: str, word: str) -> bool:
    return word.startswith(part) or word.endswith(part)
