"""What a form says of a person: feminine, masculine, both at once, or nothing; and how often."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

GENDERS = ("feminine", "masculine", "ambiguous", "unmarked")
NUMBERS = ("singular", "plural", "ambiguous", "unmarked")


class Marking(NamedTuple):
    """Gender and number of a person in a sentence, and the words that show them.

    Attributes
    ----------
    gender : str
        One of `GENDERS`. ambiguous: the sentence says both ("cansado/a", "cansada y solo");
        unmarked: it says neither. Neither is an error.
    number : str
        One of `NUMBERS`.
    forms : tuple of str
    """

    gender: str
    number: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Markings:
    """How often each gender and number was read in n sentences.

    Attributes
    ----------
    n : int
    genders, numbers : Counter
        Sentences by `GENDERS` and by `NUMBERS`.
    feminine_share, low, high : float or None
        Of the marked sentences (feminine or masculine) the share that is feminine, and its 95 %
        Wilson interval; None where nothing is marked.
    """

    n: int
    genders: Counter
    numbers: Counter
    feminine_share: float | None
    low: float | None
    high: float | None

    @property
    def marked(self) -> int:
        """Number of sentences that are feminine or masculine."""
        return self.genders["feminine"] + self.genders["masculine"]


def count_markings(markings: Iterable[Marking], level: float = 0.95) -> Markings:
    """Count markings, unmarked and ambiguous ones among them.

    Raises
    ------
    ValueError
        For another gender or number.

    Examples
    --------
    >>> tired = Marking("feminine", "singular")
    >>> counted = count_markings([tired, tired, Marking("unmarked", "singular")])
    >>> counted.marked, counted.feminine_share, round(counted.low, 2)
    (2, 1.0, 0.34)
    """
    from statsmodels.stats.proportion import proportion_confint

    markings = list(markings)
    genders, numbers = Counter(dict.fromkeys(GENDERS, 0)), Counter(dict.fromkeys(NUMBERS, 0))
    for marking in markings:
        if marking.gender not in genders or marking.number not in numbers:
            raise ValueError(
                f"expected a gender of {', '.join(GENDERS)}, a number of {', '.join(NUMBERS)}; "
                f"got {marking}"
            )
        genders[marking.gender] += 1
        numbers[marking.number] += 1
    feminine, marked = genders["feminine"], genders["feminine"] + genders["masculine"]
    if not marked:
        return Markings(len(markings), genders, numbers, None, None, None)
    low, high = map(float, proportion_confint(feminine, marked, 1 - level, method="wilson"))
    return Markings(len(markings), genders, numbers, feminine / marked, low, high)


def markings_table(
    markings: Mapping[Hashable, Markings], index: Sequence[str], *, by: str = "gender"
) -> pd.DataFrame:
    """Counted markings as a table with a row for each.

    Parameters
    ----------
    markings : mapping
        Name of a row, a tuple -> its markings.
    index : sequence of str
        What the parts of the names are.
    by : str
        "gender" or "number".

    Returns
    -------
    DataFrame
        Columns `GENDERS` or `NUMBERS`: shares of all sentences, in [0, 1]; n and marked: numbers of
        sentences; value: the feminine share of the marked ones; low, high: its interval. Shares are
        NaN where there is nothing to divide by.
    """
    rows = []
    for counted in markings.values():
        counts = counted.genders if by == "gender" else counted.numbers
        rows.append(
            {kind: count / counted.n if counted.n else None for kind, count in counts.items()}
            | {"n": counted.n, "marked": counted.marked, "value": counted.feminine_share}
            | {"low": counted.low, "high": counted.high}
        )
    table = pd.DataFrame(rows, pd.MultiIndex.from_tuples(list(markings), names=index), dtype=float)
    return table.astype({"n": int, "marked": int})


def share_over_groups(
    markings: Sequence[Marking],
    groups: Sequence[str],
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int | None = None,
) -> tuple[float, float, float]:
    """Feminine share of the marked sentences, with a 95 % bootstrap interval over groups of them.

    Parameters
    ----------
    markings : sequence of Marking
        One for each sentence.
    groups : sequence of str
        What the sentences share, such as an adjective; those of a group are drawn together.
    resamples : int
    rng : Generator, int or None

    Returns
    -------
    value, low, high : float
        In [0, 1]; NaN where nothing is marked.

    Examples
    --------
    >>> tired, bored = Marking("feminine", "singular"), Marking("masculine", "singular")
    >>> share_over_groups([tired, tired, bored, bored], ["a", "b", "a", "b"], rng=0)
    (0.5, 0.5, 0.5)
    """
    counts = pd.crosstab(np.asarray(groups), np.array([marking.gender for marking in markings]))
    counts = counts.reindex(columns=["feminine", "masculine"], fill_value=0).to_numpy()
    if not counts.sum():
        return (np.nan,) * 3
    uniform = np.full(len(counts), 1 / len(counts))
    totals = np.random.default_rng(rng).multinomial(len(counts), uniform, resamples) @ counts
    with np.errstate(invalid="ignore"):
        resampled = totals[:, 0] / totals.sum(axis=1)
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return float(counts[:, 0].sum() / counts.sum()), float(low), float(high)


def agreed(values: Iterable[str]) -> str:
    """What several forms agree on.

    Examples
    --------
    >>> agreed(["feminine", "feminine"]), agreed(["feminine", "masculine"]), agreed([])
    ('feminine', 'ambiguous', 'unmarked')
    """
    kinds = set(values)
    return "unmarked" if not kinds else kinds.pop() if len(kinds) == 1 else "ambiguous"
