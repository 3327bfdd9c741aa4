"""Keep the recorded numbers of a version that is out: python -m scripts.tools.freeze_version 0.2.0"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from lib.command import command
from lib.ledger.changes import VERSIONS, freeze
from lib.paths import DATA, ROOT


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tools.freeze_version",
        description="Keep the numbers of data/results as those of a version, so that the pages of the next one say what "
        "has changed. Run it once, right after the release.",
    )
    parser.add_argument("version", help="such as 0.2.0")
    text = "the folder of recorded results of that version (default: %(default)s)"
    parser.add_argument("--results", type=Path, default=DATA / "results", help=text)
    options = parser.parse_args(arguments)
    try:
        folder = freeze(options.version, options.results, VERSIONS)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    files = sorted(folder.glob("*.csv"))
    size = sum(path.stat().st_size for path in files)
    place = folder.relative_to(ROOT)
    print(f"{place}: the numbers of {len(files)} chapters, {size / 1e3:,.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
