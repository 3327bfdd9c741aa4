"""The results of a chapter, written down once: what was measured, on what, and which printed claim
it answers.
"""

from __future__ import annotations

import html
import json
import math
import numbers
import os
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from lib.checks import one_of
from lib.files import write_whole
from lib.ledger import claims as printed_claims
from lib.ledger.report_card import compare
from lib.ledger.results import (
    RESULT_COLUMNS,
    recorded_answers,
    recorded_results,
    recorded_rows,
    to_csv,
)
from lib.ledger.verdicts import require_same_subject
from lib.markdown import Markdown
from lib.paths import results_folder
from lib.profiles import PROFILES
from lib.slug import as_json, slug


class Ledger:
    """The results of one chapter run with one set of parameters.

    Parameters
    ----------
    chapter : str
        The notebook's name.
    profile : str
        One of `lib.profiles.PROFILES`.
    parameters : Mapping, optional
        What the run was given; the name of the file of results is made of it.
    data : str, optional
        The source of the vectors or texts, as in `Embedding.source`; it can be given again for a
        single result.

    Examples
    --------
    >>> ledger = Ledger("base_pair_stability", parameters={"embedding": "minilm", "seed": 0})
    >>> ledger.record("Fleiss kappa", 0.348, low=0.31, high=0.38, n=320)
    0.348
    >>> ledger.rows()[["quantity", "value", "n"]].to_dict("records")
    [{'quantity': 'Fleiss kappa', 'value': 0.348, 'n': 320}]
    """

    def __init__(
        self,
        chapter: str,
        profile: str = "embedded",
        parameters: Mapping[str, Any] | None = None,
        data: str = "",
    ):
        one_of("profile (the `parameters` cell of the chapter sets it)", profile, PROFILES)
        if not re.fullmatch(r"[a-z0-9_]+", chapter):
            raise ValueError(
                f"chapter: expected the notebook's name in small letters, digits and _; got {chapter!r}."
            )
        self.chapter, self.profile, self.data = chapter, profile, data
        self.stand_in = False  # whether other data are shown than the parameters name
        self.parameters = dict(parameters or {})
        self._rows: dict[tuple[str, str, str], dict[str, Any]] = {}

    def record(
        self,
        quantity: str,
        value: float,
        *,
        claim: str | Iterable[str] | None = None,
        low: float | None = None,
        high: float | None = None,
        n: int | None = None,
        data: str | None = None,
        **settings: Any,
    ) -> float:
        """Record one number and return it.

        Parameters
        ----------
        quantity : str
            A short name of what was measured.
        value : float
            A finite number, in plain units: a share as a fraction, a count as a count. The ledger converts to the unit
            that a claim is printed in; a claim's own sign and order of poles are kept by the caller.
        claim : str or iterable of str, optional
            The id of the printed number this answers, or several (`lib.ledger.claims.one`); None for a number that no
            paper prints.
        low, high : float, optional
            The ends of a 95 % interval.
        n : int, optional
            How many items went in.
        data : str, optional
            Where this one came from.
        **settings
            Whatever else tells this result from its neighbours. With a claim, they have to say what the claim is about
            (its system, dataset or setting, by the same names and values), as far as that tells it from its neighbours
            in the paper, and `procedure`, by the name that the claim's scope gives it. `method` and `seed_values`
            are read by the verdict on a claim that is itself random.

        Returns
        -------
        float
            `value`.

        Raises
        ------
        ValueError
            For a number that is not finite, an interval upside down, a result recorded twice, an unknown claim, or a
            claim about something else (`lib.ledger.verdicts.require_same_subject`); nothing is recorded then.
        """
        if not isinstance(quantity, str) or not quantity.strip():
            raise ValueError(
                f"quantity: expected a short name of what was measured; got {quantity!r}."
            )
        number = _number("value", value)
        ends = [None if end is None else _number("low and high", end) for end in (low, high)]
        if low is not None and high is not None and low > high:
            raise ValueError(
                f"{quantity}: expected low <= high; got low={low}, high={high}. Swap them?"
            )
        stated, source = _settings(settings), self.data if data is None else str(data)
        text = json.dumps(stated, sort_keys=True, ensure_ascii=False)
        row = {
            "chapter": self.chapter,
            "profile": self.profile,
            "quantity": quantity,
            "value": number,
            "low": ends[0],
            "high": ends[1],
            "n": None if n is None else _count(n),
            "settings": text,
            "data": source,
        }
        claim_ids = [""] if claim is None else [claim] if isinstance(claim, str) else list(claim)
        for claim_id in filter(None, claim_ids):
            require_same_subject(printed_claims.row(claim_id), stated, source)
        new = {(quantity, claim_id, text): {**row, "claim_id": claim_id} for claim_id in claim_ids}
        for key in new:
            if key in self._rows:
                raise ValueError(
                    f"{quantity}: expected each result once; got a second one with the same settings "
                    f"{key[2]} and claim {key[1] or '(none)'}. Add a setting that tells them apart."
                )
        self._rows.update(new)
        return value

    def record_frame(
        self,
        quantity: str,
        table: pd.DataFrame,
        *,
        index: str = "base_pair",
        columns: str = "system",
        claims: pd.DataFrame | Mapping[tuple[Hashable, Hashable], str | None] | None = None,
        low: pd.DataFrame | None = None,
        high: pd.DataFrame | None = None,
        n: int | None = None,
        data: str | None = None,
        **settings: Any,
    ) -> pd.DataFrame:
        """Record a whole table, cell by cell, and return it. Empty cells are passed over.

        Parameters
        ----------
        quantity : str
            What each cell holds.
        table : DataFrame
            Numbers in plain units.
        index, columns : str
            The settings that the labels of rows and of columns are recorded as; "" for a label that
            is none.
        claims : DataFrame or mapping, optional
            The claim each cell answers: a table of ids with labels like those of `table`, or (row, column) -> id.
            Cells that it does not name answer none.
        low, high : DataFrame, optional
            The ends of 95 % intervals.
        n, data, **settings
            As in `record`, the same for every cell.
        """
        cells = {cell: value for cell, value in _cells(table).items() if not pd.isna(value)}
        ids = _cells(claims) if isinstance(claims, pd.DataFrame) else claims or {}
        lows = {} if low is None else _cells(low.astype(object).where(low.notna(), None))
        highs = {} if high is None else _cells(high.astype(object).where(high.notna(), None))
        for (row, column), value in cells.items():
            labels = {name: label for name, label in ((index, row), (columns, column)) if name}
            claim = ids.get((row, column))
            self.record(
                quantity,
                value,
                claim=claim if isinstance(claim, str) and claim else None,
                low=lows.get((row, column)),
                high=highs.get((row, column)),
                n=n,
                data=data,
                **labels,
                **settings,
            )
        return table

    def answer(
        self,
        table: pd.DataFrame,
        quantity: str = "",
        *,
        paper: str = "",
        location: str = "",
        metric: str = "",
        columns: Mapping[str, str] | Iterable[str] | None = None,
        partly: bool = False,
        n: int | None = None,
        data: str | None = None,
        **settings: Any,
    ) -> pd.DataFrame:
        """Record a tidy table, a result a row, and set it beside what a paper prints.

        Parameters
        ----------
        table : DataFrame
            `value` and, as far as they are there, `low`, `high`, `n`, `quantity`, `data` and `claim` (an id) are what
            `record` takes; the other columns, and the levels of the index that have a name, are settings. A row without a
            value is passed over; an empty cell says nothing.
        quantity : str, optional
            What each value is, where the table has no such column.
        paper, location, metric : str, optional
            Where printed numbers stand: each row answers the one that has its values in the columns that the claims know.
        columns : mapping of str to str, or iterable of str, optional
            The columns that are settings, or each with the name that it is recorded under; all of them unless given.
        partly : bool, optional
            Whether rows may be there that the paper does not print.
        n, data, **settings
            As in `record`, for every row that does not say otherwise.

        Returns
        -------
        DataFrame
            The table; where a paper is named with `claim_id` and `printed`, the paper's number in plain units, beside each row.

        Raises
        ------
        ClaimError
            For a row that answers no printed number or several, naming near misses; nothing is recorded then.
        ValueError
            As from `record`, and for a column that is not there.

        Examples
        --------
        >>> ledger = Ledger("base_pair_stability")
        >>> kappas = pd.DataFrame({"system": ["RIPA", "NBM"], "value": [0.61, 0.7], "n": 320})
        >>> at = {"paper": "zhang2020_base_pairs", "location": "Table 2", "metric": "fleiss_kappa"}
        >>> ledger.answer(kappas, "Fleiss kappa", **at)[["system", "value", "printed"]]
          system  value  printed
        0   RIPA   0.61     0.42
        1    NBM   0.70     0.29
        """
        given = _tidy(table, quantity, columns)
        at = {"paper": paper, "location": location, "metric": metric}
        kept = dict(self._rows)
        found: list[str] = []
        try:
            for row in given:
                said = {**settings, **row["settings"]}
                claim = row["claim"]
                if row["value"] is not None:
                    claim = claim or (
                        printed_claims.about(said, partly=partly, **at) if paper else None
                    )
                    whole = {"n": n, "data": data} | {
                        k: v for k, v in row["ends"].items() if v is not None
                    }
                    self.record(row["quantity"], row["value"], claim=claim, **whole, **said)
                found.append(claim or "")
        except ValueError:
            self._rows = kept
            raise
        if not paper:
            return table
        numbers = [printed_claims.printed(claim) if claim else math.nan for claim in found]
        return table.assign(claim_id=found, printed=numbers)

    def rows(self) -> pd.DataFrame:
        """Everything recorded so far, in the order of the file."""
        return pd.DataFrame(
            [self._rows[key] for key in sorted(self._rows)], columns=RESULT_COLUMNS, dtype=object
        )

    def results(self, quantity: str, *, same: Iterable[str] = ()) -> pd.DataFrame:
        """This run's results of one quantity and, for settings that this run does not have, what `make record` kept
        of them from other profiles.

        Parameters
        ----------
        quantity : str
            As in `record`.
        same : iterable of str, optional
            Parameters that the numbers are about, such as the model where the settings do not name it: what was
            recorded with another value of one is another model's, and is left out.

        Returns
        -------
        DataFrame
            One row a result: the settings as columns, value, low, high, n, data, and `recorded`, whether it comes from
            data/results and not from this run.

        Examples
        --------
        >>> ledger = Ledger("base_pair_stability")
        >>> _ = ledger.record("a quantity of the reader", 0.5, n=3, words="own")
        >>> ledger.results("a quantity of the reader")[["words", "value", "recorded"]].to_dict("records")
        [{'words': 'own', 'value': 0.5, 'recorded': False}]
        """
        kept = recorded_rows(self.chapter, self._alike(same)).assign(recorded=True)
        rows = pd.concat([self.rows().assign(recorded=False), kept], ignore_index=True)
        rows = rows[rows.quantity == quantity].drop_duplicates("settings").reset_index(drop=True)
        settings = pd.DataFrame([json.loads(text or "{}") for text in rows.settings])
        last = ["value", "low", "high", "n", "data", "recorded"]
        numbers = rows[last].astype({"value": float, "low": float, "high": float, "recorded": bool})
        return pd.concat([settings.drop(columns=last, errors="ignore"), numbers], axis="columns")

    def comparison(self, *, recorded: bool = False) -> pd.DataFrame:
        """Paper against run: each recorded claim with the printed number, ours beside it, and the
        verdict.

        Parameters
        ----------
        recorded : bool
            For printed numbers that this run does not answer, show what `make record` kept of this chapter from other
            profiles.

        Returns
        -------
        DataFrame
            As from `lib.ledger.report_card.compare`.
        """
        rows = self.rows().assign(recorded=False)
        if recorded:
            kept = recorded_answers(self.chapter).assign(recorded=True)
            rows = pd.concat([rows, kept[~kept.claim_id.isin(rows.claim_id)]])
        return compare(rows)

    def _alike(self, same: Iterable[str]) -> dict[str, Any]:
        """These parameters of the run, with their values."""
        return {name: self.parameters[name] for name in same}

    def show_recorded(
        self,
        quantity: str,
        columns: Sequence[str] | Mapping[str, str] = (),
        *,
        form: str = ".2f",
        interval: str = "low to high",
        heading: str = "",
        same: Iterable[str] = (),
    ) -> None:
        """Display what `make record` kept of one quantity of this chapter, and below the table one
        line that says where it comes from.

        Parameters
        ----------
        quantity : str
            As in `record`.
        columns : sequence of str, or mapping of str to str
            The settings to show beside the numbers, or each with its heading.
        form : str
            Format of the numbers and of their intervals, such as ".0%" for shares.
        interval : str
            Heading of the column with the recorded ends, shown where there are some.
        heading : str
            Heading of the column of numbers, the quantity unless given.
        same : iterable of str, optional
            As in `results`: nothing is shown of another model.
        """
        from IPython.display import display

        past = recorded_results(self.chapter, quantity, same=self._alike(same))
        if past.empty:
            asked = f" for this {' and '.join(same)}" if same else ""
            display(Markdown(f"*Nothing was recorded for this edition{asked}.*"))
            return
        headings = dict(columns) if isinstance(columns, Mapping) else {c: c for c in columns}
        shown = past.reindex(columns=list(headings)).rename(columns=headings).fillna("")
        shown[heading or quantity] = [_as_text(value, form) for value in past["value"]]
        if past["low"].notna().any():
            ends = [[_as_text(end, form) for end in past[side]] for side in ("low", "high")]
            shown[interval] = [f"{low} to {high}" if low else "–" for low, high in zip(*ends)]
        if past["n"].notna().any():
            shown["n"] = [_as_text(n, ",.0f") for n in past["n"]]
        shown = shown.loc[:, (shown != "").any()]
        display(shown.style.hide(axis="index").set_caption(f"Recorded: {quantity}"))
        display(Markdown(_origin(past)))

    def save(self) -> Saved:
        """Write the results where BIASBOOK_RESULTS points, whole or not at all; without it, and where other data stand
        in for those of the parameters, write nothing and say so.
        """
        folder = None if self.stand_in else results_folder()
        name = f"{self.chapter}--{slug(self.parameters)}.csv"
        path = write_whole(folder / name, to_csv(self.rows())) if folder else None
        return Saved(path, name, len(self._rows), self.stand_in)

    def _repr_html_(self) -> str:
        lines = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td>"
            f"<td><code>{html.escape(json.dumps(as_json(value), ensure_ascii=False))}</code></td></tr>"
            for name, value in {"profile": self.profile, **self.parameters}.items()
        )
        return f"<table><thead><tr><th>parameter</th><th>this run</th></tr></thead><tbody>{lines}</tbody></table>"

    def __repr__(self) -> str:
        cells = {"profile": self.profile, **self.parameters}
        return f"Ledger of {self.chapter}: " + ", ".join(f"{k}={v!r}" for k, v in cells.items())


