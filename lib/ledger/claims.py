"""The numbers the papers print: read from data/claims, with what each metric means and what a rerun would need."""

from __future__ import annotations

import difflib
import fnmatch
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from lib.paths import DATA

FOLDER = DATA / "claims"
CLAIM_COLUMNS = [
    "claim_id",
    "location",
    "system",
    "dataset",
    "setting",
    "metric",
    "value",
    "unit",
    "significance",
    "note",
]
METRIC_COLUMNS = ["metric", "meaning", "kind", "neutral", "unit", "rounding"]
SCOPE_FILTERS = ["claims", "metric", "text"]
SCOPE_FIELDS = [
    "chapter",
    "kind",
    "profile",
    "data",
    "basis",
    "draws",
    "relation",
    "step",
    "elsewhere",
    "reason",
    "known_difference",
]
METRIC_KINDS = (
    "signed contrast",
    "agreement",
    "score",
    "share",
    "spread",
    "p value",
    "count",
    "rank",
    "yes or no",
    "setting",
    "cost",
)
CLAIM_KINDS = ("result", "setup", "restated", "quoted")
BASES = ("recomputed", "rerun", "retrained")
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


@cache
def load_claims(folder: Path = FOLDER) -> pd.DataFrame:
    """Every printed claim, indexed by its id: the papers' files merged with metrics.csv and scope.csv.

    Text columns throughout, "" where nothing is known. The metric's own columns are `meaning`, `metric_kind`,
    `neutral`, `metric_unit` and `rounding`; those of the scope are in `SCOPE_FIELDS`; `paper` is the file's name.
    Raises ValueError when a file does not have the columns that data/claims/README.md gives it.
    """
    papers = [
        _table(path, CLAIM_COLUMNS).assign(paper=path.stem)
        for path in sorted(Path(folder).glob("*.csv"))
        if path.stem not in ("metrics", "scope")
    ]
    claims = pd.concat(papers, ignore_index=True)
    metrics = _table(Path(folder) / "metrics.csv", METRIC_COLUMNS)
    metrics = metrics.rename(columns={"kind": "metric_kind", "unit": "metric_unit"})
    claims = claims.merge(metrics, on="metric", how="left").fillna("")
    claims = pd.concat(
        [claims, _scope(claims, _table(Path(folder) / "scope.csv", SCOPE_FILTERS + SCOPE_FIELDS))],
        axis="columns",
    )
    return claims.set_index("claim_id", drop=False)


def _table(path: Path, columns: list[str]) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    if list(table.columns) != columns:
        raise ValueError(
            f"{path.name}: expected the columns {','.join(columns)}; got {','.join(table.columns)}. "
            "See data/claims/README.md."
        )
    return table


def _scope(claims: pd.DataFrame, scope: pd.DataFrame) -> pd.DataFrame:
    """The scope of each claim: every row of scope.csv that matches, a later one overriding what it fills in."""
    fields = [dict.fromkeys(SCOPE_FIELDS, "") for _ in range(len(claims))]
    for row, here in zip(scope.to_dict("records"), matching(claims, scope)):
        filled = {name: row[name].removeprefix("-") for name in SCOPE_FIELDS if row[name]}
        for position in here:
            fields[position].update(filled)
    return pd.DataFrame(fields, index=claims.index, columns=SCOPE_FIELDS)


def matching(claims: pd.DataFrame, scope: pd.DataFrame) -> list[list[int]]:
    """For each row of scope.csv the positions of the claims it is about: its filters are shell patterns, an empty one
    matches all; `text` looks at location, system, dataset, setting and note joined by " | "."""
    filters = {
        "claims": list(claims.claim_id),
        "metric": list(claims.metric),
        "text": [
            " | ".join(parts)
            for parts in zip(
                claims.location, claims.system, claims.dataset, claims.setting, claims.note
            )
        ],
    }
    of_paper = {paper: list(rows) for paper, rows in claims.groupby("paper").indices.items()}
    found = []
    for row in scope.to_dict("records"):
        here = of_paper.get(row["claims"].partition(".")[0], range(len(claims)))
        for name, texts in filters.items():
            if row[name] not in ("", "*"):
                fits = re.compile(fnmatch.translate(row[name])).match
                here = [position for position in here if fits(texts[position])]
        found.append(list(here))
    return found


