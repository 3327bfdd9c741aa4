"""What a form says of a person: feminine, masculine, both at once, or nothing; and how often it is which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

GENDERS = ("feminine", "masculine", "ambiguous", "unmarked")
NUMBERS = ("singular", "plural", "ambiguous", "unmarked")


class Marking(NamedTuple):
    """Gender (one of `GENDERS`) and number (one of `NUMBERS`) of a person in a sentence, and the words that show them.

    ambiguous : the sentence says both ("cansado/a", "cansada y solo"); unmarked : it says neither. Neither is an error.
    """

    gender: str
    number: str
    forms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Markings:
    """How often each gender and number was read in n sentences; of the `marked` ones (feminine or masculine) the share
    that is feminine, with its Wilson interval (None, None, None where nothing is marked)."""

    n: int
    genders: Counter
    numbers: Counter
    feminine_share: float | None
    low: float | None
    high: float | None

    @property
    def marked(self) -> int:
        """Sentences that say a gender, one."""
        return self.genders["feminine"] + self.genders["masculine"]


def count_markings(markings: Iterable[Marking], level: float = 0.95) -> Markings:
    """The counts of some markings, unmarked and ambiguous among them. Raises ValueError for another gender or number."""
    from statsmodels.stats.proportion import proportion_confint

    markings = list(markings)
    genders, numbers = Counter(dict.fromkeys(GENDERS, 0)), Counter(dict.fromkeys(NUMBERS, 0))
    for marking in markings:
        if marking.gender not in genders or marking.number not in numbers:
            raise ValueError(
                f"expected a gender of {', '.join(GENDERS)}, a number of {', '.join(NUMBERS)}, got {marking}"
            )
        genders[marking.gender] += 1
        numbers[marking.number] += 1
    marked = genders["feminine"] + genders["masculine"]
    if not marked:
        return Markings(len(markings), genders, numbers, None, None, None)
    low, high = proportion_confint(genders["feminine"], marked, 1 - level, method="wilson")
    return Markings(
        len(markings), genders, numbers, genders["feminine"] / marked, float(low), float(high)
    )


def one_of(found: Iterable[str]) -> str:
    """The gender or number that several forms agree on; "ambiguous" where they do not, "unmarked" where there is none."""
    kinds = set(found)
    return "unmarked" if not kinds else kinds.pop() if len(kinds) == 1 else "ambiguous"
