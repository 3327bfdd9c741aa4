"""Sentences of the papers as rules over their printed numbers: does each follow from the numbers, and does it hold on the paper's
data when they are computed again?

data/claims/findings holds a file for each paper; data/claims/README.md gives the format.
"""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from lib.checks import did_you_mean
from lib.documents import read_yaml
from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.ledger.verdicts import (
    Claim,
    Result,
    Verdict,
    printed_p,
    settings_of,
    sources,
    standing_on_data,
    verdict,
)
from lib.paths import DATA
from studies.report_card.predicates import CHOICES, PREDICATES, Number, Outcome

FOLDER = DATA / "claims" / "findings"
COLUMNS = [
    "finding",
    "paper",
    "location",
    "says",
    "in_print",
    "on_data",
    "basis",
    "settings_held",
    "settings_total",
    "reason",
]


class FindingError(ValueError):
    """A file of findings does not keep to its format; the message names finding, part and what to do."""


@dataclass(frozen=True)
class Part:
    """One rule of a finding: a word of the vocabulary, its numbers by id, its other arguments."""

    predicate: str
    numbers: Mapping[str, tuple[Any, ...]]
    arguments: Mapping[str, Any]
    neutral: float | None = None
    mark: str = ""
    size: bool = False


@dataclass(frozen=True)
class Settings:
    """How a finding is asked again of results under other settings of the measure."""

    chapter: str
    vary: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Finding:
    """A sentence of a paper: where it stands, what it says in our words, and the rules that all have to hold."""

    id: str
    paper: str
    location: str
    says: str
    parts: tuple[Part, ...]
    settings: Settings | None = None
    note: str = ""

    @property
    def claim_ids(self) -> list[str]:
        """The ids of all printed numbers that the rules are about, each once."""
        named = [ids for part in self.parts for ids in part.numbers.values()]
        return list(dict.fromkeys(claim_id for ids in named for claim_id in ids))


@cache
def load_findings(paper: str | None = None, folder: Path = FOLDER) -> tuple[Finding, ...]:
    """The findings of one paper or of all, in the order of the files, every id checked."""
    folder = Path(folder)
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    if paper is None:
        return tuple(finding for name in known for finding in load_findings(name, folder))
    if paper not in known:
        raise FindingError(
            f"paper: expected a file of data/claims/findings; got {paper!r}. "
            f"{did_you_mean(paper, known, n=3)}"
        )
    try:
        content = read_yaml(folder / f"{paper}.yaml", list)
    except ValueError as error:
        raise FindingError(f"{error} See data/claims/README.md.") from error
    findings = tuple(_finding(paper, place, entry) for place, entry in enumerate(content, start=1))
    ids = [finding.id for finding in findings]
    for name in ids:
        if ids.count(name) > 1:
            raise FindingError(
                f"{paper}.yaml, {name}: expected each finding once; got {ids.count(name)}."
            )
    return findings


def _finding(paper: str, place: int, entry: object) -> Finding:
    where = f"{paper}.yaml, finding {place}"
    entry = _mapping(
        where, entry, needs=("finding", "location", "says", "parts"), may=("settings", "note")
    )
    where = f"{paper}.yaml, {entry['finding']}"
    settings = None
    if "settings" in entry:
        given = _mapping(
            f"{where}, settings", entry["settings"], needs=("chapter", "vary", "parts")
        )
        settings = Settings(
            str(given["chapter"]),
            tuple(_listed(given["vary"])),
            _parts(f"{where}, settings", given["parts"], _quantity),
        )
    return Finding(
        f"{paper}.{entry['finding']}",
        paper,
        str(entry["location"]),
        " ".join(str(entry["says"]).split()),
        _parts(where, entry["parts"], partial(_claim_ids, paper)),
        settings,
        " ".join(str(entry.get("note", "")).split()),
    )


