"""Links to the glossary at first use, and the cards over them."""

import json
import re

import pytest

from lib.paths import ROOT
from tests.site.test_extensions import extension
from tests.site.test_site import parsed
from tests.support.browser import DESKTOP, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

GLOSSARY = (ROOT / "pages" / "glossary.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^(\S.*)\n((?:  .*\n?)+)", GLOSSARY.partition(":sorted:")[2], re.M))


def linked(text, *names):
    """Which pieces of a text would be linked, as term and words."""
    module = extension("hover_cards")
    return [
        (names[int(match.lastgroup[1:])], match.group())
        for match in module.forms(names).finditer(text)
    ]


def test_the_longest_term_wins_also_over_a_line_end():
    assert linked("direct\nbias, bias", "bias", "direct bias") == [
        ("direct bias", "direct\nbias"),
        ("bias", "bias"),
    ]


@pytest.mark.parametrize(
    "text", ["papers claim that", "a bias-free word", "Kappa Alpha-kappa", "Mac"]
)
def test_an_everyday_word_or_a_part_of_one_is_no_term(text):
    assert linked(text, "claim", "bias", "MAC", "chrF") == []


def test_plurals_and_variants_are_terms():
    assert linked("two base pairs", "base pair") == [("base pair", "base pairs")]
    assert linked("every printed claim", "claim") == [("claim", "claim")]
    assert linked("a word association test", "association") == []
    assert linked("Its reach is", "reach") == [("reach", "reach")]


def test_every_variant_belongs_to_a_term_of_the_glossary():
    assert set(extension("hover_cards").VARIANTS) <= set(ENTRIES)
    assert len(ENTRIES) >= 66


def test_the_first_sentences_of_a_definition_need_no_formula():
    first = extension("hover_cards").first_sentences
    assert [name for name, text in ENTRIES.items() if "$" in first(text)] == []


def test_the_first_sentences_are_two_without_citations():
    first = extension("hover_cards").first_sentences
    assert first("One. Two, e.g. 2.5 [Gwet, 2008]. Three.") == "One. Two, e.g. 2.5."


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


class TestSite:
    pytestmark = ON_A_SITE

    def test_every_term_is_linked_somewhere_and_once_a_page_at_most(self, site):
        anchors = {
            term["id"] for term in parsed(site / "pages" / "glossary.html").select("dt[id^=term-]")
        }
        found = set()
        for path in [*site.glob("*.html"), *site.glob("chapters/**/*.html")]:
            if path.name == "glossary.html":
                continue
            links = [link["href"].partition("#")[2] for link in parsed(path).select("a.term")]
            assert len(links) == len(set(links)), path.name
            found |= set(links)
            found |= {
                link["href"].partition("#")[2]
                for link in parsed(path).select("article a[href*='glossary.html#']")
            }
        assert len(anchors) >= 66 and anchors - found == set()

    def test_terms_are_linked_in_running_text_only(self, site):
        for path in site.glob("chapters/**/*.html"):
            page = parsed(path)
            assert page.select(":is(h1, h2, h3, h4, table, pre, code, a) a.term") == [], path.name

    def test_the_glossary_names_chapters(self, site):
        lines = parsed(site / "pages" / "glossary.html").select("p.seen-in")
        assert len(lines) >= 30
        assert all(1 <= len(line.select("a")) <= 3 for line in lines)

    def test_texts_are_there_and_small(self, site):
        text = (site / "_static" / "files" / "hover_cards.js").read_text(encoding="utf-8")
        cards = json.loads(text.removeprefix("window.hoverCards=").rstrip(";\n"))
        assert len(text.encode()) <= 200_000
        assert (site / "_static" / "hover_cards.js").stat().st_size <= 6_000
        for path in site.glob("chapters/**/*.html"):
            for link in parsed(path).select(
                "article a.term, article a[href*='bibliography.html#']"
            ):
                heading, said = cards[link["href"].partition("#")[2]]
                assert heading and said

    @in_a_browser
    def test_a_card_answers_keyboard_and_mouse_and_goes_with_escape(self, browser, site):
        page = browser.new_page(viewport=DESKTOP)
        page.clock.install()  # the card's delays pass when the test says so
        page.goto((site / "chapters" / "base_pair_stability.html").as_uri())
        page.wait_for_function("window.hoverCards")
        term, card = page.locator("article a.term").first, page.locator("#hover-card")

        page.evaluate("document.querySelector('article a.term').scrollIntoView({block: 'center'})")
        page.keyboard.press("Tab")
        term.focus()
        page.clock.run_for(200)
        card.wait_for(state="visible")
        assert term.get_attribute("aria-describedby") == "hover-card"
        assert card.get_attribute("role") == "tooltip" and len(card.inner_text()) > 40
        page.keyboard.press("Escape")
        assert card.is_hidden() and term.get_attribute("aria-describedby") is None

        cited = page.locator("article a[href*='bibliography.html#']").first
        cited.scroll_into_view_if_needed()
        cited.hover()
        page.clock.run_for(200)
        card.wait_for(state="visible")
        assert re.search(r"\d{4}", card.inner_text())
        card.hover()
        page.clock.run_for(400)
        assert card.is_visible()
        page.mouse.move(2, 2)
        page.clock.run_for(400)
        card.wait_for(state="hidden")
        page.close()
