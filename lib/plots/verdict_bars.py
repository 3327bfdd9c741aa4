"""Verdicts as stacked bars, a row for each paper, in the page itself: its names are links, and it
is as wide as the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pandas as pd

from lib.checks import one_of
from lib.plots.display import csv_download, display_html
from lib.plots.search_table import mark
from lib.plots.style import VERDICT_COLOURS

_LEAST_SHARE_WITH_A_NUMBER = 0.09


def show_verdict_bars(
    counts: pd.DataFrame,
    *,
    caption: str,
    links: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    more: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Display how many results of each paper have which verdict.

    Parameters
    ----------
    counts : DataFrame
        Papers x verdicts, in the order of the rows.
    caption : str
        What is counted.
    links : mapping of str to str, optional
        Paper -> address that its name leads to.
    notes : mapping of str to str, optional
        Paper -> a few words beside its bar.
    more : mapping of str to (str, str), optional
        Paper -> words and address of a second link.

    Raises
    ------
    ValueError
        For a verdict without a colour.
    """
    for verdict in counts:
        one_of("verdict", str(verdict), list(VERDICT_COLOURS))
    verdicts = [name for name in VERDICT_COLOURS if name in counts and counts[name].any()]
    rows = "".join(
        f'<tr><th scope="row">{_link(str(paper), (links or {}).get(str(paper), ""))}</th>'
        f"<td>{_bar(str(paper), row[row > 0])}</td>"
        f'<td class="verdict-note">{escape((notes or {}).get(str(paper), ""))}'
        f"{_second_link((more or {}).get(str(paper)))}</td></tr>"
        for paper, row in counts[verdicts].iterrows()
    )
    legend = "".join(f"<li>{mark(verdict)} {counts[verdict].sum():,}</li>" for verdict in verdicts)
    display_html(
        f'<div class="verdict-bars mathjax_ignore"><ul class="verdict-legend">{legend}</ul>'
        f"<table><caption>{escape(caption)}</caption><thead><tr>"
        '<th scope="col">paper</th><th scope="col">results by verdict</th>'
        f'<th scope="col">with data here</th></tr></thead><tbody>{rows}</tbody>'
        f"</table></div>{csv_download(counts[verdicts], caption)}"
    )


def _bar(paper: str, counts: pd.Series) -> str:
    total = int(counts.sum())
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    parts = "".join(
        f'<span class="part part-{str(verdict).replace(" ", "-")}" style="flex-grow:{count}" '
        f'title="{count} {escape(str(verdict))}">'
        f"{count if count / total >= _LEAST_SHARE_WITH_A_NUMBER else ''}</span>"
        for verdict, count in counts.items()
    )
    label = f"{escape(paper)}: {escape(said)}"
    return f'<span class="verdict-bar" role="img" aria-label="{label}">{parts}</span>'


def _link(words: str, address: str) -> str:
    return f'<a href="{escape(address)}">{escape(words)}</a>' if address else escape(words)


def _second_link(link: tuple[str, str] | None) -> str:
    return f" · {_link(*link)}" if link else ""