def _mapping(
    where: str, entry: object, needs: Sequence[str], may: Sequence[str] = ()
) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise FindingError(f"{where}: expected names and values; got {entry!r}.")
    for name in needs:
        if name not in entry:
            raise FindingError(f"{where}: expected {name!r}; got {', '.join(map(str, entry))}.")
    for name in entry:
        if name not in (*needs, *may):
            hint = did_you_mean(name, [*needs, *may])
            raise FindingError(
                f"{where}: expected {', '.join([*needs, *may])}; got {name!r}. {hint}".rstrip()
            )
    return {str(name): value for name, value in entry.items()}


def _parts(
    where: str, entries: object, select: Callable[[str, object], tuple[Any, ...]]
) -> tuple[Part, ...]:
    if not isinstance(entries, list) or not entries:
        raise FindingError(f"{where}, parts: expected a list of rules; got {entries!r}.")
    return tuple(
        _part(f"{where}, part {place}", entry, select)
        for place, entry in enumerate(entries, start=1)
    )


def _part(where: str, entry: object, select: Callable[[str, object], tuple[Any, ...]]) -> Part:
    if not isinstance(entry, dict) or "predicate" not in entry:
        raise FindingError(f"{where}: expected a predicate and its arguments; got {entry!r}.")
    word = entry["predicate"]
    if word not in PREDICATES:
        hint = did_you_mean(word, PREDICATES)
        raise FindingError(
            f"{where}: expected one of {', '.join(PREDICATES)} as predicate; got {word!r}. {hint}"
        )
    known = PREDICATES[word]
    given = _mapping(
        f"{where} ({word})",
        entry,
        ("predicate", "of", *known.needs),
        (*known.may, "neutral", "mark", "size"),
    )
    numbers = {
        name: select(f"{where} ({word}), {name}", given[name])
        for name in ("of", *known.numbers)
        if name in given
    }
    if word == "between" and not {"at_least", "at_most"} & set(given):
        raise FindingError(f"{where} ({word}): expected at_least, at_most or both; got neither.")
    arguments = {
        name: _argument(f"{where} ({word}), {name}", word, name, given[name])
        for name in (*known.needs, *known.may)
        if name in given and name not in known.numbers
    }
    lengths = {name: len(ids) for name, ids in numbers.items()}
    by_id = select is not _quantity  # how many results a filter finds is seen when they are there
    if by_id and _in_turn(word, arguments) and len(set(lengths.values())) > 1:
        said = ", ".join(f"{length} in {name}" for name, length in lengths.items())
        raise FindingError(f"{where} ({word}): expected as many numbers on both sides; got {said}.")
    others = set(numbers.get("among", numbers.get("to", numbers["of"][1:])))
    alone = not others - set(numbers["of"][:1])
    if by_id and alone and word in ("largest", "smallest", "order", "trend", "equal"):
        raise FindingError(f"{where} ({word}): expected another number to compare with; got none.")
    neutral = given.get("neutral")
    return Part(
        word,
        numbers,
        arguments,
        None if neutral is None else _argument(f"{where}, neutral", word, "neutral", neutral),
        str(given.get("mark", "")),
        given.get("size", False) is True,
    )


