"""The built site as PDF, stories in one volume, evidence in another, and a file a chapter: python -m scripts.tools.pdf (or make pdf)"""

from __future__ import annotations

import argparse
import asyncio
import html
import io
import logging
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pypdf import PdfWriter

from lib import __version__
from lib.command import command
from lib.files import write_if_changed
from lib.paths import ROOT
from lib.profiles import chapter_of
from runner.book import Book
from scripts.tools.binding import (
    AUTHOR,
    EVIDENCE,
    STORIES,
    TITLE,
    Part,
    bind,
    bind_alone,
    volume_of,
)
from scripts.tools.printing import FLAGS, Printed, PrintError, as_pdf, chromium, print_pages

NOT_PRINTED = ("pages/api", "pages/certificates", "pages/licences")
VOLUMES = {STORIES: TITLE, EVIDENCE: f"{TITLE}: the evidence"}
LEFT_OUT = (
    "The reference of the library, the certificates of the runs and the long tables (after their first rows) are left to the "
    "site and its CSV files."
)
FRONT_STYLE = """
body { font: 15px/1.5 sans-serif; color: #111; margin: 0 }
h1 { font-size: 44px; margin: 90px 0 8px } h2 { font-size: 22px; break-before: page }
li { display: flex; gap: 8px; list-style: none } ul { padding: 0 }
li span { flex: 1; border-bottom: 1px dotted #999; margin-bottom: 5px }
a { color: #0b4f94; text-decoration: none } .quiet { color: #444; max-width: 34em }
"""


def pages_of(book: Book) -> list[str]:
    """The pages of a book that are printed, in the order of its contents."""
    names = [Path(page).with_suffix("").as_posix() for page in book.pages]
    return [name for name in names if not name.startswith(NOT_PRINTED)]


def chosen_of(names: Sequence[str], chapters: Sequence[str]) -> list[str]:
    """The pages of some chapters, or all of them."""
    return [name for name in names if not chapters or chapter_of(name) in chapters]


def front_matter(site: Path, title: str, pages: Sequence[tuple[str, str, int]]) -> str:
    """Title page and contents.

    Parameters
    ----------
    site : Path
        The folder of the pages.
    title : str
        Of the volume.
    pages : sequence of tuple
        Name, title and page number of each.
    """
    today = datetime.now(UTC).strftime("%-d %B %Y")
    lines = "".join(
        f'<li><a href="{(site / name).as_uri()}.html">{html.escape(page)}</a><span></span>{number}</li>'
        for name, page, number in pages
    )
    return (
        f"<!doctype html><html lang=en><title>{title}</title><style>{FRONT_STYLE}</style><body>"
        f"<main><h1>{title}</h1><p>{AUTHOR}</p><p>Version {__version__}, printed {today}</p>"
        f'<p class="quiet">These are associations in data, not truths about people. {LEFT_OUT}</p>'
        f"<h2>Contents</h2><ul>{lines}</ul></main></body></html>"
    )


async def make(options: argparse.Namespace, book: Book, say: partial[None]) -> list[str]:
    """Print and bind; what does not fit on its page, in words."""
    from playwright.async_api import async_playwright

    site, names = options.site.resolve(), pages_of(book)
    chosen = chosen_of(names, options.chapter)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        printed = await print_pages(browser, site, chosen, options.jobs, say)
        parts = [Part(one, site, names, options.address) for one in printed]
        for part in parts:
            if Path(part.printed.name).name in book.chapters:
                write(options.out / f"{Path(part.printed.name).name}.pdf", bind_alone(part), say)
        for file, title in {} if options.chapter else VOLUMES.items():
            held = [part for part in parts if volume_of(part.printed.name) == file]
            opening = 1 if held[0] is parts[0] else 0  # the landing page is numbered with the title
            listed, number = [], 1
            for part in held[opening:]:
                listed.append((part.printed.name, part.printed.title, number))
                number += len(part.reader.pages)
            page = await browser.new_page()
            await page.set_content(front_matter(site, title, listed))
            cover = Printed("", await as_pdf(page, ""), [(title, 1, "")], [], 0, 0)
            front = Part(cover, site, names, options.address)
            write(options.out / file, bind([front, *held], front=1 + opening, title=title), say)
        await browser.close()
    return [f"{one.name}: {element}" for one in printed for element in one.clipped]


def write(path: Path, writer: PdfWriter, say: partial[None]) -> None:
    """Write a file, whole or not at all, and say what it is."""
    buffer = io.BytesIO()
    writer.write(buffer)
    write_if_changed(path, buffer.getvalue())
    say(f"{path.name:36} {len(writer.pages)} pages, {buffer.tell() / 1e6:.1f} MB")


def _parser(book: Book) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tools.pdf",
        description="Print the built site: a volume of what one reads and one of the evidence, with bookmarks, page labels and links that "
        f"lead to their place, and a file for each chapter. {LEFT_OUT}",
    )
    add = parser.add_argument
    text = "the folder of the built pages (default: %(default)s)"
    add("--site", type=Path, default=ROOT / "_build" / "html", metavar="DIR", help=text)
    text = "where the files go (default: %(default)s)"
    add("--out", type=Path, default=ROOT / "_build" / "pdf", metavar="DIR", help=text)
    text = "only the files of these chapters"
    add("--chapter", nargs="+", default=[], choices=list(book.chapters), metavar="NAME", help=text)
    text = (
        "where the site can be read, for links to what is not printed; without it they are left out"
    )
    add("--address", default="", metavar="URL", help=text)
    add("--jobs", type=int, default=2, metavar="N", help="pages at a time (default: %(default)s)")
    return parser


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    book = Book.open(ROOT)
    options = _parser(book).parse_args(arguments)
    wanted = chosen_of(pages_of(book), options.chapter)
    missing = [name for name in wanted if not (options.site / f"{name}.html").is_file()]
    if missing:
        print(
            f"no page {missing[0]}.html in {options.site}: build the site first, with `make book`.",
            file=sys.stderr,
        )
        return 2
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it mends what Chromium counts wrongly
    started = time.monotonic()
    say = partial(print, flush=True)
    try:
        clipped = asyncio.run(make(options, book, say))
    except PrintError as error:
        print(error, file=sys.stderr)
        return 2
    for line in clipped:
        print(f"does not fit on its page: {line}", file=sys.stderr)
    say(f"{options.out}: took {time.monotonic() - started:.0f} s")
    return int(bool(clipped))


if __name__ == "__main__":
    sys.exit(main())
