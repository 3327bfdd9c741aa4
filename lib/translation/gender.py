"""What a form says of a person: feminine, masculine, both at once, or nothing; and how often."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

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


def agreed(values: Iterable[str]) -> str:
    """What several forms agree on.

    Examples
    --------
    >>> agreed(["feminine", "feminine"]), agreed(["feminine", "masculine"]), agreed([])
    ('feminine', 'ambiguous', 'unmarked')
    """
    kinds = set(values)
    return "unmarked" if not kinds else kinds.pop() if len(kinds) == 1 else "ambiguous"
