"""Printed numbers and ours in one unit: how well the two agree, and all of it as a file to download."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.ledger.verdicts import AS_RELEASED, SAME_DATA


def side_by_side(card: pd.DataFrame) -> pd.DataFrame:
    """Rows of a card with a result on the paper's data or from the authors' files, with both numbers as floats in the printed unit.

    `subject` is what is measured, without the metric; `neutral` is NaN where the metric has no neutral point.
    """
    settled = card[card.verdict.isin([*SAME_DATA, AS_RELEASED]) & (card.kind == "result")]
    rows = [_both_numbers(row) for row in settled.to_dict("records")]
    names = ["metric", "subject", "neutral", "printed number", "ours", "low", "high"]
    both = pd.DataFrame(rows, columns=names, index=settled.index)
    return settled.drop(columns=["low", "high"]).join(both)


def _both_numbers(row: Mapping[Hashable, Any]) -> tuple[str | float, ...]:
    claim = claims.row(str(row["claim_id"]))
    printed = Printed.of(claim)
    scale = float(printed.scale)
    metric = claim["metric"].replace("_", " ")
    subject = claims.describe(claim).removeprefix(f"{metric} · ")
    neutral = float(claim["neutral"]) * scale if claim["neutral"] else float("nan")
    ours = (float(row[name]) * scale for name in ("value", "low", "high"))
    return metric, subject, neutral, float(printed.value), *ours


@dataclass(frozen=True)
class Agreement:
    """Correlation and slope; NaN for fewer than three pairs, or where either does not vary."""

    n: int
    correlation: float  # Pearson's
    slope: float  # of printed on ours by least squares, 1 where both are on one scale


def agreement(printed: pd.Series, ours: pd.Series) -> Agreement:
    """How well printed numbers follow ours: correlation and slope of printed on ours."""
    x, y = ours.to_numpy(float), printed.to_numpy(float)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Agreement(len(x), float("nan"), float("nan"))
    covariance = np.cov(x, y)
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    slope = covariance[0, 1] / covariance[0, 0]
    return Agreement(len(x), round(float(correlation), 12), round(float(slope), 12))


def as_json(card: pd.DataFrame) -> str:
    """The report card as a file for programs, a row for each printed number: what `pandas.read_json(…, orient="split")` reads.

    `ours` and `interval` are in plain units, null where there is none; `difference` is relative; `inputs` are sources with hashes.
    """
    texts = ["claim_id", "paper", "location", "kind", "what", "printed", "verdict", "reach"]
    texts += ["arithmetic", "basis", "reason", "chapter", "profile"]
    objects = [
        {
            **{name: row[name] for name in texts},
            "ours": _number(row["value"]),
            "interval": _interval(row["low"], row["high"]),
            "difference": _number(row["difference"]),
            "inputs": [part.strip() for part in str(row["inputs"]).split(";") if part.strip()],
        }
        for row in card.to_dict("records")
    ]
    columns = json.dumps([*objects[0]] if objects else [])
    rows = ",\n".join(
        json.dumps([*entry.values()], ensure_ascii=False, separators=(",", ":"))
        for entry in objects
    )
    return f'{{"columns": {columns},\n"data": [\n{rows}\n]}}\n'


def _number(value: float) -> float | None:
    return None if pd.isna(value) else value


def _interval(low: float, high: float) -> list[float] | None:
    return None if pd.isna(low) or pd.isna(high) else [low, high]
