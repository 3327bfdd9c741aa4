"""What the watcher in a kernel sees, what of it a run depends on, and what is left out."""

import json
import py_compile
import re
import subprocess
import sys

import pytest

from lib.files import file_hash
from lib.paths import ROOT
from runner.depfile import depfile, files_read, hash_folder
from runner.watch import stamp

READS = """
import csv, os, sys, tempfile
from pathlib import Path
sys.path.insert(0, {lib!r})
from runner.watch import report, watch
watch()
import numpy as np
import lib.measures
import studies

Path("data/text.txt").read_text()
np.load("data/array.npy", mmap_mode="r")
os.close(os.open("data/low.bin", os.O_RDONLY))
sys.audit("open", "data/native.bin", "rb", 0)
sys.audit("biasbook.package", "no-such-package")
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
report("report.json", device="cpu")
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
    seen = json.loads((book / "report.json").read_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BIASBOOK_MIRROR", str(outside.parent))
        return book, outside, seen | files_read(seen["opened"], seen["listed"], book)


def test_files_of_the_book_are_noted_with_their_hash_however_they_are_opened(report):
    book, _, seen = report
    read = {"data/text.txt", "data/array.npy", "data/low.bin", "data/native.bin"}
    assert seen["files"] == {
        **{name: file_hash(book / name) for name in read},
        "data/missing.txt": None,
    }


def test_files_elsewhere_are_noted_with_size_and_time_and_those_of_programs_are_not(report):
    _, outside, seen = report
    state = outside.stat()
    assert seen["external"] == {
        str(outside): {
            "stamp": [state.st_size, state.st_mtime_ns],
            "sha256": file_hash(outside),
        }
    }


def test_a_compiled_module_from_elsewhere_stands_for_its_source(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_MIRROR", str(tmp_path))  # as temporary files do not count
    source = tmp_path / "package" / "module.py"
    source.parent.mkdir()
    source.write_text("number = 1")
    compiled = py_compile.compile(str(source))
    read = files_read({compiled: stamp(compiled)}, [], tmp_path / "book")
    assert read["external"] == {
        str(source): {"stamp": list(stamp(source)), "sha256": file_hash(source)}
    }


def test_a_file_that_changed_after_it_was_opened_never_counts_as_the_same(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("one")
    opened = {str(path): stamp(path)}
    path.write_text("other")
    assert files_read(opened, [], tmp_path)["files"] == {
        "data.csv": "changed while the chapter ran"
    }


def test_a_package_that_was_looked_for_in_vain_makes_a_page_stale_once_it_is_there(report):
    book, _, seen = report
    assert depfile(seen, book, {}, {})["packages"]["no-such-package"] is None


def test_listed_folders_are_noted_but_not_the_book_itself(report):
    book, _, seen = report
    assert seen["folders"] == {"data": hash_folder(book / "data")}


def test_modules_packages_memory_and_device_are_noted(report):
    _, _, seen = report
    assert {"lib.measures", "studies"} < {*seen["modules"]}
    assert {name.partition(".")[0] for name in seen["modules"]} == {"lib", "studies"}
    assert "numpy" in seen["imported"] and "sys" not in seen["imported"]
    assert seen["looked_for"] == ["no-such-package"]
    assert 10e6 < seen["peak_bytes"] < 4e9 and seen["device"] == "cpu"
    assert re.fullmatch(r".+, \d+ cores, \w+", seen["machine"])
