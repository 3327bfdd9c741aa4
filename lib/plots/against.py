"""Paper against run: what a paper prints (◇) and what came out (●), a row each, on one scale, with
the verdict and its reason beside; first what was computed on the paper's own data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.plots.display import csv_download
from lib.plots.forest import IN_JUPYTERLAB, scale_ends, strip, without_what_all_share
from lib.plots.search_table import mark

_COLUMNS = ("claim_id", "location", "what", "paper", "run", "interval", "verdict", "reason")
_SECTIONS = {
    "own": "On the paper's own data, in this run or as recorded",
    "released": "Read from the authors' files, not computed again",
    "elsewhere": "On other data than the paper's",
}
_ROWS_OPEN = 24  # as many as a reader takes in; the tables after them are folded
_NUMBER = re.compile(r"[-−]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_IN_WORDS = {
    r"^abs ": "size of ",
    r"^n ": "number of ",
    r"^(max|min|mean|std) n ": r"\1 number of ",
    r"\bstd ": "standard deviation of ",
    r"\bmax ": "largest ",
    r"\bmin ": "smallest ",
    r"\bge 1sd\b": "of 1 standard deviation or more",
    r"\bfleiss kappa\b": "Fleiss' kappa",
    r"\bcohen kappa\b": "Cohen's kappa",
    r"\bp value\b": "p-value",
    r"\bn words: ": "words: ",
    r"\b(weat|seat|ripa|mac|tgbi|bleu|lpbs)\b": lambda found: found[0].upper(),
    r"\bbert\b": "BERT",
}


def show_against(rows: pd.DataFrame, *, caption: str = "Paper against run") -> None:
    """Display printed numbers beside ours, table by table of the paper, each row with its verdict.

    What was computed on the paper's data comes first, then what was read from the authors' files,
    then what came out on other data; the last two are folded. The file to download has all rows,
    with the ids of their claims.

    Parameters
    ----------
    rows : DataFrame
        From ``ledger.comparison(recorded=True)``: columns claim_id, location, what, paper, run,
        interval, verdict, basis, reason, one row a printed number.
    caption : str
        Names the file to download.

    Raises
    ------
    ValueError
        Where a column is missing.

    Examples
    --------
    >>> row = {"claim_id": "a.1", "location": "Table 2", "what": "fleiss kappa · RIPA"}
    >>> row |= {"paper": "0.42", "run": "0.41", "interval": "", "basis": "recomputed"}
    >>> row |= {"verdict": "differs", "reason": "0.41 against 0.42"}
    >>> html = against(pd.DataFrame([row]), caption="Paper against run")
    >>> "On the paper's own data" in html, "Fleiss&#x27; kappa · RIPA" in html
    (True, True)
    """
    from IPython.display import display

    for column in (*_COLUMNS, "basis"):
        one_of("column", column, list(rows.columns))
    display(
        {"text/html": against(rows, caption=caption), "text/plain": _as_text(rows, caption)},
        raw=True,
    )


def against(rows: pd.DataFrame, *, caption: str) -> str:
    """What `show_against` displays, as HTML."""
    if rows.empty:
        return (
            '<div class="not-measured"><strong>No printed number is judged here:</strong> this run '
            "is on other data than the paper's, and no run on those was recorded.</div>"
        )
    rows = rows.assign(section=_sections(rows), what=rows["what"].map(_in_words))
    parts = []
    for section, title in _SECTIONS.items():
        part = rows[rows["section"] == section]
        if part.empty:
            continue
        tables = "".join(_tables(part))
        said = f"<strong>{title}</strong>: {_counts(part['verdict'])}"
        if section == "own" or len(part) == len(rows):
            parts.append(f'<p class="against-section">{said}.</p>{tables}')
        else:
            parts.append(
                f'<details class="against-section"><summary>{said}</summary>{tables}</details>'
            )
    key = (
        '<p class="against-key">◇ what the paper prints · ● what came out, with its interval where '
        "there is one. Each quantity has a scale of its own.</p>"
    )
    data = csv_download(rows.drop(columns="section"), caption, of="comparison")
    return f'<div class="against mathjax_ignore">{IN_JUPYTERLAB}{key}{"".join(parts)}{data}</div>'


def _sections(rows: pd.DataFrame) -> np.ndarray:
    """Whose data a row stands on: a key of `_SECTIONS`."""
    released = rows["basis"].eq("as released")
    elsewhere = rows["verdict"].str.endswith("elsewhere") | rows["basis"].eq("other")
    return np.select([released, elsewhere], ["released", "elsewhere"], "own")


def _tables(rows: pd.DataFrame) -> Iterator[str]:
    """A table for each place of the paper, folded after the first rows."""
    shown = 0
    for location, part in rows.groupby("location", sort=False):
        opened = " open" if shown == 0 or shown + len(part) <= _ROWS_OPEN else ""
        shown += len(part)
        yield (
            f'<details class="forest"{opened}><summary><strong>{escape(str(location))}</strong> '
            f"{_counts(part['verdict'])}</summary>{_table(part)}</details>"
        )


def _table(rows: pd.DataFrame) -> str:
    reasons = rows["reason"].astype(bool).any()
    why = '<th scope="col">why</th>' if reasons else ""
    quantities = rows["what"].str.partition(" · ")[0]
    bodies = "".join(
        _quantity(part, str(quantity), reasons)
        for quantity, part in rows.groupby(quantities, sort=False)
    )
    return (
        f'<table class="{"with-reasons" if reasons else "without-reasons"}"><thead><tr>'
        '<th scope="col">what</th><th scope="col" class="number">◇ printed</th>'
        '<th scope="col" class="number">● ours</th><th scope="col">scale</th>'
        f'<th scope="col">verdict</th>{why}</tr></thead>{bodies}</table>'
    )


def _quantity(rows: pd.DataFrame, quantity: str, reasons: bool) -> str:
    """The rows of one quantity, under its name and the ends of its scale."""
    numbers = pd.DataFrame(
        {
            "printed number": rows["paper"].map(_number),
            "ours": rows["run"].map(_number),
            "low": rows["interval"].map(lambda text: _number(text.partition(" to ")[0])),
            "high": rows["interval"].map(lambda text: _number(text.partition(" to ")[2])),
        },
        dtype=float,
    )
    places, ends = strip(numbers)
    printed, ours = (rows[column].map(_without_unit) for column in ("paper", "run"))
    units = rows["paper"].map(_unit)
    about = rows["what"].str.removeprefix(f"{quantity} · ").where(rows["what"] != quantity, "")
    shared, subjects = without_what_all_share(about)
    if len(rows) == 1:
        subjects = [
            " · ".join(filter(None, [quantity, shared, *subjects, *_named(units, quantity)]))
        ]
    heading = " · ".join(map(escape, filter(None, [shared, *_named(units, quantity)])))
    heading = f"<strong>{escape(quantity)}</strong>{' · ' if heading else ''}{heading}"
    lines = "".join(
        f'<tr><th scope="row">{escape(subject or quantity)}</th>'
        f'<td class="number">{_shown(paper)}</td><td class="number">{_shown(run)}</td>'
        f'<td class="scale">{marks}</td><td>{mark(str(row["verdict"]))}</td>'
        f"{_reason(row['reason']) if reasons else ''}</tr>"
        for subject, paper, run, row, marks in zip(
            subjects, printed, ours, rows.to_dict("records"), places
        )
    )
    last = f'<td colspan="{1 + reasons}"></td>'
    head = (
        f'<tr class="quantity"><th scope="rowgroup" colspan="3">{heading}</th>'
        f'<td class="scale">{scale_ends(*ends)}</td>{last}</tr>'
    )
    return f"<tbody>{head if len(rows) > 1 else ''}{lines}</tbody>"


def _reason(text: str) -> str:
    return f"<td>{escape(_true_minus(text))}</td>"


def _as_text(rows: pd.DataFrame, caption: str) -> str:
    """The same, without a scale, for a reader that shows no HTML."""
    lines = [f"{caption}: {_counts(rows['verdict']) or 'no printed number is judged'}"]
    sections = _sections(rows)
    for section, title in _SECTIONS.items():
        part = rows[sections == section]
        lines += [title] if len(part) else []
        for row in part.to_dict("records"):
            reason = f" ({row['reason']})" if row["reason"] else ""
            lines.append(
                f"{row['location']} · {_in_words(row['what'])}: printed {row['paper']}, "
                f"ours {row['run']}: {row['verdict']}{reason}"
            )
    return "\n".join(lines)


def _counts(verdicts: Iterable[str]) -> str:
    counts = pd.Series(list(verdicts), dtype=str).value_counts()
    return ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())


def _in_words(what: str) -> str:
    for pattern, words in _IN_WORDS.items():
        what = re.sub(pattern, words, what)
    return what


def _number(text: str) -> float:
    """The first number in a text, NaN where there is none."""
    found = _NUMBER.search(str(text))
    return float(found[0].replace("−", "-").replace(",", "")) if found else float("nan")


def _unit(text: str) -> str:
    """The words behind a number; "" for a percent sign, which stays with it."""
    unit = text[found.end() :].strip() if (found := _NUMBER.search(text)) else ""
    return "" if unit == "%" else unit


def _without_unit(text: str) -> str:
    return text.removesuffix(_unit(text)).rstrip()


def _named(units: pd.Series, quantity: str) -> list[str]:
    """The unit of some rows, where there is one that the quantity does not say itself."""
    return [f"in {unit}" for unit in units.unique() if unit and unit not in quantity]


def _shown(text: str) -> str:
    """A number as a page shows it: a true minus, thousands in groups."""
    return escape(
        _true_minus(re.sub(r"(?<![\d.])\d{4,}(?!\.)", lambda found: f"{int(found[0]):,}", text))
    )


def _true_minus(text: str) -> str:
    return re.sub(r"(?<![\w.-])-(?=\.?\d)", "−", text)
