"""Run the recorded grid of the calibration, on this machine or a Dask cluster, and gather it.

`python -m scripts.sweeps.grid` runs `scripts/sweeps/calibration` for every condition and block of seeds, goes on where it was
stopped, and writes `data/grids/calibration.csv`, `counted.csv` and `coverage.csv` there. `make grid` does the same. A statistic of a
condition of which fewer texts were run here than are recorded stays as recorded.
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
from studies.calibration.grid import COUNTED, coverage_counts, merged, summary
from studies.calibration.replication import CONDITIONS

BOOK = ROOT / "scripts" / "sweeps" / "calibration"
SIZE = 5  # seeds in a block
COUNTED_SIZE, COUNTED_NULL = (
    15,
    20,
)  # seeds in a block of what needs no training, and blocks with nothing planted: 300 texts


def _parts(null: int, planted: int, conditions: Sequence[str]) -> Iterator[list[str]]:
    """Chapters of the grid's book with what they are asked, the first blocks of everything first."""
    nothing = [name for name in conditions if not CONDITIONS[name].strength]
    others = [name for name in conditions if name not in nothing]
    first = min(null, planted)
    if len(conditions) == len(CONDITIONS):
        yield ["coverage", "--grid", f"kind={','.join(KINDS)}"]
    for names, blocks in ((others, 1), (["nothing"] * ("nothing" in nothing), COUNTED_NULL)):
        if names:
            asked = ["--grid", f"block={','.join(map(str, range(blocks)))}"]
            asked += ["--grid", f"condition={','.join(names)}"]
            yield ["counted", "-p", f"size={COUNTED_SIZE}", *asked]
    for names, start, stop in (
        ([*nothing, *others], 0, first),
        (others, first, planted),
        (nothing, first, null),
    ):
        if names and start < stop:
            blocks = ",".join(map(str, range(start, stop)))
            asked = ["--grid", f"block={blocks}", "--grid", f"condition={','.join(names)}"]
            yield ["replications", "-p", f"size={SIZE}", *asked]


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.sweeps.grid", description=__doc__)
    add = parser.add_argument
    add(
        "--null",
        type=int,
        default=12,
        metavar="N",
        help="blocks with nothing planted (%(default)s)",
    )
    add("--planted", type=int, default=3, metavar="N", help="blocks of the others (%(default)s)")
    add(
        "--condition",
        action="append",
        choices=list(CONDITIONS),
        help="run this one alone, and no coverage; may be given again",
    )
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
    for chapter, *asked in (
        []
        if options.gather
        else _parts(options.null, options.planted, options.condition or list(CONDITIONS))
    ):
        code = run_chapters(["--book", str(BOOK), "--chapter", chapter, *asked, *where])
        if code:
            return code
    results = read_results(BOOK / "results" / "embedded")
    of = {name: results[results["chapter"] == name] for name in results["chapter"].unique()}
    for chapter, path, sums, by in (
        ("replications", GRID, summary, ["condition", "statistic"]),
        ("counted", COUNTED, summary, ["condition", "statistic"]),
        ("coverage", COVERAGE, coverage_counts, ["kind"]),
    ):
        if chapter not in of:
            continue
        table = sums(of[chapter])
        if path.is_file():
            table = merged(table, pd.read_csv(path), by)
        write_whole(path, table.to_csv(index=False).encode())
        print(f"{path.relative_to(ROOT)}: {len(table):,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
