"""What the archive says of a run: registered files that its profile does not list."""

import shutil

from lib.paths import ROOT
from lib.sources.registry import lookup
from runner.archive import Archive, answered_by_stories, git, others_as_stories
from runner.book import Book
from runner.execution import Outcome
from runner.facts import commit
from tests.support.miniature_book import MINIATURE


def test_a_file_that_the_profile_does_not_list_is_named(tmp_path):
    book = shutil.copytree(MINIATURE, tmp_path / "book")
    fields = "key,url,hash,bytes,license,description"
    rows = [
        f"{key},{lookup(key).url},sha256:{'0' * 64},3,MIT,words" for key in ("sembias", "gap_test")
    ]
    (book / "data" / "registry.csv").write_text("\n".join([fields, *rows]) + "\n")
    profile = book / "data" / "profiles" / "sample.yml"
    profile.write_text("chapters: {alpha: {data: [gap_test]}}\n")
    archive = Archive(Book.open(book), "sample")
    run = next(run for run in archive.book.runs("sample") if run.chapter.name == "alpha")
    read = [f"/mirror/{lookup(key).path.as_posix()}" for key in ("sembias", "gap_test")]
    seen = {"external": {name: {} for name in ["/mirror/SemBias/SemBias", *read]}}
    assert archive.unlisted(run, Outcome(run.name, depfile=seen)) == ["sembias"]
    assert archive.unlisted(run, Outcome(run.name, depfile={})) == []


def test_a_scope_says_the_same_whichever_notebook_of_a_chapter_answers():
    one = "claims,chapter,data\ndoe.*,words,any\ndoe.1,,none\ndoe.2,texts,any\n"
    two = "claims,chapter,data\ndoe.*,words_evidence,any\ndoe.1,words,none\ndoe.2,texts,any\n"
    assert answered_by_stories(one) == answered_by_stories(two) == ("words", one)
    other = one.replace("doe.1,,none", "doe.1,,any")
    assert answered_by_stories(other) != answered_by_stories(one)
    assert answered_by_stories("claims,data\n") == ("", "claims,data\n")


def test_a_scope_says_the_same_of_a_chapter_whichever_notebook_of_another_answers():
    one = "claims,chapter\ndoe.*,words_evidence\ndoe.1,texts\n"
    two = one.replace("texts", "texts_evidence")
    assert others_as_stories(two, "words") == one != two
    assert others_as_stories(one.replace("words_evidence", "words"), "words") != one
    assert others_as_stories("claims,data\n", "words") == "claims,data\n"


def test_a_checkout_without_git_is_a_checkout_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # holds no program
    assert git(ROOT, "rev-parse", "HEAD") is None and commit.__wrapped__(ROOT) == ""
    monkeypatch.undo()
    assert git(tmp_path, "rev-parse", "HEAD") is None
