"""The book on paper: a small site printed and bound, and one chapter of the built one."""

import asyncio
import io
import re
import shutil

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from lib.paths import ROOT
from runner.book import Book
from scripts.tools.binding import EVIDENCE, STORIES, Part, bind, bind_alone, volume_of
from scripts.tools.pdf import front_matter, main, pages_of
from scripts.tools.printing import FIRST_ROWS, FLAGS, chromium, print_pages
from tests.support.browser import in_a_browser

SITE = ROOT / "_build" / "html"
CHAPTER = "before_you_measure"
SHEET = '<link rel="stylesheet" href="_static/print.css"><script src="_static/search_table.js"></script>'
TABLE = """<div class="search-table" data-name="words" data-per-page="10"><div class="search-table-frame"><table>
<thead><tr><th>word</th></tr></thead><tbody>{rows}</tbody></table></div></div>"""


def page(title, body):
    return f"<!doctype html><html lang=en><head>{SHEET}</head><body><main><div class=bd-article>{title}{body}</div></main></body></html>"


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    """A site of three pages that link to one another, and what is hard to print on them."""
    site = tmp_path_factory.mktemp("site")
    (site / "_static").mkdir()
    for name in ("print.css", "search_table.js"):
        shutil.copy(ROOT / "_static" / name, site / "_static" / name)
    rows = "".join(f"<tr><td>word{place}x</td></tr>" for place in range(70))
    wide = (
        "<table><tr>" + "".join(f"<td>column{place}</td>" for place in range(40)) + "</tr></table>"
    )
    pages = {
        "intro": page("<h1>Welcome</h1>", "<p>Read on.</p>"),
        "alpha": page(
            "<h1>Alpha</h1>",
            '<a href="beta.html#there">over there</a> <a href="#down">below</a> <a href="beta.html#nowhere">lost</a>'
            ' <a href="api/one.html">the library</a> <a href="https://example.org/paper">paper</a>'
            f"<details class=code-fold><summary>Code: draw</summary><pre>hidden code</pre></details>{wide}"
            '<section id="down"><h2>Down</h2></section>',
        ),
        "beta": page(
            "<h1>Beta</h1>",
            '<p style="height: 1500px">far</p><section id="there"><h2>There</h2><p>found</p></section>'
            + TABLE.format(rows=rows)
            + '<div style="width: 900px; white-space: nowrap">too wide to shrink</div>',
        ),
    }
    for name, text in pages.items():
        (site / f"{name}.html").write_text(text, encoding="utf-8")
    return site


@pytest.fixture(scope="module")
def printed(small_site):
    from playwright.async_api import async_playwright

    async def all_pages():
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            names = ["intro", "alpha", "beta"]
            return await print_pages(browser, small_site, names, 2, lambda line: None)

    return asyncio.run(all_pages())


@pytest.fixture(scope="module")
def book(printed, small_site, tmp_path_factory):
    names = [one.name for one in printed]
    path = tmp_path_factory.mktemp("pdf") / "book.pdf"
    parts = [Part(one, small_site, names, "https://book.example/") for one in printed]
    bind(parts, front=1).write(path)
    return PdfReader(path)


def actions(reader):
    return [link.get_object()["/A"] for sheet in reader.pages for link in sheet.get("/Annots", ())]


def bookmarks(reader):
    """Titles of the first two levels; what lies below them is left out."""
    return [
        [one.title for one in group if not isinstance(one, list)]
        if isinstance(group, list)
        else group.title
        for group in reader.outline
    ]


def text_of(reader):
    return re.sub(r"\s", "", "".join(sheet.extract_text() for sheet in reader.pages))


