"""YAML, JSON, tables and notebooks of one's own, whole and damaged: a right result, or an error that names the file."""

import json
import shutil

import pytest

from lib.documents import read_json, read_run_record, read_yaml
from lib.ledger.certificates import read_certificate
from lib.ledger.results import compare, read_results
from lib.profiles import _read as read_profile
from lib.profiles import chapter_entries
from lib.sources.registry import _read as read_registry
from lib.sources.registry import registry
from runner.archive import Archive
from runner.book import Book
from runner.notebooks import read_notebook, tags
from runner.site import configuration
from tests.support.miniature_book import MINIATURE
from tests.support.mutations import not_worded

RUN = "alpha--factor=2.0,seed=0"


@pytest.fixture
def book(tmp_path):
    """The miniature as a book of one's own, without a lib."""
    return shutil.copytree(MINIATURE, tmp_path / "own", ignore=shutil.ignore_patterns("lib"))


@pytest.fixture
def results(tmp_path):
    """Numbers and record of a run."""
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / f"{RUN}.csv").write_text(
        "chapter,profile,quantity,claim_id,value,low,high,n,settings,data\n"
        'alpha,embedded,mean,,0.5,0.25,0.75,12,"{""lists"": ""a""}",numbers@sha256:00\n'
        "alpha,embedded,spread,,1e-3,,,,{},\n"
    )
    record = {
        "chapter": "alpha",
        "profile": "embedded",
        "parameters": {"factor": 2.0, "seed": 0},
        "seconds": 1.5,
        "peak_megabytes": 120,
        "python": "3.11",
        "lib": "0" * 64,
        "packages": {"numpy": "2.4.6"},
        "data": {"numbers.csv": "1" * 64},
        "modules": {"lib.checks": "2" * 64},
        "commit": None,
        "code": "3" * 64,
        "format": 2,
    }
    (folder / f"{RUN}.run.json").write_text(json.dumps(record, indent=1))
    return folder


def opened(folder):
    """A book with all that its files say."""
    read_profile.cache_clear()
    opened_book = Book.open(folder)
    configuration(opened_book)
    return [run.name for run in opened_book.runs("embedded")]


YAML = {
    "a tab": ("chapters:\n\talpha: {}\n", "line 2: expected YAML"),
    "a list": ("- alpha\n", "expected names with values; got list"),
    "a name twice": ("chapters: {}\nchapters: {}\n", "line 2: .* 'chapters' a second time"),
    "brackets without end": ("[" * 3000, "expected YAML"),
    "Latin letters": ("chapters: {}  # caf\xe9\n".encode("latin-1"), "expected text in UTF-8"),
}


@pytest.mark.parametrize("name", ["_toc.yml", "_config.yml", "data/profiles/embedded.yml"])
def test_yaml_that_is_none_is_named_with_its_line(book, name):
    path = book / name
    for text, said in YAML.values():
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(ValueError, match=said) as caught:
            opened(book)
        assert str(path) in str(caught.value)


ENTRIES = {
    "a list for a chapter": ("chapters: {alpha: [1]}", "chapter alpha: expected .*parameters"),
    "a word for data": ("chapters: {alpha: {data: key}}", r"data: \[key, key\]"),
    "a word for a resource": ("chapters: {alpha: {resources: {GPU: one}}}", "expected a number"),
    "another name": ("chapter: {alpha: {}}", "Did you mean 'chapters'"),
}


@pytest.mark.parametrize("text, said", ENTRIES.values(), ids=ENTRIES)
def test_a_profile_that_says_something_else_is_named_with_what_was_expected(tmp_path, text, said):
    (tmp_path / "own.yml").write_text(text)
    with pytest.raises(ValueError, match=said) as caught:
        chapter_entries("own", tmp_path)
    assert str(tmp_path / "own.yml") in str(caught.value)


def test_a_table_of_contents_lists_pages_and_a_chapter(book):
    toc = book / "_toc.yml"
    for text, said in {
        "format: jb-book": "the name 'root'",
        "root: intro": "got none",
        "root: [intro]": "root: expected the name of a page",
        "root: intro\nchapters: alpha": "expected lines like `- file: page`",
    }.items():
        toc.write_text(text)
        with pytest.raises(ValueError, match=said) as caught:
            opened(book)
        assert str(toc) in str(caught.value)


@pytest.mark.parametrize("name", ["_toc.yml", "_config.yml", "data/profiles/embedded.yml"])
def test_a_damaged_book_is_read_right_or_named(book, name):
    """A damage may also leave a well-formed file that names another page, chapter, parameter or profile: these are said by
    their names."""

    by_name = ("profile embedded", "profile:", "parameter of", "expected a value of type")

    def read(path):
        try:
            opened(book)
        except ValueError as error:
            if not any(word in str(error) for word in by_name):
                raise

    assert not_worded(read, book / name) == []


def test_a_damaged_notebook_is_read_right_or_named(book):
    path = book / "chapters" / "alpha.ipynb"

    def read(path):
        chapter = Book.open(book).chapters["alpha"]
        return chapter.title, chapter.code, chapter.parameters

    assert not_worded(read, path) == []


