"""The built site: complete, linked, described in words, free of errors, and quiet on the network."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup

from lib.ledger.claims import load_claims
from tests.support.browser import DESKTOP, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = ON_A_SITE


def contents() -> list[str]:
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    chapters = [page for part in toc["parts"] for page in part["chapters"]]
    pages = [section for page in chapters for section in (page, *page.get("sections", ()))]
    return [toc["root"], *(page["file"] for page in pages)]


def pages(site: Path) -> dict[str, BeautifulSoup]:
    return {name: parsed(site / f"{name}.html") for name in contents()}


@functools.cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@functools.cache
def places(path: Path) -> set[str]:
    """What the links into a page may point at."""
    return {tag["id"] for tag in parsed(path).find_all(id=True)}


def searched(path: Path) -> set[str]:
    """The printed numbers that an address of the report card may name: its table looks them up."""
    return set(load_claims().claim_id) if path.name == "report_card.html" else set()


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


def test_every_page_of_the_contents_is_there_and_in_the_navigation(site):
    for name, page in pages(site).items():
        linked = {
            Path(unquote(urlsplit(a["href"]).path)).name
            for a in page.select("nav a[href], .navbar-brand[href]")
        }
        expected = {Path(f"{other}.html").name for other in contents()[1:] if other != name}
        assert expected <= linked, name
        assert name == contents()[0] or linked & {f"{contents()[0]}.html", "index.html"}, name


def test_every_link_and_picture_inside_the_site_resolves(site):
    broken = []
    for name, page in pages(site).items():
        here = (site / f"{name}.html").parent
        for tag in page.select("a[href], img[src], link[href], script[src]"):
            target = urlsplit(tag.get("href") or tag.get("src"))
            if target.scheme or target.netloc or tag.get("rel") == ["canonical"]:
                continue
            path = (here / unquote(target.path)).resolve() if target.path else site / f"{name}.html"
            if not path.exists():
                broken.append(f"{name}: {tag.get('href') or tag.get('src')}")
            elif (
                target.fragment
                and path.suffix == ".html"
                and unquote(target.fragment) not in places(path) | searched(path)
            ):
                broken.append(f"{name}: no place #{target.fragment} in {path.name}")
    assert broken == []


def test_every_figure_is_described_in_forty_characters_or_more(site):
    figures = {name: page.select("article img") for name, page in pages(site).items()}
    poor = [
        f"{name}: {image.get('src')}"
        for name, found in figures.items()
        for image in found
        if len(image.get("alt", "")) < 40
    ]
    assert poor == []
    assert len(figures["chapters/base_pair_stability"]) >= 3


def test_every_chapter_figure_has_a_caption(site):
    for name, page in pages(site).items():
        for image in page.select(".cell_output img"):
            assert image.find_parent("figure").find("figcaption").get_text(strip=True), (
                f"{name}: {image.get('src')}"
            )


def test_no_page_shows_an_error_or_an_unresolved_citation(site):
    for name, page in pages(site).items():
        assert (
            page.select(".output.traceback, .output.stderr, .problematic, .system-message") == []
        ), name
        # an example in the library's pages may show what an error says
        examples = "".join(block.get_text() for block in page.select(".doctest"))
        shown = page.get_text().count("Traceback (most recent call last)")
        assert shown == examples.count("Traceback (most recent call last)"), name
        assert not examples or name.startswith("pages/api/"), name


def test_every_page_says_what_an_association_is_not(site):
    for name, page in pages(site).items():
        feet = " ".join(foot.get_text() for foot in page.find_all("footer"))
        assert "associations in data, not truths about people" in feet, name


def test_every_chapter_shows_outputs(site):
    for name, page in pages(site).items():
        if name.startswith("chapters/"):
            assert page.select(".cell_output"), name


@pytest.fixture
def address(site):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@in_a_browser
def test_formulas_are_typeset_without_the_network(browser, address):
    page = browser.new_page(viewport=DESKTOP)
    page.goto(f"{address}/chapters/base_pair_stability.html", wait_until="networkidle")
    page.wait_for_selector("mjx-container")
    assert page.locator("mjx-container").count() >= 3
    page.close()
