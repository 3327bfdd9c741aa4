"""Results of a chapter, written down once: what was measured, on what, and which printed claim it answers."""

from __future__ import annotations

import html
import json
import math
import numbers
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from lib.files import write_whole
from lib.ledger.claims import Printed, did_you_mean, find_claim, load_claims
from lib.ledger.results import RESULT_COLUMNS, gather, read_results, recorded_results, to_csv
from lib.ledger.verdicts import VERDICTS, Headline, Verdict, card, compare, headline, verdict
from lib.profiles import PROFILES
from lib.slug import as_json, slug

__all__ = [
    "PROFILES",
    "RESULT_COLUMNS",
    "VERDICTS",
    "Headline",
    "Ledger",
    "Saved",
    "Verdict",
    "gather",
    "headline",
    "load_claims",
    "read_results",
    "recorded_results",
    "report_card",
    "verdict",
]


class Ledger:
    """The results of one chapter run with one set of parameters.

    `record` takes a number down (and gives it back), `comparison` sets it beside what the paper prints, `save` writes
    the file that the report card reads. `data` is the source of the vectors or texts, as in `Embedding.source`; it can
    be given again for a single result.
    """

    def __init__(
        self,
        chapter: str,
        profile: str = "embedded",
        parameters: Mapping | None = None,
        data: str = "",
    ):
        if profile not in PROFILES:
            raise ValueError(
                f"profile: expected one of {', '.join(PROFILES)}; got {profile!r}. "
                "The `parameters` cell of the chapter sets it."
            )
        if not re.fullmatch(r"[a-z0-9_]+", chapter):
            raise ValueError(
                f"chapter: expected the notebook's name in small letters, digits and _; got {chapter!r}."
            )
        self.chapter, self.profile, self.data = chapter, profile, data
        self.parameters = dict(parameters or {})
        self._rows: dict[tuple, dict] = {}

    def record(
        self,
        quantity: str,
        value,
        claim: str | Iterable[str] | None = None,
        low=None,
        high=None,
        n: int | None = None,
        data: str | None = None,
        **settings,
    ):
        """Take one number down and return it.

        value : a finite number, in plain units: a share as a fraction, a count as a count; the ledger converts to the
            unit a claim is printed in, and a claim's own sign and order of poles are kept by the caller.
        claim : the id of the printed number this answers, or several; None for a number no paper prints.
        low, high : the ends of a 95 % interval.   n : how many items went in.   data : where this one came from.
        settings : whatever else tells this result from its neighbours. `method` and `seed_values` are read by the
            verdict on a claim that is itself random.
        Raises ValueError for a number that is not finite, an interval upside down, an unknown claim, or a result
        taken down twice; nothing is recorded then.
        """
        number = _number("value", value)
        row = {
            "chapter": self.chapter,
            "profile": self.profile,
            "quantity": _name(quantity),
            "value": number,
            "low": _number("low", low),
            "high": _number("high", high),
            "n": _count(n),
            "settings": json.dumps(_settings(settings), sort_keys=True, ensure_ascii=False),
            "data": self.data if data is None else str(data),
        }
        if number is None:
            raise ValueError(f"{quantity}: expected a number as value; got None.")
        if row["low"] is not None and row["high"] is not None and row["low"] > row["high"]:
            raise ValueError(
                f"{quantity}: expected low <= high; got low={low}, high={high}. Swap them?"
            )
        new = {
            (row["quantity"], one, row["settings"]): {**row, "claim_id": one}
            for one in _claim_ids(claim)
        }
        for key in new:
            if key in self._rows:
                raise ValueError(
                    f"{quantity}: expected each result once; got a second one with the same settings "
                    f"{key[2]} and claim {key[1] or '(none)'}. Add a setting that tells them apart."
                )
        self._rows.update(new)
        return value

    def record_claim(
        self,
        quantity: str,
        value,
        *,
        paper: str,
        location: str = "",
        metric: str = "",
        low=None,
        high=None,
        n: int | None = None,
        **settings,
    ) -> float:
        """Take one number down as the answer to a claim found by what it is about, and return the printed number.

        paper, location, metric, and in settings system, dataset or any word of the claim's own `setting` (such as
        base_pair="she-he") must single out one claim; see `lib.ledger.claims.find_claim`. Where the paper prints nothing of
        the kind the number is taken down without a claim and NaN returned. The printed number comes in plain units.
        """
        claim = find_claim(paper, location=location, metric=metric, **settings)
        self.record(quantity, value, claim=claim, low=low, high=high, n=n, **settings)
        return Printed.of(load_claims().loc[claim]).plain if claim else math.nan

    def record_table(
        self,
        quantity: str,
        table: pd.DataFrame,
        *,
        paper: str,
        location: str,
        metric: str = "",
        n: int | None = None,
        **settings,
    ) -> pd.DataFrame:
        """Take a whole table down, cell by cell with `record_claim`: columns are systems, rows are base pairs.

        A last row with the mean over the rows is added, as papers print it, and the table returned with it. With a
        `metric` the table has one row, which is about no base pair, and nothing is added.
        """
        if not metric:
            table = pd.concat([table, table.mean().to_frame(f"mean over {len(table)}").T])
        for label, row in table.iterrows():
            of_row = {} if metric else {"base_pair": label}
            for system, value in row.items():
                if pd.notna(value):
                    self.record_claim(
                        quantity,
                        value,
                        paper=paper,
                        location=location,
                        metric=metric,
                        n=n,
                        system=system,
                        **of_row,
                        **settings,
                    )
        return table

    def rows(self) -> pd.DataFrame:
        """Everything recorded so far, in the order of the file."""
        return pd.DataFrame(
            [self._rows[key] for key in sorted(self._rows)], columns=RESULT_COLUMNS, dtype=object
        )

    def comparison(self) -> pd.DataFrame:
        """Paper against run: each recorded claim with the printed number, ours beside it, and the verdict."""
        return compare(self.rows())

    def save(self) -> Saved:
        """Write the results where BIASBOOK_RESULTS points, whole or not at all; without it write nothing and say so."""
        folder = os.environ.get("BIASBOOK_RESULTS")
        name = f"{self.chapter}--{slug(self.parameters)}.csv"
        if not folder:
            return Saved(None, name, len(self._rows))
        return Saved(write_whole(Path(folder) / name, to_csv(self.rows())), name, len(self._rows))

    def _repr_html_(self) -> str:
        cells = {"profile": self.profile, **self.parameters}
        lines = "".join(
            f"<tr><td><code>{html.escape(name)}</code></td>"
            f"<td><code>{html.escape(json.dumps(as_json(value), ensure_ascii=False))}</code></td></tr>"
            for name, value in cells.items()
        )
        return f"<table><thead><tr><th>parameter</th><th>this run</th></tr></thead><tbody>{lines}</tbody></table>"

    def __repr__(self) -> str:
        cells = {"profile": self.profile, **self.parameters}
        return f"Ledger of {self.chapter}: " + ", ".join(f"{k}={v!r}" for k, v in cells.items())