def test_damaged_cells_of_parameters_are_read_right_or_named(book, tmp_path):
    notebook = book / "chapters" / "alpha.ipynb"
    cells = read_notebook(notebook.read_bytes()).cells
    cell = next(cell for cell in cells if "parameters" in tags(cell))
    source = tmp_path / "alpha.ipynb.txt"
    source.write_text(
        f"{cell.source}\nlists = ['a', \"b\", -1.5]  # words\nshares = {{'a': None}}\n"
    )

    def read(path):
        content = json.loads(notebook.read_text())
        place = next(one for one in content["cells"] if one.get("id") == cell.id)
        place["source"] = path.read_bytes().decode("latin-1")
        notebook.write_text(json.dumps(content))
        values = Book.open(book).chapters["alpha"].parameters
        assert all(name.isidentifier() for name in values) and json.dumps(values)

    def named(path):
        try:
            read(path)
        except ValueError as error:
            assert "chapters/alpha.ipynb: the cell tagged `parameters`" in str(error)
            raise ValueError(f"{path.name}: {error}") from error

    assert not_worded(named, source, n=300) == []


def test_a_notebook_that_is_none_is_named(book):
    path = book / "chapters" / "alpha.ipynb"
    for text in ("[]", "{}", '{"nbformat": 4, "cells": [1]}', "{", '{"cells": [], "nbformat": 3}'):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"chapters/alpha\.ipynb: expected a notebook"):
            _ = Book.open(book).chapters["alpha"].parameters


def test_damaged_results_are_read_right_or_named(results):
    assert len(read_results(results)) == 2
    assert not_worded(lambda path: read_results(results), results / f"{RUN}.csv", n=300) == []


def test_a_damaged_record_is_read_right_or_named_by_all_who_read_it(results):
    def read(path):
        read_certificate(path)
        compare("alpha", "seed", folder=results)

    path = results / f"{RUN}.run.json"
    read(path)
    assert not_worded(read, path, n=300) == []


def test_a_damaged_record_makes_its_chapter_due(book):
    archive = Archive(Book.open(book), "embedded")
    run = archive.book.runs("embedded", ["alpha"])[0]
    folder = archive.book.recorded("embedded")
    folder.mkdir(parents=True)
    path = folder / f"{run.name}.run.json"
    path.write_text("{")
    reason = archive.why_unrecorded(run)
    assert reason.startswith(f"its record is damaged: {path}, line 1: expected JSON")
    assert "--chapter alpha --fresh" in reason
    path.write_text('{"format": 2, "data": [1]}')
    assert "data: expected values by name" in archive.why_unrecorded(run)
    assert archive.due([run]) and archive.seconds(run) == float("inf")


def test_a_damaged_registry_is_read_right_or_named(tmp_path):
    lines = registry_lines()
    path = tmp_path / "registry.csv"
    path.write_text("\n".join(lines) + "\n")

    def read(path):
        read_registry.cache_clear()
        return [source.path for source in registry(path).values()]

    assert len(read(path)) == 3
    assert not_worded(read, path, n=300) == []


def registry_lines(url="https://e.org/data/a.csv", key="one"):
    digest = f"sha256:{'0' * 64}"
    raw = "https://raw.githubusercontent.com/owner/repo/commit/a/b.csv"
    return [
        "key,url,hash,bytes,license,description",
        f"{key},{url},{digest},12,MIT,numbers",
        f'two,{raw},md5:{"1" * 32},3456,CC0,"words, and more"',
        f"three,https://github.com/owner/repo/releases/x.zip,{digest},1,MIT,",
    ]


OUT = [
    "https://e.org/a/../../../tmp/evil",
    "https://e.org/a/%2e%2e/%2e%2e/evil",
    "https://e.org/a/..%2f..%2f..%2ftmp%2fevil",
    "https://../evil",
    "https://github.com/.verified/one.json",
    "https://e.org/a\\..\\..\\evil",
]


@pytest.mark.parametrize("url", OUT)
def test_no_address_leads_out_of_the_cache(tmp_path, url):
    path = tmp_path / "registry.csv"
    path.write_text("\n".join(registry_lines(url)))
    with pytest.raises(
        ValueError, match=r"registry\.csv, line 2: expected an http or https address"
    ):
        registry(path)


@pytest.mark.parametrize("key", ["../one", "a/b", ""])
def test_no_key_names_a_file_elsewhere(tmp_path, key):
    path = tmp_path / "registry.csv"
    path.write_text("\n".join(registry_lines(key=key)))
    with pytest.raises(ValueError, match=r"registry\.csv, line 2: expected a key of letters"):
        registry(path)


def test_documents_hold_what_is_asked_for(tmp_path):
    path = tmp_path / "one.json"
    path.write_text('{"sedes": 1}')
    with pytest.raises(ValueError, match=r"one\.json: expected the name 'seeds'.*sedes"):
        read_json(path, dict, needs=["seeds"])
    with pytest.raises(ValueError, match=r"one\.json: expected a list; got dict"):
        read_json(path, list)
    path.write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"one\.json"):
        read_json(path, list)
    path.write_text('{"seconds": NaN}')
    with pytest.raises(ValueError, match=r"seconds: expected a number; got nan"):
        read_run_record(path)
    path.write_text("")
    assert read_yaml(path, list) == []
