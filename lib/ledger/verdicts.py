"""What a result says about a printed number: decided here, by rules that no chapter can bend."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.profiles import PROFILES

Claim = Mapping[Any, str]  # a row of `claims.load_paper`
Result = Mapping[Any, Any]  # a row of `results.read_results`

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
SAME_DATA = VERDICTS[:3]
OTHER_DATA = VERDICTS[3:6]
_CENTRAL_SHARE = (0.005, 0.995)  # the ends of the central 99 %
_MIN_SEEDS = 20


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`; how the result was made (recomputed from the authors' outputs, rerun on their data and model,
    retrained, or other), "" when there is none; and the reason, in words."""

    verdict: str
    basis: str = ""
    reason: str = ""


def verdict(claim: Claim | str, result: Result | None = None) -> Verdict:
    """Compare a result with a printed claim.

    On the paper's data and procedure the result, printed at the claim's precision and rounding, either equals it
    (reproduced) or lies in the central 99 % of the claim's own randomness (a p value from a given number of draws: the
    binomial around our exact p; a training: at least 20 recorded seeds), or differs. On other data only the side of
    the neutral point can be compared, only for a signed contrast, and only where scope.csv allows it.
    """
    if isinstance(claim, str):
        claim = claims.row(claim)
    if result is None:
        return Verdict("not run", reason=_why_not_run(claim))
    other = _other_procedure(claim, result)
    if other:
        return Verdict("not comparable", "other", other)
    other = _other_data(claim, result)
    if other:
        return _verdict_on_other_data(claim, result, other)
    return _verdict_on_same_data(claim, result)


def _why_not_run(claim: Claim) -> str:
    if claim["profile"] and claim["data"] not in ("unreleased", "undecided"):
        return f"the profile {claim['profile']} runs it, in the chapter {claim['chapter']}"
    return claim["reason"]


def _other_procedure(claim: Claim, result: Result) -> str:
    if result["chapter"] != claim["chapter"]:
        return f"recorded in the chapter {result['chapter']}; this claim is judged in {claim['chapter']}"
    return ""


def _other_data(claim: Claim, result: Result) -> str:
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


def _verdict_on_same_data(claim: Claim, result: Result) -> Verdict:
    printed, value, basis = Printed.of(claim), float(result["value"]), claim["basis"] or "rerun"
    if printed.matches(value):
        return Verdict("reproduced", basis)
    settings = _settings(result)
    if claim["draws"] and settings.get("method") == "sampled":
        return Verdict(
            "not comparable", basis, "our p is sampled as well: record the exact or the grid one"
        )
    if claim["draws"]:
        from scipy import stats  # 0.7 s that most commands need not wait for

        draws = int(claim["draws"])
        low, high = stats.binom.ppf(_CENTRAL_SHARE, draws, value) / draws
        if printed.compatible_with(low, high):
            return Verdict(
                "within its randomness",
                basis,
                f"{draws:,} draws around our exact p give {low:.4g} to {high:.4g} in 99 of 100 runs",
            )
    seeds = settings.get("seed_values", [])
    if claim["basis"] == "retrained" and len(seeds) >= _MIN_SEEDS:
        low, high = np.quantile(seeds, _CENTRAL_SHARE)
        if printed.compatible_with(low, high):
            return Verdict(
                "within its randomness", basis, f"{len(seeds)} seeds give {low:.4g} to {high:.4g}"
            )
    known = claim["known_difference"] or "no reason is known yet"
    return Verdict("differs", basis, f"{printed.format(value)} against {claim['value']}: {known}")


def _verdict_on_other_data(claim: Claim, result: Result, other: str) -> Verdict:
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


def _settings(result: Result) -> dict[str, Any]:
    settings = result["settings"]
    return json.loads(settings or "{}") if isinstance(settings, str) else dict(settings)
