"""What has changed in the recorded numbers of a chapter since a version of the book came out.

Of a version that is out, `data/results/versions/<version>` keeps the numbers with what they are, a
CSV for each chapter. Two numbers are the same one where quantity, settings and data source agree; a
number that is now filed under other settings of the same quantity and data has not changed.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pandas as pd

from lib.checks import one_of
from lib.files import write_if_changed
from lib.ledger.results import read_results, recorded_rows, to_csv
from lib.paths import DATA
from lib.profiles import EVIDENCE, story_of

VERSIONS = DATA / "results" / "versions"
_KEY = ["profile", "quantity", "settings", "data"]
_COLUMNS = ["change", "quantity", "settings", "data", "before", "now", "by"]
_ORDER = ["changed", "gone", "new"]
_NOISE = 1e-9
_AGAIN = 1e-5  # another machine finds a number again to this share
_VISIBLE = 1e-3


def versions() -> list[str]:
    """The versions whose numbers are kept, the oldest first.

    Examples
    --------
    >>> versions()[0]
    '0.1.0'
    """
    names = [path.name for path in VERSIONS.iterdir() if path.is_dir()]
    return sorted(names, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])


def changes(chapter: str, since: str | None = None) -> pd.DataFrame:
    """The recorded numbers of a chapter, its story and its evidence, that are not as they were.

    Parameters
    ----------
    chapter : str
        The name of either notebook. One that has no recorded numbers has no changes.
    since : str, optional
        A version, such as "0.1.0"; the last one that is kept unless given.

    Returns
    -------
    DataFrame
        A row for each number: `change` ("changed", "gone" or "new", in this order), `quantity`, `settings` and `data` in
        words, `before` and `now` (NaN where there is none), and `by`, the difference as a share of the larger of the two:
        the largest first, for another machine changes many numbers in the seventh digit. Numbers that differ by 1e-9 or
        less, or by such a share, are not among them.

    Raises
    ------
    ValueError
        For a version that is not kept.

    Examples
    --------
    >>> changes("a_chapter_of_tomorrow", since="0.1.0").empty
    True
    """
    return _listed(_compared(chapter, since or versions()[-1]))


def _listed(rows: pd.DataFrame) -> pd.DataFrame:
    """Those that are not as they were, the largest difference first."""
    rows = rows[rows.change != ""]
    rows = rows.assign(
        settings=rows.settings.map(_in_words),
        change=pd.Categorical(rows.change, _ORDER),
        by=(rows.now - rows.before).abs() / rows[["before", "now"]].abs().max(axis="columns"),
    )
    rows = rows.sort_values(["change", "by"], ascending=[True, False], kind="stable")
    return rows[_COLUMNS].astype({"change": str}).reset_index(drop=True)


def summary(chapter: str, since: str | None = None) -> str:
    """One sentence on what has changed in the recorded numbers of a chapter.

    Parameters
    ----------
    chapter, since
        As for `changes`.

    Returns
    -------
    str
        "" where nothing is recorded of the chapter, now or then.

    Examples
    --------
    >>> summary("contextual_geometry", since="0.1.0").partition(":")[0]
    'Since version 0.1.0'
    >>> summary("a_chapter_of_tomorrow", since="0.1.0")
    ''
    """
    since = since or versions()[-1]
    rows = _compared(chapter, since)
    listed = _listed(rows)
    before, now = int(rows.before.notna().sum()), int(rows.now.notna().sum())
    changed, gone, new = (int((listed.change == name).sum()) for name in _ORDER)
    if not before and not now:
        return ""
    if not before:
        return f"Since version {since}: all {now:,} recorded numbers of this chapter are new."
    if not (changed or new or gone):
        return f"Since version {since}: none of {before:,} recorded numbers changed."
    said = f"{changed or 'none'} of {before:,} recorded numbers changed"
    if changed:
        visible = int((listed.by > _VISIBLE).sum())
        said += f" ({visible or 'none'} by more than a thousandth)"
    said += f", {new:,} {'is' if new == 1 else 'are'} new" if new else ""
    said += f", {gone:,} {'is' if gone == 1 else 'are'} gone" if gone else ""
    return f"Since version {since}: {said}."


def freeze(version: str, results: Path, into: Path = VERSIONS) -> Path:
    """Keep the recorded numbers of a version.

    Parameters
    ----------
    version : str
        Such as "0.2.0".
    results : Path
        The folder `data/results` of that version, with a folder for each profile.
    into : Path, optional
        Where a folder of the version's name is made.

    Returns
    -------
    Path
        That folder: a CSV for each chapter.

    Raises
    ------
    ValueError
        For another form of version, one that is kept already, or a folder without results.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"version: expected three numbers such as 0.2.0; got {version!r}.")
    folder = into / version
    if folder.exists():
        raise ValueError(
            f"version {version} is kept already in {folder}: what is out does not change."
        )
    profiles = [path for path in sorted(results.glob("*")) if any(path.glob("*--*.csv"))]
    if not profiles:
        raise ValueError(
            f"no results in {results}: expected a folder for each profile. `make record` makes one."
        )
    rows = _numbers(pd.concat([read_results(path) for path in profiles], ignore_index=True))
    for chapter, numbers in rows.groupby("chapter"):
        text = to_csv(numbers[[*_KEY, "value"]])
        write_if_changed(folder / f"{chapter}.csv", text.encode())
    return folder


