"""Does a system look at the gender that is asked for? A null that could say no, and systems with a known answer."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.inference.sums import share_reaching, swapped_sums
from studies.reinflection.scores import bleu, line_scores


class Exchanged(NamedTuple):
    """The share (0 to 1, over both targets) of gender-marking words in the form asked for; the middle 95 % of draws in which the
    outputs of half of the sentences, for the masculine and for the feminine, changed places; and a two-sided p.
    """

    share: float
    null_low: float
    null_high: float
    p: float


def exchanged_targets(
    outputs: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str]],
    groups: ArrayLike | None = None,
    resamples: int = 2000,
    *,
    rng: np.random.Generator | int = 0,
) -> Exchanged:
    """Whether the words that mark gender follow the target, against outputs with exchanged targets.

    outputs and references: the same two targets -> n lines; lines of one group are exchanged together.
    """
    if len(references) != 2 or set(outputs) != set(references):
        raise ValueError(
            f"expected the same two targets, got {list(outputs)} and {list(references)}"
        )
    first, second = references
    hits = {
        (made, asked): line_scores(outputs[made], references[asked], references[other])
        for made in references
        for asked, other in ((first, second), (second, first))
    }
    marking = 2 * int(hits[first, first]["marking"].sum())
    if not marking:
        raise ValueError("expected words that mark gender; the two references are the same")
    asked = hits[first, first]["hits"] + hits[second, second]["hits"]
    crossed = hits[first, second]["hits"] + hits[second, first]["hits"]
    arms = [np.array(column, float)[:, None] for column in (asked, crossed)]
    one, two = swapped_sums(*arms, clusters=groups, n_resamples=resamples, rng=rng)
    p = share_reaching((asked - crossed).sum(), (one - two)[:, 0])
    low, high = np.quantile(one[:, 0] / marking, [0.025, 0.975])
    return Exchanged(float(asked.sum() / marking), float(low), float(high), float(p))


def planted(
    inputs: Sequence[str],
    targets: Sequence[str],
    others: Sequence[str],
    shares: Sequence[float],
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """Made-up systems that rewrite a known share (0 to 1) of the sentences that need it, and copy all others.

    Columns share, words (gender-marking words as asked for, 0 to 1), BLEU (0 to 100).
    """
    if not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"shares: expected numbers from 0 to 1, got {list(shares)}")
    generator = np.random.default_rng(rng)
    order = generator.random(len(inputs))
    rows = []
    for share in shares:
        made = [
            target if place < share else given
            for given, target, place in zip(inputs, targets, order)
        ]
        scored = line_scores(made, targets, others)
        words = scored["hits"].sum() / scored["marking"].sum()
        rows.append((share, float(words), bleu(made, targets)))
    return pd.DataFrame(rows, columns=["share", "words", "BLEU"])
