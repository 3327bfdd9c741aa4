"""A depfile beside the state of things now: what makes a run stale, and what does not."""

import shutil

import pytest

from lib.files import file_hash
from lib.paths import ROOT
from runner import depfile
from runner.book import PROGRAM
from runner.watch import stamp


def test_the_hash_of_the_code_covers_every_module_of_it(tmp_path, monkeypatch):
    unused = shutil.ignore_patterns("__pycache__")
    for house in PROGRAM:
        shutil.copytree(ROOT / house, tmp_path / house, ignore=unused)
    hashes = depfile.module_hashes()
    monkeypatch.setattr(depfile, "ROOT", tmp_path)
    assert depfile.module_hashes() == hashes
    assert {"lib", "lib.paths", "lib.measures", "lib.run", "runner.running", "studies"} < {*hashes}
    assert len(hashes) == len(list(tmp_path.rglob("*.py")))
    before = depfile.library_hash(hashes)
    for name in (
        "lib/__init__.py",
        "lib/measures/__init__.py",
        "studies/__init__.py",
        "runner/watch.py",
    ):
        path = tmp_path / name
        path.write_text(path.read_text() + "\n")
        after = depfile.library_hash(depfile.module_hashes())
        assert after != before, path
        before = after


def test_code_of_the_checkout_counts_as_modules_once(tmp_path, monkeypatch):
    """Its source files and folders are not files of the book, what else lies there is, and so is code of the book's own."""
    monkeypatch.setattr(depfile, "ROOT", tmp_path)
    opened = {}
    for name in ("studies/ripa/fit.py", "lib/slug.py", "studies/ripa/words.txt", "own/measure.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        opened[str(path)] = stamp(path)
    listed = [str(tmp_path / name) for name in ("lib", "studies/ripa", "own")]
    read = depfile.files_read(opened, listed, tmp_path)
    assert {*read["files"]} == {"studies/ripa/words.txt", "own/measure.py"}
    assert {*read["folders"]} == {"own"} and not read["external"]
    elsewhere = depfile.files_read(opened, listed, tmp_path / "another")
    assert not elsewhere["files"] and not elsewhere["folders"]


@pytest.fixture
def record(tmp_path):
    """A depfile that is up to date, the arguments it is compared with, and the file outside that it names."""
    outside = tmp_path / "vectors.txt"
    outside.write_text("one two")
    (tmp_path / "data").mkdir()
    state = outside.stat()
    entry = {"stamp": [state.st_size, state.st_mtime_ns], "sha256": file_hash(outside)}
    saved = {
        "format": depfile.FORMAT,
        "code": "c",
        "parameters": {"seed": 0, "device": "auto"},
        "python": depfile.python_version(),
        "packages": {"numpy": depfile.installed("numpy")},
        "modules": {"lib.measures": "m"},
        "files": {"data/late.txt": None},
        "folders": {"data": depfile.hash_folder(tmp_path / "data")},
        "external": {str(outside): entry},
        "inputs": {"alpha.csv": "i"},
    }
    now = {
        "book": tmp_path,
        "code": "c",
        "parameters": {"seed": 0, "device": "auto"},
        "hashes": {"lib.measures": "m"},
        "inputs": {"alpha.csv": "i"},
    }
    return saved, now, outside


@pytest.mark.parametrize(
    "change, reason",
    [
        ({}, None),
        ({"code": "d"}, "a code cell changed"),
        ({"parameters": {"seed": 1, "device": "auto"}}, "parameter seed changed"),
        ({"parameters": {"seed": 0, "device": "cpu"}}, None),
        ({"hashes": {"lib.measures": "n"}}, "lib.measures changed"),
        ({"hashes": {"lib.measures": "m", "lib.new": "n"}}, None),
        ({"inputs": {"alpha.csv": "i", "beta.csv": "j"}}, "result beta.csv changed"),
    ],
)
def test_each_part_of_the_key_counts(record, change, reason):
    saved, now, _ = record
    assert depfile.why_stale(saved, **{**now, **change}) == reason


def test_a_file_that_was_missing_counts_and_so_does_a_new_one_in_a_listed_folder(record):
    saved, now, _ = record
    (now["book"] / "data" / "another.txt").write_text("new")
    assert depfile.why_stale(saved, **now) == "the files in data changed"
    (now["book"] / "data" / "late.txt").write_text("now")
    assert depfile.why_stale(saved, **now) == "data/late.txt changed"


def test_a_download_counts_by_content_and_only_where_it_is(record, monkeypatch):
    saved, now, outside = record
    monkeypatch.setattr(
        depfile,
        "hash_if_there",
        lambda path: pytest.fail(f"{path} was read") if path == str(outside) else None,
    )
    assert depfile.why_stale(saved, **now) is None, "same size and time: not read again"
    monkeypatch.undo()
    outside.write_text("one six")
    assert depfile.why_stale(saved, **now) == f"{outside} changed"
    outside.unlink()
    assert depfile.why_stale(saved, **now) is None, "the registry pins what is not on this machine"
