"""Sphinx extension: once pages are written, mend what theme, docutils and pandas leave out for those who
listen to a page or go through it by keyboard.

Each mend is a function of the parsed page. A page that was mended ends in a comment that says so; it is
parsed again only after Sphinx wrote it anew.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

MENDED = "<!-- mended: accessible -->\n"
_CODE = re.compile(r"<pre\b.*?</pre>", re.DOTALL)


def mend_pages(app: Sphinx, error: Exception | None) -> None:
    """Mend each page of a site that was built."""
    if error or app.builder.name != "html":
        return
    pages = [page for page in Path(app.outdir).rglob("*.html") if "_static" not in page.parts]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(mend_page, sorted(pages), chunksize=4))


def mend_page(page: Path) -> None:
    """Mend a page that Sphinx wrote anew."""
    text = page.read_text(encoding="utf-8")
    if not text.endswith(MENDED):
        page.write_text(mended(text), encoding="utf-8")


def mended(text: str) -> str:
    """A page with all mends. Code, half of all tags, has nothing to mend, and is not parsed."""
    code: list[str] = []

    def set_aside(block: re.Match[str]) -> str:
        code.append(block.group())
        return f"<pre>{len(code) - 1}</pre>"

    page = BeautifulSoup(_CODE.sub(set_aside, text), "html.parser")
    for mend in (
        names_of_folds_and_buttons,
        places_of_the_frame,
        icons_are_not_read,
        empty_headers_are_cells,
        first_column_under_no_header,
        headers_say_what_they_head,
        tables_have_names,
        lists_of_papers,
        pictures_for_a_phone,
    ):
        mend(page)
    whole = re.sub(r"<pre>(\d+)</pre>", lambda place: code[int(place[1])], f"{page}")
    return whole.rstrip() + "\n" + MENDED


def pictures_for_a_phone(page: BeautifulSoup) -> None:
    """A phone gets the picture that was drawn for its width, whole."""
    for image in page.find_all("img", class_=re.compile("^phone-")):
        name = next(one for one in image["class"] if one.startswith("phone-"))
        image["class"].remove(name)
        if not image["class"]:
            del image["class"]
        both = image.wrap(page.new_tag("picture"))
        up = image["src"].partition("_images/")[0]
        address = f"{up}_static/phone/{name.removeprefix('phone-')}.svg"
        both.insert(0, page.new_tag("source", media="(max-width: 600px)", srcset=address))


def names_of_folds_and_buttons(page: BeautifulSoup) -> None:
    """A control is called what is written on it; a fold of the contents after the page it is of."""
    for summary in page.find_all("summary", {"aria-label": "Toggle hidden content"}):
        del summary["aria-label"]
    for button in page.find_all("button", class_="search-button-field"):
        button.attrs.pop("aria-label", None)
    for toggle in page.find_all(class_="toctree-toggle"):
        link = toggle.find_parent("li").find("a")
        toggle.parent["aria-label"] = f"Pages of {link.get_text(' ', strip=True)}"
        del toggle["role"]
    for button in page.find_all("button", class_="sidebar-toggle", title=True):
        button["aria-label"] = button["title"]


def places_of_the_frame(page: BeautifulSoup) -> None:
    """What stands beside the text is a place of the page with a name."""
    for side in page.find_all(id="pst-primary-sidebar"):
        side["role"], side["aria-label"] = "region", "The book"


def icons_are_not_read(page: BeautifulSoup) -> None:
    for icon in page.find_all(["i", "span"], class_=re.compile(r"^fa-")):
        icon["aria-hidden"] = "true"


def empty_headers_are_cells(page: BeautifulSoup) -> None:
    for header in page.find_all("th"):
        if not header.get_text(strip=True) and not header.find(["img", "input", "svg"]):
            header.name = "td"
            header.attrs.pop("scope", None)


def first_column_under_no_header(page: BeautifulSoup) -> None:
    """Where the corner of a table is empty, its first column heads the rows."""
    for table in page.find_all("table"):
        first = table.select_one("thead tr:last-child > :first-child")
        if first is not None and first.name == "td":
            for cell in table.select("tbody > tr > td:first-child"):
                if cell.get_text(strip=True):
                    cell.name = "th"


def headers_say_what_they_head(page: BeautifulSoup) -> None:
    for header in page.find_all("th", scope=False):
        above = header.find_parent("thead") is not None
        several = header.get("colspan" if above else "rowspan", "1") not in ("", "1")
        header["scope"] = ("col" if above else "row") + ("group" if several else "")


def tables_have_names(page: BeautifulSoup) -> None:
    """A table without a caption is named after the section it is in."""
    for table in page.select("article table"):
        if table.find("caption") is None and not named(table):
            section = table.find_parent("section")
            heading = section and section.find(["h1", "h2", "h3", "h4", "h5", "h6"])
            if heading:
                table["aria-label"] = heading.get_text().strip().rstrip("#")


def named(tag: Tag) -> bool:
    return tag.has_attr("aria-label") or tag.has_attr("aria-labelledby")


def lists_of_papers(page: BeautifulSoup) -> None:
    """A bibliography is a list of items; the role that docutils gives them is one no longer."""
    for items in page.find_all(role="list"):
        for child in items.find_all(recursive=False):
            child["role"] = "listitem"
    for item in page.find_all(role="doc-biblioentry"):
        del item["role"]


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.connect("build-finished", mend_pages, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
