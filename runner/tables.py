"""Tables of results as a page shows them.

pandas writes tables for every use; a page wants more: text on the left and numbers on the right,
headers that say what they head, one row of headers, a true minus, and a dash where there is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from runner.typography import SIGN

_NUMBER = re.compile(
    r"""[<>≤≥≈~±+(\[\s]*          # a relation, a sign, an opening bracket
        [-−]?(\d[\d,]*\.?\d*|\.\d+)(e[-+−]?\d+)?
        \s*(%|‰|points?|nats|words?|pairs?|seeds?)?
        (\s*(to|of|in|and|±|[-–−/:;,(])\s*[-−+]?(\d[\d,]*\.?\d*|\.\d+)(e[-+−]?\d+)?\s*%?)*
        [)\]\s*]*""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[-−]?\d+(\.\d+)?(e[-+]\d+)?")
_NOTHING = {"nan", "NaN", "None", "NaT", "<NA>"}
_P = re.compile(r"p|p[-_ ]value|p, .*")
_NOT_GROUPED = re.compile(r"\b(year|seed|id|commit)s?\b")


def tidy_tables(html: str, title: str = "") -> str:
    """An output with its tables made fit for a page; anything else is left as it is.

    Parameters
    ----------
    html : str
        An output of a cell.
    title : str
        What a table without a caption is about, for readers who hear it: the heading above.

    Returns
    -------
    str

    Notes
    -----
    Columns of numbers are marked ``number`` and others ``text``, for the style sheet. A hyphen
    before a digit becomes a minus, a p-value below .001 is said so and others lose their leading
    zero, five digits and more are grouped, and a missing value is a dash that the caption explains.
    Values are never rounded.

    Examples
    --------
    >>> html = "<table><thead><tr><th></th><th>d</th></tr></thead>"
    >>> html += "<tbody><tr><th>nurse</th><td>-0.2</td></tr></tbody></table>"
    >>> tidy = tidy_tables(html)
    >>> '<th class="number" scope="col">d</th>' in tidy, '<th scope="row">nurse</th>' in tidy
    (True, True)
    >>> '<td class="number">−0.2</td>' in tidy
    True
    """
    if "<table" not in html or "<th" not in html or "data-tidy" in html or "search-table" in html:
        return html
    soup = BeautifulSoup(html, "html.parser")
    for table in soup.find_all("table"):
        if table.find("th", scope=True) is None:
            _tidy(table, title)
    return str(soup)


def _tidy(table: Tag, title: str) -> None:
    head = table.find("thead")
    headers = head.find_all("tr") if head else []
    if len(headers) > 1:
        _names_into_the_row_above(headers)
    _without_what_nobody_reads(table)
    rows = [row for body in table.find_all("tbody") for row in body.find_all("tr")]
    labels = max((len(row.find_all("th")) for row in rows), default=0)
    columns = list(zip(*_rectangle([row.find_all("td") for row in rows])))
    names = _column_names(table, len(columns))
    missing = False
    for cells, name in zip(columns, names):
        missing |= _format(list(cells), name)
    kinds = [_kind(list(cells)) for cells in columns]
    for cells, kind in zip(columns, kinds):
        for cell in cells:
            _mark(cell, kind)
    for row in rows:
        for heading in row.find_all("th"):
            _say(heading, "row", "rowspan")
    for row in table.select("thead tr"):
        for place, heading in _places(row):
            _say(heading, "col", "colspan")
            below = (
                kinds[place - labels : place - labels + _span(heading)] if place >= labels else []
            )
            group = heading.get("scope") == "colgroup"
            number = bool(below) and set(below) == {"number"}
            _mark(heading, "group" if group else "number" if number else "text")
    _caption(table, title, missing)


def _names_into_the_row_above(headers: list[Tag]) -> None:
    """pandas gives the names of an index a header row of their own: they go into the empty corner
    of the row above.
    """
    last, above = headers[-1], headers[-2]
    cells = last.find_all(["th", "td"])
    named = [cell for cell in cells if cell.get_text(strip=True)]
    corner = above.find_all(["th", "td"])
    filled = [cell for cell in cells[len(named) :] if cell.get_text(strip=True)]
    if filled or not named or len(named) == len(cells) or named != cells[: len(named)]:
        return
    if _span(corner[0]) == len(named) > 1:  # one corner over several labels
        corner[0].replace_with(*named)
    elif len(corner) > len(named) and all(_span(cell) == 1 for cell in corner[: len(named)]):
        for cell, name in zip(corner, named):
            cell.replace_with(name)
    else:
        return
    last.decompose()


def _without_what_nobody_reads(table: Tag) -> None:
    """The ids and classes that pandas gives to every cell, unless a style refers to them, and the
    names of identifiers.
    """
    styled = any("#" in style.get_text() for style in table.find_parents()[-1].find_all("style"))
    for cell in table.find_all(["th", "td"]):
        if not styled:
            for name in ("id", "class"):
                cell.attrs.pop(name, None)
        text = cell.get_text(strip=True)
        if cell.name == "th" and re.fullmatch(r"[A-Za-z]+(_[A-Za-z0-9]+)+", text):
            cell.string = text.replace("_", " ")
    for row in table.find_all("tr"):
        row.attrs.pop("style", None)
    table.attrs.pop("border", None)


def _rectangle(rows: list[list[Tag]]) -> list[list[Tag]]:
    """The rows that have all cells: others span several columns and belong to none."""
    width = max(map(len, rows), default=0)
    return [row for row in rows if len(row) == width]


def _places(row: Tag) -> Iterator[tuple[int, Tag]]:
    """The cells of a row with the column in which each begins."""
    place = 0
    for cell in row.find_all(["th", "td"]):
        yield place, cell
        place += _span(cell)


def _span(cell: Tag, along: str = "colspan") -> int:
    return int(str(cell.get(along, "1")))


def _column_names(table: Tag, count: int) -> list[str]:
    headers = table.select("thead tr")
    names = (
        [cell.get_text(strip=True) for cell in headers[-1].find_all(["th", "td"])]
        if headers
        else []
    )
    return names[-count:] if count and len(names) >= count else [""] * count


def _say(heading: Tag, way: str, along: str) -> None:
    """What a header heads; an empty one heads nothing."""
    if not heading.get_text(strip=True).replace("\xa0", ""):
        heading.name = "td"
    elif heading.name == "th":
        heading["scope"] = f"{way}group" if _span(heading, along) > 1 else way


def _format(cells: list[Tag], name: str) -> bool:
    """Give the cells of a column one form; whether any of them has no value."""
    texts = [cell.get_text(strip=True) for cell in cells]
    whole = [text for text in texts if re.fullmatch(r"[-−]?\d+", text)]
    large = any(len(text.lstrip("-−")) > 4 for text in whole) and not _NOT_GROUPED.search(name)
    missing = False
    for cell, text in zip(cells, texts):
        if text in _NOTHING:
            cell.string, missing = "–", True
        elif _P.fullmatch(name) and _PLAIN.fullmatch(text):
            cell.string = _p_value(text)
        elif large and text in whole:
            cell.string = f"{int(text.replace('−', '-')):,}".replace("-", "−")
        elif re.fullmatch(r"[-−+]0(\.0+)?\s*%?", text):
            cell.string = text[1:]
        elif "-" in text:
            for words in cell.find_all(string=SIGN):
                if words.find_parent(["code", "a"]) is None:
                    words.replace_with(SIGN.sub("−", words))
    return missing


def _p_value(text: str) -> str:
    value = float(text.replace("−", "-"))
    if 0 <= value < 0.001:
        return "< .001"
    return text.replace("0.", ".", 1) if text.startswith("0.") else text


def _mark(cell: Tag, name: str) -> None:
    classes = [str(known) for known in cell.get_attribute_list("class") if known]
    cell["class"] = " ".join([*classes, name])


def _kind(cells: list[Tag]) -> str:
    texts = [text for cell in cells if (text := cell.get_text(strip=True)) not in ("", "–")]
    return "number" if texts and all(map(_NUMBER.fullmatch, texts)) else "text"


def _caption(table: Tag, title: str, missing: bool) -> None:
    """A caption for those who hear the page where there is none, and what a dash means."""
    caption = table.find("caption")
    if caption is None and title:
        # heard only, unless there is a dash to explain
        caption = BeautifulSoup("", "html.parser").new_tag(
            "caption", attrs={} if missing else {"class": "only-heard"}
        )
        caption.string = title
        table.insert(0, caption)
    if caption is not None and missing:
        caption.append(" (–: no value)")
