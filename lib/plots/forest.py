"""Printed numbers and ours on one scale, a row each: forest plots that are tables, so that words and
numbers can be read, searched and copied, and the plot is as wide as the screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

import numpy as np
import pandas as pd

from lib.plots.display import display_html
from lib.plots.search_table import mark

_POSITIONS = ("printed number", "ours", "low", "high", "null low", "null high")
# What `_static/search_table.css` does on a page, for a notebook that is open in JupyterLab, which has no such file
IN_JUPYTERLAB = (
    "<style>.jp-OutputArea .strip{position:relative;display:block;height:1.1rem;min-width:8rem;"
    "margin:0 8px;background:linear-gradient(currentcolor,currentcolor) 0 50%/100% 0.5px no-repeat}"
    ".jp-OutputArea .strip i{position:absolute;top:50%;transform:translate(-50%,-50%)}"
    ".jp-OutputArea .strip .null{height:.9rem;background:#8888;transform:translate(0,-50%)}"
    ".jp-OutputArea .strip .interval{border-top:2px solid;transform:translate(0,-50%)}"
    ".jp-OutputArea .strip .zero{height:1.5rem;border-left:1px solid}"
    ".jp-OutputArea .strip .printed{width:9px;height:9px;border:1.5px solid;"
    "transform:translate(-50%,-50%) rotate(45deg)}"
    ".jp-OutputArea .strip .ours{width:5px;height:5px;border-radius:50%;background:currentcolor}"
    ".jp-OutputArea .strip-ends{display:flex;justify-content:space-between;gap:1rem}</style>"
)


def show_forests(
    tables: Mapping[str, pd.DataFrame], summaries: Mapping[str, str], *, title: str
) -> None:
    """Display the tables of one paper, each folded.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Title -> rows, as `forest` takes them, with a column neutral: where a thin line stands.
    summaries : mapping of str to str
        Title -> a sentence that reads the table.
    title : str
        The paper.
    """
    parts = [
        forest(rows, title=name, summary=summaries[name], neutral=float(rows["neutral"].iloc[0]))
        for name, rows in tables.items()
    ]
    display_html(f'<h3 class="forest-paper">{escape(title)}</h3>{IN_JUPYTERLAB}{"".join(parts)}')


def forest(rows: pd.DataFrame, *, title: str, summary: str, neutral: float | None = None) -> str:
    """One folded table with a scale beside each row: an open diamond where the paper prints, a dot
    for ours, a thin bar for our interval, a grey band for what chance gives.

    Parameters
    ----------
    rows : DataFrame
        Columns subject, printed, run and verdict as text; printed number, ours, low, high, null
        low and null high as numbers in one unit, NaN where there is none (the last four may be
        missing).
    title : str
        What the table is, always seen.
    summary : str
        A sentence that reads it, always seen.
    neutral : float, optional
        Where a thin line stands, if it lies on the scale; NaN for none.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> row = {"subject": "job", "printed": "1.2", "run": "1.2", "verdict": "reproduced"}
    >>> rows = pd.DataFrame([{**row, "printed number": 1.2, "ours": 1.22}])
    >>> html = forest(rows, title="Table 1", summary="One cell.")
    >>> html.count('class="printed"'), html.count('class="ours"')
    (1, 1)
    """
    places, (least, most) = strip(rows, neutral)
    shared, subjects = without_what_all_share(rows["subject"])
    body = "".join(
        f'<tr><th scope="row">{escape(subject)}</th>'
        f'<td class="number">{escape(str(row["printed"]))}</td>'
        f'<td class="number">{escape(str(row["run"]))}</td>'
        f'<td class="scale">{marks}</td>'
        f"<td>{mark(str(row['verdict']))}</td></tr>"
        for subject, row, marks in zip(subjects, rows.to_dict("records"), places)
    )
    said = f'<p class="forest-shared">All: {escape(shared)}</p>' if shared else ""
    return (
        f'<details class="forest mathjax_ignore"><summary><strong>{escape(title)}</strong> '
        f"{escape(summary)}</summary>{said}<table><thead><tr>"
        '<th scope="col">what</th><th scope="col">◇ printed</th><th scope="col">● ours</th>'
        f'<th scope="col">{scale_ends(least, most)}</th>'
        f'<th scope="col">verdict</th></tr></thead><tbody>{body}</tbody></table></details>'
    )


def strip(
    rows: pd.DataFrame, neutral: float | None = None
) -> tuple[list[str], tuple[float, float]]:
    """The marks of each row on one scale, as HTML, and the ends of the scale.

    Parameters
    ----------
    rows : DataFrame
        Columns printed number, ours, low, high, null low and null high, as in `forest`.
    neutral : float, optional
        Where a thin line stands.

    Examples
    --------
    >>> marks, ends = strip(pd.DataFrame({"printed number": [0.0, 1.0], "ours": [0.0, 0.5]}))
    >>> len(marks), ends
    (2, (-0.04, 1.04))
    """
    numbers = rows[[name for name in _POSITIONS if name in rows]].astype(float)
    least, most = _ends(numbers)
    share = (numbers - least) / (most - least)
    zero = ""
    if neutral is not None and least <= neutral <= most:
        zero = f'<i class="zero" style="left:{(neutral - least) / (most - least):.2%}"></i>'
    marks = [
        f'<span class="strip" aria-hidden="true">{zero}{_marks(place)}</span>'
        for place in share.to_dict("records")
    ]
    return marks, (least, most)


def scale_ends(least: float, most: float) -> str:
    """The numbers at the ends of a scale, as HTML."""
    return (
        f'<span class="strip-ends"><span>{_short(least)}</span><span>{_short(most)}</span></span>'
    )


def without_what_all_share(subjects: Iterable[str]) -> tuple[str, list[str]]:
    """The words that all rows have in common, and the others row by row."""
    parts = [re.split(r" · |, (?=[\w -]+: )", subject) for subject in subjects]
    common = [part for part in parts[0] if all(part in row for row in parts)]
    if len(parts) == 1:
        return "", [" · ".join(parts[0])]
    own = [" · ".join(part for part in row if part not in common) for row in parts]
    return " · ".join(common), own


def _ends(numbers: pd.DataFrame) -> tuple[float, float]:
    """The ends of the scale: all numbers and a little room, also where they are all the same."""
    values = numbers.to_numpy(float)
    values = values[np.isfinite(values)]
    least, most = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    room = 0.04 * (most - least) or max(abs(most), 1.0) * 0.1
    return float(least - room), float(most + room)


def _marks(place: Mapping[str, float]) -> str:
    """What stands on the scale of one row, from the back to the front."""
    spans = (("null", "null low", "null high"), ("interval", "low", "high"))
    behind = "".join(
        f'<i class="{name}" style="left:{place[low]:.2%};width:{place[high] - place[low]:.2%}"></i>'
        for name, low, high in spans
        if np.isfinite(place.get(low, np.nan)) and np.isfinite(place.get(high, np.nan))
    )
    front = "".join(
        f'<i class="{name}" style="left:{place[column]:.2%}"></i>'
        for name, column in (("printed", "printed number"), ("ours", "ours"))
        if np.isfinite(place.get(column, np.nan))
    )
    return behind + front


def _short(number: float) -> str:
    text = f"{number:,.0f}" if abs(number) >= 100 else f"{number:.2g}"
    return text.replace("-", "−")
