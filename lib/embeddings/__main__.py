"""The command `python -m lib.embeddings`: convert word vectors to a store, or look inside."""

import argparse
import logging
import sys
import time
from collections.abc import Sequence

from lib.embeddings.formats import Progress
from lib.embeddings.load import convert, describe, load_embedding


def _progress_line() -> Progress:
    """A line on the terminal that tells how far a conversion is; a line for each tenth where there is no terminal."""
    begun, told = time.monotonic(), [-1]

    def tell(rows: int, share: float) -> None:
        step = int(share * (1000 if sys.stderr.isatty() else 10))
        if step > told[0]:
            told[0] = step
            bar = "#" * int(share * 30)
            end = "\r" if sys.stderr.isatty() and share < 1 else "\n"
            seconds = time.monotonic() - begun
            sys.stderr.write(f"[{bar:<30}] {share:4.0%}  {rows:>9,} rows  {seconds:5.0f} s{end}")
            sys.stderr.flush()

    return tell


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: `convert` and `info`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m lib.embeddings", description="Word vectors: look inside, or convert."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser(
        "convert", help="turn word vectors into a memory-mapped store, which opens at once"
    )
    make.add_argument(
        "source",
        help="a file (.bin .txt .vec .gz .npz .json .rda), a registry key, or hf:<model or folder>",
    )
    make.add_argument("folder", help="the store to make; it must not exist yet")
    make.add_argument("--limit", type=int, metavar="N", help="the first N rows only")
    make.add_argument("--name", default="", help="what to call the embedding (the file's name)")
    commands.add_parser("info", help="show words, dimensions and source").add_argument("source")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        if options.command == "convert":
            convert(options.source, options.folder, options.limit, options.name, _progress_line())
        e = load_embedding(options.folder if options.command == "convert" else options.source)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(describe(e) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
