"""Vectors made more and less biased, and the grid: scores and gaps of 30 sets of vectors, as trained and forced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.debiasing.projection import pair_direction, project_out
from lib.embeddings import Embedding
from lib.lexicons import base_pairs
from lib.paths import DATA
from studies.predictive_validity.scores import intrinsic_scores
from studies.predictive_validity.systems import (
    biography_gap,
    coreference_gap,
    sentiment_gap,
    system_signs,
)
from studies.predictive_validity.words import gendered_words, job_halves, score_signs

NAME = "predictive_validity.csv"

ARMS = ("both", "words of the scores", "words of the systems")
STRENGTHS = (-2.0, -1.0, -0.5, -0.25, 0.25, 0.5, 1.0, 2.0)
STEP = 0.1  # of a word's length, for a strength of 1
AS_TRAINED, REMOVED = "as trained", "direction removed"


def shifted(e: Embedding, signs: Mapping[str, int], strength: float) -> Embedding:
    """The vectors with some words moved along the female–male direction: over-biased, or biased the other way.

    `signs` are 1 (stereotype of women) or −1, words that are not held are passed over; `strength` is in tenths of a word's length that
    it moves toward its stereotype, below 0 away from it.
    """
    if not np.isfinite(strength):
        raise ValueError(f"strength: expected a finite number, got {strength!r}")
    vectors, direction = _vectors(e), _direction(e)
    toward = np.array([signs.get(word, 0) for word in e.words]) * STEP * strength
    vectors += np.outer(toward * np.linalg.norm(vectors, axis=1), direction)
    return Embedding(list(e.words), vectors.astype(np.float32), name=e.name)


def without_direction(e: Embedding) -> Embedding:
    """The vectors without the female–male direction in all words that are not gendered by definition."""
    vectors, direction = _vectors(e), _direction(e)
    plain = np.array([word not in gendered_words() for word in e.words])
    vectors[plain] = project_out(vectors[plain], direction)
    return Embedding(list(e.words), vectors.astype(np.float32), name=e.name)


def arm_signs(arm: str) -> dict[str, int]:
    """The words that one of `ARMS` moves, and their stereotype."""
    one_of("arm", arm, ARMS)
    parts = {"words of the scores": score_signs(), "words of the systems": system_signs()}
    return parts[arm] if arm in parts else parts[ARMS[1]] | parts[ARMS[2]]


def _vectors(e: Embedding) -> NDArray[np.float64]:
    return np.array(e.rows(e.words).vectors, dtype=np.float64)


def _direction(e: Embedding) -> NDArray[np.floating]:
    pairs = e.pairs(base_pairs(), missing="drop")
    if not pairs.kept:
        raise ValueError("expected vectors that hold a base pair, got none: there is no direction")
    return pair_direction(pairs.female, pairs.male)


def grid_rows(
    e: Embedding,
    *,
    corpus: str,
    seed: int,
    arms: Sequence[str] = ARMS,
    strengths: Sequence[float] = STRENGTHS,
) -> pd.DataFrame:
    """Scores and gaps of one set of vectors (words in small letters, the most frequent first), as trained and forced.

    A row for each: corpus, seed, arm ("as trained" in the first, "direction removed" in the second where there are arms), strength, the
    scores, and gap and accuracy of each system.
    """
    named = {"corpus": corpus, "seed": seed}
    gaps = _gaps(e)
    rows = [named | {"arm": AS_TRAINED, "strength": 0.0} | intrinsic_scores(e) | gaps]
    if arms:
        plain = without_direction(e)
        about = named | {"arm": REMOVED, "strength": 0.0}
        rows.append(about | intrinsic_scores(plain) | _gaps(plain))
    for arm in arms:
        signs = arm_signs(arm)
        for strength in strengths:
            forced = shifted(e, signs, strength)
            rows.append(
                named
                | {"arm": arm, "strength": float(strength)}
                | intrinsic_scores(forced)
                | _gaps(forced)
            )
    return pd.DataFrame(rows)


def _gaps(e: Embedding) -> dict[str, float]:
    measured = {
        "coreference": coreference_gap(e),
        "coreference, same jobs": coreference_gap(e, job_halves()[0]),
        "sentiment": sentiment_gap(e),
        "biographies": biography_gap(e),
    }
    gaps = {f"{name} gap": gap.gap for name, gap in measured.items()}
    return gaps | {f"{name} accuracy": gap.accuracy for name, gap in measured.items()}


def recorded_grid() -> pd.DataFrame:
    """What `python -m scripts.sweeps.predictive` wrote: `grid_rows` of ten corpora and three seeds."""
    return pd.read_csv(DATA / "grids" / NAME, comment="#")
