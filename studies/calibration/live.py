"""One planted text, trained on and scored here and now."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.measures import ripa
from studies.calibration.corpus import PlantedCorpus
from studies.calibration.scores import arrays, masked_scores, vector_scores
from studies.calibration.trained import masked_head, skip_gram

Floats = NDArray[np.float64]
Measure = Callable[[Floats, Floats, Floats], Floats]
DIMENSIONS = 50
FEWEST = 3  # targets, for an order to speak of
COUNTING, OWN = "counting alone", "yours, skip-gram"
SHOWN = ("direct bias", "RIPA", "neighbourhood bias")  # of skip-gram vectors


def too_little(corpus: PlantedCorpus) -> str:
    """Why nothing can be measured in a text, "" where it can: it lacks words of the pairs, or has too few targets."""
    there = np.bincount(corpus.numbers.ravel(), minlength=len(corpus.words)) > 0
    sides, targets = 2 * corpus.plan.pairs, len(corpus.log_odds)
    lacking = [word for word, found in zip(corpus.words[:sides], there) if not found]
    if lacking:
        return f"the text lacks {', '.join(lacking)}: write more sentences"
    found = there[sides : sides + targets].sum()
    return "" if found >= FEWEST else f"{found} target words are in the text, {FEWEST} are needed"


def live_scores(
    corpus: PlantedCorpus, own: Measure, *, seed: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, int]:
    """Scores of the targets that occur (words × scores; positive leans female), all those of skip-gram vectors, of a masked model, by counting, and by a measure of
    one's own; and how many base pairs the other pairs tell apart."""
    counts = corpus.counts()
    there = np.flatnonzero(counts.sum(axis=1))
    targets = 2 * corpus.plan.pairs + there
    vectors = skip_gram(corpus, DIMENSIONS, seed=seed)
    of_vectors = vector_scores(vectors, targets, corpus).add_suffix(", skip-gram")
    head = masked_head(corpus, DIMENSIONS, rng=rng)
    of_head = masked_scores(head, corpus, targets, rng)
    given, _ = arrays(vectors, targets, corpus)
    of_own = np.asarray(own(given["words"], given["female"], given["male"]), float)
    if of_own.shape != there.shape or not np.isfinite(of_own).all():
        raise ValueError(
            f"own measure: expected a finite number for each of {len(there)} words, got shape {of_own.shape}"
        )
    table = of_vectors.join(of_head)
    table[COUNTING] = np.log((counts[there, 0] + 0.5) / (counts[there, 1] + 0.5))
    table[OWN] = of_own
    names = [corpus.words[target] for target in targets]
    return table.set_axis(names), told_apart(given["female"], given["male"])


def told_apart(female: Floats, male: Floats) -> int:
    """Of how many pairs the female word lies further to the female side, by RIPA with all other pairs."""
    found = 0
    for row in range(len(female)):
        others = np.arange(len(female)) != row
        if others.any():
            both = ripa([female[row], male[row]], female[others], male[others]).mean(axis=1)
            found += int(both[0] > both[1])
    return found
