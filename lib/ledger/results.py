"""Files of results: one CSV for a chapter and its parameters, read with its columns checked,
written whole or not at all.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from lib.checks import one_of
from lib.documents import read_run_record
from lib.paths import ROOT, results_folder
from lib.profiles import PROFILES
from lib.slug import as_json

RESULT_COLUMNS = [
    "chapter",
    "profile",
    "quantity",
    "claim_id",
    "value",
    "low",
    "high",
    "n",
    "settings",
    "data",
]


def read_results(folder: str | os.PathLike[str]) -> pd.DataFrame:
    """All results saved in a folder, one row each, with the columns `parameters` (the slug) and
    `file` added.

    An empty folder gives an empty table. Raises FileNotFoundError when there is no such folder, and ValueError when
    a CSV in it is not a file of results.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"no folder of results at {folder}. `python -m lib.run --profile embedded` makes one."
        )
    tables = [_read_one(path) for path in sorted(folder.glob("*.csv"))]
    columns = [*RESULT_COLUMNS, "parameters", "file"]
    return (
        pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)
    )


def _read_one(path: Path) -> pd.DataFrame:
    chapter, dashes, parameters = path.stem.partition("--")
    advice = "Delete it, or run its chapter again with `python -m lib.run`."
    if not dashes:
        raise ValueError(
            f"{path.name}: expected a name <chapter>--<parameters>.csv; got {path.name!r}. {advice}"
        )
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path.name}: expected a CSV file of results; got {error}. {advice}"
        ) from error
    if list(table.columns) != RESULT_COLUMNS:
        raise ValueError(
            f"{path.name}: expected the columns {','.join(RESULT_COLUMNS)}; "
            f"got {','.join(map(str, table.columns))}. {advice}"
        )
    if not (table.chapter == chapter).all():
        raise ValueError(
            f"{path.name}: expected rows of the chapter {chapter}; "
            f"got {', '.join(sorted(set(table.chapter) - {chapter}))}. {advice}"
        )
    for column in ("value", "low", "high", "n"):
        try:
            table[column] = pd.to_numeric(table[column].replace("", None)).astype(
                "Int64" if column == "n" else float
            )
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(
                f"{path.name}: expected numbers in the column {column}; got {error}. {advice}"
            ) from error
    if table.value.isna().any():
        raise ValueError(f"{path.name}: expected a value in every row; got an empty one. {advice}")
    return table.assign(parameters=parameters, file=path.name)


def gather(profile: str = "embedded") -> pd.DataFrame:
    """The results a report card of this profile stands on.

    This profile's own run (where BIASBOOK_RESULTS points, else results/<profile>), and what was recorded for the other
    profiles in data/results; the column `recorded` is true for those. Without a run of its own the recorded one serves.
    """
    folder = results_folder() or ROOT / "results" / profile
    tables = [read_results(folder).assign(recorded=False)] if folder.is_dir() else []
    for other, kept in _recorded_folders().items():
        if not (other == profile and tables and len(tables[0])):
            tables.append(read_results(kept).assign(recorded=True))
    tables = [table for table in tables if len(table)]
    return (
        pd.concat(tables, ignore_index=True)
        if tables
        else pd.DataFrame(columns=[*RESULT_COLUMNS, "recorded"])
    )