def describe(claim: Mapping) -> str:
    """What a claim is about, in one line: metric, system, data and setting as the paper names them."""
    parts = [part.strip() for part in claim["setting"].split(";")]
    setting = ", ".join(
        part.replace("=", ": ", 1) for part in parts if not part.startswith("kind=")
    )
    parts = (claim["metric"], claim["system"], claim["dataset"], setting)
    return " · ".join(part.replace("_", " ") for part in parts if part)


def find_claim(paper: str, *, location: str = "", metric: str = "", **about) -> str | None:
    """The id of the one claim of a paper that is about all this, or None when the paper prints no such number.

    about : `system` and `dataset`, and any name that stands in the `setting` of the paper's claims at this place
    (base_pair, word_form…); other names say nothing about the claim and are passed over. Restated and quoted numbers
    are found only where nothing else is. Raises ValueError for an unknown paper, location or metric, and when several
    claims are left.
    """
    claims = load_claims()
    here = pd.Series(True, index=claims.index)
    for column, wanted in {"paper": paper, "location": location, "metric": metric}.items():
        if wanted:
            known = claims.loc[here, column].unique()
            if wanted not in known:
                raise ValueError(
                    f"{column}: expected one that has claims in data/claims; got {wanted!r}. "
                    f"{did_you_mean(wanted, known)}"
                )
            here &= claims[column] == wanted
    found = _about(claims[here], about)
    own = found[~found.kind.isin(["restated", "quoted"])]
    found = own if len(own) else found
    if len(found) > 1:
        raise ValueError(
            f"expected one claim of {paper} about {about}; got {len(found)}: {', '.join(found.index[:5])}… "
            "Say more about it: location, metric, system, dataset or a name in its setting."
        )
    return found.index[0] if len(found) else None


def _about(claims: pd.DataFrame, about: Mapping) -> pd.DataFrame:
    settings = [
        dict(part.strip().split("=", 1) for part in text.split(";") if "=" in part)
        for text in claims.setting
    ]
    fits = pd.Series(True, index=claims.index)
    for name, wanted in about.items():
        if name in ("system", "dataset"):
            fits &= claims[name] == str(wanted)
        elif any(name in setting for setting in settings):
            fits &= np.array([setting.get(name) == str(wanted) for setting in settings], dtype=bool)
    return claims[fits]


def did_you_mean(word: str, known: Iterable[str], many: int = 3) -> str:
    """A sentence that names the closest known words."""
    close = difflib.get_close_matches(word, list(known), n=many, cutoff=0.5)
    return (
        f"Did you mean {', '.join(close)}?"
        if close
        else "None comes close: see data/claims/README.md."
    )


@dataclass(frozen=True)
class Printed:
    """A printed number: its text, and from it the precision at which another number can be compared with it.

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
    def of(cls, claim: Mapping) -> Printed:
        """The printed number of a claim, with its unit, rounding, relation and (where the words are coarser than the
        digits) its step."""
        text = claim["value"]
        try:
            exponent = Decimal(text).as_tuple().exponent
        except InvalidOperation:
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
        """The number in the unit results are recorded in: a share as a fraction, a count as a count."""
        return float(self.value / self.scale)

    def shows(self, number: float) -> bool:
        """Whether a recorded number, printed at this precision and rounding, gives the printed number.

        A tie may have been rounded either way, and a billionth of a step is allowed for binary fractions.
        """
        ours, slack = self._in_unit(number), self.step * Decimal("1e-9")
        if self.relation != "=":
            return self._satisfies(ours)
        if self.truncated:
            return self._cut(ours) == self.value
        return abs(ours - self.value) <= self.step / 2 + slack

    def write(self, number: float) -> str:
        """A recorded number as the paper would have printed it."""
        ours, last_digit = self._in_unit(number), Decimal(1).scaleb(self.value.as_tuple().exponent)
        if self.relation != "=":
            return f"{ours:.3g}"
        if self.shows(number) and self.step == last_digit:
            return self.text
        rounded = self._cut(ours) if self.truncated else _round(ours, last_digit)
        rounded += 0  # no minus sign before a zero
        return f"{rounded:e}" if "e" in self.text.lower() else f"{rounded:f}"

    def reachable(self, low: float, high: float) -> bool:
        """Whether some number between the two recorded ones would be printed as this one."""
        if self.relation != "=":
            return self.shows(low) or self.shows(high)
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
