"""Chromium prints pages of the built site, each as a PDF of its own, with `_static/print.css`."""

from __future__ import annotations

import asyncio
import html
import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

SHORT_TABLE, FIRST_ROWS = 60, 20
SCALE = 0.85  # of print on paper: letters of 9 points
PRINT_WIDTH = 800  # pixels between the margins of A4, at that scale
MARGIN = {"top": "16mm", "bottom": "18mm", "left": "15mm", "right": "15mm"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

# Before the page's own scripts: how many rows of a table they are to show.
ROWS = """
document.addEventListener("DOMContentLoaded", () => {
  for (const root of document.querySelectorAll(".search-table")) {
    const beside = (window.searchTables || {})[root.dataset.name];
    const total = beside ? beside.columns[0].codes.length : root.querySelectorAll("tbody tr").length;
    root.dataset.perPage = total <= SHORT ? total : FIRST;
    if (total > SHORT) {
      const note = document.createElement("p");
      note.className = "printed-note";
      note.textContent = `The first FIRST of ${total.toLocaleString("en")} rows; all of them are in ${root.dataset.name}.csv, beside the page.`;
      root.after(note);
    }
  }
});
""".replace("SHORT", str(SHORT_TABLE)).replace("FIRST", str(FIRST_ROWS))

# When all is there: open what is read on paper, let places be linked to, make wide things fit.
PREPARE = """
async (anchors) => {
  document.documentElement.dataset.theme = "light";
  document.documentElement.dataset.mode = "light";
  const closed = "this-run solution code-fold figure-data".split(" ");
  for (const details of document.querySelectorAll("main details")) {
    const stays = closed.some((name) => details.classList.contains(name));
    const figure = details.querySelector("figure, img");
    details.open = !stays && Boolean(figure || details.matches(".more, .against-section, .forest"));
  }
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  if (window.MathJax && window.MathJax.startup) await window.MathJax.startup.promise;
  await document.fonts.ready;
  const list = document.createElement("div");
  list.hidden = true;
  const sections = [...document.querySelectorAll("main section[id]")].map((section) => section.id);
  for (const anchor of new Set([...anchors, ...sections])) {
    const link = document.createElement("a");
    link.href = "#" + anchor;
    list.append(link);
  }
  document.querySelector("main").append(list);
  const article = document.querySelector(".bd-article") || document.querySelector("main");
  const room = () => article.getBoundingClientRect().right + 0.5;
  for (const wide of article.querySelectorAll("table, mjx-container[display=true], .against, .explorable")) {
    for (let turn = 0; turn < 3; turn += 1) {
      const box = wide.getBoundingClientRect();
      const reach = Math.max(box.right, box.left + wide.scrollWidth * (wide.currentCSSZoom || 1));
      if (!box.width || reach <= room()) break;
      const share = (room() - box.left) / (reach - box.left);
      wide.style.zoom = Math.max(0.4, (parseFloat(wide.style.zoom) || 1) * share * 0.995);
    }
    if (wide.getBoundingClientRect().right > room()) {
      wide.style.tableLayout = "fixed";
      wide.style.width = "100%";
      wide.style.overflowWrap = "anywhere";
    }
  }
}
"""

# What of a page lies beyond its box: nothing may.
CLIPPED = """
() => {
  const article = document.querySelector(".bd-article") || document.querySelector("main");
  const edge = article.getBoundingClientRect().right + 1.5;
  const found = [];
  for (const one of article.querySelectorAll("*")) {
    if (one.closest("svg, mjx-assistive-mml, .visually-hidden, [hidden]") || !one.checkVisibility()) continue;
    const box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const cut = getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    if (cut || box.right > edge) found.push(`${one.tagName.toLowerCase()}.${one.className}: ${one.textContent.trim().slice(0, 60)}`);
  }
  return found;
}
"""

# The headings that the bookmarks name: text, level, and where they are.
HEADINGS = """
() => [...document.querySelectorAll("main :is(h1, h2, h3)")]
  .filter((heading) => heading.checkVisibility())
  .map((heading) => {
    const copy = heading.cloneNode(true);
    copy.querySelectorAll(".headerlink, mjx-assistive-mml").forEach((part) => part.remove());
    const place = heading.id || (heading.closest("section[id]") || { id: "" }).id;
    return [copy.textContent.replace(/\\s+/g, " ").trim(), Number(heading.tagName[1]), place];
  })
"""


# How many pictures and tables are seen.
COUNTS = """
() => ["img", "table"].map(
  (kind) => [...document.querySelectorAll(`main ${kind}`)].filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1).length
)
"""


class PrintError(RuntimeError):
    """Why a page could not be printed, in words."""


@dataclass(frozen=True)
class Printed:
    """One page of the site on paper.

    Attributes
    ----------
    name : str
        Its path in the site, without .html.
    data : bytes
        The PDF.
    headings : list of tuple
        Text, level and anchor of each, the title first.
    clipped : list of str
        Elements that do not fit.
    pictures, tables : int
        How many are on the page.
    """

    name: str
    data: bytes
    headings: list[tuple[str, int, str]]
    clipped: list[str]
    pictures: int
    tables: int

    @property
    def title(self) -> str:
        """The heading of the page."""
        return self.headings[0][0]


def linked_anchors(site: Path, names: Iterable[str]) -> dict[str, set[str]]:
    """For each page the anchors that a link of any printed page leads to."""
    anchors: dict[str, set[str]] = {name: set() for name in names}
    for name in anchors:
        text = (site / f"{name}.html").read_text(encoding="utf-8")
        for link in re.findall(r'href="([^"]*#[^"]+)"', text):
            target = urlsplit(urljoin(f"/{name}.html", html.unescape(link)))
            page = unquote(target.path).strip("/").removesuffix(".html")
            if not target.netloc and page in anchors:
                anchors[page].add(unquote(target.fragment))
    return anchors


def chromium() -> str:
    """The browser of this machine. Raises PrintError where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    path = next((path for name in names if (path := shutil.which(name))), None)
    if path is None:
        raise PrintError(
            f"no Chromium: looked for {', '.join(names)}. Debian: apt-get install chromium"
        )
    return path


async def print_pages(
    browser: Browser, site: Path, names: Sequence[str], jobs: int, say: Callable[[str], None]
) -> list[Printed]:
    """Print pages of a site, some at a time, those with the largest files first.

    Parameters
    ----------
    browser : Browser
    site : Path
        The folder of the built pages.
    names : sequence of str
        Paths in it, without .html.
    jobs : int
        How many pages at a time.
    say : callable
        Is given a line for each page that is done.

    Returns
    -------
    list of Printed
        In the order of the names.
    """
    anchors = linked_anchors(site, names)
    waiting = sorted(names, key=lambda name: -(site / f"{name}.html").stat().st_size)
    done: dict[str, Printed] = {}

    async def work() -> None:
        while waiting:
            name = waiting.pop(0)
            started = time.monotonic()
            context = await browser.new_context(viewport={"width": PRINT_WIDTH, "height": 960})
            await context.add_init_script(ROWS)
            page = await context.new_page()
            page.set_default_timeout(180_000)
            done[name] = await print_page(page, site, name, sorted(anchors[name]))
            await context.close()
            size, seconds = len(done[name].data) / 1e6, time.monotonic() - started
            say(f"{name:36} {size:5.1f} MB {seconds:5.1f} s")

    await asyncio.gather(*(work() for _ in range(jobs)))
    return [done[name] for name in names]


async def print_page(page: Page, site: Path, name: str, anchors: Sequence[str]) -> Printed:
    """Print one page of the site in an open tab."""
    await page.emulate_media(media="print", color_scheme="light", reduced_motion="reduce")
    await page.goto((site / f"{name}.html").as_uri(), wait_until="load")
    await page.evaluate(PREPARE, list(anchors))
    clipped = await page.evaluate(CLIPPED)
    headings = [tuple(heading) for heading in await page.evaluate(HEADINGS)]
    pictures, tables = await page.evaluate(COUNTS)
    if not headings:
        raise PrintError(f"{name}.html has no heading. Build the site again: make book")
    data = await as_pdf(page, headings[0][0])
    return Printed(name, data, headings, clipped, pictures, tables)


async def as_pdf(page: Page, foot: str) -> bytes:
    """The page on A4, with a line at its foot."""
    style = "font: 8px sans-serif; color: #555; width: 100%; padding: 0 15mm;"
    return await page.pdf(
        format="A4",
        scale=SCALE,
        margin=MARGIN,
        print_background=True,
        tagged=True,
        outline=True,
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=f'<div style="{style}">{html.escape(foot)}</div>',
    )