def recorded_rows(chapter: str, same: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """What `make record` kept of a chapter in data/results.

    Parameters
    ----------
    chapter : str
        The notebook's name.
    same : mapping of str to object, optional
        Parameters and their values: only of runs that had these.

    Returns
    -------
    DataFrame
        Rows as from `read_results`, those of all profiles; none where nothing is kept.
    """
    paths = [
        path
        for folder in _recorded_folders().values()
        for path in sorted(folder.glob(f"{chapter}--*.csv"))
        if _had(path, same)
    ]
    tables = [_read_one(path) for path in paths]
    return (
        pd.concat(tables, ignore_index=True)
        if tables
        else pd.DataFrame(columns=[*RESULT_COLUMNS, "parameters", "file"])
    )


def recorded_answers(chapter: str) -> pd.DataFrame:
    """The rows of `recorded_rows` that answer a printed claim.

    Parameters
    ----------
    chapter : str
        The notebook's name.

    Returns
    -------
    DataFrame
        Rows as from `read_results`, those of all profiles.
    """
    rows = recorded_rows(chapter)
    return rows[rows.claim_id != ""].reset_index(drop=True)


def recorded_results(
    chapter: str, quantity: str | None = None, *, same: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """What `make record` kept of a chapter in data/results, with its origin: one row a result, its
    settings as columns.

    `same` is as in `recorded_rows`: a page that shows a reader's model asks for rows of that model.
    Columns: profile, the settings, value, low, high, n, data (key and the beginning of its hash)
    and commit.
    """
    tables = [
        table
        for folder in _recorded_folders().values()
        if len(table := _kept(folder, chapter, quantity, same))
    ]
    last = ["value", "low", "high", "n", "data", "commit"]
    if not tables:
        return pd.DataFrame(columns=["profile", *last])
    rows = pd.concat(tables, ignore_index=True)
    settings = pd.DataFrame([json.loads(text or "{}") for text in rows.settings], index=rows.index)
    settings = settings.drop(columns=["profile", *last], errors="ignore").astype(object).fillna("")
    return pd.concat([rows[["profile"]], settings, rows[last]], axis="columns")


def compare(
    chapter: str, by: str, profile: str = "embedded", folder: Path | None = None
) -> pd.DataFrame:
    """The results of several runs of a chapter side by side, a column for each value of one
    parameter.

    Runs that differ in another parameter too do not belong together: the largest set that differs
    in nothing else is taken.

    Parameters
    ----------
    chapter : str
        The notebook's name.
    by : str
        A parameter in which the runs differ, such as "embedding"; it is read from the record of
        each run.
    profile : str
        Whose runs.
    folder : Path, optional
        Where they lie; `results/<profile>` of this checkout unless given.

    Returns
    -------
    DataFrame
        A row for each quantity and settings, a column for each value of the parameter.

    Raises
    ------
    ValueError
        Where there is no run, or no run has such a parameter.
    """
    folder = folder or ROOT / "results" / profile
    runs = {
        path.name.removesuffix(".run.json"): read_run_record(path, ["parameters"])["parameters"]
        for path in sorted(folder.glob(f"{chapter}--*.run.json"))
    }
    known = dict.fromkeys(name for parameters in runs.values() for name in parameters)
    if not runs:
        raise ValueError(
            f"no run of {chapter} in {folder}. `python -m lib.run --chapter {chapter} --grid {by}=…` makes some."
        )
    one_of("by", by, known)
    groups: dict[str, dict[str, str]] = {}
    for name, parameters in runs.items():
        others = json.dumps({**parameters, by: None}, sort_keys=True)
        groups.setdefault(others, {})[f"{name}.csv"] = str(as_json(parameters.get(by)))
    labels = max(groups.values(), key=len)
    rows = read_results(folder)
    rows = rows[rows.file.isin(labels)].drop_duplicates(["quantity", "settings", "file"])
    return rows.assign(**{by: rows.file.map(labels)}).pivot(
        index=["quantity", "settings"], columns=by, values="value"
    )


def _recorded_folders() -> dict[str, Path]:
    """The folders under data/results by profile; read from disk, so that a folder added later makes
    a chapter stale.
    """
    present = {path.name: path for path in (ROOT / "data" / "results").iterdir() if path.is_dir()}
    return {profile: present[profile] for profile in PROFILES if profile in present}


def _kept(
    folder: Path, chapter: str, quantity: str | None, same: Mapping[str, Any] | None
) -> pd.DataFrame:
    rows = read_results(folder)
    rows = rows[(rows.chapter == chapter) & ((rows.quantity == quantity) | (quantity is None))]
    alike = [name for name in rows.file.unique() if _had(folder / name, same)]
    rows = rows[rows.file.isin(alike)]
    if rows.empty:
        return rows
    rows = rows.drop_duplicates(
        ["quantity", "settings", "data", "file"]
    )  # one number may answer several claims
    data = rows.data.str.replace(r"([0-9a-f]{8})[0-9a-f]{8,}", r"\1", regex=True)
    return rows.assign(
        data=data, commit=[_commit(folder / f"{Path(name).stem}.run.json") for name in rows.file]
    )


def _had(path: Path, same: Mapping[str, Any] | None) -> bool:
    """Whether the run of a file of results had these parameters; without its record, it is not known to."""
    record = path.with_name(f"{path.stem}.run.json")
    if not same:
        return True
    had = json.loads(record.read_text()).get("parameters") or {} if record.is_file() else {}
    return all(name in had and had[name] == as_json(value) for name, value in same.items())


def _commit(record: Path) -> str:
    return str(read_run_record(record).get("commit") or "")[:8] if record.is_file() else ""


def to_csv(rows: pd.DataFrame) -> str:
    """The rows as CSV: floats as the shortest text that reads back to the same number, empty where
    nothing is known.
    """

    def text(value: Any) -> str:
        return "" if pd.isna(value) else repr(value) if isinstance(value, float) else str(value)

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows([text(value) for value in row] for row in rows.itertuples(index=False))
    return buffer.getvalue()
