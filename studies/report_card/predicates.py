"""The vocabulary of findings: rules over numbers with intervals, each of which holds, fails, or is left open.

An interval that holds the neutral point or a bound leaves a rule open, as does a number that is not known; one failed comparison is
enough to fail. data/claims/README.md lists the words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

import pandas as pd

Truth = bool | None  # None: the numbers leave it open
Rows = Sequence["Number"]


@dataclass(frozen=True)
class Number:
    """A number of a finding, in plain units."""

    value: float  # NaN where there is none, which leaves open whatever depends on it
    # ends of its 95 % interval, or of the range that a printed bound leaves; `value` unless given
    low: float = math.nan
    high: float = math.nan
    neutral: float = 0.0  # where neither side has more
    p: tuple[float, float] = (0.0, 1.0)  # the range of its p value; for a p value the number itself

    @property
    def size(self) -> Number:
        """How far the number lies from the neutral point, whatever the side."""
        low, high = (end - self.neutral for end in self.ends)
        nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
        return Number(abs(self.value - self.neutral), nearest, max(abs(low), abs(high)), p=self.p)

    @property
    def ends(self) -> tuple[float, float]:
        """Low and high, of an unknown number -inf and inf."""
        if math.isnan(self.value):
            return -math.inf, math.inf
        low, high = self.low, self.high
        return self.value if math.isnan(low) else low, self.value if math.isnan(high) else high


@dataclass(frozen=True)
class Outcome:
    """Whether a rule holds for some numbers (None: they leave it open), and in words why not."""

    holds: Truth
    why: str = ""


def sign(numbers: Rows, *, side: str) -> Outcome:
    """All numbers lie on one side ("above", "below") of the neutral point."""
    return _every([_on_side(number, side) for number in numbers], f"{side} the neutral point")


def share(
    numbers: Rows, *, side: str, at_least: float = -math.inf, at_most: float = math.inf
) -> Outcome:
    """The share of numbers on one side of the neutral point lies between two bounds."""
    low, high, said = _share([_on_side(number, side) for number in numbers])
    return _single(_within(low, high, at_least, at_most), f"{said} are {side} the neutral point")


def greater(
    numbers: Rows, than: Rows, *, pairing: str = "each", by: float = 0.0, at_least: float = 1.0
) -> Outcome:
    """Numbers are greater than others by `by` or more (0: by anything), in a share of the comparisons, each with each or in turn.

    Intervals are taken as those of independent estimates (Zou and Donner 2008).
    """
    pairs = list(
        zip(numbers, than, strict=True) if pairing == "in turn" else product(numbers, than)
    )
    checks = [_exceeds(*pair, by) for pair in pairs]
    if at_least == 1:
        return _every(checks, "")
    low, high, said = _share(checks)
    return _single(_within(low, high, at_least, 1), f"{said} of {len(checks)} comparisons hold")


def largest(numbers: Rows, among: Rows, *, by: float = 0.0) -> Outcome:
    """A number, or each of several, is larger than all others of a set."""
    return greater(numbers, _others(among, numbers), by=by)


def smallest(numbers: Rows, among: Rows, *, by: float = 0.0) -> Outcome:
    """A number, or each of several, is smaller than all others of a set."""
    return greater(_others(among, numbers), numbers, by=by)


def order(numbers: Rows, *, by: float = 0.0) -> Outcome:
    """The numbers fall from the first to the last, neighbours by at least `by`."""
    return _every([_exceeds(left, right, by) for left, right in pairwise(numbers)], "")


def significant(numbers: Rows, *, alpha: float) -> Outcome:
    """The p value of every number lies below alpha."""
    return _every([_p_below(number, alpha) for number in numbers], f"p < {alpha:g}")


def not_significant(numbers: Rows, *, alpha: float) -> Outcome:
    """The p value of every number is alpha or larger."""
    return _every([_not(_p_below(number, alpha)) for number in numbers], f"p >= {alpha:g}")


def equal(numbers: Rows, to: Rows = (), *, within: float) -> Outcome:
    """The whole interval of each difference lies inside a margin: of all pairs, or in turn with those of `to`."""
    pairs = zip(numbers, to, strict=True) if to else combinations(numbers, 2)
    checks = [_within(*_difference(*pair), -within, within) for pair in pairs]
    return _every(checks, f"within {within:g}")


def between(numbers: Rows, *, at_least: float = -math.inf, at_most: float = math.inf) -> Outcome:
    """Every number lies between two bounds, in plain units."""
    said = " and ".join(
        f"{name} {bound:g}"
        for name, bound in (("at least", at_least), ("at most", at_most))
        if math.isfinite(bound)
    )
    return _every([_within(*number.ends, at_least, at_most) for number in numbers], said)


def ratio(
    numbers: Rows, to: Rows, *, at_least: float = -math.inf, at_most: float = math.inf
) -> Outcome:
    """The ratio of each number to its partner, both positive, lies between two bounds."""
    pairs = list(zip(numbers, to, strict=True))
    checks: list[Truth] = []
    for (low, high), (low_to, high_to) in ((own.ends, other.ends) for own, other in pairs):
        known = low > 0 and low_to > 0
        checks.append(_within(low / high_to, high / low_to, at_least, at_most) if known else None)
    outcome = _every(checks, "")
    if outcome.holds is not True and len(pairs) == 1 and pairs[0][1].value:
        own, other = pairs[0]
        return Outcome(outcome.holds, f"the ratio is {own.value / other.value:.3g}")
    return outcome


def trend(numbers: Rows, along: Rows = (), *, side: str, at_least: float = 0.0) -> Outcome:
    """The numbers rise or fall with others, or as listed: the sign of Spearman's rho, by the values and not their intervals."""
    theirs = [number.value for number in along] if along else list(range(len(numbers)))
    table = pd.DataFrame({"numbers": [number.value for number in numbers], "along": theirs})
    if table.isna().any(axis=None):
        return Outcome(None, "a number is missing")
    rho = table.numbers.rank().corr(table.along.rank())
    ours = rho if side == "rising" else -rho
    return _single(bool(ours > 0 and ours >= at_least), f"Spearman's rho is {rho:.2f}")


