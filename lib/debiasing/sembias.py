"""SemBias asked of vectors, as they are or with a contrast taken out of the words that name no gender."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.measures.sembias import most_along


def sembias_answers(
    questions: pd.DataFrame,
    vectors: Mapping[str, ArrayLike],
    pairs: Sequence[tuple[str, str]],
    *,
    spared: Collection[str] | None = None,
) -> pd.DataFrame:
    """The kind of pair that each question of SemBias is answered with.

    Parameters
    ----------
    questions : DataFrame
        As `lib.datasets.sembias.read_sembias` gives them.
    vectors : mapping of str to array_like, shape (d,)
        By word; a question with a word that has none is left out.
    pairs : sequence of (str, str)
        Whose mean difference, first less second, is the contrast: female first, to answer as published.
    spared : collection of str, optional
        Where given, the contrast is taken out of all other words first, as hard debiasing does.

    Returns
    -------
    DataFrame
        Definitions in rows, stereotypes in columns, each by its male word; the kind in the cells, NaN for a question that
        could not be asked.

    Raises
    ------
    ValueError
        Where the pairs have no contrast.

    References
    ----------
    Zhao, Zhou, Li, Wang and Chang (2018), section 4; Bolukbasi et al. (2016) for the projection.

    Examples
    --------
    >>> pairs = [("waiter", "waitress"), ("cup", "lid"), ("pen", "pencil"), ("doctor", "nurse")]
    >>> kinds = ["definition", "none", "none", "stereotype"]
    >>> questions = pd.DataFrame(pairs, columns=["male", "female"]).assign(question=0, kind=kinds)
    >>> vectors = {word: [k, 0.0] for k, pair in enumerate(pairs, 1) for word in pair}
    >>> vectors |= {"waitress": [1.0, 1.0], "lid": [1.0, 0.0], "pencil": [5.0, 0.0], "nurse": [5.0, 0.5]}
    >>> vectors |= {"cup": [2.5, 0.0], "woman": [0.0, 1.0], "man": [0.0, 0.0]}
    >>> sembias_answers(questions, vectors, [("woman", "man")])
    stereotype      doctor
    definition
    waiter      definition
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
