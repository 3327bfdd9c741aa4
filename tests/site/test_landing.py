"""The landing page and the pages made of what the chapters found."""

import json

import pytest
from bs4 import BeautifulSoup

from lib.paths import ROOT
from lib.profiles import page_of
from runner.book import Book, Chapter
from runner.executed import Executed
from tests.site.test_extensions import extension
from tests.support.browser import DESKTOP, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

SVG = '<svg viewBox="0 0 400.2 300"></svg>'
TAKE_AWAY = "**What you will take away**\n\n- **Often.** 9 of 10.\n- Ask twice."


def notebook(folder, with_answer=True):
    """A chapter of a staged book, with or without what the landing page shows of it."""
    picture = {
        "output_type": "display_data",
        "data": {"image/svg+xml": SVG},
        "metadata": {"image/svg+xml": {"alt": "Nine dots in a row"}},
    }
    answer = {
        "output_type": "display_data",
        "data": {"text/markdown": TAKE_AWAY},
        "metadata": {"finding": {"finding": "Ask *twice*", "number": "9 of 10."}},
    }
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# One\n{cite}`zhang2020`"}
    ]
    for name, output in (("picture", picture), ("take-away", answer)):
        cell = {"cell_type": "code", "id": name, "execution_count": 1, "source": "1"}
        tags = [name] if with_answer else []
        shown = [output] if with_answer else []
        cells.append(cell | {"metadata": {"tags": tags}, "outputs": shown})
    path = folder / "base_pair_stability.ipynb"
    kept = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(kept))
    return path


def test_a_chapter_offers_finding_sentences_and_picture(tmp_path):
    found = extension("gallery").read("chapters/base_pair_stability", notebook(tmp_path))
    assert (found.title, found.cited) == ("One", "zhang2020")
    assert (found.finding, found.number) == ("Ask *twice*", "9 of 10.")
    assert found.sentences == ("**Often.** 9 of 10.", "Ask twice.")
    assert (found.picture, found.alt) == (SVG, "Nine dots in a row")


def test_a_chapter_without_an_answer_is_still_listed(tmp_path):
    found = extension("gallery").read(
        "chapters/base_pair_stability", notebook(tmp_path, with_answer=False)
    )
    assert (found.title, found.finding, found.sentences, found.picture) == ("One", "", (), "")


def test_a_picture_keeps_its_place_on_the_page():
    extent = extension("gallery").extent
    assert extent(SVG) == {"width": 400, "height": 300}
    assert extent("<svg></svg>") == {}


def test_chapters_come_in_the_order_of_the_contents_without_their_evidence(tmp_path):
    pages = {"b": "chapters/b.ipynb", "b_evidence": "chapters/evidence/b.ipynb"}
    pages |= {"a": "chapters/a.ipynb"}
    chapters = {name: Chapter(name, page, b"{}") for name, page in pages.items()}
    merged = {name: tmp_path / page for name, page in pages.items()}
    shown = Executed(
        Book(tmp_path, tuple(pages.values()), chapters), "embedded", tmp_path, merged, ()
    )
    found = dict(extension("gallery").stories(shown))
    assert found == {"chapters/b": merged["b"], "chapters/a": merged["a"]}


def test_the_changelog_is_sorted_by_chapter():
    body = "- `ripa`: one\n  line.\n- A general thing.\n- `ripa` said two.\n- In `ripa`, three."
    assert extension("changelog").sorted_entries(body, {"ripa"}) == [
        "",
        "- A general thing.",
        "- **[](/chapters/ripa.ipynb)**",
        "  - One line.",
        "  - The page said two.",
        "  - Here three.",
        "",
    ]


def test_the_map_of_the_book_names_every_chapter():
    text = (
        (ROOT / "pages" / "what_we_learned.md").read_text(encoding="utf-8").partition("## Map")[2]
    )
    chapters = [f"../{page_of(name)}.ipynb" for name in Book.open(ROOT).chapters]
    assert chapters and [page for page in chapters if f"({page})" not in text] == []


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


def parsed(site, name):
    return BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


class TestSite:
    pytestmark = ON_A_SITE

    def test_the_first_line_is_that_of_the_report_card(self, site):
        said = parsed(site, "intro").select_one(".report-card-line strong").get_text()
        assert (
            said
            == parsed(site, "chapters/report_card")
            .select_one(".tag_take-away li strong")
            .get_text()
        )

    def test_every_chapter_has_a_card_with_its_minutes(self, site):
        cards = parsed(site, "intro").select("ul.findings > li")
        stories = {path.stem for path in (ROOT / "chapters").glob("*.ipynb")}
        chapters = stories - {"report_card"}
        linked = {card.select_one("a")["href"] for card in cards}
        assert linked == {f"chapters/{name}.html" for name in chapters}
        assert all(card.get_text().strip().endswith("min") for card in cards)

    def test_what_we_learned_says_what_the_chapters_say(self, site):
        for section in parsed(site, "pages/what_we_learned").select("section.learned"):
            name = section["id"].replace("-", "_")
            chapter = " ".join(parsed(site, f"chapters/{name}").get_text().split())
            for item in section.select("ul > li"):
                assert " ".join(item.get_text().split()) in chapter

    @in_a_browser
    def test_the_first_screen_has_claim_report_card_and_a_row_of_findings(self, browser, site):
        page = browser.new_page(viewport=DESKTOP)
        page.goto((site / "intro.html").as_uri())
        for shown in ("h1", ".report-card-line", "ul.findings > li:nth-child(2)"):
            box = page.locator(f"article {shown}").first.bounding_box()
            assert box["y"] + box["height"] <= DESKTOP["height"], shown
        page.close()
