"""A new chapter: a notebook that keeps the house rules and runs, entered wherever a chapter is named."""

import json
import shutil

import pytest

from runner.book import Book
from runner.command import main
from runner.new_chapter import left_to_do, new_chapter
from scripts.tools import notebooks
from tests.support.miniature_book import MINIATURE, listing


@pytest.fixture
def book(tmp_path):
    """The miniature book, which has no claims, bibliography or tests of its own."""
    folder = shutil.copytree(MINIATURE, tmp_path / "book")
    (folder / "tests" / "chapters").mkdir(parents=True)
    return folder


def test_a_new_chapter_is_entered_where_chapters_are_named_and_keeps_the_house_rules(book):
    written = new_chapter(Book.open(book), "gamma")
    assert written == [
        "chapters/gamma.ipynb",
        "_toc.yml",
        "data/profiles/embedded.yml",
        "data/profiles/sample.yml",
        "tests/chapters/test_gamma.py",
    ]
    opened = Book.open(book)
    assert list(opened.chapters) == ["alpha", "beta", "gamma", "summary"]
    assert [run.chapter.name for run in opened.runs("embedded", ["gamma"])] == ["gamma"]
    compile((book / "tests/chapters/test_gamma.py").read_text(), "test_gamma.py", "exec")
    text = (book / "chapters" / "gamma.ipynb").read_text(encoding="utf-8")
    assert notebooks.complaints("gamma", json.loads(text)) == []
    assert text == notebooks.rendered(notebooks.normalised(json.loads(text)))


def test_a_paper_gets_a_reference_once_and_no_empty_claims(book):
    paper = "doe2019_words"
    assert new_chapter(Book.open(book), "gamma", paper)[5:] == ["references.bib"]
    assert "{cite}`doe2019`" in (book / "chapters" / "gamma.ipynb").read_text()
    assert "@inproceedings{doe2019," in (book / "references.bib").read_text()
    assert not (book / "data" / "claims").exists()
    assert new_chapter(Book.open(book), "delta", paper)[5:] == []


def test_a_paper_whose_claims_wait_for_a_chapter_gets_it_and_what_is_left_is_said(book):
    path = book / "data" / "claims" / "scope" / "doe2019_words.csv"
    path.parent.mkdir(parents=True)
    path.write_text("claims,metric,text,chapter,kind\ndoe2019_words.*,,,,result\n")
    new_chapter(Book.open(book), "gamma", "doe2019_words")
    new_chapter(Book.open(book), "delta", "doe2019_words")
    assert path.read_text().splitlines()[1] == "doe2019_words.*,,,gamma,result"


def test_the_course_gets_a_line_at_its_end(book):
    course = book / "data" / "course.yml"
    course.write_text('parts:\n  - chapters:\n      beta: {goal: "count"}\n')
    assert "data/course.yml" in new_chapter(Book.open(book), "gamma")
    assert course.read_text().endswith('count"}\n      gamma: {goal: "to be filled in"}\n')
    left = left_to_do(book, "gamma")
    assert any(line.startswith("data/course.yml") for line in left)


def test_the_map_of_the_book_gets_a_row_before_the_last(book):
    page = book / "pages" / "what_we_learned.md"
    page.parent.mkdir()
    rows = [
        "| chapter | paper |",
        "|---|---|",
        "| [Alpha](../chapters/alpha.ipynb) | – |",
        "| last |",
    ]
    table = "\n".join(rows)
    page.write_text(f"# Learned\n\n| no | map |\n\n(map-of-the-book)=\n## Map\n\n{table}\n\nEnd.\n")
    assert "pages/what_we_learned.md" in new_chapter(Book.open(book), "gamma", "doe2019_words")
    found = page.read_text().splitlines()
    row = "| [gamma](../chapters/gamma.ipynb) | to be filled in | to be filled in | {cite:t}`doe2019` |"
    assert found[7:] == [*rows[:3], row, rows[3], "", "End."]


def test_what_is_left_to_do_is_said(book):
    new_chapter(Book.open(book), "gamma", "doe2019_words")
    said = "\n".join(left_to_do(book, "gamma", "doe2019_words"))
    for what in (
        "--chapter gamma --build",
        "scope/doe2019_words.csv",
        "filled in",
        "studies/gamma",
        "pytest tests/chapters/test_gamma.py",
    ):
        assert what in said
    said = "\n".join(left_to_do(book, "gamma"))
    assert "--chapter gamma --build" in said and "studies/gamma" in said and "scope" not in said


BAD_NAMES = {
    "a path": (["chapters/x"], ["small letters", "'chapters/x'"]),
    "one that is there": (["alpha"], ["a chapter alpha already"]),
    "a paper without a year": (["gamma", "words"], ["zhang2020_base_pairs", "'words'"]),
}


@pytest.mark.parametrize("case", BAD_NAMES)
def test_a_bad_name_is_refused_and_nothing_is_written(case, book, refuses):
    before = listing(book)
    arguments, fragments = BAD_NAMES[case]
    refuses(lambda: new_chapter(Book.open(book), *arguments), fragments)
    assert listing(book) == before


@pytest.mark.slow
def test_a_new_chapter_runs_as_it_is(book, capsys):
    assert main(["--book", str(book), "--new", "gamma"]) == 0
    assert "python -m lib.run --chapter gamma --build" in capsys.readouterr().out
    code = main(["--book", str(book), "--chapter", "gamma", "--workers", "1"])
    assert code == 0, capsys.readouterr().out
    (results,) = (book / "results" / "embedded").glob("gamma--*.csv")
    assert "mean direct bias" in results.read_text()
