"""The directive `explorable` on a page, and the explorables of the built site."""

import sys

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from lib.explorables.mount import LARGEST
from lib.paths import ROOT

SITE = ROOT / "_build" / "html"
PLACES = {
    "chapters/base_pair_stability": "your-word",
    "chapters/domains": "your-weat",
    "chapters/translation_index": "your-index",
}
PAGE = """# A page

```{{explorable}} {name}
{text}
```
"""


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function from the text of a page to its HTML, and to what Sphinx warned of."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "_ext"), *sys.path])

    def built(text, builder="html"):
        source, warnings = tmp_path / "source", tmp_path / "warnings.txt"
        source.mkdir()
        (source / "index.md").write_text(text, encoding="utf-8")
        with warnings.open("w", encoding="utf-8") as stream:
            Sphinx(
                source,
                None,
                tmp_path / "out",
                tmp_path / "doctrees",
                builder,
                confoverrides={
                    "extensions": ["myst_parser", "explorable"],
                    "html_js_files": ["explorables.js", "explorables/your-word.js"],
                },
                status=None,
                warning=stream,
            ).build()
        written = next((tmp_path / "out").glob("index.*")).read_text(encoding="utf-8")
        return written, warnings.read_text(encoding="utf-8")

    return built


def test_the_directive_makes_a_place_with_its_text_as_fallback(build):
    html, warnings = build(
        PAGE.format(name="your-word", text="*Try* it in [the book](https://example.org).")
    )
    place = BeautifulSoup(html, "html.parser").select_one("[data-explorable=your-word]")
    assert "explorable" in place["class"] and not warnings
    fallback = place.select_one(".explorable-fallback")
    assert fallback.get_text(strip=True, separator=" ") == "Try it in the book ."
    sources = [script.get("src", "") for script in BeautifulSoup(html, "html.parser")("script")]
    assert [source for source in sources if "explorables" in source] == ["_static/explorables.js"]
    assert fallback.em and fallback.a["href"] == "https://example.org"


def test_what_is_no_page_of_a_site_keeps_the_text_only(build):
    text, _ = build(PAGE.format(name="your-index", text="Try it in the book."), builder="text")
    assert "Try it in the book." in text and "explorable" not in text


def test_an_unknown_explorable_is_named_with_those_there_are(build):
    _, warnings = build(PAGE.format(name="my-word", text="Text."))
    assert "your-index, your-weat, your-word, got 'my-word'" in warnings


@pytest.mark.site
@pytest.mark.parametrize(("page", "name"), PLACES.items())
def test_a_chapter_of_the_site_has_its_explorable_and_its_numbers(page, name):
    path = SITE / f"{page}.html"
    if not path.exists():
        pytest.skip("no built site under _build/html: run `make book` first")
    html = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    place = html.select_one(f"[data-explorable={name}]")
    assert place.select(".explorable-fallback table tbody tr")
    assert 0 < (SITE / "_static" / "files" / f"{name}.js").stat().st_size <= LARGEST
    assert (SITE / "_static" / "explorables" / f"{name}.js").is_file()
    scripts = [script.get("src", "") for script in html.select("script")]
    assert any("_static/explorables.js" in source for source in scripts)
    assert not any(f"{name}.js" in source for source in scripts)
