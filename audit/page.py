"""An executed audit as one file of HTML that opens from a disk, light and dark, and prints."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from nbformat import NotebookNode

from audit.report import PART
from lib.markdown import harmless
from lib.paths import ROOT
from lib.plots.display import CAPTION_OUTPUT

FIRST = ("title", "answer", "picture", "may")  # parts of the first screen, in this order
ABOUT = "about"  # the tag of what is said to whoever opens the notebook
_STYLES = ("palette.css", "search_table.css")
_SCRIPTS = ("search_table.js",)
_NAMELESS = re.compile(
    r'<th class="blank[^"]*"[^>]*>&nbsp;</th>'
)  # pandas's corner above the index
_CAPTION = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
_TABLE_NAME = re.compile(r"\bT_[0-9a-f]{5}(?=_|\b)")  # at random, by pandas
_OWN_STYLE = Path(__file__).with_name("report.css")


def report_page(notebook: NotebookNode) -> str:
    """The page of an executed notebook: its first screen, then everything else in order, without code.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    str
        HTML that reads no other file.
    """
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    parts: dict[str, list[str]] = {name: [] for name in FIRST}
    rest: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and ABOUT not in cell.metadata.get("tags", []):
            rest.append(markdown.render(harmless(cell.source)))
        for output in cell.get("outputs", []):
            part, html = _shown(output, markdown)
            parts.get(part, rest).append(html)
    first = "\n".join(html for name in FIRST for html in parts[name])
    rest = _with_plain_names(rest)
    title = next((_words(text) for text in parts["title"]), "Report")
    return dressed(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>
</style>
</head>
<body>
<main>
<header>
{first}
</header>
{"".join(rest)}
</main>
<script>
</script>
</body>
</html>
""")


def dressed(page: str) -> str:
    """The page of a report with the book's style sheets and script in place of those it has."""
    files = ROOT / "_static"
    styles = [*(files / name for name in _STYLES), _OWN_STYLE]
    scripts = [files / name for name in _SCRIPTS]
    return _with(page, *("\n".join(map(_text, paths)) for paths in (styles, scripts)))


def undressed(page: str) -> str:
    """The page of a report without style sheets and script, as it is kept where it may be shown in others later."""
    return _with(page, "", "")


def _with(page: str, styles: str, scripts: str) -> str:
    head, styled, after = page.partition(
        "<style>\n"
    )  # the first is that of the page, later ones are of tables
    _, closed, body = after.partition("</style>\n</head>")
    body, script, after = body.rpartition("<script>\n")
    _, ended, end = after.rpartition("</script>\n</body>")
    if not all((styled, closed, script, ended)):
        raise ValueError("expected the page of a report, with places for style sheets and script")
    return f"{head}{styled}{styles}{closed}{body}{script}{scripts}{ended}{end}"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _shown(output: Mapping[str, Any], markdown: MarkdownIt) -> tuple[str, str]:
    """The part of the page that an output belongs to, and the output as HTML; what is printed or warned of is not shown."""
    data, metadata = output.get("data", {}), output.get("metadata", {})
    if metadata.get(CAPTION_OUTPUT):
        return "", ""
    for kind in ("image/svg+xml", "image/png"):
        if kind in data:
            about = metadata.get(kind, {})
            return str(about.get(PART, "")), _figure(kind, data[kind], about)
    if "text/html" in data:
        return "", _table(data["text/html"])
    if "text/markdown" in data:
        text = harmless(data["text/markdown"])
        return str(metadata.get(PART, "")), f"<section>{markdown.render(text)}</section>"
    return "", ""


def _table(html: str) -> str:
    """Output of a cell in HTML. A wide table is scrolled, by keyboard as well; its caption stays, above it."""
    html = _NAMELESS.sub("<td></td>", html)
    caption, name, scrolled = "", "Table", ""
    if "search-table" not in html and (found := _CAPTION.search(html)):
        html = html.replace(found[0], "", 1)
        caption, name = f'<p class="caption">{found[1]}</p>', _words(found[1])
    if "<table" in html:
        scrolled = f' tabindex="0" role="group" aria-label="{escape(name)}"'
    # the class is what the book's style sheets know
    return f'{caption}<div class="cell_output"{scrolled}>{html}</div>'


def _with_plain_names(parts: list[str]) -> list[str]:
    """The same with tables named by their place in the page, so that equal runs give equal pages."""
    names: dict[str, str] = {}
    return [
        _TABLE_NAME.sub(lambda name: names.setdefault(name[0], f"T_{len(names):05d}"), part)
        for part in parts
    ]


def _figure(kind: str, image: str, about: Mapping[str, str]) -> str:
    content = image if kind == "image/png" else base64.b64encode(image.encode()).decode()
    caption = MarkdownIt().renderInline(about.get("caption", ""))
    return (
        # on a phone a figure keeps a size at which its words are read, and is scrolled
        '<figure><div class="scrolled" tabindex="0" role="group" aria-label="Figure">'
        f'<img src="data:{kind};base64,{"".join(content.split())}" alt="{escape(about.get("alt", ""))}"></div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _words(html: str) -> str:
    """The text of a piece of HTML."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_data = found.append  # type: ignore[method-assign]
    parser.feed(html)
    return " ".join("".join(found).split())