class Saved(os.PathLike[str]):
    """What `Ledger.save` did: `path` is the file written, or None; false when nothing was
    written.
    """

    def __init__(self, path: Path | None, name: str, rows: int, stand_in: bool = False):
        self.path, self.name, self.rows, self.stand_in = path, name, rows, stand_in

    def __bool__(self) -> bool:
        return self.path is not None

    def __fspath__(self) -> str:
        if self.path is None:
            raise TypeError(
                "the results were not saved, so there is no path: BIASBOOK_RESULTS is not set."
            )
        return str(self.path)

    def __repr__(self) -> str:
        if self.stand_in:
            return (
                f"{self.rows} results, not saved: they are of other data than the parameters name."
            )
        if self.path is None:
            return (
                f"{self.rows} results, not saved: BIASBOOK_RESULTS is not set; `python -m lib.run` sets it "
                f"and keeps them as {self.name}."
            )
        return f"{self.rows} results saved as {self.name}."


def _as_text(value: Any, form: str) -> str:
    """A number in print, with a true minus, and none before a zero; empty where there is none."""
    text = "" if pd.isna(value) else format(value, form)
    return text.replace("-", "−" if re.search(r"[1-9]", text) else "")


def _origin(past: pd.DataFrame) -> str:
    """One line on where recorded results come from: profile, commit, data without their hashes."""
    profiles = ", ".join(f"`{name}`" for name in past["profile"].unique())
    commits = ", ".join(f"`{commit}`" for commit in past["commit"].unique() if commit)
    keys = [part.split("@")[0].strip() for data in past["data"] for part in data.split(";")]
    data = ", ".join(f"`{key}`" for key in dict.fromkeys(filter(None, keys)))
    return (
        f"*Recorded for this edition in the profile {profiles}, not computed on this page"
        f"{f' (commit {commits})' * bool(commits)}{f'. Data: {data}' * bool(data)}.*"
    )


