"""What the watcher in a kernel sees, and what it leaves out."""

import json
import py_compile
import subprocess
import sys

import pytest

from lib.book import depfile
from lib.paths import ROOT

READS = """
import csv, os, sys, tempfile
from pathlib import Path
sys.path.insert(0, {lib!r})
from lib.book import depfile
depfile.watch()
import numpy as np
import lib.measures

Path("data/text.txt").read_text()
np.load("data/array.npy", mmap_mode="r")
os.close(os.open("data/low.bin", os.O_RDONLY))
sys.audit("open", "data/native.bin", "rb", 0)
Path("data/written.txt").write_text("new")
open({outside!r}).read()
try:
    open("data/missing.txt")
except OSError:
    pass
list(Path("data").glob("*.txt"))
list(Path(".").iterdir())
Path("results/own.csv").read_text()
Path(".cache/kept").read_text()
with tempfile.TemporaryFile("w+") as file:
    file.read()
depfile.report("report.json", os.getcwd(), device="cpu")
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What a process that reads in many ways is said to have read."""
    book, outside = (
        tmp_path_factory.mktemp("book"),
        tmp_path_factory.mktemp("mirror") / "vectors.txt",
    )
    for name in (
        "data/text.txt",
        "data/low.bin",
        "data/native.bin",
        "results/own.csv",
        ".cache/kept",
    ):
        (book / name).parent.mkdir(exist_ok=True)
        (book / name).write_text(name)
    outside.write_text("one two")
    save = "import numpy; numpy.save('data/array.npy', numpy.zeros(3))"
    environment = {
        "BIASBOOK_MIRROR": str(outside.parent),
        "HOME": str(book / ".home"),
        "PATH": "/usr/bin",
    }
    for code in (save, READS.format(lib=str(ROOT), outside=str(outside))):
        subprocess.run([sys.executable, "-c", code], cwd=book, check=True, env=environment)
    return book, outside, json.loads((book / "report.json").read_text())


def test_files_of_the_book_are_noted_with_their_hash_however_they_are_opened(report):
    book, _, seen = report
    read = {"data/text.txt", "data/array.npy", "data/low.bin", "data/native.bin"}
    assert seen["files"] == {
        **{name: depfile.hash_file(book / name) for name in read},
        "data/missing.txt": None,
    }


def test_files_elsewhere_are_noted_with_size_and_time_and_those_of_programs_are_not(report):
    _, outside, seen = report
    state = outside.stat()
    assert seen["external"] == {
        str(outside): {
            "stamp": [state.st_size, state.st_mtime_ns],
            "sha256": depfile.hash_file(outside),
        }
    }


def test_a_compiled_module_from_elsewhere_stands_for_its_source(tmp_path, monkeypatch):
    monkeypatch.setattr(depfile, "_passing", lambda path: False)
    source = tmp_path / "package" / "module.py"
    source.parent.mkdir()
    source.write_text("number = 1")
    compiled = py_compile.compile(str(source))
    _, _, external = depfile._inputs(
        {compiled: depfile._stamp(compiled)}, [], tmp_path / "book"
    ).values()
    assert external[str(source)] == {
        "stamp": list(depfile._stamp(source)),
        "sha256": depfile.hash_file(source),
    }


def test_listed_folders_are_noted_but_not_the_book_itself(report):
    book, _, seen = report
    assert seen["folders"] == {"data": depfile.hash_folder(book / "data")}


def test_modules_packages_memory_and_device_are_noted(report):
    _, _, seen = report
    assert "lib.measures" in seen["modules"] and "lib.book.depfile" not in seen["modules"]
    assert "numpy" in seen["imported"] and "sys" not in seen["imported"]
    assert 10e6 < seen["peak_bytes"] < 4e9 and seen["device"] == "cpu"


@pytest.fixture
def record(tmp_path):
    """A depfile that is up to date, the arguments it is compared with, and the file outside that it names."""
    outside = tmp_path / "vectors.txt"
    outside.write_text("one two")
    (tmp_path / "data").mkdir()
    state = outside.stat()
    entry = {"stamp": [state.st_size, state.st_mtime_ns], "sha256": depfile.hash_file(outside)}
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


def test_nothing_changed_is_not_stale(record):
    saved, now, _ = record
    assert depfile.why_stale(saved, **now) is None


@pytest.mark.parametrize(
    "change, reason",
    [
        ({"code": "d"}, "a code cell changed"),
        ({"parameters": {"seed": 1, "device": "auto"}}, "parameter seed changed"),
        ({"parameters": {"seed": 0, "device": "cpu"}}, None),
        ({"hashes": {"lib.measures": "n"}}, "lib.measures changed"),
        ({"hashes": {}}, "lib.measures changed"),
        ({"hashes": {"lib.measures": "m", "lib.new": "n"}}, None),
        ({"inputs": {}}, "result alpha.csv changed"),
        ({"inputs": {"alpha.csv": "i", "beta.csv": "j"}}, "result beta.csv changed"),
    ],
)
def test_each_part_of_the_key_counts(record, change, reason):
    saved, now, _ = record
    assert depfile.why_stale(saved, **{**now, **change}) == reason


def test_a_file_that_was_missing_counts_once_it_is_there(record):
    saved, now, _ = record
    (now["book"] / "data" / "late.txt").write_text("now")
    assert depfile.why_stale(saved, **now) == "data/late.txt changed"


def test_a_new_file_in_a_listed_folder_counts(record):
    saved, now, _ = record
    (now["book"] / "data" / "another.txt").write_text("new")
    assert depfile.why_stale(saved, **now) == "the files in data changed"


def test_a_download_counts_by_content_and_only_where_it_is(record, monkeypatch):
    saved, now, outside = record
    monkeypatch.setattr(
        depfile,
        "hash_file",
        lambda path: pytest.fail(f"{path} was read") if path == str(outside) else None,
    )
    assert depfile.why_stale(saved, **now) is None, "same size and time: not read again"
    monkeypatch.undo()
    outside.write_text("one six")
    assert depfile.why_stale(saved, **now) == f"{outside} changed"
    outside.unlink()
    assert depfile.why_stale(saved, **now) is None, "the registry pins what is not on this machine"