class Saved(os.PathLike):
    """What `Ledger.save` did: `path` is the file written, or None; false when nothing was written."""

    def __init__(self, path: Path | None, name: str, rows: int):
        self.path, self.name, self.rows = path, name, rows

    def __bool__(self) -> bool:
        return self.path is not None

    def __fspath__(self) -> str:
        if self.path is None:
            raise TypeError(
                "the results were not saved, so there is no path: BIASBOOK_RESULTS is not set."
            )
        return str(self.path)

    def __repr__(self) -> str:
        if self.path is None:
            return (
                f"{self.rows} results, not saved: BIASBOOK_RESULTS is not set; `python -m lib.run` sets it "
                f"and keeps them as {self.name}."
            )
        return f"{self.rows} results saved as {self.name}."


def report_card(results: pd.DataFrame | str | os.PathLike) -> pd.DataFrame:
    """Every printed claim with its verdict, from a table of results or the folder that holds them.

    Columns: paper, claim_id, location, kind, chapter, what, printed, run, interval, verdict, basis, profile, reason.
    """
    return card(results if isinstance(results, pd.DataFrame) else read_results(results))


def _claim_ids(claim: str | Iterable[str] | None) -> list[str]:
    ids = [""] if claim is None else [claim] if isinstance(claim, str) else list(claim)
    if claim is not None:
        known = load_claims().index
        for one in ids:
            if one not in known:
                raise ValueError(
                    f"claim: expected the id of a claim in data/claims; got {one!r}. "
                    f"{did_you_mean(one, known)}"
                )
    return ids


def _name(quantity: str) -> str:
    if not isinstance(quantity, str) or not quantity.strip():
        raise ValueError(f"quantity: expected a short name of what was measured; got {quantity!r}.")
    return quantity


def _number(name: str, value) -> float | int | None:
    value = as_json(value)
    if value is None:
        return None
    if not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(
            f"{name}: expected a finite number; got {value!r}. "
            "Leave out what could not be measured and say why beside the table."
        )
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _count(n) -> int | None:
    n = _number("n", n)
    if n is not None and (n < 0 or n != int(n)):
        raise ValueError(f"n: expected a count of items; got {n!r}.")
    return None if n is None else int(n)


def _settings(settings: Mapping) -> dict:
    plain = {name: as_json(value) for name, value in settings.items()}
    for name, value in plain.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError(
                f"{name}: expected a word, a number, true or false, or a list of those as a setting; "
                f"got {value!r}."
            ) from None
    return plain