@in_a_browser
def test_links_between_pages_lead_to_their_place_in_the_book(book):
    found = {(one["/S"], str(one.get("/D") or one.get("/URI"))) for one in actions(book)}
    assert found == {
        ("/GoTo", "beta#there"),
        ("/GoTo", "beta#"),
        ("/GoTo", "alpha#down"),
        ("/URI", "https://book.example/api/one.html"),
        ("/URI", "https://example.org/paper"),
    }
    places = book.named_destinations
    there = book.get_destination_page_number(places["beta#there"])
    assert "found" in book.pages[there].extract_text()
    assert there > book.get_destination_page_number(places["beta#"])


@in_a_browser
def test_a_book_has_bookmarks_labels_and_numbers(book):
    assert bookmarks(book) == ["Welcome", "Alpha", ["Down"], "Beta", ["There"]]
    assert book.page_labels[:3] == ["i", "1", "2"]
    assert [sheet.extract_text().split()[-1] for sheet in book.pages] == book.page_labels
    assert "Alpha" in book.pages[1].extract_text().splitlines()[-2:][0]
    assert book.metadata.title == "Bias, Measured" and book.metadata.author
    assert book.metadata.creation_date is not None


@in_a_browser
def test_a_book_has_the_tags_of_all_its_pages(book):
    tree = book.trailer["/Root"]["/StructTreeRoot"]
    assert len(structure(tree, "/H1")) == 3 and len(structure(tree, "/Link")) == 5
    numbers = tree["/ParentTree"]["/Nums"][::2]
    assert list(numbers) == sorted(set(numbers))
    links = [link.get_object() for sheet in book.pages for link in sheet.get("/Annots", ())]
    held = [sheet["/StructParents"] for sheet in book.pages]
    held += [link["/StructParent"] for link in links]
    assert len(set(held)) == len(held) and set(held) <= set(numbers)


@in_a_browser
def test_what_does_not_fit_is_told_and_wide_tables_are_made_to_fit(printed):
    clipped = {one.name: one.clipped for one in printed}
    assert clipped["alpha"] == [] and clipped["intro"] == []
    assert any("too wide to shrink" in told for told in clipped["beta"])


@in_a_browser
def test_long_tables_print_their_first_rows_and_folded_code_nothing(printed, small_site):
    _, alpha, beta = (PdfReader(bind_pages(one, small_site)) for one in printed)
    assert "hiddencode" not in text_of(alpha) and "Code:draw" not in text_of(alpha)
    assert "column39" in text_of(alpha)
    assert text_of(beta).count("word") - text_of(beta).count("words") == FIRST_ROWS + 1
    assert f"Thefirst{FIRST_ROWS}of70rows" in text_of(beta) and "words.csv" in text_of(beta)


def bind_pages(one, site):
    buffer = io.BytesIO()
    bind_alone(Part(one, site, ["intro", "alpha", "beta"])).write(buffer)
    return buffer


@in_a_browser
def test_a_file_of_one_page_leads_into_the_whole_for_the_rest(printed, small_site):
    found = actions(PdfReader(bind_pages(printed[1], small_site)))
    kinds = {(one["/S"], str(one.get("/D") or one.get("/URI"))) for one in found}
    assert kinds == {
        ("/GoTo", "alpha#down"),
        ("/GoToR", "beta#there"),
        ("/GoToR", "beta#nowhere"),
        ("/URI", "https://example.org/paper"),
    }, "and a link to what is nowhere on paper is left out"
    assert {one["/F"] for one in found if one["/S"] == "/GoToR"} == {"bias-measured.pdf"}


def test_contents_and_pages_leave_the_library_to_the_site(tmp_path):
    names = pages_of(Book.open(ROOT))
    assert names[0] == "intro" and f"chapters/{CHAPTER}" in names and "pages/bibliography" in names
    assert not [name for name in names if name.startswith(("pages/api", "pages/certificates"))]
    text = front_matter(tmp_path, "A volume", [("chapters/ripa", "RIPA & more", 12)])
    assert (
        "RIPA &amp; more" in text
        and ">12<" in text.replace("</span>12", ">12")
        and "left to the" in text
    )


