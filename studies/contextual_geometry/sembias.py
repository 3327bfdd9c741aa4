"""SemBias of Zhao, Zhou, Li, Wang and Chang (2018), section 4: which of four pairs of words goes most with a contrast.

Of the four pairs of a question one differs in gender by definition, one by stereotype.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers, unit_rows
from lib.sources import fetch

KINDS = ("definition", "none", "none", "stereotype")


def read_sembias() -> pd.DataFrame:
    """The 440 questions, a row a pair, four for each `question`: `kind`, and `male` and `female`, in the order of the file.

    "definition" (*waiter*, *waitress*), "stereotype" (*doctor*, *nurse*), or "none" (*cup*, *lid*), for which the order
    means nothing.
    """
    lines = fetch("sembias").read_text(encoding="utf-8").splitlines()
    rows = []
    for question, line in enumerate(lines):
        pairs = [pair.split(":") for pair in line.split()]
        if [len(pair) for pair in pairs] != [2] * len(KINDS):
            raise ValueError(
                f"SemBias, line {question + 1}: expected four pairs such as waiter:waitress, got {line[:60]!r}"
            )
        rows += [(question, kind, *pair) for kind, pair in zip(KINDS, pairs)]
    return pd.DataFrame(rows, columns=["question", "kind", "male", "female"])


def most_along(first: ArrayLike, second: ArrayLike, contrast: ArrayLike) -> NDArray[np.intp]:
    """The place (n,) of the pair whose second less first word, (n, k, d) each, has the largest cosine with the contrast (d,)."""
    first, second = real_numbers("first", first), real_numbers("second", second)
    if first.shape != second.shape or first.ndim != 3:
        raise ValueError(
            f"expected vectors of both words of each pair, shape (n, k, d), got {first.shape} and {second.shape}"
        )
    n, k, d = first.shape
    differences = unit_rows("pairs", (second - first).reshape(-1, d))
    along = differences @ unit_rows("contrast", np.reshape(contrast, (1, -1)))[0]
    answers: NDArray[np.intp] = along.reshape(n, k).argmax(axis=1)
    return answers


def sembias_answers(
    questions: pd.DataFrame,
    vectors: Mapping[str, ArrayLike],
    pairs: Sequence[tuple[str, str]],
    *,
    spared: Collection[str] | None = None,
) -> pd.DataFrame:
    """The kind of pair that each question is answered with: definitions in rows, stereotypes in columns, each by its male word.

    The contrast is the mean difference of `pairs`, first less second: female first, to answer as published. Words other
    than `spared`, where given, lose it first, as in hard debiasing. A question with a word that has no vector is left out.
    """
    first, second = (
        np.array([vectors[word] for word in side], dtype=float) for side in zip(*pairs)
    )
    contrast = (first - second).mean(axis=0)
    length = np.linalg.norm(contrast)
    if not length > 0:
        raise ValueError(
            "pairs: expected a contrast, got sides with the same mean; give other pairs"
        )
    there = questions["male"].isin(vectors.keys()) & questions["female"].isin(vectors.keys())
    kept = questions[there.groupby(questions["question"]).transform("all")]
    sides = []
    for side in ("male", "female"):
        rows = np.array([vectors[word] for word in kept[side]], dtype=float).reshape(
            -1, len(contrast)
        )
        if spared is not None:
            unit, free = contrast / length, ~kept[side].isin(spared).to_numpy()
            rows = rows - np.outer(free * (rows @ unit), unit)
        sides.append(rows.reshape(-1, 4, len(contrast)))
    kinds = kept["kind"].to_numpy().reshape(-1, 4)
    of = {
        kind: kept[kept["kind"] == kind].set_index("question")["male"] for kind in set(kept["kind"])
    }
    if not len(kept):
        return pd.DataFrame()
    found = pd.DataFrame(
        {
            "definition": of["definition"],
            "stereotype": of["stereotype"],
            "answer": kinds[np.arange(len(kinds)), most_along(*sides, contrast)],
        }
    )
    return found.pivot(index="definition", columns="stereotype", values="answer")
