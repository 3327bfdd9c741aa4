"""BLEU and chrF of several sets of outputs against one set of references, and how far each lies from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

COLUMNS = ("system", "metric", "score", "low", "high", "change", "change_low", "change_high", "p")


def paired_scores(
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[str],
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """BLEU and chrF (0 to 100) of each set of outputs, with 95 % bootstrap intervals over sentences.

    outputs : name -> n texts; the first is the one that others are compared with, on the same resamples. references : n.
    Columns `COLUMNS`: change is score less that of the first, p its two-sided p-value as sacrebleu's paired bootstrap
    computes it (Koehn 2004); NaN for the first. Raises ValueError for unequal numbers of texts, and for none.
    """
    from sacrebleu.metrics import BLEU, CHRF

    texts = list(references)
    for name, those in outputs.items():
        if not texts or len(those) != len(texts):
            raise ValueError(
                f"{name}: expected an output for each of {len(texts)} references, got {len(those)}"
            )
    drawn = np.random.default_rng(rng).multinomial(
        len(texts), np.full(len(texts), 1 / len(texts)), resamples
    )
    rows = []
    for metric in (BLEU(), CHRF()):
        first = None
        for name, those in outputs.items():
            counts = np.array(metric._extract_corpus_statistics(list(those), [texts]))
            score = metric._compute_score_from_stats(counts.sum(axis=0).tolist())
            again = np.array(
                [
                    metric._compute_score_from_stats(total).score
                    for total in (drawn @ counts).tolist()
                ]
            )
            first = (score.score, again) if first is None else first
            ends = np.quantile(again, [0.025, 0.975])
            rows.append(
                (name, score.name, score.score, *ends, *_change(score.score, again, *first))
            )
    found = pd.DataFrame(rows, columns=COLUMNS)
    found.loc[found["system"] == next(iter(outputs)), list(COLUMNS[5:])] = np.nan
    return found


def _change(
    score: float, again: np.ndarray, first: float, first_again: np.ndarray
) -> tuple[float, ...]:
    """Difference from the first, its interval, and the p-value of Koehn (2004): how often resampled differences, moved to a
    mean of zero, are as large."""
    apart = again - first_again
    size = np.abs(apart) - np.abs(apart).mean()
    p = (np.sum(size > abs(score - first)) + 1) / (len(apart) + 1)
    return (score - first, *np.quantile(apart, [0.025, 0.975]), float(p))


def signatures() -> dict[str, str]:
    """sacrebleu's signature of BLEU and chrF as `paired_scores` computes them."""
    from sacrebleu.metrics import BLEU, CHRF

    found = {}
    for metric in (BLEU(), CHRF()):
        score = metric.corpus_score(["a"], [["a"]])
        found[score.name] = str(metric.get_signature())
    return found
