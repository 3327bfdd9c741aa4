"""The search of the book: what a reader looks for leads to the chapter that answers it, also from a disk."""

import pytest

from lib.paths import ROOT
from tests.site.test_extensions import extension
from tests.support.browser import in_a_browser
from tests.support.sites import ON_A_SITE, SITES

WANTED = {
    "WEAT": "domains",
    "kappa": "base_pair_stability",
    "BERT": "log_probability_bias",
    "WinoBias": "resolvers",
    "translation gender": "prefix_injection",
}


def test_every_chapter_that_tells_a_story_has_words_to_look_for():
    chapters = {path.stem for path in (ROOT / "chapters").glob("*.ipynb")}
    assert set(extension("look_for").LOOKED_FOR) == chapters


@in_a_browser
@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
class TestSite:
    pytestmark = ON_A_SITE

    def test_the_chapter_comes_first_and_nothing_is_logged(self, browser, site):
        page, errors = browser.new_page(), []
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        for asked, chapter in WANTED.items():
            page.goto(f"{(site / 'search.html').as_uri()}?q={asked}")
            page.wait_for_selector("#search-results p.search-summary:has-text('found')")
            first = page.locator("#search-results li a").first.get_attribute("href")
            assert first.partition("#")[0].endswith(f"chapters/{chapter}.html"), (asked, first)
        page.close()
        assert errors == []