def _in_turn(word: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a rule compares the first with the first, the second with the second, and so on."""
    return word in ("ratio", "equal", "trend") or arguments.get("pairing") == "in turn"


def _argument(where: str, word: str, name: str, value: object) -> Any:
    if name in CHOICES:
        legal = CHOICES[name].get(word, CHOICES[name][""])
        if value not in legal:
            raise FindingError(f"{where}: expected {' or '.join(legal)}; got {value!r}.")
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FindingError(f"{where}: expected a number; got {value!r}.")
    return float(value)


def _claim_ids(paper: str, where: str, selector: object) -> tuple[str, ...]:
    """The ids that a selector chooses, in the order in which it names them."""
    if isinstance(selector, Mapping):
        return _claims_with(paper, where, selector)
    ids: list[str] = []
    for text in _listed(selector):
        known = list(_claims(paper))
        chosen = fnmatch.filter(known, f"{paper}.{text}")
        if not chosen:
            hint = did_you_mean(f"{paper}.{text}", known, n=3)
            raise FindingError(
                f"{where}: expected ids of claims of {paper}, without its name; got {text!r}. {hint}"
            )
        ids.extend(chosen)
    for claim_id in ids:
        if ids.count(claim_id) > 1:
            raise FindingError(f"{where}: expected each claim once; got {claim_id!r} twice.")
    return tuple(ids)


def _claims_with(paper: str, where: str, wanted: Mapping[Any, object]) -> tuple[str, ...]:
    """The claims that have all the values wanted; a list of values gives their order."""
    rows = [_asked_for(claim) for claim in _claims(paper).values()]
    for name, values in wanted.items():
        legal = list(dict.fromkeys(row[name] for row in rows if row.get(name)))
        if not legal:
            known = dict.fromkeys(key for row in rows for key in row)
            raise FindingError(
                f"{where}: no claim of {paper} says anything of {name!r}. {did_you_mean(name, known)}"
            )
        for value in _listed(values):
            if not fnmatch.filter(legal, value):
                hint = did_you_mean(value, legal, n=3) or f"There are {', '.join(legal[:8])}."
                raise FindingError(f"{where}, {name}: no claim of {paper} has {value!r}. {hint}")
    chosen = []
    for row in rows:
        places = [
            _place(str(row.get(name, "")), _listed(values)) for name, values in wanted.items()
        ]
        if None not in places:
            chosen.append((places, row["claim_id"]))
    if not chosen:
        said = ", ".join(f"{name}: {value}" for name, value in wanted.items())
        raise FindingError(f"{where}: no claim of {paper} has all of {said}.")
    chosen.sort(key=lambda pair: pair[0])  # stable: otherwise the order of the paper
    return tuple(claim_id for _, claim_id in chosen)


@cache
def _claims(paper: str) -> dict[str, dict[str, str]]:
    """The rows of `claims.load_paper` by claim id."""
    rows = claims.load_paper(paper).to_dict("records")
    return {row["claim_id"]: {str(name): str(row[name]) for name in row} for row in rows}


def _asked_for(claim: Claim) -> dict[str, str]:
    """All that a selector can ask for: the columns of the paper's file, and its settings."""
    return {**claims.settings(claim), **{name: claim[name] for name in claims.CLAIM_COLUMNS}}


def _place(value: str, patterns: Sequence[str]) -> int | None:
    fits = (place for place, text in enumerate(patterns) if fnmatch.fnmatchcase(value, text))
    return next(fits, None)


def _quantity(where: str, selector: object) -> tuple[Any, ...]:
    """A filter of results: a quantity, and values of its settings."""
    if not isinstance(selector, Mapping) or "quantity" not in selector:
        raise FindingError(f"{where}: expected a quantity and settings; got {selector!r}.")
    return tuple((str(name), tuple(_listed(value))) for name, value in selector.items())


def _listed(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [str(item) for item in values]


def evaluate(results: pd.DataFrame, paper: str | None = None) -> pd.DataFrame:
    """A row of `COLUMNS` for each finding: whether it follows from the paper's own numbers, and holds for results on its data.

    `basis` says what those results are; `settings_held` of `settings_total` in how many settings of the measure it holds
    by the values alone, empty where the chapter tried no others.
    """
    answers: dict[str, list[Result]] = {}
    for row in results.to_dict("records"):
        if row["claim_id"]:
            answers.setdefault(row["claim_id"], []).append(row)
    rows = [_judge(finding, answers, results) for finding in load_findings(paper)]
    table = pd.DataFrame(rows, columns=COLUMNS)
    counts = ["settings_held", "settings_total"]
    return table.astype(dict.fromkeys(counts, "Int64"))


def display_table(table: pd.DataFrame) -> pd.DataFrame:
    """The table of `evaluate` as a page shows it: text throughout, the counts of settings in one column."""
    settings = [
        "" if pd.isna(total) else f"{held} of {total}"
        for held, total in zip(table.settings_held, table.settings_total)
    ]
    return pd.DataFrame(
        {
            "paper": table.paper,
            "location": table.location,
            "finding": table.says,
            "in print": table.in_print,
            "on the data": table.on_data,
            "settings": settings,
            "basis": table.basis,
            "reason": table.reason,
        }
    )


def _judge(
    finding: Finding, answers: Mapping[str, list[Result]], results: pd.DataFrame
) -> dict[str, Any]:
    rows = {claim_id: _claims(finding.paper)[claim_id] for claim_id in finding.claim_ids}
    in_print = _conclude(
        finding.parts, lambda part, claim_id: _printed_number(rows[claim_id], part)
    )
    standing = {
        claim_id: standing_on_data(
            (result, verdict(row, result)) for result in answers.get(claim_id, [])
        )
        for claim_id, row in rows.items()
    }
    on_data = _conclude(
        finding.parts,
        lambda part, claim_id: _result_number(rows[claim_id], standing[claim_id], part),
    )
    bases = [answer[1].basis for answer in standing.values() if answer]
    missing = len(standing) - len(bases)
    reasons = [finding.note.rstrip(".")] if finding.note else []
    if not in_print.holds:
        reasons.append(f"In print, {in_print.why}")
    if missing == len(standing):
        reasons.append("No result on the paper's data for any of its numbers")
    elif on_data.holds is not True:
        without = f", with no result for {missing} of {len(standing)} numbers" if missing else ""
        reasons.append(f"On the data, {on_data.why}{without}")
    held, total = _in_settings(finding.settings, results) if finding.settings else (pd.NA, pd.NA)
    return {
        "finding": finding.id,
        "paper": finding.paper,
        "location": finding.location,
        "says": finding.says,
        "in_print": "holds" if in_print.holds else "fails",
        "on_data": {True: "holds", False: "fails", None: "undecided"}[on_data.holds],
        "basis": ", ".join(dict.fromkeys(bases)),
        "settings_held": held,
        "settings_total": total,
        "reason": " ".join(f"{reason}." for reason in reasons),
    }


def _conclude(parts: Iterable[Part], number: Callable[[Part, Any], Number]) -> Outcome:
    """All parts together, each with the numbers that `number` gives for what it names."""
    outcomes = [_apply(part, part.numbers, partial(number, part)) for part in parts]
    for truth in (False, None):
        whys = [outcome.why for outcome in outcomes if outcome.holds is truth]
        if whys:
            return Outcome(truth, "; ".join(dict.fromkeys(whys)))
    return Outcome(True)


def _apply(
    part: Part, chosen: Mapping[str, Sequence[Hashable]], number: Callable[[Any], Number]
) -> Outcome:
    """The rule of a part, on the numbers that `number` gives for the keys chosen."""
    known = {
        key: number(key).size if part.size else number(key)
        for keys in chosen.values()
        for key in keys
    }
    sets = {name: [known[key] for key in keys] for name, keys in chosen.items()}
    return PREDICATES[part.predicate].rule(sets.pop("of"), **sets, **part.arguments)


def _printed_number(claim: Claim, part: Part) -> Number:
    printed = Printed.of(claim)
    value, low, high = printed.plain, math.nan, math.nan
    if printed.relation in ("<", "<="):
        low, high = -math.inf, value if printed.relation == "<=" else math.nextafter(value, -1)
    if printed.relation in (">", ">="):
        low, high = value if printed.relation == ">=" else math.nextafter(value, math.inf), math.inf
    number = Number(value, low, high, _neutral(claim, part))
    p = number.ends if claim["metric_kind"] == "p value" else _marked_p(claim, part)
    return Number(value, low, high, number.neutral, p)


def _marked_p(claim: Claim, part: Part) -> tuple[float, float]:
    """What the paper says of the p value of a number: printed, or by the mark that a part names."""
    alpha = part.arguments.get("alpha")
    if alpha is None:  # no rule asks for it
        return 0.0, 1.0
    if part.mark:
        marked = part.mark in claim["significance"]
        return (0.0, math.nextafter(alpha, 0)) if marked else (alpha, 1.0)
    p = printed_p(claim)
    return (0.0, 1.0) if p is None else (p, p)


def _result_number(claim: Claim, standing: tuple[Result, Verdict] | None, part: Part) -> Number:
    if standing is None:
        return Number(math.nan, neutral=_neutral(claim, part))
    result = standing[0]
    number = _number(result, _neutral(claim, part))
    return Number(
        number.value,
        number.low,
        number.high,
        number.neutral,
        number.ends if claim["metric_kind"] == "p value" else _recorded_p(result),
    )


def _number(result: Result, neutral: float) -> Number:
    ends = [math.nan if pd.isna(result[name]) else float(result[name]) for name in ("low", "high")]
    return Number(float(result["value"]), ends[0], ends[1], neutral)


def _recorded_p(result: Result) -> tuple[float, float]:
    p = settings_of(result).get("p")
    return (0.0, 1.0) if p is None else (float(p), float(p))


def _neutral(claim: Claim, part: Part) -> float:
    return part.neutral if part.neutral is not None else float(claim["neutral"] or 0)


def _in_settings(settings: Settings, results: pd.DataFrame) -> tuple[Any, Any]:
    """In how many settings the parts hold, and of how many that have all the numbers."""
    rows = results[results.chapter == settings.chapter].to_dict("records")
    subjects = [_subject(row) for row in rows]
    selectors = {keys for part in settings.parts for keys in part.numbers.values()}
    chosen = {keys: _results_with(subjects, dict(keys)) for keys in selectors}
    varied = dict.fromkeys(
        tuple(str(subjects[place].get(name, "")) for name in settings.vary)
        for places in chosen.values()
        for place in places
        if any(name in subjects[place] for name in settings.vary)
    )
    filled = [
        {keys: _under(places, subjects, settings.vary, values) for keys, places in chosen.items()}
        for values in varied
    ]
    wanted = {keys: max((len(here[keys]) for here in filled), default=0) for keys in chosen}
    whole = [
        here
        for here in filled
        if all(0 < len(here[keys]) == wanted[keys] for keys in chosen)
        and all(_paired(part, here) for part in settings.parts)
    ]
    if not whole:
        return pd.NA, pd.NA
    return sum(_holds_under(settings.parts, here, rows) for here in whole), len(whole)


def _paired(part: Part, chosen: Mapping[Any, Sequence[int]]) -> bool:
    """Whether a rule that compares in turn has a partner for each number."""
    counts = {len(chosen[keys]) for keys in part.numbers.values()}
    return len(counts) == 1 or not _in_turn(part.predicate, part.arguments)


def _under(
    places: Iterable[int],
    subjects: Sequence[Mapping[str, Any]],
    vary: Sequence[str],
    values: Sequence[str],
) -> tuple[int, ...]:
    """The results of one setting; one that says nothing of what is varied belongs to all."""
    return tuple(
        place
        for place in places
        if all(str(subjects[place].get(name, value)) == value for name, value in zip(vary, values))
    )


def _subject(result: Result) -> dict[str, Any]:
    """All that a filter of results can ask for."""
    said = {name: result[name] for name in ("quantity", "profile")}
    return {**said, "data": "; ".join(sources(str(result["data"]))), **settings_of(result)}


def _results_with(
    subjects: Sequence[Mapping[str, Any]], wanted: Mapping[str, Sequence[str]]
) -> tuple[int, ...]:
    """The places of the results that have all values wanted, in the order of the values."""
    ranked = []
    for place, subject in enumerate(subjects):
        places = [_place(str(subject.get(name, "")), values) for name, values in wanted.items()]
        if None not in places:
            ranked.append((places, place))
    return tuple(place for _, place in sorted(ranked))


def _holds_under(
    parts: Iterable[Part], chosen: Mapping[Any, tuple[int, ...]], rows: Sequence[Result]
) -> bool:
    """Whether all parts hold in one setting, by the values alone."""
    outcomes = [
        _apply(
            part,
            {name: chosen[keys] for name, keys in part.numbers.items()},
            partial(_value, rows, part.neutral or 0.0),
        )
        for part in parts
    ]
    return all(outcome.holds is True for outcome in outcomes)


def _value(rows: Sequence[Result], neutral: float, place: int) -> Number:
    value = float(rows[place]["value"])
    return Number(value, neutral=neutral, p=(value, value))