def _compared(chapter: str, since: str) -> pd.DataFrame:
    """Every number of then and of now, with both values and what has become of it ("" for
    nothing).
    """
    one_of("since", since, versions())
    columns = [*_KEY, "value"]
    old, new = [pd.DataFrame(columns=columns)], [pd.DataFrame(columns=columns)]
    for name in (story_of(chapter), story_of(chapter) + EVIDENCE):  # a number may move between them
        path = VERSIONS / since / f"{name}.csv"
        if path.is_file():
            old.append(pd.read_csv(path, dtype=dict.fromkeys(_KEY, str), keep_default_na=False))
        new.append(_numbers(recorded_rows(name))[columns])
    then, now = (
        pd.concat([part for part in parts if len(part)] or parts[:1]) for parts in (old, new)
    )
    key = [*_KEY, "place"]
    both = pd.merge(_numbered(then), _numbered(now), "outer", on=key, suffixes=("_old", "_new"))
    both = both.rename(columns={"value_old": "before", "value_new": "now"})
    both = both.astype({"before": float, "now": float})
    both["change"] = list(map(_change, both.before, both.now))
    renamed = {
        number
        for _, group in both[both.change.isin(["new", "gone"])].groupby(
            ["profile", "quantity", "data"]
        )
        for number in _filed_anew(group)
    }
    both.loc[list(renamed), "change"] = ""
    return both


def _numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Each number once, with the names of its data: one number may answer several claims."""
    names = rows.data.astype(str).str.replace(r"@sha256:[0-9a-f]+", "", regex=True)
    rows = rows.assign(data=names.str.replace(r";\s*", "; ", regex=True))
    return rows.drop_duplicates(["chapter", *_KEY, "value"])


def _numbered(rows: pd.DataFrame) -> pd.DataFrame:
    """Numbers that one key does not separate are paired in the order in which they were recorded."""
    return rows.assign(place=rows.groupby(_KEY).cumcount())


def _change(before: float, now: float) -> str:
    if math.isnan(before):
        return "new"
    if math.isnan(now):
        return "gone"
    return "" if _same(before, now) else "changed"


def _same(first: float, second: float, within: float = _NOISE) -> bool:
    return math.isclose(first, second, rel_tol=within, abs_tol=_NOISE)


def _filed_anew(group: pd.DataFrame) -> list[object]:
    """The rows of a quantity and its data whose number is gone under these settings and new under
    others.
    """
    gone = group[group.change == "gone"].before.sort_values()
    new = group[group.change == "new"].now.sort_values()
    pairs: list[object] = []
    waiting = list(new.items())
    for label, value in gone.items():
        while waiting and waiting[0][1] < value and not _same(waiting[0][1], value, _AGAIN):
            waiting.pop(0)
        if waiting and _same(waiting[0][1], value, _AGAIN):
            pairs += [label, waiting.pop(0)[0]]
    return pairs


def _in_words(settings: str) -> str:
    """Settings as a reader sees them: `way: exact, tests: 4`."""
    values = json.loads(settings or "{}")
    return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in values.items())