def test_evidence_and_report_card_are_a_volume_of_their_own():
    volumes = {name: volume_of(name) for name in pages_of(Book.open(ROOT))}
    referees = {name for name, volume in volumes.items() if volume == EVIDENCE}
    assert {"chapters/evidence/base_pair_stability", "chapters/report_card"} <= referees
    assert {volumes[name] for name in ("intro", "chapters/base_pair_stability")} == {STORIES}
    others = {name for name in referees if not name.startswith("chapters/evidence/")}
    looked_up = {"pages/changes", "pages/architecture", "pages/cluster"}
    assert others == looked_up | {"chapters/report_card", "chapters/multiclass_in_models"}


def test_without_a_site_the_command_says_what_to_do(tmp_path, capsys):
    assert main(["--site", str(tmp_path)]) == 2
    assert "build the site first, with `make book`" in capsys.readouterr().err


def test_without_a_browser_the_command_says_what_to_install(monkeypatch, refuses):
    from scripts.tools.printing import PrintError

    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(PrintError, match=r"no Chromium.*apt-get install chromium"):
        chromium()


def test_help_says_what_is_left_out(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "certificates" in capsys.readouterr().out


# --- one chapter of the built site


@pytest.fixture(scope="module")
def chapter(tmp_path_factory):
    if not (SITE / "index.html").exists():
        pytest.skip("no built site under _build/html: run `make book` first")
    folder = tmp_path_factory.mktemp("chapter")
    assert main(["--chapter", CHAPTER, "--out", str(folder)]) == 0, "something is clipped"
    path = folder / f"{CHAPTER}.pdf"
    assert path.stat().st_size < 2.5e6
    html = BeautifulSoup((SITE / "chapters" / f"{CHAPTER}.html").read_text("utf-8"), "html.parser")
    return PdfReader(path), html.select_one("main article")


def structure(node, kind):
    """Elements of a kind in the tags of a file."""
    node = node.get_object()
    if isinstance(node, list):
        return [found for child in node for found in structure(child, kind)]
    if not isinstance(node, dict):
        return []
    own = [node] if node.get("/S") == kind else []
    return own + (structure(node["/K"], kind) if "/K" in node else [])


@pytest.mark.site
@in_a_browser
def test_every_figure_of_a_chapter_is_on_paper_with_its_description(chapter):
    reader, article = chapter
    figures = structure(reader.trailer["/Root"]["/StructTreeRoot"], "/Figure")
    told = {re.sub(r"\s", "", str(one.get("/Alt", ""))) for one in figures}
    images = article.select("figure img:not(.only-dark)")
    assert images and {re.sub(r"\s", "", image["alt"]) for image in images} <= told


@pytest.mark.site
@in_a_browser
def test_every_heading_of_section_and_table_is_on_paper(chapter):
    reader, article = chapter
    text = text_of(reader)
    tables = [table for table in article.select("table") if not table.find_parent("details")]
    headings = [
        *article.select("h1, h2, h3"),
        *(th for table in tables for th in table.select("th")),
    ]
    for link in article.select(".headerlink, mjx-container, .math"):
        link.decompose()
    wanted = {re.sub(r"\s", "", one.get_text()) for one in headings}
    assert len(wanted) > 10 and [one for one in wanted if one not in text] == []


@pytest.mark.site
@in_a_browser
def test_bookmarks_labels_and_links_of_a_chapter(chapter):
    reader, article = chapter
    title, sections = bookmarks(reader)
    assert title == article.select_one("h1").find(string=True)
    assert len(sections) >= len(article.select("section > section > h2")) - 1
    assert reader.page_labels == [str(place + 1) for place in range(len(reader.pages))]
    places = reader.named_destinations
    for one in actions(reader):
        assert one["/S"] != "/GoTo" or one["/D"] in places, one
        assert not str(one.get("/URI", "")).startswith("file:"), one
