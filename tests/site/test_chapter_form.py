"""The form of a chapter's page: the answer first, set-up in one line, code folded, how to use and cite it at the end."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from lib.paths import ROOT
from lib.profiles import page_of
from runner.book import Book
from runner.facts import Facts
from tests.site.test_extensions import extension
from tests.site.test_site import parsed
from tests.support.browser import DESKTOP, PHONE, in_a_browser
from tests.support.sites import ON_A_SITE, SITES

form = extension("chapter_form")
CHAPTERS = list(Book.open(ROOT).chapters)
MODEL = "base_pair_stability"
KNOWN = Facts("one", 2, {"profile": "embedded", "embedding": "minilm"}, 12.0, None, {})
DEAD = (
    "runs this section",
    "Nothing was recorded",
    "No vectors of other languages were named",
    "nothing to compare",
    "not saved: BIASBOOK_RESULTS",
    "results saved as",
)


def cell(name, *tags, source="x = 1", output=""):
    """A code cell as the parser makes it."""
    made = nodes.container(
        nb_element="cell_code", classes=["cell", *(f"tag_{tag}" for tag in tags)], names=[name]
    )
    if source:
        made += nodes.container(
            "", nodes.literal_block(source, source), nb_element="cell_code_source"
        )
    if output:
        made += nodes.container("", nodes.paragraph(text=output), nb_element="cell_code_output")
    return made


def page(*children):
    return nodes.section(
        "", nodes.title(text="Which pair?"), nodes.paragraph(text="How often?"), *children
    )


def words(node):
    return [part.astext() for part in node.findall(nodes.paragraph)]


def test_answer_and_picture_come_before_set_up_and_sections():
    set_up, picture = cell("a", "set-up"), cell("b", "picture", output="the picture")
    answer = cell("c", "take-away", output="the answer")
    made = page(set_up, picture, nodes.section("", nodes.title(text="Why"), answer))
    form.arrange(made, [set_up, picture, answer], KNOWN)
    assert words(made) == ["How often?", "the answer", "the picture"]
    assert isinstance(made.children[4], form.ThisRun) and made.children[4].children == [set_up]
    assert made.children[5].children[0].astext() == "Why"


def test_neighbouring_code_without_output_is_one_bar():
    first, second, third = cell("a"), cell("b"), cell("c", output="42")
    last = cell("d", "show-input", output="43")
    document = nodes.document(None, None)
    document += page(first, second, third, last)
    for one in (first, second, third, last):
        form.fold_code(one, one["names"][0])
    form.join_folds(document)
    folds = list(document.findall(form.CodeFold))
    assert [(fold["label"], fold["cells"], len(fold.children)) for fold in folds] == [("c", 3, 3)]
    assert last.children[0]["nb_element"] == "cell_code_source"


def test_a_solution_is_folded_whole_and_the_answer_shows_no_code():
    task, answer = cell("a", "solution", output="42"), cell("b", "take-away", output="Often.")
    made = page(task, answer)
    for one in (task, answer):
        form.fold_code(one, "")
    assert [fold.children for fold in made.findall(form.Solution)] == [[task]]
    assert answer.astext() == "Often."


def test_a_section_that_says_more_is_folded_and_has_no_line_in_the_contents():
    more = nodes.section(
        "", nodes.title(text="More: ties"), nodes.paragraph(text="Yes."), ids=["m"]
    )
    other = nodes.section("", nodes.title(text="Ties"), nodes.paragraph(text="No."), ids=["n"])
    made = page(more, other)
    for part in (more, other):
        form.fold_section(part)
    folded = next(made.findall(form.More))
    assert folded["title"] == "More: ties" and words(folded) == ["Yes."]
    assert [part["ids"] for part in made.findall(nodes.section)][1:] == [["n"]]


def test_numbers_in_running_text_have_a_true_minus_and_code_keeps_its_own():
    document = nodes.document(None, None)
    document += nodes.paragraph("", "kappa -0.06 in ", nodes.literal(text="-0.06"))
    document += nodes.raw("", '<dl class="trust"><dd>-0.1 to 5 %</dd></dl>', format="html")
    form.set_signs(document)
    said, box = document.children
    assert said.astext() == "kappa −0.06 in -0.06"
    assert box.astext() == '<dl class="trust"><dd>−0.1 to 5\N{NO-BREAK SPACE}%</dd></dl>'


@pytest.mark.parametrize(
    "source, said", [("# Scores of pairs.\nx = 1", "Scores of pairs"), ("x = 1", "score all")]
)
def test_a_bar_says_what_its_code_does(source, said):
    one = cell("a", source=source)
    one["cell_index"] = 1
    assert form.label(one, ["title", "score-all"]) == said


def test_chips_name_paper_time_and_verdicts():
    known = Facts("one", 2, {}, 130.0, None, {"reproduced": 7, "differs": 1})
    text = BeautifulSoup(form.chips(known, 9, "zhang2020", True), "html.parser").get_text(" | ")
    for said in ("Zhang, Sneyd & Stevenson 2020", "9 min read", "runs in 2 min", "7 reproduced"):
        assert said in text


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


def chapter(site, name) -> BeautifulSoup:
    return parsed(site / f"{page_of(name)}.html")


def article(site, name):
    return chapter(site, name).select_one("article")


@pytest.mark.parametrize("name", CHAPTERS)
class TestEveryChapter:
    pytestmark = ON_A_SITE

    def test_opens_with_question_answer_and_picture(self, site, name):
        first = article(site, name).select_one("h1").find_parent("section")
        places = {
            what: found.sourceline * 10_000 + found.sourcepos
            for what, selector in {
                "chips": "p.chips",
                "question": ":scope > p:not(.chips) strong",
                "answer": ".tag_take-away",
                "picture": ".tag_picture img, .tag_picture svg, .tag_picture table",
                "this run": "details.this-run",
                "sections": ":scope > section",
            }.items()
            if (found := first.select_one(selector))
        }
        expected = ["chips", "question", "answer", "picture", "this run", "sections"]
        assert sorted(places, key=places.get) == expected

    def test_answer_has_two_to_four_sentences_with_numbers(self, site, name):
        items = article(site, name).select(".tag_take-away li")
        assert 2 <= len(items) <= 4
        assert any(re.search(r"\d", item.get_text()) for item in items)

    def test_shows_no_code_but_what_teaches(self, site, name):
        shown = [
            code
            for code in article(site, name).select("div.cell_input")
            if not code.find_parent("details") and "tag_show-input" not in code.parent["class"]
        ]
        assert [code.get_text()[:60] for code in shown] == []

    def test_has_no_dead_section(self, site, name):
        text = article(site, name).get_text(" ", strip=True)
        assert [words for words in DEAD if words in text] == []

    def test_numbers_its_figures_by_chapter(self, site, name):
        numbers = [
            tag.get_text(strip=True) for tag in article(site, name).select(".caption-number")
        ]
        place = CHAPTERS.index(name) + 1
        assert numbers == [f"Fig. {place}.{n}" for n in range(1, len(numbers) + 1)]

    def test_ends_with_how_to_use_and_cite_it(self, site, name):
        text = article(site, name).get_text()
        assert f"bias-measured run --chapter {name} -p" in text and "@incollection{" in text
        assert "What changed." in text

    def test_offers_notebook_and_results(self, site, name):
        files = [Path(a["href"]).name for a in article(site, name).select(".chips a[download]")]
        assert f"{name}.ipynb" in files
        assert all((site / "_static" / "files" / file).is_file() for file in files)


@pytest.fixture
def model(browser, site):
    opened = browser.new_page(viewport=DESKTOP)
    opened.goto((site / "chapters" / f"{MODEL}.html").as_uri(), wait_until="load")
    yield opened
    opened.close()


@in_a_browser
class TestModelChapter:
    pytestmark = ON_A_SITE

    def test_picture_starts_within_600_pixels(self, model):
        assert model.locator(".tag_picture img").first.bounding_box()["y"] < 600

    def test_takes_ten_screens_or_fewer(self, model):
        assert model.evaluate("document.documentElement.scrollHeight") <= 10 * DESKTOP["height"]

    def test_one_switch_opens_all_code_and_closes_it(self, model):
        folds, switch = model.locator("details.code-fold"), model.locator(".show-all-code")
        assert folds.count() > 5
        for name, opened in [("hide all code", True), ("show all code", False)]:
            switch.click()
            assert switch.inner_text() == name
            states = folds.evaluate_all("all => all.map((fold) => fold.open)")
            assert set(states) == {opened}

    def test_every_exercise_has_a_solution_that_ran(self, model):
        tasks = model.locator("section#try-it ol > li").count()
        solutions = model.locator("section#try-it details.solution")
        assert tasks == solutions.count() == 3
        outputs = solutions.evaluate_all(
            "all => all.map((one) => one.querySelectorAll('.cell_output').length)"
        )
        assert min(outputs) >= 1

    def test_fits_a_phone(self, model):
        model.set_viewport_size(PHONE)
        assert model.evaluate("document.documentElement.scrollWidth") <= PHONE["width"] + 1
        picture = model.locator(".tag_picture picture img").first
        assert "phone" in picture.evaluate("image => image.currentSrc")
        box = picture.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