@dataclass(frozen=True)
class Predicate:
    """A word of the vocabulary: its rule, and the arguments it takes beside `of`, the numbers."""

    rule: Callable[..., Outcome]
    numbers: tuple[str, ...] = ()  # arguments that are sets of numbers as well
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


PREDICATES = {
    "sign": Predicate(sign, needs=("side",)),
    "share": Predicate(share, needs=("side",), may=("at_least", "at_most")),
    "greater": Predicate(greater, ("than",), ("than",), ("pairing", "by", "at_least")),
    "largest": Predicate(largest, ("among",), ("among",), ("by",)),
    "smallest": Predicate(smallest, ("among",), ("among",), ("by",)),
    "order": Predicate(order, may=("by",)),
    "significant": Predicate(significant, needs=("alpha",)),
    "not significant": Predicate(not_significant, needs=("alpha",)),
    "equal": Predicate(equal, ("to",), ("within",), ("to",)),
    "between": Predicate(between, may=("at_least", "at_most")),
    "ratio": Predicate(ratio, ("to",), ("to",), ("at_least", "at_most")),
    "trend": Predicate(trend, ("along",), ("side",), ("along", "at_least")),
}
CHOICES = {
    "side": {"trend": ("rising", "falling"), "": ("above", "below")},
    "pairing": {"": ("each", "in turn")},
}


def _others(among: Rows, numbers: Rows) -> list[Number]:
    """The numbers of a set without some of them."""
    return [other for other in among if all(other is not number for number in numbers)]


def _on_side(number: Number, side: str) -> Truth:
    (low, high), neutral = number.ends, number.neutral
    if side == "below":
        low, high, neutral = -high, -low, -neutral
    return True if low > neutral else False if high < neutral or low == high else None


def _difference(left: Number, right: Number) -> tuple[float, float]:
    """The ends of the difference of two independent estimates, from the ends of each."""
    (low, high), (low_right, high_right) = left.ends, right.ends
    value = left.value - right.value
    if math.isnan(value):
        return -math.inf, math.inf
    down = math.hypot(left.value - low, high_right - right.value)
    up = math.hypot(high - left.value, right.value - low_right)
    return value - down, value + up


def _exceeds(left: Number, right: Number, by: float) -> Truth:
    low, high = _difference(left, right)
    least = _relax(by, -1)
    if by == 0:
        return True if low > 0 else False if high <= 0 else None
    return True if low >= least else False if high < least else None


def _within(low: float, high: float, at_least: float, at_most: float) -> Truth:
    at_least, at_most = _relax(at_least, -1), _relax(at_most, 1)
    if high < at_least or low > at_most:
        return False
    return True if low >= at_least and high <= at_most else None


def _relax(bound: float, direction: int) -> float:
    """A bound moved by what binary fractions are off: 0.3 - 0.2 is not quite 0.1."""
    return bound + direction * 1e-12 if math.isfinite(bound) else bound


def _p_below(number: Number, alpha: float) -> Truth:
    low, high = number.p
    return True if high < alpha else False if low >= alpha else None


def _not(check: Truth) -> Truth:
    return None if check is None else not check


def _every(checks: Sequence[Truth], said: str) -> Outcome:
    """All checks together: one that fails is enough, else one that is open."""
    failed, unknown = checks.count(False), checks.count(None)
    what = f"are not {said}" if said else "comparisons do not come out so"
    if failed:
        return Outcome(False, f"{failed} of {len(checks)} {what}")
    if unknown:
        return Outcome(None, f"{unknown} of {len(checks)} {'' if said else 'comparisons '}are open")
    return Outcome(True)


def _share(checks: Sequence[Truth]) -> tuple[float, float, str]:
    """The least and the largest share of checks that can hold, and both in words."""
    low = checks.count(True) / len(checks)
    high = low + checks.count(None) / len(checks)
    return low, high, f"{low:.0%}" if low == high else f"{low:.0%} to {high:.0%}"


def _single(check: Truth, said: str) -> Outcome:
    return Outcome(check, "" if check else said)
