"""What a run needs is said before it starts."""

import dataclasses

import pytest

from lib.paths import ROOT
from lib.sources.registry import registry
from runner.book import Book
from runner.command import main
from runner.needs import needs, still_away


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A machine on which nothing was fetched; its cache."""
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BIASBOOK_MIRROR", "")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "cache"


def said_of(chapter, profile="full"):
    book = Book.open(ROOT)
    (run,) = book.runs(profile, [chapter])
    return needs(book, profile, run)


def test_files_that_are_here_are_counted_and_the_rest_is_sized(empty):
    assert "here: 0 of 2 files and models, to fetch 1.7 GB" in said_of("base_pair_stability")
    path = empty / registry()["word2vec-google-news-300"].path
    path.parent.mkdir(parents=True)
    path.touch()
    assert "here: 1 of 2 files and models, to fetch" in said_of("base_pair_stability")
    assert "GB" not in said_of("base_pair_stability").partition(";")[0]


def test_a_model_of_the_hub_is_named(empty):
    assert "and bert-base-uncased" in said_of("log_probability_bias")
    assert still_away(["hub:bert-base-uncased"]) == "the models bert-base-uncased"
    assert still_away([]) == ""


def test_a_lighter_profile_says_the_least_that_it_takes(empty, monkeypatch):
    assert "or more (as sample took)" in said_of("base_pair_stability")
    assert "or more" not in said_of("base_pair_stability", "sample")
    book = Book.open(ROOT)
    (run,) = book.runs("full", ["ripa"])
    unknown = dataclasses.replace(book, folder=book.folder / "nowhere")
    monkeypatch.setattr(Book, "entries", lambda book, profile: {})
    assert needs(unknown, "full", run) == "memory and time are not known"


def test_a_profile_may_say_what_nobody_recorded(empty):
    assert said_of("resolvers_evidence").endswith("H100 80GB HBM3")
    book = Book.open(ROOT)
    (run,) = book.runs("full", ["resolvers_evidence"], ["systems=own"])
    assert "tuned systems" not in needs(book, "full", run)


def test_a_dry_run_says_it_for_each_chapter_and_what_lacks_in_all(empty, capsys):
    names = ["ripa", "multiclass"]
    chapters = [part for name in names for part in ("--chapter", name)]
    assert main(["--profile", "full", "--dry-run", *chapters]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("memory" in line for line in lines) == 2
    files = len(Book.open(ROOT).data("full", names))
    assert lines[-1].startswith(f"not here: {files} files (2.1 GB)") and "make data" in lines[-1]
