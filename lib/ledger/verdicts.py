"""What a result says about a printed number: decided here, by rules that no chapter can bend."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from lib.ledger import claims
from lib.ledger.claims import ClaimError
from lib.ledger.printed import Printed
from lib.ledger.reach import reach
from lib.profiles import PROFILES

Claim = Mapping[Any, str]  # a row of `claims.load_paper`
Result = Mapping[Any, Any]  # a row of `results.read_results`

VERDICTS = (
    "reproduced",
    "holds",
    "within its randomness",
    "differs",
    "as released",
    "adds up",
    "does not add up",
    "agrees elsewhere",
    "disagrees elsewhere",
    "inconclusive elsewhere",
    "no result",
)
SAME_DATA = VERDICTS[:4]
OUT = (
    "reproduced",
    "holds",
    "within its randomness",
    "as released",
)  # the printed number comes out
OTHER_DATA = VERDICTS[7:10]
AS_RELEASED = "as released"  # the procedure of a number that is read, not computed
MIN_SEEDS = 20
_CENTRAL_SHARE = (0.005, 0.995)  # the ends of the central 99 %
_LEVEL = 0.05  # of a printed p value, for an effect beyond its noise


@dataclass(frozen=True)
class Verdict:
    """One of `VERDICTS`, how the result was made, and why.

    Attributes
    ----------
    verdict : str
        One of `VERDICTS`.
    basis : str
        recomputed (from the authors' outputs), rerun (their data and model), retrained, as released (read from the
        authors' own file), or other; "" when there is no result.
    reason : str
        In words; "" where nothing needs to be said.
    """

    verdict: str
    basis: str = ""
    reason: str = ""


def verdict(claim: Claim | str, result: Result | None = None) -> Verdict:
    """Compare a result with a printed claim.

    On the paper's data and procedure the result, printed at the claim's precision and rounding, either equals it
    (reproduced; holds where a bound or 0.00 is printed) or lies in the central 99 % of the claim's own randomness (a p
    value from a given number of draws: the binomial around our exact p; a training: at least 20 recorded seeds), or
    differs. A number read from the authors' own file is as released, or differs. On other data only the side of the
    neutral point can be compared, only for a signed contrast that scope.csv opens to it, and only where the printed
    effect is itself beyond its noise.

    Parameters
    ----------
    claim : str or Mapping
        The id of a printed number, or its row.
    result : Mapping, optional
        A row of results; None where there is none.

    Returns
    -------
    Verdict

    Raises
    ------
    ClaimError
        Where the result is about something else than the claim: `require_same_subject`.

    Examples
    --------
    >>> verdict("zhang2020_base_pairs.table2.1").verdict
    'no result'
    """
    if isinstance(claim, str):
        claim = claims.row(claim)
    if result is None:
        return Verdict("no result", reason=_why_no_result(claim))
    if result["chapter"] != claim["chapter"]:  # so that no story is held to what another answers
        return _none(
            f"recorded in the chapter {result['chapter']}; this claim is judged in {claim['chapter']}"
        )
    settings = settings_of(result)
    require_same_subject(claim, settings, str(result["data"]))
    if settings.get("procedure") == AS_RELEASED:
        return _verdict_as_released(claim, result)
    if claim["procedure"] and settings.get("procedure", claim["procedure"]) != claim["procedure"]:
        return _none(
            f"another procedure: {settings['procedure']}, where the paper's is {claim['procedure']}"
        )
    other = _other_data(claim, result)
    if other:
        return _verdict_on_other_data(claim, result, other)
    if not claim["procedure"] or not settings.get("procedure"):
        unnamed = "result" if claim["procedure"] else "claim"
        return _none(f"the {unnamed} does not name its procedure")
    return _verdict_on_same_data(claim, result, settings)


def standing_on_data(judged: Iterable[tuple[Result, Verdict]]) -> tuple[Result, Verdict] | None:
    """Of several results of one claim the one that stands on the paper's data, or in the authors' own file.

    Parameters
    ----------
    judged : iterable of (result, Verdict)
        Each result of a claim with its `verdict`.

    Returns
    -------
    (result, Verdict) or None
        The least favourable of those computed; where there is none, of those read from the authors' files; None where
        nothing stands on the paper's data.
    """
    computed, released = [], []
    for pair in judged:
        if pair[1].basis == AS_RELEASED:
            released.append(pair)
        elif pair[1].verdict in SAME_DATA:
            computed.append(pair)
    return max(
        computed or released,
        key=lambda pair: (
            VERDICTS.index(pair[1].verdict),
            PROFILES.index(pair[0]["profile"]),
        ),
        default=None,
    )


def require_same_subject(claim: Claim, settings: Mapping[str, Any], data: str) -> None:
    """Refuse a result that is about something else than the claim.

    Parameters
    ----------
    claim : Mapping
        A row of `claims.load_paper`.
    settings : Mapping
        What the result states of itself.
    data : str
        Where it came from: keys, each up to "@", joined by ";".

    Raises
    ------
    ClaimError
        Where a setting has another value than the claim's of that name; where the settings do not single the claim
        out among those of its place and metric; where some sources are the paper's and others are not; and where
        the source is the paper's for other claims only.

    Examples
    --------
    >>> claim = claims.row("cho2019_tgbi.table1.61")
    >>> said = {"system": "Google Translator", "sentence_set": "occupation"}
    >>> require_same_subject(claim, said, "tgbi_total_google_job")
    Traceback (most recent call last):
    lib.ledger.claims.ClaimError: cho2019_tgbi.table1.61: expected a result about system='Kakao Translator'; ...
    """
    own = claims.subject(claim)
    for name in own.keys() & settings.keys():
        if str(settings[name]) != own[name]:
            raise ClaimError(
                f"{claim['claim_id']}: expected a result about {name}={own[name]!r}; got {settings[name]!r}. "
                "Record it for the claim that it answers, or without a claim."
            )
    rivals = _claims_left_open(claim, settings)
    if rivals:
        raise ClaimError(
            f"{claim['claim_id']}: expected settings that single it out in {claim['location']}; "
            f"got {json.dumps(settings, ensure_ascii=False, default=str)}, which may as well be {rivals[0]}. "
            f"State {', '.join(sorted(own.keys() - settings.keys()))}."
        )
    keys = sources(data)
    matching = [key for key in keys if _matches(key, _sources_of(claim, settings))]
    if matching and len(matching) < len(keys):
        raise ClaimError(
            f"{claim['claim_id']}: expected the paper's data alone or none of it; got {', '.join(keys)}, of which "
            f"only {', '.join(matching)} is the paper's. Record it without a claim."
        )
    if keys and not matching and claim["data"] != "any":
        others = claims.load_paper(claim["paper"])
        others = others[others.chapter == claim["chapter"]]
        for patterns, ids in others.groupby("data").groups.items():
            if patterns != "any" and all(_matches(key, str(patterns)) for key in keys):
                raise ClaimError(
                    f"{claim['claim_id']}: expected data of this claim ({claim['data']}); got {', '.join(keys)}, "
                    f"on which {ids[0]} stands. Record it for that claim."
                )


def _claims_left_open(claim: Claim, settings: Mapping[str, Any]) -> list[str]:
    """Other claims of the same place and metric that the settings fit as well."""
    same_place = claims.subjects(claim["paper"], claim["location"], claim["metric"])
    own = claims.subject(claim)
    return [
        claim_id
        for claim_id, other in same_place.items()
        if other != own
        and all(str(settings[name]) == other[name] for name in other.keys() & settings.keys())
    ]


def sources(data: str) -> list[str]:
    """The keys of the sources of a result, without hashes.

    Examples
    --------
    >>> sources("hf:bert-base-uncased@1a2b; gap_test@sha256:3c4d")
    ['bert-base-uncased', 'gap_test']
    """
    keys = [part.strip().partition("@")[0].removeprefix("hf:") for part in data.split(";")]
    return [key for key in keys if key]


def settings_of(result: Result) -> dict[str, Any]:
    """What a result states of itself, as a mapping."""
    settings = result["settings"]
    return json.loads(settings or "{}") if isinstance(settings, str) else dict(settings)


def _sources_of(claim: Claim, settings: Mapping[str, Any]) -> str:
    return claim["released"] if settings.get("procedure") == AS_RELEASED else claim["data"]


def _matches(key: str, patterns: str) -> bool:
    return any(fnmatch.fnmatchcase(key, pattern) for pattern in patterns.split("|"))


def _none(reason: str) -> Verdict:
    return Verdict("no result", "other", reason)


def _why_no_result(claim: Claim) -> str:
    if claim["kind"] == "setup" and "nothing to rerun" not in claim["reason"]:
        return "a set-up number, nothing to rerun"
    where = reach(claim)
    if where == "here" and claim["profile"] in PROFILES[:2]:
        return f"the profile {claim['profile']} runs it, in the chapter {claim['chapter']}"
    if where == "here":
        return f"the authors' own file {claim['released']} holds it; the chapter {claim['chapter']} reads that in sample"
    if where == "full":
        return f"the profile full loads its data, in the chapter {claim['chapter']}"
    if where == "public":
        return f"public, and no chapter reads it for this yet: {claim['public']}"
    return claim["reason"]


def _other_data(claim: Claim, result: Result) -> str:
    """Why the result does not stand on what the claim stands on; "" when it does."""
    if claim["data"] != "any":
        keys = sources(str(result["data"]))
        if not keys or not all(_matches(key, claim["data"]) for key in keys):
            return f"{claim['reason']} (here: {', '.join(keys) or 'no source given'})"
    wanted = claim["profile"] or PROFILES[0]
    if PROFILES.index(result["profile"]) < PROFILES.index(wanted):
        return f"{claim['reason']} (needs the profile {wanted}; this ran in {result['profile']})"
    return ""


def _verdict_as_released(claim: Claim, result: Result) -> Verdict:
    printed, keys = Printed.of(claim), sources(str(result["data"]))
    if not claim["released"] or not all(_matches(key, claim["released"]) for key in keys):
        return _none(f"{', '.join(keys)} is not known to hold this number")
    if printed.matches(float(result["value"])):
        return Verdict(AS_RELEASED, AS_RELEASED, f"in {', '.join(keys)}")
    return Verdict("differs", AS_RELEASED, _difference(claim, printed, float(result["value"])))


def _verdict_on_same_data(claim: Claim, result: Result, settings: Mapping[str, Any]) -> Verdict:
    printed, value, basis = Printed.of(claim), float(result["value"]), claim["basis"] or "rerun"
    seeds = settings.get("seed_values", [])
    if basis == "retrained" and len(seeds) < MIN_SEEDS:
        return _none(f"a training is judged by {MIN_SEEDS} seeds; this one has {len(seeds)}")
    if printed.matches(value):
        bound = printed.relation != "=" or (printed.value == 0 and "." in printed.text)
        return Verdict("holds" if bound else "reproduced", basis)
    if claim["draws"] and settings.get("method") == "sampled":
        return _none("our p is sampled as well: record the exact or the grid one")
    if claim["draws"]:
        from scipy import stats  # 0.7 s that most commands need not wait for

        draws = int(claim["draws"])
        low, high = stats.binom.ppf(_CENTRAL_SHARE, draws, value) / draws
        if printed.compatible_with(low, high):
            said = (
                f"{draws:,} draws around our exact p give {low:.4g} to {high:.4g} in 99 of 100 runs"
            )
            return Verdict("within its randomness", basis, said)
    if basis == "retrained":
        low, high = np.quantile(seeds, _CENTRAL_SHARE)
        if printed.compatible_with(low, high):
            said = f"{len(seeds)} seeds give {low:.4g} to {high:.4g}"
            return Verdict("within its randomness", basis, said)
    return Verdict("differs", basis, _difference(claim, printed, value))


def _difference(claim: Claim, printed: Printed, value: float) -> str:
    known = claim["known_difference"] or "no reason is known yet"
    return f"{printed.format(value)} against {claim['value']}: {known}"


def _verdict_on_other_data(claim: Claim, result: Result, other: str) -> Verdict:
    signed = claim["metric_kind"] == "signed contrast" and claim["neutral"]
    if claim["elsewhere"] != "allowed" or not signed:
        return _none(other)
    low, high = result["low"], result["high"]
    if pd.isna(low) or pd.isna(high):
        return _none(f"{other}, and no 95 % interval was recorded")
    neutral, theirs = float(claim["neutral"]), Printed.of(claim).plain
    doubt = _doubt_of_the_printed_effect(claim)
    if theirs == neutral:
        doubt = "the printed number is neutral"
    elif low <= neutral <= high:
        doubt = "our 95 % interval holds the neutral point"
    if doubt:
        return Verdict("inconclusive elsewhere", "other", doubt)
    same_side = (low > neutral) == (theirs > neutral)
    return Verdict(
        "agrees elsewhere" if same_side else "disagrees elsewhere",
        "other",
        f"our 95 % interval lies on {'the same' if same_side else 'the other'} side of {claim['neutral']}",
    )


def _doubt_of_the_printed_effect(claim: Claim) -> str:
    """Why the printed effect may be noise by the paper's own test; "" when it is beyond."""
    p = printed_p(claim)
    if p is None:
        return "the paper prints no p value for this number"
    return "" if p < _LEVEL else f"the printed effect may be noise: its own p is {p:g}"


def printed_p(claim: Claim) -> float | None:
    """The p value that the paper prints for a number, or None.

    Parameters
    ----------
    claim : Mapping
        A row of `claims.load_paper`.

    Returns
    -------
    float or None
        From the column `significance` ("*" counts as .05, a bound as its end), else the claim of the same place,
        system, data and setting whose metric is a p value.

    Examples
    --------
    >>> printed_p(claims.row("chaloner2019_domains.table2.2"))
    0.0012
    """
    said = claim["significance"]
    numbers = re.findall(r"[0-9]*\.?[0-9]+(?:e-?[0-9]+)?", said)
    if numbers:
        return float(numbers[0]) * (0.999 if "<" in said else 1)
    if "*" in said:
        return 0.999 * _LEVEL
    paper = claims.load_paper(claim["paper"])
    place = paper.metric_kind == "p value"
    for name in ("location", "system", "dataset", "setting"):
        place &= paper[name] == claim[name]
    printed = [Printed.of(row).plain for row in paper[place].to_dict("records")]
    return printed[0] if len(printed) == 1 else None
