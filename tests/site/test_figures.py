"""Figures on the built pages: shown once, with a caption, in letters that can be read."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.support.sites import ON_A_SITE, SITES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = ON_A_SITE
PAGES = [page for site in SITES for page in sorted((site / "chapters").rglob("*.html"))]


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
