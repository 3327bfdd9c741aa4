"""What a result says about a printed number: decided here, by rules that no chapter can bend."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.ledger.claims import Printed, describe, load_claims
from lib.profiles import PROFILES

VERDICTS = (
    "reproduced",
    "within its randomness",
    "differs",
    "agrees elsewhere",
    "disagrees elsewhere",
    "inconclusive elsewhere",
    "not comparable",
    "not run",
)
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
_SAME = VERDICTS[:3]
_ELSEWHERE = VERDICTS[3:6]
_CENTRAL = (0.005, 0.995)  # the ends of the central 99 %
_FEWEST_SEEDS = 20


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`; how the result was made (recomputed from the authors' outputs, rerun on their data and model,
    retrained, or other), "" when there is none; and the reason, in words."""

    verdict: str
    basis: str = ""
    reason: str = ""


def verdict(claim: Mapping | str, result: Mapping | None = None) -> Verdict:
    """Compare a result with a printed claim.

    claim : a row of `load_claims()`, or its id.   result : a row of results, or None when nothing was run.

    On the paper's data and procedure the result, printed at the claim's precision and rounding, either equals it
    (reproduced) or lies in the central 99 % of the claim's own randomness (a p value from a given number of draws: the
    binomial around our exact p; a training: at least 20 recorded seeds), or differs. On other data only the side of
    the neutral point can be compared, only for a signed contrast, and only where scope.csv allows it.
    """
    claim = load_claims().loc[claim] if isinstance(claim, str) else claim
    if result is None:
        return Verdict("not run", reason=_why_not_run(claim))
    other = _other_procedure(claim, result)
    if other:
        return Verdict("not comparable", "other", other)
    other = _other_data(claim, result)
    if other:
        return _elsewhere(claim, result, other)
    return _same_data(claim, result)


def _why_not_run(claim: Mapping) -> str:
    if claim["profile"] and claim["data"] not in ("unreleased", "undecided"):
        return f"the profile {claim['profile']} runs it, in the chapter {claim['chapter']}"
    return claim["reason"]


def _other_procedure(claim: Mapping, result: Mapping) -> str:
    if result["chapter"] != claim["chapter"]:
        return f"recorded in the chapter {result['chapter']}; this claim is judged in {claim['chapter']}"
    return ""


def _other_data(claim: Mapping, result: Mapping) -> str:
    """Why the result does not stand on what the claim stands on; "" when it does."""
    if claim["data"] != "any":
        keys = [
            part.strip().partition("@")[0].removeprefix("hf:")
            for part in str(result["data"]).split(";")
        ]
        if not any(
            fnmatch.fnmatchcase(key, wanted) for wanted in claim["data"].split("|") for key in keys
        ):
            return f"{claim['reason']} (here: {', '.join(keys) or 'no source given'})"
    wanted = claim["profile"] or PROFILES[0]
    if PROFILES.index(result["profile"]) < PROFILES.index(wanted):
        return f"{claim['reason']} (needs the profile {wanted}; this ran in {result['profile']})"
    return ""


def _same_data(claim: Mapping, result: Mapping) -> Verdict:
    printed, value, basis = Printed.of(claim), float(result["value"]), claim["basis"] or "rerun"
    if printed.shows(value):
        return Verdict("reproduced", basis)
    settings = _settings(result)
    if claim["draws"] and settings.get("method") == "sampled":
        return Verdict(
            "not comparable", basis, "our p is sampled as well: record the exact or the grid one"
        )
    if claim["draws"]:
        from scipy import stats  # 0.7 s that most commands need not wait for

        draws = int(claim["draws"])
        low, high = stats.binom.ppf(_CENTRAL, draws, value) / draws
        if printed.reachable(low, high):
            return Verdict(
                "within its randomness",
                basis,
                f"{draws:,} draws around our exact p give {low:.4g} to {high:.4g} in 99 of 100 runs",
            )
    seeds = settings.get("seed_values", [])
    if claim["basis"] == "retrained" and len(seeds) >= _FEWEST_SEEDS:
        low, high = np.quantile(seeds, _CENTRAL)
        if printed.reachable(low, high):
            return Verdict(
                "within its randomness", basis, f"{len(seeds)} seeds give {low:.4g} to {high:.4g}"
            )
    known = claim["known_difference"] or "no reason is known yet"
    return Verdict("differs", basis, f"{printed.write(value)} against {claim['value']}: {known}")