def _cells(table: pd.DataFrame) -> dict[tuple[Hashable, Hashable], Any]:
    return {
        (row, column): value
        for column, values in table.items()
        for row, value in zip(table.index, values)
    }


def _number(name: str, value: object) -> float | int:
    number = as_json(value)
    if not isinstance(number, numbers.Real) or not math.isfinite(number):
        raise ValueError(
            f"{name}: expected a finite number; got {number!r}. "
            "Leave out what could not be measured and say why beside the table."
        )
    return int(number) if isinstance(number, numbers.Integral) else float(number)


def _count(n: object) -> int:
    number = _number("n", n)
    if number < 0 or number != int(number):
        raise ValueError(f"n: expected a count of items; got {n!r}.")
    return int(number)


_OF_A_ROW = ("value", "low", "high", "n", "quantity", "data", "claim")


def _tidy(
    table: pd.DataFrame, quantity: str, columns: Mapping[str, str] | Iterable[str] | None
) -> list[dict[str, Any]]:
    """Each row of a table as what `record` takes, with its settings by name."""
    named = [level for level in table.index.names if level is not None]
    flat = table.reset_index(named) if named else table
    if "value" not in flat or not (quantity or "quantity" in flat):
        raise ValueError(
            "table: expected a column `value`, and `quantity` as an argument or a column; got the columns "
            f"{', '.join(map(str, flat.columns))}."
        )
    others = [name for name in flat.columns if name not in _OF_A_ROW]
    names = dict(columns) if isinstance(columns, Mapping) else {c: c for c in columns or others}
    for name in names:
        one_of("columns", name, others)
    rows = []
    for row in flat.to_dict("records"):
        said = {to: row[name] for name, to in names.items() if not _empty(row[name])}
        known = {name: None if _empty(row.get(name)) else row[name] for name in _OF_A_ROW}
        if known["n"] is not None and float(known["n"]).is_integer():
            known["n"] = int(known["n"])
        ends = {name: known[name] for name in ("low", "high", "n", "data")}
        what = {
            "quantity": known["quantity"] or quantity,
            "value": known["value"],
            "claim": known["claim"],
        }
        rows.append({**what, "ends": ends, "settings": said})
    return rows


def _empty(cell: Any) -> bool:
    return cell is None or cell is pd.NA or (isinstance(cell, float) and math.isnan(cell))


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: as_json(value) for name, value in settings.items()}
    for name, value in values.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(
                f"{name}: expected a word, a number, true or false, or a list of those as a setting; "
                f"got {value!r}."
            ) from None
    return values
