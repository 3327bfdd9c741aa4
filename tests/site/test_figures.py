"""Figures on the built pages: shown once, with a caption, in letters that can be read."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from lib.plots.display import TEXT_SIZE
from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = ON_A_SITE
PAGES = [page for site in SITES for page in sorted((site / "chapters").glob("*.html"))]
SMALLEST = 9  # pixels
SIZES = """images => images.map(image => [image.src, image.getBoundingClientRect().width])"""


def drawn(address):
    """Width and smallest text of an SVG, in its own units."""
    text = Path(unquote(urlsplit(address).path)).read_text(encoding="utf-8")[:4000]
    size = re.search(rf'{TEXT_SIZE}="([\d.]+)"', text)
    assert size, f"{address}: not drawn by plots.render"
    return float(re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+)', text)[1]), float(size[1])


@in_a_browser
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parents[1].name}-{page.stem}")
def test_the_smallest_text_of_every_figure_can_be_read(browser, page, screen):
    opened = browser.new_page(viewport=screen)
    opened.goto(page.as_uri())
    # a figure in a folded part is measured, too
    opened.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    small = {}
    shown = opened.eval_on_selector_all('.cell_output figure img[src$=".svg"]', SIZES)
    opened.close()
    for address, width in shown:
        own_width, size = drawn(address)
        displayed = size * width / own_width
        if displayed < SMALLEST:
            small[address.rpartition("/")[2]] = round(displayed, 1)
    assert not small


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parents[1].name}-{page.stem}")
def test_caption_and_description_stand_on_the_page_once(page):
    parsed = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    figures = parsed.select(".cell_output figure")
    captions = [figure.select_one(".caption-text").get_text() for figure in figures]
    assert all(captions) and all(len(figure.img["alt"]) >= 40 for figure in figures)
    for code in parsed.select("div.cell_input"):
        code.decompose()
    words = parsed.select_one("article").get_text()
    assert not [caption for caption in captions if words.count(caption) > 1]
    assert "Description: " not in words