def _elsewhere(claim: Mapping, result: Mapping, other: str) -> Verdict:
    if (
        claim["elsewhere"] != "allowed"
        or claim["metric_kind"] != "signed contrast"
        or not claim["neutral"]
    ):
        return Verdict("not comparable", "other", other)
    low, high = result["low"], result["high"]
    if pd.isna(low) or pd.isna(high):
        return Verdict("not comparable", "other", f"{other}, and no 95 % interval was recorded")
    neutral, theirs = float(claim["neutral"]), Printed.of(claim).plain
    if theirs == neutral or low <= neutral <= high:
        return Verdict(
            "inconclusive elsewhere",
            "other",
            "the printed number is neutral"
            if theirs == neutral
            else "our 95 % interval holds the neutral point",
        )
    same_side = (low > neutral) == (theirs > neutral)
    return Verdict(
        "agrees elsewhere" if same_side else "disagrees elsewhere",
        "other",
        f"our 95 % interval lies on {'the same' if same_side else 'the other'} side of {claim['neutral']}",
    )


def _settings(result: Mapping) -> dict:
    settings = result["settings"]
    return json.loads(settings or "{}") if isinstance(settings, str) else dict(settings)


def compare(results: pd.DataFrame) -> pd.DataFrame:
    """Paper against run: one row for each result that answers a claim, in the order of the paper.

    Columns: claim_id, location, what, paper (as printed), run (ours, printed alike), interval, verdict, basis, reason.
    """
    claims = load_claims()
    answers = results[results.claim_id != ""]
    rows = [_beside(claims.loc[row["claim_id"]], row) for row in answers.to_dict("records")]
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
    order = table.claim_id.map({one: place for place, one in enumerate(claims.index)})
    table = table.iloc[np.argsort(order.to_numpy(dtype=float), kind="stable")].reset_index(
        drop=True
    )
    return table.rename(columns={"printed": "paper"})


def _beside(claim: Mapping, result: Mapping | None, decided: Verdict | None = None) -> dict:
    """One row of a table: the claim, the result printed like it, and the verdict."""
    printed, decided = Printed.of(claim), decided or verdict(claim, result)
    unit = f" {claim['unit']}" if claim["unit"] else ""
    sign = "" if printed.relation == "=" else f"{printed.relation} "
    row = {
        **{name: claim[name] for name in ("paper", "claim_id", "location", "kind", "chapter")},
        "what": describe(claim),
        "printed": f"{sign}{claim['value']}{unit}",
        "run": "",
        "interval": "",
        "profile": "",
        "verdict": decided.verdict,
        "basis": decided.basis,
        "reason": decided.reason,
    }
    if result is not None:
        row |= {"run": printed.write(result["value"]) + unit, "profile": result["profile"]}
        if not (pd.isna(result["low"]) or pd.isna(result["high"])):
            row["interval"] = f"{printed.write(result['low'])} to {printed.write(result['high'])}"
    return row


def card(results: pd.DataFrame) -> pd.DataFrame:
    """Every claim of every paper with its verdict: `CARD_COLUMNS`, in the order of the papers.

    Where several results answer one claim, those on the paper's data come first, and the least favourable of them
    stands; results elsewhere that do not all say the same are inconclusive together.
    """
    answers = {
        claim_id: rows.to_dict("records")
        for claim_id, rows in results.groupby("claim_id")
        if claim_id
    }
    rows = []
    for claim in load_claims().to_dict("records"):
        found = [(result, verdict(claim, result)) for result in answers.get(claim["claim_id"], [])]
        rows.append(_beside(claim, *_together(found)))
    return pd.DataFrame(rows, columns=CARD_COLUMNS)


def _together(found: list[tuple[Mapping, Verdict]]) -> tuple[Mapping | None, Verdict | None]:
    """The one result and verdict that stand for all results of a claim; see `card`."""
    if not found:
        return None, None
    same = [pair for pair in found if pair[1].verdict in _SAME]
    if same:
        return max(
            same,
            key=lambda pair: (VERDICTS.index(pair[1].verdict), PROFILES.index(pair[0]["profile"])),
        )
    elsewhere = [pair for pair in found if pair[1].verdict in _ELSEWHERE]
    said = [decided.verdict for _, decided in elsewhere]
    if len(set(said)) > 1:
        counts = ", ".join(f"{said.count(name)} {name}" for name in _ELSEWHERE if name in said)
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
    """Count the verdicts of a report card, distinct results only: set-up numbers, quoted and restated ones are left out."""
    distinct = card[card.kind == "result"]
    counts = distinct.verdict.value_counts()
    return Headline({name: int(counts.get(name, 0)) for name in VERDICTS}, len(distinct))
