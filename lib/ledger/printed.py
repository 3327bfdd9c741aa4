"""Printed numbers: the precision that a text shows, and whether another number would be printed
alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

_SCALES = {
    "%": "100",
    "percentage points": "100",
    "points": "100",
    "hundredths": "100",
    "thousand": "1e-3",
    "million": "1e-6",
    "billion": "1e-9",
}
_EXACT = Context(prec=700)  # enough for any float next to any printed number


@dataclass(frozen=True)
class Printed:
    """A printed number: its text, and from it the precision at which another number can be compared
    with it.

    text : as printed ("0.0012", ".30", "4e-11").   scale : what a recorded number is multiplied by to be in the
    printed unit.   step : the spacing of numbers at the printed precision.   truncated : digits were cut, not rounded.
    relation : "=", or "<", "<=", ">", ">=" where the paper prints a bound.
    """

    text: str
    scale: Decimal = Decimal(1)
    step: Decimal = Decimal(1)
    truncated: bool = False
    relation: str = "="

    @classmethod
    def of(cls, claim: Mapping[Any, str]) -> Printed:
        """The printed number of a claim, with its unit, rounding, relation and (where the words are coarser than the
        digits) its step."""
        text = claim["value"]
        try:
            exponent = _exponent(Decimal(text))
        except (InvalidOperation, ValueError):
            raise ValueError(
                f"{claim['claim_id']}: expected a plain number such as 0.0012 or 4e-11 as value; "
                f"got {text!r}. Words around it belong in `note`."
            ) from None
        unit = claim["unit"] or claim["metric_unit"]
        scale = next(
            (Decimal(_SCALES[word]) for word in (unit, unit.partition(" ")[0]) if word in _SCALES),
            Decimal(1),
        )
        step = Decimal(claim["step"]) if claim["step"] else Decimal(1).scaleb(exponent)
        return cls(text, scale, step, claim["rounding"] == "truncate", claim["relation"] or "=")

    @property
    def value(self) -> Decimal:
        """The number itself, in the printed unit."""
        return Decimal(self.text)

    @property
    def plain(self) -> float:
        """The number in the unit results are recorded in: a share as a fraction, a count as a
        count.
        """
        return float(self.value / self.scale)

    @property
    def bounds(self) -> tuple[Fraction | float, Fraction | float]:
        """The smallest and the largest number, in plain units, that would be printed so: half a
        step to both sides, one step away from zero where digits are cut, without end on one side
        where a bound is printed.

        Examples
        --------
        >>> [float(end) for end in Printed("2.5", scale=Decimal(100), step=Decimal("0.1")).bounds]
        [0.0245, 0.0255]
        """
        value, step, scale = Fraction(self.value), Fraction(self.step), Fraction(self.scale)
        low: Fraction | float = value - step / 2
        high: Fraction | float = value + step / 2
        if self.relation != "=":
            low, high = (-math.inf, value) if "<" in self.relation else (value, math.inf)
        elif self.truncated:
            low = value if value > 0 else value - step
            high = value if value < 0 else value + step
        return low / scale, high / scale

    def matches(self, number: float) -> bool:
        """Whether a recorded number, printed at this precision and rounding, gives the printed
        number.

        A tie may have been rounded either way, and a billionth of a step is allowed for binary
        fractions.
        """
        ours, slack = self._in_unit(number), self.step * Decimal("1e-9")
        if self.relation != "=":
            return self._satisfies(ours)
        if self.truncated:
            return self._cut(ours) == self.value
        return abs(ours - self.value) <= self.step / 2 + slack

    def format(self, number: float) -> str:
        """A recorded number as the paper would have printed it."""
        ours, last_digit = self._in_unit(number), Decimal(1).scaleb(_exponent(self.value))
        if self.relation != "=":
            return f"{ours:.3g}"
        if self.matches(number) and self.step == last_digit:
            return self.text
        rounded = self._cut(ours) if self.truncated else _round(ours, last_digit)
        rounded += 0  # no minus sign before a zero
        return f"{rounded:e}" if "e" in self.text.lower() else f"{rounded:f}"

    def compatible_with(self, low: float, high: float) -> bool:
        """Whether some number between the two recorded ones would be printed as this one."""
        if self.relation != "=":
            return self.matches(low) or self.matches(high)
        turn = self._cut if self.truncated else lambda number: _round(number, self.step)
        return turn(self._in_unit(low)) <= self.value <= turn(self._in_unit(high))

    def _in_unit(self, number: float) -> Decimal:
        return Decimal(repr(float(number))) * self.scale

    def _satisfies(self, ours: Decimal) -> bool:
        return {
            "<": ours < self.value,
            "<=": ours <= self.value,
            ">": ours > self.value,
            ">=": ours >= self.value,
        }[self.relation]

    def _cut(self, number: Decimal) -> Decimal:
        slack = (self.step * Decimal("1e-9")).copy_sign(number)
        return (number + slack).quantize(self.step, rounding=ROUND_DOWN, context=_EXACT)


def _round(number: Decimal, step: Decimal) -> Decimal:
    return _EXACT.multiply(
        _EXACT.divide(number, step).quantize(Decimal(1), rounding=ROUND_HALF_UP, context=_EXACT),
        step,
    )


def _exponent(number: Decimal) -> int:
    """The place of the last digit; ValueError for what is no finite number."""
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{number} has no last digit")
    return exponent
