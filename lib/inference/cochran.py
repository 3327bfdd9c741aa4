"""Cochran's Q: do questions asked of the same items get yes equally often?"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import unmasked


class EqualShares(NamedTuple):
    """Result of `equal_shares`.

    Attributes
    ----------
    statistic : float
        Cochran's Q; 0 where no item is answered differently by two questions.
    pvalue : float
        Share of shuffles whose Q is at least as large, the observed one counted.
    """

    statistic: float
    pvalue: float


def equal_shares(
    answers: ArrayLike, *, draws: int = 999, rng: np.random.Generator | int | None = None
) -> EqualShares:
    """Whether questions get yes with one share, asked of the same items.

    Each item's answers are shuffled over the questions: if the question does not matter, any order is as likely.

    Parameters
    ----------
    answers : array_like of bool, shape (n, q)
        Items by questions.
    draws : int
        How many shuffles.
    rng : Generator or int, optional
        Random numbers or a seed.

    Returns
    -------
    EqualShares

    Raises
    ------
    ValueError
        For another shape, fewer than two questions, no item, or answers that are not yes or no.

    References
    ----------
    Cochran (1950), The comparison of percentages in matched samples.

    Examples
    --------
    >>> equal_shares([[True, False], [True, False], [True, False], [True, True]], rng=0).statistic
    3.0
    """
    table = unmasked("answers", answers)
    if table.ndim != 2 or table.shape[1] < 2 or not len(table) or not np.isin(table, (0, 1)).all():
        raise ValueError(
            f"answers: expected True and False, (items, two questions or more), got shape {table.shape}"
        )
    cells = table.astype(np.int64)
    generator = np.random.default_rng(rng)
    shuffled = generator.permuted(np.broadcast_to(cells, (draws, *cells.shape)), axis=2)
    q, of_items = cells.shape[1], cells.sum(axis=1)
    spread = (of_items * (q - of_items)).sum()
    observed, others = (_squares(sums) for sums in (cells.sum(axis=0)[None], shuffled.sum(axis=1)))
    statistic = (q - 1) * observed[0] / spread if spread else 0.0
    reached = np.count_nonzero(others >= observed[0])
    return EqualShares(float(statistic), float((1 + reached) / (1 + draws)))


def _squares(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Spread of the sums of questions, as whole numbers: q times their squares less the squared total."""
    spread = sums.shape[1] * (sums**2).sum(axis=1) - sums.sum(axis=1) ** 2
    return np.asarray(spread, np.int64)
