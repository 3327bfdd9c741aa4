"""The runner: CPU seconds of all its processes, without those of the chapters' kernels.

As a script: keep what each chapter of the embedded book took here in data/costs/chapters.csv.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MINIATURE = ROOT / "tests" / "support" / "miniature"
BARE = "import numpy, pandas, yaml, nbformat, nbclient"


def main(quick: bool, row) -> None:
    """Seconds of the processor, which other work on the machine changes little."""
    bare = cpu_seconds("-c", f"import runner; {BARE}")
    against = "the imports alone"
    row("--list, CPU seconds", cpu_seconds("-m", "lib.run", "--list"), bare, against, "< 2 s")
    if (ROOT / "_build" / "html" / "index.html").is_file():
        build = ("-m", "lib.run", "--build")
        said = subprocess.run(
            [sys.executable, *build, "--dry-run"], capture_output=True, text=True, cwd=ROOT
        )
        if "stale" not in said.stdout:
            cpu_seconds(*build)
            row("the book, unchanged, CPU seconds", cpu_seconds(*build), bare, against, "< 4 s")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "book"
        shutil.copytree(ROOT / "lib", tree / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(MINIATURE, tree, dirs_exist_ok=True)
        command = ("-m", "lib.run", "--chapter", "alpha", "--fresh")
        cpu_seconds(*command, folder=tree)
        total = cpu_seconds(*command, folder=tree)
        (record,) = tree.glob("results/embedded/alpha--*.run.json")
        kernel = json.loads(record.read_text(encoding="utf-8"))["cpu_seconds"]
    row(
        "a command with one chapter, beside its kernel",
        total - kernel,
        kernel,
        "the kernel",
        "< 2 s",
    )


def cpu_seconds(*arguments: str, folder: Path = ROOT) -> float:
    """Of a Python process in a folder, and of those that it starts and waits for."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return used() - before


def keep_costs(profile: str = "embedded") -> Path:
    """Write what the chapters that are up to date took, each with the parameters of the profile."""
    from runner.archive import COSTS, Archive
    from runner.book import Book

    archive = Archive(Book.open(ROOT), profile)
    rows = [
        (profile, run.chapter.name, f"{archive.seconds(run):.1f}")
        for run in archive.book.runs(profile)
        if archive.seconds(run) < float("inf")
    ]
    with (ROOT / COSTS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("profile", "chapter", "cpu_seconds"), *rows]
        )
    return COSTS


if __name__ == "__main__":
    print(keep_costs())
