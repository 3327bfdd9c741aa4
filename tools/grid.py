"""Run the recorded grid of the calibration, on this machine or a Dask cluster, and gather it.

`python -m tools.grid` runs `grids/calibration` for every condition and block of seeds, goes on where it was
stopped, and writes `data/grids/calibration.csv` and `coverage.csv` there. `make grid` does the same. A condition of which
fewer texts were run here than are recorded stays as recorded.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

import pandas as pd

from lib.command import command
from lib.datasets.coverage import COVERAGE, GRID
from lib.files import write_whole
from lib.ledger.results import read_results
from lib.paths import ROOT
from runner.command import main as run_chapters
from studies.calibration.coverage import KINDS
from studies.calibration.grid import coverage_counts, merged, summary
from studies.calibration.replication import CONDITIONS

BOOK = ROOT / "grids" / "calibration"
SIZE = 5  # seeds in a block


def _parts(null: int, planted: int) -> Iterator[list[str]]:
    """Chapters of the grid's book with what they are asked, the first blocks of everything first."""
    nothing = [name for name, condition in CONDITIONS.items() if not condition.strength]
    others = [name for name in CONDITIONS if name not in nothing]
    first = min(null, planted)
    yield ["coverage", "--grid", f"kind={','.join(KINDS)}"]
    for names, start, stop in (
        ([*nothing, *others], 0, first),
        (others, first, planted),
        (nothing, first, null),
    ):
        if start < stop:
            blocks = ",".join(map(str, range(start, stop)))
            asked = ["--grid", f"block={blocks}", "--grid", f"condition={','.join(names)}"]
            yield ["replications", "-p", f"size={SIZE}", *asked]


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.grid", description=__doc__)
    add = parser.add_argument
    add(
        "--null",
        type=int,
        default=12,
        metavar="N",
        help="blocks with nothing planted (%(default)s)",
    )
    add("--planted", type=int, default=3, metavar="N", help="blocks of the others (%(default)s)")
    add("--scheduler", metavar="ADDRESS", help="a Dask scheduler, as for lib.run")
    add("--workers", metavar="N", help="processes on this machine, as for lib.run")
    add("--gather", action="store_true", help="only gather what has been run")
    options = parser.parse_args(arguments)
    where = [
        text
        for name in ("scheduler", "workers")
        if (value := getattr(options, name))
        for text in (f"--{name}", value)
    ]
    for chapter, *asked in [] if options.gather else _parts(options.null, options.planted):
        code = run_chapters(["--book", str(BOOK), "--chapter", chapter, *asked, *where])
        if code:
            return code
    results = read_results(BOOK / "results" / "embedded")
    replications = results[results["chapter"] == "replications"]
    coverage = results[results["chapter"] == "coverage"]
    for path, table, by in (
        (GRID, summary(replications), "condition"),
        (COVERAGE, coverage_counts(coverage), "kind"),
    ):
        if path.is_file():
            table = merged(table, pd.read_csv(path), by)
        write_whole(path, table.to_csv(index=False).encode())
        print(f"{path.relative_to(ROOT)}: {len(table):,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
