"""The course: its file, its page, and the line on the pages of chapters."""

import pytest
from bs4 import BeautifulSoup

from lib.documents import read_yaml
from lib.paths import ROOT
from lib.profiles import story_of
from runner.book import Book
from tests.site.test_extensions import extension
from tests.support.sites import ON_A_SITE, SITES


def test_the_course_has_the_chapters_of_the_contents_in_their_order():
    parts = {part.title: list(part.lessons) for part in extension("course").course()}
    contents = read_yaml(ROOT / "_toc.yml", dict)["parts"]
    listed = {
        part["caption"]: [entry["file"].removeprefix("chapters/") for entry in part["chapters"]]
        for part in contents
        if part["caption"] in parts
    }
    assert parts == listed and list(parts) == list(listed)
    stories = {name for name in Book.open(ROOT).chapters if story_of(name) == name}
    under = {  # pages below a story, which its reader need not read
        page["file"].removeprefix("chapters/")
        for part in contents
        for entry in part["chapters"]
        for page in entry.get("sections", ())
    }
    lessons = {name for names in parts.values() for name in names}
    assert stories - lessons - under == {"report_card"}


def test_what_a_chapter_presupposes_comes_before_it():
    seen: set[str] = set()
    for name, lesson in extension("course").lessons():
        assert {*lesson.needs} <= seen, name
        assert lesson.goal[0].islower() and not lesson.goal.endswith("."), name
        seen.add(name)


def test_a_book_without_a_course_has_no_parts(tmp_path):
    assert extension("course").course(tmp_path) == []


@pytest.fixture(params=SITES, ids=lambda site: site.name)
def site(request):
    return request.param


def parsed(path):
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


class TestSite:
    pytestmark = ON_A_SITE

    def test_the_page_of_the_course_links_every_chapter_with_its_minutes(self, site):
        lessons = dict(extension("course").lessons())
        rows = parsed(site / "pages" / "course.html").select("article tbody tr")
        links = [row.select_one("a")["href"] for row in rows]
        assert links == [f"../chapters/{name}.html" for name in lessons]
        assert all(row.find_all("td")[-1].get_text().endswith("min") for row in rows)

    def test_a_chapter_says_what_its_reader_can_do_afterwards(self, site):
        for name, lesson in extension("course").lessons():
            line = parsed(site / "chapters" / f"{name}.html").select_one("p.learning-goal")
            assert lesson.goal in line.get_text(), name
            linked = [link["href"] for link in line.select("a:not(.term)")]
            assert linked == [f"{other}.html" for other in lesson.needs]
