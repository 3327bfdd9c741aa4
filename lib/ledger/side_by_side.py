"""Printed numbers and ours in one unit: how well the two agree, table by table, and all of it as a
file to download.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.ledger.verdicts import AS_RELEASED, SAME_DATA


def side_by_side(card: pd.DataFrame) -> pd.DataFrame:
    """The results on the papers' own data, or read from the authors' files, with both numbers in
    the unit that the paper prints.

    Parameters
    ----------
    card : DataFrame
        From `lib.ledger.report_card.report_card`.

    Returns
    -------
    DataFrame
        The rows of the card that have such a result, in its order, with `metric`, `neutral` (NaN
        where the metric has no neutral point), `subject` (what is measured, without the metric),
        and as floats `printed number`, `ours`, `low`, `high`.
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
    """How well printed numbers follow ours.

    Attributes
    ----------
    n : int
        Pairs of numbers.
    correlation : float
        Pearson's, from -1 to 1; NaN for fewer than three pairs, or where either does not vary.
    slope : float
        Of printed on ours by least squares, 1 where both are on one scale; NaN as above.
    """

    n: int
    correlation: float
    slope: float


def agreement(printed: pd.Series, ours: pd.Series) -> Agreement:
    """Correlation and slope of printed numbers on ours.

    Parameters
    ----------
    printed, ours : Series
        Pairs of numbers, shape (n,).

    Returns
    -------
    Agreement

    Examples
    --------
    >>> agreement(pd.Series([1.0, 2.0, 3.0]), pd.Series([2.0, 4.0, 6.0]))
    Agreement(n=3, correlation=1.0, slope=0.5)
    """
    x, y = ours.to_numpy(float), printed.to_numpy(float)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return Agreement(len(x), float("nan"), float("nan"))
    covariance = np.cov(x, y)
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    slope = covariance[0, 1] / covariance[0, 0]
    return Agreement(len(x), round(float(correlation), 12), round(float(slope), 12))


def as_json(card: pd.DataFrame) -> str:
    """The report card as a file for programs: a row for each printed number.

    Parameters
    ----------
    card : DataFrame
        From `lib.ledger.report_card.report_card`.

    Returns
    -------
    str
        JSON, as `pandas.read_json(…, orient="split")` reads it: columns and their data. Columns
        claim_id, paper, location, kind, what, printed (as the paper prints it), verdict, reach,
        arithmetic, basis, reason, chapter, profile, ours (in plain units, null where there is
        none), interval (two numbers or null), difference (relative, or null), inputs (a list of
        sources with their hashes).

    Examples
    --------
    >>> import json
    >>> from lib.ledger.report_card import report_card
    >>> from lib.ledger.results import RESULT_COLUMNS
    >>> card = report_card(pd.DataFrame(columns=RESULT_COLUMNS))
    >>> split = json.loads(as_json(card.head(1)))
    >>> dict(zip(split["columns"], split["data"][0]))["ours"] is None
    True
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


def paper_name(paper: str) -> str:
    """The name of a file of claims as a reader would say it.

    Parameters
    ----------
    paper : str
        Such as "zhang2020_base_pairs".

    Returns
    -------
    str

    Examples
    --------
    >>> paper_name("zhang2020_base_pairs"), paper_name("gap_shared_task")
    ('Zhang 2020, base pairs', 'GAP shared task')
    """
    words = paper.replace("_", " ")
    dated = re.fullmatch(r"([a-z]+)(\d{4}) (.+)", words)
    if dated:
        return f"{dated[1].capitalize()} {dated[2]}, {_in_capitals(dated[3])}"
    return _in_capitals(words)


def _in_capitals(words: str) -> str:
    """Abbreviations in capitals."""
    known = {"arxiv": "arXiv", "gebnlp": "GeBNLP"}
    upper = {"bert", "bold", "gap", "mlm", "mt", "qa", "rgcn", "ripa", "tgbi"}
    return " ".join(
        known.get(word, word.upper() if word in upper else word) for word in words.split()
    )
