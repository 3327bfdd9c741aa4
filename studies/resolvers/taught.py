"""A small head taught on half of our sentences and asked about the other half: what a resolver says that knows two nouns, or a stereotype."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.coreference.resolvers.examples import Examples
from lib.threads import one_thread
from studies.resolvers.heads import Baseline


def taught_on_the_others(
    examples: Examples,
    groups: Sequence[str],
    *,
    among: ArrayLike | None = None,
    shuffled: bool = False,
    depth: float = 1.0,
    seeds: int = 5,
) -> NDArray[np.float64]:
    """What the smallest head says of the sentences of each group (a pair of nouns, an occupation), (seeds, n, 3).

    It is taught on every second group and asked about the others, and the other way round, so that it never met the words it
    is asked about. `among` are the sentences it may be taught on, all unless given. `shuffled` deals their answers out at
    random: the null. `depth` is the layer that the head reads, as a share of the encoder's; 1 is the last.
    """
    labels = np.asarray(groups, dtype=str)
    allowed = np.ones(len(labels), bool) if among is None else np.asarray(among, bool)
    every_second = np.isin(labels, list(dict.fromkeys(labels))[::2])
    said = np.zeros((seeds, len(labels), 3))
    for half in (every_second, ~every_second):
        taught = examples.take(np.flatnonzero(half & allowed))
        asked = examples.take(np.flatnonzero(~half))
        if len(taught) < 16 or not len(asked):
            raise ValueError(f"expected 16 sentences or more to teach on, got {len(taught)}")
        with one_thread():
            for seed in range(seeds):
                given = _shuffled(taught, seed) if shuffled else taught
                head = Baseline(folds=0, depth=depth).fit(given, rng=seed)
                said[seed, ~half] = head.probabilities(asked)
    return said


def _shuffled(examples: Examples, seed: int) -> Examples:
    answers = np.random.default_rng(seed).permutation(examples.passages["answer"].to_numpy())
    passages = examples.passages.assign(answer=pd.array(answers, dtype=object))
    return Examples(passages, examples.states, f"{examples.identity} shuffled {seed}")
