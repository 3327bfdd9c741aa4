"""How well a system resolves pronouns: log loss, accuracy and F1, and their ratio between feminine and masculine ones."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.coreference.checks import checked_codes, checked_rows

SCORES = ("log loss", "accuracy", "F1")


@dataclass(frozen=True)
class GapScores:
    """Two decisions for each passage, "refers to A" and "refers to B", counted together.

    Attributes
    ----------
    tp, fp, fn, tn : int
        Right and wrong yes answers, wrong and right no answers: 2n in all.
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def precision(self) -> float:
        """The share of yeses that are right; nan without a yes."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of true references that are found; nan where there are none."""
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of both, from 0 to 1; nan where nothing is true or said."""
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def log_loss(probabilities: ArrayLike, answers: ArrayLike, clip: float = 1e-15) -> float:
    """The mean negative logarithm of the probability that the right answer got.

    Parameters
    ----------
    probabilities : array_like, shape (n, 3)
        Each row is divided by its sum first, as the competition does.
    answers : array_like of int, shape (n,)
        0 for A, 1 for B, 2 for NEITHER.
    clip : float
        Probabilities are kept between this and 1 minus this.

    Returns
    -------
    float
        In nats, from 0 (sure and right) upwards; ln 3 = 1.099 for equal probabilities.

    Raises
    ------
    ValueError
        For shapes that do not fit, no passages, probabilities that are negative or no numbers, or other codes.

    References
    ----------
    Webster et al. (2019), Section 2.3.

    Examples
    --------
    >>> round(log_loss([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8]], [0, 2]), 3)
    0.458
    """
    rows, right = checked_rows(probabilities, answers)
    return float(losses(rows, right, clip).mean())


def losses(
    probabilities: ArrayLike, answers: ArrayLike, clip: float = 1e-15
) -> NDArray[np.float64]:
    """The loss of each passage; `log_loss` is their mean.

    Parameters
    ----------
    probabilities, answers, clip
        As in `log_loss`.

    Returns
    -------
    ndarray of float, shape (n,)

    Examples
    --------
    >>> losses([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]], [0, 1]).round(3)
    array([0.693, 0.   ])
    """
    rows, right = checked_rows(probabilities, answers)
    scaled = rows / rows.sum(axis=1, keepdims=True)
    return -np.log(np.clip(scaled[np.arange(len(right)), right], clip, 1 - clip))


def accuracy(probabilities: ArrayLike, answers: ArrayLike) -> float:
    """The share of passages whose most probable answer is right.

    Parameters
    ----------
    probabilities, answers
        As in `log_loss`. Of equal probabilities the first counts.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> accuracy([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]], [0, 1])
    0.5
    """
    rows, right = checked_rows(probabilities, answers)
    return float((rows.argmax(axis=1) == right).mean())


def gap_scores(predicted: ArrayLike, answers: ArrayLike) -> GapScores:
    """The counts of the GAP scorer: NEITHER predicts nothing, and both names count together.

    Parameters
    ----------
    predicted, answers : array_like of int, shape (n,)
        0 for A, 1 for B, 2 for NEITHER.

    Returns
    -------
    GapScores

    Raises
    ------
    ValueError
        For shapes that differ, or other codes.

    References
    ----------
    Webster, Recasens, Axelrod and Baldridge (2018), Section 4; their `gap_scorer.py`.

    Examples
    --------
    >>> gap_scores([0, 1, 2, 2], [0, 0, 1, 2])
    GapScores(tp=1, fp=1, fn=2, tn=4)
    """
    right = checked_codes("answers", answers)
    said = checked_codes("predicted", predicted, like=right)
    named = said < 2
    tp = int((named & (said == right)).sum())
    fp = int(named.sum()) - tp
    fn = int((right < 2).sum()) - tp
    return GapScores(tp, fp, fn, 2 * len(right) - tp - fp - fn)


def f1(probabilities: ArrayLike, answers: ArrayLike) -> float:
    """F1 of the GAP scorer, the most probable answer being the decision.

    Parameters
    ----------
    probabilities, answers
        As in `log_loss`.

    Returns
    -------
    float
        From 0 to 1; nan where nothing is true or said.

    Examples
    --------
    >>> f1([[0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [0.1, 0.1, 0.8]], [0, 0, 2])
    0.5
    """
    rows, right = checked_rows(probabilities, answers)
    return gap_scores(rows.argmax(axis=1), right).f1


def by_gender(probabilities: ArrayLike, answers: ArrayLike, female: ArrayLike) -> pd.DataFrame:
    """The three scores on masculine and feminine pronouns, on all, and the ratio.

    Parameters
    ----------
    probabilities, answers
        As in `log_loss`.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.

    Returns
    -------
    DataFrame
        One row for each of `SCORES`; columns masculine, feminine, overall, and ratio: feminine by masculine for
        accuracy and F1, masculine by feminine for log loss, so that below 1 is worse on feminine pronouns. A
        ratio is nan where a side has no passage.

    Examples
    --------
    >>> by_gender([[0.8, 0.1, 0.1], [0.6, 0.3, 0.1]], [0, 1], [False, True]).round(2)
              masculine  feminine  overall  ratio
    log loss       0.22       1.2     0.71   0.19
    accuracy       1.00       0.0     0.50   0.00
    F1             1.00       0.0     0.50   0.00
    """
    rows, right = checked_rows(probabilities, answers)
    feminine = np.asarray(female, dtype=bool)
    if feminine.shape != right.shape:
        raise ValueError(
            f"female: expected one value for each of {len(right)} passages, got shape {feminine.shape}"
        )
    sides = {
        "masculine": ~feminine,
        "feminine": feminine,
        "overall": np.ones(len(right), dtype=bool),
    }
    table = pd.DataFrame(
        {
            name: [function(rows[chosen], right[chosen]) for function in (log_loss, accuracy, f1)]
            if chosen.any()
            else [np.nan] * len(SCORES)
            for name, chosen in sides.items()
        },
        index=list(SCORES),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = table["feminine"] / table["masculine"]
        ratio["log loss"] = 1 / ratio["log loss"]
    return table.assign(ratio=ratio)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
