"""Whether words can be told apart by their vectors when forms of one word must not be taught and asked at once.

A classifier that has seen *aunts* knows *aunt*: their vectors are neighbours. What it finds about new words shows only where all forms of a
word, and what is built of it, are kept together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unit_rows, vectors

FOLDS = 5


def told_apart(
    words: ArrayLike,
    sides: ArrayLike,
    families: Sequence[str] | None = None,
    *,
    rng: int = 0,
) -> NDArray[np.bool_]:
    """Whether a linear classifier puts each word (n, d) on its side (0 or 1), taught on words of other families; each word is one by default.

    `rng` is the seed of the division in five parts.
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
