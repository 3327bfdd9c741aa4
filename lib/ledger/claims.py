"""The numbers the papers print: what each is about, and the one that a result answers.

data/claims holds a file for each paper, metrics.csv with what each metric means, scope.csv and
scope/<paper>.csv with what a rerun would need. A question about one paper opens the files of that
paper only, so that a chapter depends on no other.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Hashable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from lib.checks import did_you_mean
from lib.ledger.printed import Printed
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
METRIC_COLUMNS = ["meaning", "kind", "neutral", "unit", "rounding"]
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
    "procedure",
    "released",
    "public",
    "reason",
    "known_difference",
]


class ClaimError(ValueError):
    """No printed number, or more than one, is about what was asked; the message names what comes
    close.
    """


def one(
    *,
    paper: str,
    location: str = "",
    metric: str = "",
    system: str = "",
    dataset: str = "",
    **setting: Hashable,
) -> str:
    """The id of the one printed number that matches all arguments.

    Parameters
    ----------
    paper : str
        The name of a file in data/claims, such as "zhang2020_base_pairs".
    location, metric, system, dataset : str, optional
        As in that file; left out, any.
    **setting
        Names and values in the claims' own `setting`, such as ``base_pair="she-he"``.

    Returns
    -------
    str
        A claim id. A number that the paper repeats is found where it is printed first.

    Raises
    ------
    ClaimError
        Where none or several match; the message names near misses.

    Examples
    --------
    >>> one(paper="zhang2020_base_pairs", location="Table 2", metric="fleiss_kappa", system="RIPA")
    'zhang2020_base_pairs.table2.3'
    """
    wanted: dict[str, Hashable] = {
        "location": location,
        "metric": metric,
        "system": system,
        "dataset": dataset,
        **setting,
    }
    if None in wanted.values():
        raise ClaimError(
            f"{paper}: expected a value for each name; got None for "
            f"{', '.join(name for name, value in wanted.items() if value is None)}. "
            "Ask claims.find where the paper may print nothing."
        )
    matching = _matching(paper, wanted)
    if len(matching) == 1:
        return str(matching.index[0])
    asked = ", ".join(f"{name}={value!r}" for name, value in wanted.items() if value != "")
    if matching.empty:
        raise ClaimError(f"{paper} prints no number with {asked}. {_near_misses(paper, wanted)}")
    raise ClaimError(
        f"{paper} prints {len(matching)} numbers with {asked or 'nothing more said'}: "
        f"{', '.join(matching.index[:5])}{', …' * (len(matching) > 5)}. Say more about it."
    )


def find(*, paper: str, **wanted: Hashable) -> str | None:
    """`one`, or None where the paper may print nothing of the kind.

    A combination that the paper does not print gives None, and so does a value of None ("not in the paper").
    Anything misspelt, that is a value which none of the paper's claims has, is still a `ClaimError`.

    Parameters
    ----------
    paper : str
        The name of a file in data/claims.
    **wanted
        As in `one`.

    Returns
    -------
    str or None
        A claim id.

    Raises
    ------
    ClaimError
        Where a value is misspelt, or several claims match.

    Examples
    --------
    >>> find(paper="zhang2020_base_pairs", location="Table 2", metric="fleiss_kappa", system=None)
    """
    if None in wanted.values() or _matching(paper, wanted).empty:
        return None
    return one(paper=paper, **wanted)  # type: ignore[arg-type]


def about(
    said: Mapping[str, Hashable],
    *,
    paper: str,
    location: str = "",
    metric: str = "",
    partly: bool = False,
) -> str | None:
    """The printed number that a result answers, by what is said of the result.

    Parameters
    ----------
    said : Mapping
        Settings of the result; those that no claim of the place has count for nothing.
    paper, location, metric : str, optional
        As in `one`.
    partly : bool, optional
        Whether the paper may print nothing of the kind.

    Returns
    -------
    str or None
        A claim id.

    Raises
    ------
    ClaimError
        Where none matches and `partly` is false, and where several do.

    Examples
    --------
    >>> about({"system": "RIPA", "seed": 0}, paper="zhang2020_base_pairs", location="Table 2", metric="fleiss_kappa")
    'zhang2020_base_pairs.table2.3'
    """
    place = {"location": location, "metric": metric}
    there = _matching(paper, place, first=False)
    known = {"system", "dataset", *_setting_columns(there)}
    wanted = {name: str(value) for name, value in said.items() if name in known and value != ""}
    if partly:
        table = there.assign(**_setting_columns(there))
        for name, value in wanted.items():
            table = table[table[name] == value]
        if table.empty:
            return None
    return one(paper=paper, **place, **wanted)


def printed(claim: str) -> float:
    """The paper's number in plain units: a share as a fraction, a count as a count.

    Examples
    --------
    >>> printed("zhang2020_base_pairs.sec7.6")
    0.77
    """
    return Printed.of(row(claim)).plain


def row(claim: str) -> dict[str, str]:
    """All that is known of one claim: the columns of `load_paper`. ClaimError for an unknown id."""
    claims = load_paper(claim.partition(".")[0])
    if claim not in claims.index:
        raise ClaimError(
            f"claim: expected the id of a claim in data/claims; got {claim!r}. "
            f"{did_you_mean(claim, claims.index, n=3)}"
        )
    return {str(name): str(value) for name, value in claims.loc[claim].items()}


def table(*, paper: str, location: str, metric: str = "") -> pd.DataFrame:
    """The numbers printed at one place, a row each.

    Parameters
    ----------
    paper, location : str
        As in the paper's file.
    metric : str, optional
        Only the numbers of one metric.

    Returns
    -------
    DataFrame
        claim_id, system, dataset, metric, text (as printed), printed (plain units), and a column for each name in the
        claims' settings ("" where a claim does not have it). `pivot` makes the paper's own rows and columns of it.
    """
    matching = _matching(paper, {"location": location, "metric": metric}, first=False)
    stated = pd.DataFrame(
        [settings(claim) for claim in matching.to_dict("records")], index=matching.index
    ).fillna("")
    names = ["claim_id", "system", "dataset", "metric", "value"]
    plain = [Printed.of(claim).plain for claim in matching.to_dict("records")]
    columns = matching[names].rename(columns={"value": "text"}).assign(printed=plain)
    stated = stated.drop(columns=[name for name in stated if name in columns])
    return pd.concat([columns, stated], axis="columns").reset_index(drop=True)


def _matching(paper: str, wanted: Mapping[str, Hashable], first: bool = True) -> pd.DataFrame:
    """The claims of a paper that have all the values wanted; own numbers before restated and quoted
    ones.
    """
    claims = load_paper(paper)
    table = claims.assign(**_setting_columns(claims))
    rows = pd.Series(True, index=claims.index)
    for name, value in wanted.items():
        if value == "":
            continue
        if name not in table:
            known = [*CLAIM_COLUMNS, *_setting_columns(claims)]
            raise ClaimError(
                f"{paper}: none of its claims says anything of {name!r}. {did_you_mean(name, known, n=3)}"
            )
        if str(value) not in set(table[name]):
            values = sorted(set(table[name]) - {""})
            hint = did_you_mean(value, values, n=3) or f"There are {', '.join(values[:8])}."
            raise ClaimError(f"{name}: no claim of {paper} has {str(value)!r}. {hint}")
        rows &= table[name] == str(value)
    own = claims[rows & ~claims.kind.isin(["restated", "quoted"])]
    return own if first and len(own) else claims[rows]


def _near_misses(paper: str, wanted: Mapping[str, Hashable]) -> str:
    """For each name, which values would match if the others stay."""
    claims = load_paper(paper)
    table = claims.assign(**_setting_columns(claims))
    hints = []
    for name, value in wanted.items():
        others = {key: given for key, given in wanted.items() if key != name}
        values = table.loc[_matching(paper, others, first=False).index, name] if value != "" else []
        if len(values):
            hints.append(f"{name} could be {', '.join(sorted(set(values))[:6])}")
    return (
        f"With the rest as it is, {'; '.join(hints)}." if hints else "No single change finds one."
    )


def settings(claim: Mapping[Any, str]) -> dict[str, str]:
    """The names and values in the setting of a claim, in the paper's words.

    Examples
    --------
    >>> settings({"setting": "base_pair=she-he;n_words=58"})
    {'base_pair': 'she-he', 'n_words': '58'}
    """
    parts = (part.strip() for part in claim["setting"].split(";"))
    return dict(part.split("=", 1) for part in parts if "=" in part)


def subject(claim: Mapping[Any, str]) -> dict[str, str]:
    """What a claim is about: system, dataset and the names in its setting, as far as they say something."""
    stated = {"system": claim["system"], "dataset": claim["dataset"], **settings(claim)}
    return {name: value for name, value in stated.items() if value}


@cache
def subjects(paper: str, location: str, metric: str) -> Mapping[str, Mapping[str, str]]:
    """The `subject` of each claim of one place and metric, by claim id."""
    claims = load_paper(paper)
    same_place = claims[(claims.location == location) & (claims.metric == metric)]
    return {str(row["claim_id"]): subject(row) for row in same_place.to_dict("records")}


def _setting_columns(claims: pd.DataFrame) -> dict[str, Any]:
    """A column for each name in the settings; a setting may be called what a column of the scope is
    called.
    """
    stated = [settings(claim) for claim in claims.to_dict("records")]
    names = dict.fromkeys(name for setting in stated for name in setting)
    return {
        name: [setting.get(name, "") for setting in stated]
        for name in names
        if name not in ("claim_id", "location", "system", "dataset", "metric")
    }


def papers(folder: Path = FOLDER) -> list[str]:
    """The papers that have claims, in alphabetical order."""
    stems = sorted(path.stem for path in Path(folder).glob("*.csv"))
    return [stem for stem in stems if stem not in ("metrics", "scope")]


@cache
def load_paper(paper: str, folder: Path = FOLDER) -> pd.DataFrame:
    """Every printed claim of one paper, indexed by its id.

    Returns
    -------
    DataFrame
        Text columns throughout, "" where nothing is known: those of the paper's file; the metric's own as `meaning`,
        `metric_kind`, `neutral`, `metric_unit` and `rounding`; those of the scope (`SCOPE_FIELDS`); `paper`.

    Raises
    ------
    ClaimError
        For an unknown paper.
    ValueError
        Where a file does not have the columns that data/claims/README.md gives it.
    """
    folder = Path(folder)
    if not (folder / f"{paper}.csv").is_file():
        hint = did_you_mean(paper, papers(folder), n=3)
        raise ClaimError(f"paper: expected a file of data/claims; got {paper!r}. {hint}")
    claims = read_table(folder / f"{paper}.csv", CLAIM_COLUMNS).assign(paper=paper)
    if not claims["claim_id"].is_unique:
        twice = claims["claim_id"][claims["claim_id"].duplicated()].iloc[0]
        raise ValueError(f"{paper}.csv: expected each claim once; got {twice!r} twice.")
    metrics = read_table(folder / "metrics.csv", ["metric", *METRIC_COLUMNS])
    metrics = metrics.rename(columns={"kind": "metric_kind", "unit": "metric_unit"})
    claims = claims.merge(metrics, on="metric", how="left").fillna("")
    scope = scope_fields(claims, scope_rules(paper, folder))
    return pd.concat([claims, scope], axis="columns").set_index("claim_id", drop=False)


@cache
def load_claims(folder: Path = FOLDER) -> pd.DataFrame:
    """Every printed claim of every paper: `load_paper` of all, one below the other."""
    return pd.concat([load_paper(paper, folder) for paper in papers(folder)])


def read_table(path: Path, columns: list[str]) -> pd.DataFrame:
    """A file of data/claims as text, "" where a cell is empty.

    Parameters
    ----------
    path : Path
        A CSV in UTF-8.
    columns : list of str
        Its columns.

    Returns
    -------
    DataFrame

    Raises
    ------
    ValueError
        For another encoding, other columns, and a row with too many or too few cells.
    """
    try:
        content = pd.read_csv(path, dtype=str, keep_default_na=False)
    except ValueError as error:  # pandas' own errors and those of the decoder are such
        raise ValueError(
            f"{path.name}: expected a CSV in UTF-8, got something else ({error}). See data/claims/README.md."
        ) from error
    if list(content.columns) != columns:
        raise ValueError(
            f"{path.name}: expected the columns {','.join(columns)}; got {','.join(content.columns)}. "
            "See data/claims/README.md."
        )
    wrong = content.isna().any(axis="columns").to_numpy()
    if wrong.any() or not isinstance(content.index, pd.RangeIndex):
        number = int(wrong.argmax()) + 1
        raise ValueError(
            f"{path.name}, row {number}: expected {len(columns)} cells, got more or fewer. A text that has a "
            "comma needs quotation marks."
        )
    return content


def scope_rules(paper: str, folder: Path = FOLDER) -> pd.DataFrame:
    """The rules for the claims of a paper, from the general to the particular.

    Parameters
    ----------
    paper : str
        The name of a file in data/claims.
    folder : Path
        Where the files lie.

    Returns
    -------
    DataFrame
        The default of all papers (the first row of scope.csv), that of this paper (the first row
        of its own file), what holds for some claims of any paper, what holds for some of this one.
    """
    general = read_table(folder / "scope.csv", SCOPE_FILTERS + SCOPE_FIELDS)
    path = folder / "scope" / f"{paper}.csv"
    own = read_table(path, SCOPE_FILTERS + SCOPE_FIELDS) if path.is_file() else general[:0]
    return pd.concat([general[:1], own[:1], general[1:], own[1:]], ignore_index=True)


def scope_fields(claims: pd.DataFrame, rules: pd.DataFrame) -> pd.DataFrame:
    """The scope of each claim: all rules that match, a later one overriding what it fills in.

    Parameters
    ----------
    claims : DataFrame
        Claims, with the columns of `CLAIM_COLUMNS`.
    rules : DataFrame
        As from `scope_rules`; "-" takes back what an earlier rule said.

    Returns
    -------
    DataFrame
        A row for each claim, the columns of `SCOPE_FIELDS`.
    """
    fields = [dict.fromkeys(SCOPE_FIELDS, "") for _ in range(len(claims))]
    for rule, positions in zip(rules.to_dict("records"), matching_claims(claims, rules)):
        filled = {name: rule[name].removeprefix("-") for name in SCOPE_FIELDS if rule[name]}
        for position in positions:
            fields[position].update(filled)
    return pd.DataFrame(fields, index=claims.index, columns=SCOPE_FIELDS)


def matching_claims(claims: pd.DataFrame, rules: pd.DataFrame) -> list[list[int]]:
    """For each rule the positions of the claims it is about.

    Parameters
    ----------
    claims : DataFrame
        Claims, with the columns of `CLAIM_COLUMNS`.
    rules : DataFrame
        Their filters are shell patterns, an empty one matches all; `text` looks at location,
        system, dataset, setting and note joined by " | ".

    Returns
    -------
    list of list of int
        Positions of the claims, a list for each rule.
    """
    places = zip(claims.location, claims.system, claims.dataset, claims.setting, claims.note)
    texts = {
        "claims": list(claims.claim_id),
        "metric": list(claims.metric),
        "text": [" | ".join(parts) for parts in places],
    }
    matches = []
    for rule in rules.to_dict("records"):
        positions = list(range(len(claims)))
        for name, values in texts.items():
            if rule[name] not in ("", "*"):
                fits = re.compile(fnmatch.translate(rule[name])).match
                positions = [position for position in positions if fits(values[position])]
        matches.append(positions)
    return matches


def describe(claim: Mapping[Any, str]) -> str:
    """What a claim is about, in one line: metric, system, data and setting as the paper names
    them.
    """
    settings = [part.strip() for part in claim["setting"].split(";")]
    setting = ", ".join(
        part.replace("=", ": ", 1) for part in settings if not part.startswith("kind=")
    )
    parts = (claim["metric"], claim["system"], claim["dataset"], setting)
    return " · ".join(part.replace("_", " ") for part in parts if part)
