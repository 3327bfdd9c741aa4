"""Probabilities that systems give the two names and neither: checked, and put in order."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.datasets.gap import CLASSES

TOLERANCE = 0.01


def codes(answers: Iterable[str]) -> NDArray[np.intp]:
    """Answers as numbers: 0 for A, 1 for B, 2 for NEITHER.

    Parameters
    ----------
    answers : iterable of str

    Returns
    -------
    ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        For another answer.

    Examples
    --------
    >>> codes(["B", "NEITHER", "A"])
    array([1, 2, 0])
    """
    given = pd.Index(list(answers), dtype=object)
    numbers = pd.Index(CLASSES).get_indexer(given)
    if (numbers < 0).any():
        raise ValueError(
            f"expected answers among {', '.join(CLASSES)}; got {given[numbers < 0][0]!r}"
        )
    return numbers


def aligned(
    predictions: pd.DataFrame, ids: Sequence[str], rescale: bool = False
) -> NDArray[np.float64]:
    """Predictions in the order of the passages.

    Parameters
    ----------
    predictions : DataFrame
        Columns ID, A, B and NEITHER.
    ids : sequence of str
        The n passages.
    rescale : bool
        Divide each row by its sum, where it is not 1, instead of refusing it.

    Returns
    -------
    ndarray of float, shape (n, 3)
        Probabilities of A, B and NEITHER.

    Raises
    ------
    ValueError
        For missing columns, an ID that is unknown, missing or there twice, a probability that is no number, negative or
        above 1, or a row whose sum is more than 0.01 away from 1.

    Examples
    --------
    >>> frame = pd.DataFrame({"ID": ["x-2", "x-1"], "A": [0.1, 1.0], "B": [0.7, 0.0], "NEITHER": [0.2, 0.0]})
    >>> aligned(frame, ["x-1", "x-2"])
    array([[1. , 0. , 0. ],
           [0.1, 0.7, 0.2]])
    """
    absent = [name for name in ("ID", *CLASSES) if name not in predictions.columns]
    if absent:
        raise ValueError(
            f"expected the columns ID, A, B and NEITHER; {', '.join(absent)} missing, "
            f"got {', '.join(map(str, predictions.columns))}"
        )
    known = pd.Index(ids)
    twice = predictions["ID"][predictions["ID"].duplicated()]
    if len(twice):
        raise ValueError(
            f"expected one prediction for each passage; {twice.iloc[0]} has several; remove all but one"
        )
    unknown = pd.Index(predictions["ID"]).difference(known)
    if len(unknown):
        raise ValueError(
            f"{len(unknown)} IDs are not among the passages, such as {unknown[0]!r}; predict the part that is scored"
        )
    missing = known.difference(predictions["ID"])
    if len(missing):
        raise ValueError(
            f"{len(missing)} of {len(known)} passages have no prediction, such as {missing[0]!r}; predict all of them"
        )
    rows = predictions.set_index("ID").loc[known, list(CLASSES)]
    numbers = rows.apply(pd.to_numeric, errors="coerce").to_numpy(float)
    bad = ~np.isfinite(numbers).all(axis=1) | (numbers < 0).any(axis=1)
    sums = numbers.sum(axis=1)
    bad |= (sums <= 0) if rescale else ~(np.abs(sums - 1) <= TOLERANCE)
    if bad.any():
        place = int(bad.argmax())
        raise ValueError(
            f"{known[place]}: expected three probabilities that sum to 1, got {rows.iloc[place].tolist()}; "
            "no empty or negative ones; divide each row by its sum"
        )
    return numbers / sums[:, None] if rescale else numbers
