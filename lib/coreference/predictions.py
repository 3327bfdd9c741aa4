"""Probabilities that systems give the two names and neither: checked, put in order, floored and blended."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
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


def floored(probabilities: ArrayLike, floor: float) -> NDArray[np.float64]:
    """Probabilities with every one below a floor raised to it. Rows are not rescaled.

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
    floor : float
        From 0, which changes nothing, to 1/3.

    Returns
    -------
    ndarray of float, shape (n, 3)

    Raises
    ------
    ValueError
        For a floor outside 0 to 1/3.

    Examples
    --------
    >>> floored([[0.995, 0.004, 0.001]], 0.01)
    array([[0.995, 0.01 , 0.01 ]])
    """
    if not 0 <= floor <= 1 / 3:
        raise ValueError(f"floor: expected a probability from 0 to 1/3, got {floor}")
    return np.maximum(real_numbers("probabilities", probabilities), floor)


def blended(
    systems: Sequence[ArrayLike], weights: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """The weighted mean of what several systems say.

    Parameters
    ----------
    systems : sequence of array_like, each of shape (n, 3)
    weights : sequence of float, optional
        One for each system, not negative; divided by their sum. Equal ones unless given.

    Returns
    -------
    ndarray of float, shape (n, 3)

    Raises
    ------
    ValueError
        For no systems, systems of different shapes, or weights that do not fit.

    Examples
    --------
    >>> blended([[[1.0, 0.0, 0.0]], [[0.0, 0.5, 0.5]]], weights=[3, 1])
    array([[0.75 , 0.125, 0.125]])
    """
    arrays = [real_numbers("systems", system) for system in systems]
    if not arrays or len({array.shape for array in arrays}) > 1:
        raise ValueError(
            f"expected systems of one shape, got {[array.shape for array in arrays]}; score the same passages with all"
        )
    shares = np.ones(len(arrays)) if weights is None else real_numbers("weights", weights)
    if shares.shape != (len(arrays),) or (shares < 0).any() or not shares.sum() > 0:
        raise ValueError(
            f"weights: expected one for each of {len(arrays)} systems, none negative; got {weights}"
        )
    return np.average(np.stack(arrays), axis=0, weights=shares)
