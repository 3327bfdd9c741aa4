"""Results beside what the papers print: the comparison that ends a chapter, and the report card of
all papers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.ledger import arithmetic, claims
from lib.ledger.printed import Printed
from lib.ledger.reach import REACHES, reach
from lib.ledger.results import read_results
from lib.ledger.verdicts import (
    AS_RELEASED,
    OTHER_DATA,
    OUT,
    SAME_DATA,
    VERDICTS,
    Claim,
    Result,
    Verdict,
    sources,
    standing_on_data,
    verdict,
)

# Those of the ledger, and one that only other printed numbers can give, after "adds up".
CARD_VERDICTS = (*VERDICTS[:6], arithmetic.NOT_CONTRADICTED, *VERDICTS[6:])
CARD_COLUMNS = [
    "paper",
    "claim_id",
    "location",
    "kind",
    "chapter",
    "what",
    "printed",
    "run",
    "interval",
    "difference",
    "verdict",
    "reach",
    "arithmetic",
    "sum",
    "basis",
    "profile",
    "data",
    "reason",
    "value",
    "low",
    "high",
    "inputs",
]


def compare(results: pd.DataFrame) -> pd.DataFrame:
    """Paper against run: one row for each result that answers a claim, in the order of the paper.

    Columns: claim_id, location, what, paper (as printed), run (ours, printed alike), interval, difference (relative to
    what is printed), verdict, basis, reason.
    """
    answers = results[results.claim_id != ""]
    answered = {claim_id: claims.row(claim_id) for claim_id in answers.claim_id}
    rows = [_comparison_row(answered[row["claim_id"]], row) for row in answers.to_dict("records")]
    for row, answer in zip(rows, answers.to_dict("records")):
        if (
            answer.get("recorded") is True and row["basis"] == "other"
        ):  # not this run's model or data
            row["reason"] = "; ".join(filter(None, [row["reason"], f"recorded on {row['data']}"]))
    columns = [
        "claim_id",
        "location",
        "what",
        "printed",
        "run",
        "interval",
        "difference",
        "verdict",
        "basis",
        "reason",
    ]
    table = pd.DataFrame(rows, columns=columns)
    papers = sorted({claim_id.partition(".")[0] for claim_id in answered})
    ids = [claim_id for paper in papers for claim_id in claims.load_paper(paper).index]
    order = table.claim_id.map({claim_id: place for place, claim_id in enumerate(ids)})
    table = table.iloc[np.argsort(order.to_numpy(dtype=float), kind="stable")].reset_index(
        drop=True
    )
    return table.rename(columns={"printed": "paper"})


def _comparison_row(
    claim: Claim, result: Result | None, decided: Verdict | None = None
) -> dict[str, Any]:
    """One row of a table: the claim, the result printed like it, and the verdict."""
    printed, decided = Printed.of(claim), decided or verdict(claim, result)
    unit = f" {claim['unit']}" if claim["unit"] else ""
    sign = "" if printed.relation == "=" else f"{printed.relation} "
    row = {
        **{name: claim[name] for name in ("paper", "claim_id", "location", "kind", "chapter")},
        "what": claims.describe(claim),
        "printed": f"{sign}{claim['value']}{unit}",
        "run": "",
        "interval": "",
        "difference": float("nan"),
        "profile": "",
        "data": "",
        "reach": reach(claim),
        "arithmetic": "",
        "sum": "",
        "verdict": decided.verdict,
        "basis": decided.basis,
        "reason": decided.reason,
        **dict.fromkeys(("value", "low", "high"), float("nan")),
        "inputs": "",
    }
    if result is not None:
        row |= {name: result[name] for name in ("value", "low", "high")}
        row |= {
            "inputs": str(result["data"]),
            "run": printed.format(result["value"]) + unit,
            "profile": result["profile"],
            "data": "; ".join(sources(str(result["data"]))),
        }
        if printed.relation == "=" and printed.plain != 0:
            row["difference"] = abs(result["value"] - printed.plain) / abs(printed.plain)
        if not (pd.isna(result["low"]) or pd.isna(result["high"])):
            row["interval"] = f"{printed.format(result['low'])} to {printed.format(result['high'])}"
    return row


def report_card(results: pd.DataFrame | str | os.PathLike[str]) -> pd.DataFrame:
    r"""Every claim of every paper with its verdict.

    Where several results answer one claim, those on the paper's data come first, and the least favourable of them
    stands; then what the authors' own files say; then whether the number follows from other printed ones (a result that
    is merely printed twice does not); and last
    results elsewhere, which are inconclusive together where they do not all say the same.

    Parameters
    ----------
    results : DataFrame or path
        As from `lib.ledger.results.read_results`, or the folder to read.

    Returns
    -------
    DataFrame
        `CARD_COLUMNS`, in the order of the papers. `difference` is \|run − printed\| / \|printed\|, NaN where nothing was
        run, a bound or 0 is printed; `reach` one of `lib.ledger.reach.REACHES`, "" for what is no result of the paper;
        `arithmetic` adds up, not contradicted, does not add up, or "" where nothing printed gives it, and `sum` writes that out; `value`,
        `low`, `high` and `inputs` are those of the result that the verdict stands on, in plain units and with hashes.

    Raises
    ------
    ClaimError
        For a result that is recorded for a claim about something else.

    Examples
    --------
    >>> import pandas as pd
    >>> from lib.ledger.results import RESULT_COLUMNS
    >>> card = report_card(pd.DataFrame(columns=RESULT_COLUMNS))
    >>> card.paper.nunique() > 20
    True
    """
    if not isinstance(results, pd.DataFrame):
        results = read_results(results)
    answers: dict[str, list[Result]] = {}
    for answer in results[results["claim_id"].fillna("") != ""].to_dict("records"):
        answers.setdefault(answer["claim_id"], []).append(answer)
    printed = claims.load_claims()
    sums = arithmetic.check()
    repeated = (sums.rule == "equal") & (sums.verdict == arithmetic.ADDS_UP)
    sums = sums[~(repeated & (sums.claim_id.map(printed.kind) == "result"))]
    order = (arithmetic.DOES_NOT, arithmetic.ADDS_UP, arithmetic.NOT_CONTRADICTED)
    decisive = (
        pd.concat([sums[sums.verdict == name] for name in order])
        .drop_duplicates("claim_id")
        .set_index("claim_id")
    )
    rows = []
    for claim in printed.to_dict("records"):
        judged = [(result, verdict(claim, result)) for result in answers.get(claim["claim_id"], [])]
        result, decided = _combine(judged)
        relation = decisive.loc[claim["claim_id"]] if claim["claim_id"] in decisive.index else None
        settled = decided is not None and decided.verdict in (*SAME_DATA, AS_RELEASED)
        said = ""
        if relation is not None:
            said = f"{relation.arithmetic}, printed {relation.printed}"
            said = "; ".join(part for part in (said, relation.note) if part)
        if relation is not None and not settled:
            decided = Verdict(relation.verdict, "arithmetic", said)
        row = _comparison_row(claim, result, decided)
        row |= {"arithmetic": "" if relation is None else relation.verdict, "sum": said}
        rows.append(row)
    return pd.DataFrame(rows, columns=CARD_COLUMNS)


def _combine(
    judged: Sequence[tuple[Result, Verdict]],
) -> tuple[Result | None, Verdict | None]:
    """The one result and verdict that stand for all results of a claim; see `report_card`."""
    if not judged:
        return None, None
    standing = standing_on_data(judged)
    if standing:
        return standing
    elsewhere = [pair for pair in judged if pair[1].verdict in OTHER_DATA]
    said = [decided.verdict for _, decided in elsewhere]
    if len(set(said)) > 1:
        counts = ", ".join(f"{said.count(name)} {name}" for name in OTHER_DATA if name in said)
        return elsewhere[0][0], Verdict(
            "inconclusive elsewhere", "other", f"{len(said)} results disagree: {counts}"
        )
    return (elsewhere or judged)[0]


@dataclass(frozen=True)
class Headline:
    """How many distinct printed results come out, and how far away the rest is.

    Attributes
    ----------
    counts : dict of str to int
        Results by verdict.
    reaches : dict of str to int
        Results by reach.
    total : int
        All results.
    at_hand : int
        Results whose data can be had here, or that were run elsewhere.
    come_out : int
        How many of those are reproduced, hold, lie within their randomness, or are as released.
    """

    counts: dict[str, int]
    reaches: dict[str, int]
    total: int
    at_hand: int
    come_out: int

    def __str__(self) -> str:
        return (
            f"Of {self.at_hand:,} results whose data can be had here, {self.come_out:,} come out."
        )


def headline(card: pd.DataFrame) -> Headline:
    """Count the verdicts and reaches of a report card, distinct results only: set-up numbers, quoted and restated ones
    are left out.

    Parameters
    ----------
    card : DataFrame
        From `report_card`.

    Returns
    -------
    Headline
    """
    distinct = card[card.kind == "result"]
    verdicts, reaches = distinct.verdict.value_counts(), distinct.reach.value_counts()
    at_hand = (distinct.reach == "here") | _settled(distinct)
    return Headline(
        {name: int(verdicts.get(name, 0)) for name in CARD_VERDICTS},
        {name: int(reaches.get(name, 0)) for name in REACHES},
        len(distinct),
        int(at_hand.sum()),
        int((at_hand & distinct.verdict.isin(OUT)).sum()),
    )


def votes(card: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """One vote a table, or a paper: whether all that could be settled of it comes out.

    The cells of one table come from one set of vectors or of outputs; fifty of them are not fifty confirmations.

    Parameters
    ----------
    card : DataFrame
        From `report_card`.
    by : sequence of str
        What has a vote: ["paper", "location"] for a table, ["paper"] for a paper.

    Returns
    -------
    DataFrame
        For each that has a settled result: `settled` and `come_out` (counts of results), and `all_come_out`.
    """
    distinct = card[card.kind == "result"]
    settled = distinct[_settled(distinct)]
    out = settled.assign(out=settled.verdict.isin(OUT)).groupby(list(by))["out"]
    return pd.DataFrame({"settled": out.size(), "come_out": out.sum(), "all_come_out": out.all()})


def _settled(card: pd.DataFrame) -> pd.Series:
    return card.verdict.isin([*SAME_DATA, AS_RELEASED])
