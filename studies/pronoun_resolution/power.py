"""How many examples it takes to see a bias ratio of F1, by simulation from a system's predictions.

The simulated system has the errors of a real one, pooled over both genders, so that its ratio is 1. Right decisions on feminine rows
are then made wrong, at random, until the true ratio is the wanted one. F1 depends on a row through its answer and prediction only:
to draw rows is to draw the nine counts of (answer, prediction).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import optimize, stats

from lib.checks import real_numbers
from lib.coreference.checks import checked_codes
from lib.coreference.terms import NEITHER, Floats

_ANSWER, _SAID = np.divmod(np.arange(9), 3)
_FOUND = 2.0 * ((_ANSWER == _SAID) & (_ANSWER != NEITHER))
_NAMES = (_ANSWER != NEITHER) * 1.0 + (_SAID != NEITHER)


class SimulatedRatios(NamedTuple):
    """F1 ratios that were seen, feminine over masculine, and whether each was seen to differ from 1."""

    ratios: Floats
    rejected: np.ndarray


def cells(predicted: ArrayLike, answers: ArrayLike) -> Floats:
    """Shares of rows by answer and prediction (codes 0, 1, 2), (3, 3)."""
    truth = checked_codes("answers", answers)
    said = checked_codes("predicted", predicted, like=truth)
    return np.bincount(3 * truth + said, minlength=9).reshape(3, 3) / len(truth)


def worsened(shares: ArrayLike, ratio: float) -> Floats:
    """Shares (3, 3) after right decisions were made wrong until F1 is a wanted share of what it was.

    >>> before = cells([0, 1, 1, 2], [0, 0, 1, 2])
    >>> worsened(before, 0.9).round(3)
    array([[0.227, 0.273, 0.   ],
           [0.012, 0.227, 0.012],
           [0.012, 0.012, 0.227]])
    """
    before = real_numbers("shares", shares)
    if not 0 < ratio <= 1:
        raise ValueError(f"ratio: expected a number above 0 and at most 1, got {ratio!r}")
    # of each answer the same share is made wrong, and goes where wrong decisions went before, or evenly
    wrong = before * (1 - np.eye(3))
    any_wrong = wrong.sum(axis=1, keepdims=True) > 0
    towards = np.where(any_wrong, wrong, 1 - np.eye(3))
    towards = towards / towards.sum(axis=1, keepdims=True)
    right = np.diag(before)[:, None]

    def after(flipped: float) -> Floats:
        moved: Floats = before - np.diag(np.diag(before)) * flipped + right * flipped * towards
        return moved

    def miss(flipped: float) -> float:
        return float(_f1(after(flipped).ravel()) / _f1(before.ravel()) - ratio)

    if ratio == 1:
        return before
    return after(float(optimize.brentq(miss, 0, 1, xtol=1e-12)))


def simulate_ratios(
    predicted: ArrayLike,
    answers: ArrayLike,
    ratio: float,
    feminine: int,
    masculine: int,
    *,
    level: float = 0.05,
    n_simulations: int = 4000,
    rng: np.random.Generator | int | None = None,
) -> SimulatedRatios:
    """F1 ratios that a system of a known true ratio shows in samples, each tested by its logarithm (delta method)."""
    if min(feminine, masculine) < 2:
        raise ValueError(
            f"expected two rows or more of each gender, got {feminine} and {masculine}"
        )
    generator = np.random.default_rng(rng)
    pattern = cells(predicted, answers)
    scores, variances = [], []
    for rows, shares in ((feminine, worsened(pattern, ratio)), (masculine, pattern)):
        counts = generator.multinomial(rows, shares.ravel() / shares.sum(), n_simulations)
        scores.append(_f1(counts))
        variances.append(_log_f1_variance(counts))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.log(scores[0] / scores[1]) / np.sqrt(variances[0] + variances[1])
        return SimulatedRatios(scores[0] / scores[1], np.abs(z) > stats.norm.isf(level / 2))


def power_curve(
    predicted: ArrayLike,
    answers: ArrayLike,
    *,
    ratios: Sequence[float] = (1.0, 0.99, 0.97, 0.95),
    sizes: Sequence[int] = (250, 500, 1000, 2000, 4000, 8000, 16000),
    level: float = 0.05,
    n_simulations: int = 4000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How often a true ratio is seen to differ from 1: a row a number of examples of each gender, a column a ratio."""
    generator = np.random.default_rng(rng)
    table = [
        [
            simulate_ratios(
                predicted,
                answers,
                ratio,
                size,
                size,
                level=level,
                n_simulations=n_simulations,
                rng=generator,
            ).rejected.mean()
            for ratio in ratios
        ]
        for size in sizes
    ]
    columns = pd.Index(real_numbers("ratios", ratios), name="ratio")
    return pd.DataFrame(table, pd.Index(sizes, name="rows"), columns)


def examples_needed(
    predicted: ArrayLike,
    answers: ArrayLike,
    ratio: float,
    *,
    power: float = 0.8,
    level: float = 0.05,
) -> int:
    """Rows of each gender with which a true ratio of F1 is seen as often as wanted, in closed form."""
    if not 0 < ratio < 1:
        raise ValueError(f"ratio: expected a number between 0 and 1, got {ratio!r}")
    pattern = cells(predicted, answers)
    variance = _log_f1_variance(pattern.ravel()) + _log_f1_variance(
        worsened(pattern, ratio).ravel()
    )
    reach = stats.norm.isf(level / 2) + stats.norm.ppf(power)
    return int(np.ceil(reach**2 * float(variance) / np.log(ratio) ** 2))


def _f1(counts: ArrayLike) -> Floats:
    """F1 of GAP's scorer from counts (..., 9) by answer and prediction."""
    numbers = real_numbers("counts", counts)
    return (numbers @ _FOUND) / (numbers @ _NAMES)


def _log_f1_variance(counts: ArrayLike) -> Floats:
    """Squared standard error of the logarithm of F1, by the delta method; of one row, for shares."""
    numbers = real_numbers("counts", counts)
    influence = _FOUND / (numbers @ _FOUND)[..., None] - _NAMES / (numbers @ _NAMES)[..., None]
    return (numbers * influence**2).sum(axis=-1)
