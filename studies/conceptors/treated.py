"""Does a treatment of word vectors change what is done with them? Occupations named from synthetic texts.

How strongly gender shows in them is known. A text is the mean of its words' vectors; only the vectors, or the words that are read, differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.text_classification.occupations.classifiers import (
    fit,
    mean_vectors,
    without,
    word_counts,
    words_in,
)
from lib.text_classification.occupations.rates import confusions, fair_draws, mean_gaps
from lib.text_classification.occupations.synthetic import Planted, biographies

Change = Callable[[NDArray[np.floating]], NDArray[np.floating]]


def compare_treatments(
    words: Sequence[str],
    vectors: ArrayLike,
    changes: Mapping[str, Change],
    counts: pd.DataFrame,
    planted: Planted,
    *,
    scrubbed: Collection[str] = (),
    taught: int = 1500,
    asked: int = 3000,
    seeds: int = 3,
    n_resamples: int = 50,
) -> pd.DataFrame:
    """Accuracy, TPR gap and what a probe reads of gender, after each change of the vectors (V, d); a row for each `treatment` and `seed`.

    `gap` is the mean size of the difference between women's and men's rate of being named rightly, `fair` the median of that after shuffling
    gender within occupations, `probe` the accuracy of gender read from the vectors of texts. A last variant, "words deleted", does not read the
    `scrubbed` words: the positive control.
    """
    if min(taught, asked, seeds, n_resamples) < 1:
        raise ValueError("taught, asked, seeds, n_resamples: expected 1 or more")
    row_of = {word: row for row, word in enumerate(words)}
    table, rows = np.asarray(vectors), []
    for seed in range(seeds):
        people = biographies(taught + asked, planted, counts, rng=seed)
        held = words_in(people["text"], words)
        if not held:
            raise ValueError("words: expected some that the texts hold, got none")
        counted = word_counts(people["text"], held)
        before = table[[row_of[word] for word in held]].astype(float)
        read = {name: mean_vectors(counted, change(before)) for name, change in changes.items()}
        if scrubbed:
            read["words deleted"] = mean_vectors(without(counted, held, scrubbed), before)
        known = np.arange(len(people)) < taught
        jobs = people["occupation"].to_numpy()
        female = (people["gender"] == "female").to_numpy()
        for name, features in read.items():
            named = fit(features[known], jobs[known]).predict(features[~known])
            guessed = fit(features[known], female[known]).predict(features[~known])
            cells = confusions(jobs[~known], named, female[~known])
            shuffled = fair_draws(cells, n_resamples=n_resamples, rng=seed)
            rows.append(
                {
                    "treatment": name,
                    "seed": seed,
                    "accuracy": float((named == jobs[~known]).mean()),
                    "gap": float(mean_gaps(cells)[0]),
                    "fair": float(np.median(mean_gaps(shuffled)[:, 0])),
                    "probe": float((guessed == female[~known]).mean()),
                }
            )
    return pd.DataFrame(rows)
