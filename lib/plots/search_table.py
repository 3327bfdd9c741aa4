"""Tables that are searched, filtered and sorted in the page, on a disk as well as on a server.

A short table stands in the page as it is. The rows of a long one are a script of their own, which a
browser loads from file:// too. `_static/search_table.js` shows some of them at a time; where no
script runs, there are the first rows and the files to download.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from lib.checks import one_of
from lib.files import spreadsheet_csv

FOLDER = "../_static/files"  # of the files that a chapter offers, seen from its page
_ROWS_WITHOUT_A_SCRIPT = 20
_PACKED_FROM = 500_000  # characters from which the table to download is in a zip file


def show_search_table(
    rows: pd.DataFrame,
    *,
    name: str,
    caption: str,
    hidden: Sequence[str] = (),
    filters: Sequence[str] = (),
    wide: Sequence[str] = (),
    marked: str = "",
    links: Mapping[str, Mapping[str, str]] | None = None,
    per_page: int = 50,
    files: Mapping[str, str] | None = None,
) -> None:
    """Display a long table, its rows and its files beside the page.

    Parameters
    ----------
    rows : DataFrame
        Text in printed form, "" where there is nothing. A categorical column is sorted in the order
        of its categories, any other one as numbers, then as text.
    name : str
        Identifies the table in the book and names its files; a large one is offered as NAME.csv.zip.
    caption : str
        What the table is.
    hidden : sequence of str
        Columns that are searched and saved but not shown.
    filters : sequence of str
        Columns with few values, which get a list to choose from.
    wide : sequence of str
        Columns of running text.
    marked : str
        The column of verdicts, which get a square in their colour.
    links : mapping of str to mapping of str to str, optional
        Column -> value -> address that the value leads to.
    per_page : int
        Rows shown at a time.
    files : mapping of str to str, optional
        Further files to download, by name, with their content.

    Raises
    ------
    ValueError
        For a column that the table does not have.
    """
    from IPython.display import display

    columns = _columns(rows, hidden, filters, wide, marked, links or {})
    content = {"columns": [{**column, **_coded(rows[column["name"]])} for column in columns]}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    script = f"(window.searchTables=window.searchTables||{{}})[{json.dumps(name)}]={text};\n"
    saved = spreadsheet_csv(rows.to_csv(index=False, lineterminator="\n"))
    packed = ".zip" if len(saved) > _PACKED_FROM else ""
    offered = {f"{name}.csv{packed}": saved, **(files or {})}
    downloads = " · ".join(
        f'<a href="{FOLDER}/{escape(file)}" download>{escape(file)}</a>' for file in offered
    )
    shown = [column for column in columns if not column["hidden"]]
    frame = _frame(rows.head(_ROWS_WITHOUT_A_SCRIPT), shown, name, caption, per_page)
    html = (
        f'{frame}<p class="search-table-files">All {len(rows):,} rows: {downloads}</p>'
        f'<script src="{FOLDER}/{escape(name)}.js"></script>'
    )
    display(
        {"text/html": html, "text/plain": caption},
        raw=True,
        metadata={"site_files": {f"{name}.js": script, **offered}},
    )


def search_table(
    rows: pd.DataFrame,
    *,
    name: str,
    caption: str = "",
    hidden: Sequence[str] = (),
    filters: Sequence[str] = (),
    wide: Sequence[str] = (),
    marked: str = "",
    per_page: int = 10,
) -> str:
    """A short table, with all of its rows in the page.

    Parameters
    ----------
    rows, name, caption, hidden, filters, wide, marked, per_page
        As in `show_search_table`.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    ValueError
        For a column that the table does not have.

    Examples
    --------
    >>> html = search_table(pd.DataFrame({"word": ["nurse", "judge"]}), name="words")
    >>> html.count("<tr>")
    3
    """
    columns = _columns(rows, hidden, filters, wide, marked, {})
    return _frame(rows, columns, name, caption, per_page)


def mark(value: str) -> str:
    """A verdict behind a square in its colour, as HTML.

    Examples
    --------
    >>> mark("as released")
    '<span class="verdict-mark mark-as-released">as released</span>'
    """
    return f'<span class="verdict-mark mark-{value.replace(" ", "-")}">{escape(value)}</span>'


def _columns(
    rows: pd.DataFrame,
    hidden: Sequence[str],
    filters: Sequence[str],
    wide: Sequence[str],
    marked: str,
    links: Mapping[str, Mapping[str, str]],
) -> list[dict[str, object]]:
    """What the page and the script say of each column."""
    named = [*hidden, *filters, *wide, *filter(None, [marked]), *links]
    for column in named:
        one_of("column", column, list(rows.columns))
    return [
        {
            "name": column,
            "hidden": column in hidden,
            "filter": column in filters,
            "wide": column in wide,
            "mark": column == marked,
            "links": dict(links.get(column, {})),
        }
        for column in rows.columns
    ]


def _coded(values: pd.Series) -> dict[str, object]:
    """A column as its distinct values and the place of each cell among them."""
    ordered = isinstance(values.dtype, pd.CategoricalDtype)
    codes, distinct = (
        (values.cat.codes, values.cat.categories) if ordered else pd.factorize(values.astype(str))
    )
    return {
        "ordered": ordered,
        "values": [str(value) for value in distinct],
        "codes": [int(code) for code in codes],
    }


def _frame(
    rows: pd.DataFrame,
    columns: Sequence[Mapping[str, object]],
    name: str,
    caption: str,
    per_page: int,
) -> str:
    """The table as it stands in the page."""
    head = "".join(
        f'<th scope="col"{" data-filter" if column["filter"] else ""}'
        f"{' hidden' if column['hidden'] else ''}>{escape(str(column['name']))}</th>"
        for column in columns
    )
    body = "".join(
        f"<tr>{''.join(_cell(column, row[column['name']]) for column in columns)}</tr>"
        for row in rows.to_dict("records")
    )
    said = escape(caption or name.replace("-", " "))
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="search-table mathjax_ignore" id="{escape(name)}-table" data-name="{escape(name)}" data-per-page="{per_page}">'
        f'<div class="search-table-frame" tabindex="0" role="region" aria-label="{said}">'
        f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></div>"
    )


def _cell(column: Mapping[str, object], value: object) -> str:
    look = ' class="wide"' if column["wide"] else " hidden" if column["hidden"] else ""
    text = "" if value is None or value != value else str(value)
    content = mark(text) if column["mark"] and text else escape(text)
    return f'<td{look} data-label="{escape(str(column["name"]))}">{content}</td>'
