"""Run the recorded grid of the calibration, on this machine or a Dask cluster, and gather it.

`python -m tools.grid` runs `grids/calibration` for every condition and block of seeds, goes on where it was
stopped, and writes `data/grids/calibration.csv`. `make grid` does the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from lib import run
from lib.calibration.grid import GRID, summary
from lib.calibration.replication import CONDITIONS
from lib.files import write_whole
from lib.ledger.results import read_results
from lib.paths import ROOT

BOOK = ROOT / "grids" / "calibration"
SIZE = 5  # seeds in a block


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
    null = [name for name, condition in CONDITIONS.items() if not condition.strength]
    others = [name for name in CONDITIONS if name not in null]
    first = min(options.null, options.planted)
    parts = [
        ([*null, *others], 0, first),
        (others, first, options.planted),
        (null, first, options.null),
    ]
    for names, start, stop in [] if options.gather else parts:
        if start < stop:
            code = run.main(
                [
                    *(
                        "--book",
                        str(BOOK),
                        "--chapter",
                        "replications",
                        "-p",
                        f"size={SIZE}",
                        *where,
                    ),
                    *("--grid", f"block={','.join(map(str, range(start, stop)))}"),
                    *("--grid", f"condition={','.join(names)}"),
                ]
            )
            if code:
                return code
    table = summary(read_results(BOOK / "results" / "embedded"))
    write_whole(GRID, table.to_csv(index=False).encode())
    print(f"{GRID.relative_to(ROOT)}: {len(table):,} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
