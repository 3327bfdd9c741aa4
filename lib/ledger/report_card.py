"""Results beside what the papers print: the comparison that ends a chapter, and the report card of
all papers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.ledger.results import read_results
from lib.ledger.verdicts import OTHER_DATA, SAME_DATA, VERDICTS, Claim, Result, Verdict, verdict
from lib.profiles import PROFILES

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
    "verdict",
    "basis",
    "profile",
    "reason",
]


def compare(results: pd.DataFrame) -> pd.DataFrame:
    """Paper against run: one row for each result that answers a claim, in the order of the paper.

    Columns: claim_id, location, what, paper (as printed), run (ours, printed alike), interval,
    verdict, basis, reason.
    """
    answers = results[results.claim_id != ""]
    answered = {claim_id: claims.row(claim_id) for claim_id in answers.claim_id}
    rows = [_comparison_row(answered[row["claim_id"]], row) for row in answers.to_dict("records")]
    columns = [
        "claim_id",
        "location",
        "what",
        "printed",
        "run",
        "interval",
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
) -> dict[str, str]:
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
        "profile": "",
        "verdict": decided.verdict,
        "basis": decided.basis,
        "reason": decided.reason,
    }
    if result is not None:
        row |= {"run": printed.format(result["value"]) + unit, "profile": result["profile"]}
        if not (pd.isna(result["low"]) or pd.isna(result["high"])):
            row["interval"] = f"{printed.format(result['low'])} to {printed.format(result['high'])}"
    return row


def report_card(results: pd.DataFrame | str | os.PathLike[str]) -> pd.DataFrame:
    """Every claim of every paper with its verdict: `CARD_COLUMNS`, in the order of the papers.

    Where several results answer one claim, those on the paper's data come first, and the least favourable of them
    stands; results elsewhere that do not all say the same are inconclusive together.
    """
    if not isinstance(results, pd.DataFrame):
        results = read_results(results)
    answers = {
        claim_id: rows.to_dict("records")
        for claim_id, rows in results.groupby("claim_id")
        if claim_id
    }
    rows = []
    for claim in claims.load_claims().to_dict("records"):
        found = [(result, verdict(claim, result)) for result in answers.get(claim["claim_id"], [])]
        rows.append(_comparison_row(claim, *_combine(found)))
    return pd.DataFrame(rows, columns=CARD_COLUMNS)


def _combine(found: Sequence[tuple[Result, Verdict]]) -> tuple[Result | None, Verdict | None]:
    """The one result and verdict that stand for all results of a claim; see `report_card`."""
    if not found:
        return None, None
    same = [pair for pair in found if pair[1].verdict in SAME_DATA]
    if same:
        return max(
            same,
            key=lambda pair: (VERDICTS.index(pair[1].verdict), PROFILES.index(pair[0]["profile"])),
        )
    elsewhere = [pair for pair in found if pair[1].verdict in OTHER_DATA]
    said = [decided.verdict for _, decided in elsewhere]
    if len(set(said)) > 1:
        counts = ", ".join(f"{said.count(name)} {name}" for name in OTHER_DATA if name in said)
        return elsewhere[0][0], Verdict(
            "inconclusive elsewhere", "other", f"{len(said)} results disagree: {counts}"
        )
    return (elsewhere or found)[0]


@dataclass(frozen=True)
class Headline:
    """How many distinct printed results have which verdict, out of how many."""

    counts: dict[str, int]
    total: int

    def __str__(self) -> str:
        said = ", ".join(f"{count:,} {name}" for name, count in self.counts.items() if count)
        return f"Of {self.total:,} distinct printed results: {said}."


def headline(card: pd.DataFrame) -> Headline:
    """Count the verdicts of a report card, distinct results only: set-up numbers, quoted and
    restated ones are left out.
    """
    distinct = card[card.kind == "result"]
    counts = distinct.verdict.value_counts()
    return Headline({name: int(counts.get(name, 0)) for name in VERDICTS}, len(distinct))
