"""The miniature book of this folder, planted elsewhere with its own copy of the code, and the commands run there."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import nbformat
import psutil

from lib.paths import ROOT
from runner import book, command, depfile, execution, notebooks, running

TEMPORARY = (
    tempfile.gettempdir()
)  # of this process: some tests have one of their own, which goes with them
MINIATURE = Path(__file__).with_name("miniature")

FILES_THAT_MUST_AGREE = ("results/*/*.csv", ".cache/runs/*/*/executed.ipynb")


def plant(folder: Path) -> Path:
    """A fresh copy of the miniature and of the code, which gets the package that only the miniature has."""
    for (
        house
    ) in book.PROGRAM:  # with what is compiled, else each process of a tree compiles it again
        shutil.copytree(ROOT / house, folder / house)
    unused = shutil.ignore_patterns("__pycache__")
    shutil.copytree(MINIATURE, folder, ignore=unused, dirs_exist_ok=True)
    return folder.resolve()


@cache
def undisturbed() -> tuple[Path, float]:
    """A planted book whose chapters have run once, in one go, and the seconds that took. Tests leave it as it is."""
    folder = Path(tempfile.mkdtemp(prefix="miniature-", dir=TEMPORARY))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    tree = plant(folder / "book")
    started = time.monotonic()
    finished = start(tree)
    output, _ = finished.communicate()
    assert finished.returncode == 0, output
    return tree, time.monotonic() - started


def copy_of_undisturbed(folder: Path) -> Path:
    return shutil.copytree(undisturbed()[0], folder / "book", symlinks=True)


def environment(tree: Path) -> dict[str, str]:
    """Variables for a process that is to find the tree's code before any other."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("BIASBOOK_")}
    paths = os.pathsep.join(
        (str(tree), str(ROOT))
    )  # what a tree lacks comes from here, not from what is installed
    return {**own, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}


def start(
    tree: Path, *arguments: str, module: str = "lib.run", variables: Mapping[str, str] = {}
) -> subprocess.Popen:
    """The command as a process of its own in the tree, its output together in one pipe."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=tree,
        env={**environment(tree), **variables},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def command_here(monkeypatch, tree: Path) -> Callable[..., int]:
    """The command in this process, as if its code were the tree's; kernels really load the tree's."""
    monkeypatch.syspath_prepend(tree)
    monkeypatch.setenv("PYTHONPATH", str(tree))
    for module in (book, depfile, execution, notebooks, running):
        monkeypatch.setattr(module, "ROOT", tree)
    return lambda *arguments: command.main(["--book", str(tree), *arguments])


def states(output: str) -> dict[str, tuple[str, str]]:
    """The last state of each chapter in the printed lines, with what stands after it."""
    known = ("fresh", "stale", "running", "ran", "failed", "skipped")
    lines = [line.split(None, 2) for line in output.splitlines() if not line.startswith(" ")]
    return {
        words[0]: (words[1], " ".join(words[2:]))
        for words in lines
        if len(words) > 1 and words[1] in known
    }


def listing(folder: Path) -> dict[str, int]:
    """Every file below a folder with the time it was last changed."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def contents(tree: Path) -> dict[str, bytes]:
    """The files that have to be the same however a run came about."""
    return {
        str(path.relative_to(tree)): path.read_bytes()
        for pattern in FILES_THAT_MUST_AGREE
        for path in sorted(tree.glob(pattern))
    }


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, 1))


def set_source(tree: Path, chapter: str, cell: str, source: str) -> None:
    """Give one cell of a chapter another source."""
    path = tree / "chapters" / f"{chapter}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    next(one for one in notebook.cells if one.id == cell).source = source
    nbformat.write(notebook, path)


def processes_in(folder: Path) -> list[psutil.Process]:
    """Living processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if (
                Path(process.cwd()).is_relative_to(folder)
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found
