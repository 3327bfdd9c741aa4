"""The command `python -m lib.embeddings`: convert word vectors to a store, or look inside."""

import argparse
import logging
import sys
import time
from collections.abc import Sequence

from lib.command import called, command
from lib.embeddings.embedding import Embedding
from lib.embeddings.formats import Progress
from lib.embeddings.load import convert, load_embedding
from lib.files import in_words


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: `convert` and `info`. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog=called("embeddings"), description="Word vectors: look inside, or convert."
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
    source = options.source
    try:
        if options.command == "convert":
            convert(source, options.folder, options.limit, options.name, _progress_line())
            source = options.folder
        e = load_embedding(source)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{in_words(error)}\n")
        return 1
    sys.stdout.write(describe(e) + "\n")
    return 0


def _progress_line() -> Progress:
    """A line on the terminal that shows how far a conversion is; elsewhere a line a tenth."""
    begun, shown, terminal = time.monotonic(), -1, sys.stderr.isatty()

    def show(rows: int, share: float) -> None:
        nonlocal shown
        step = int(share * (1000 if terminal else 10))
        if step > shown:
            shown = step
            seconds, end = time.monotonic() - begun, "\r" if terminal and share < 1 else "\n"
            bar = "#" * int(share * 30)
            sys.stderr.write(f"[{bar:<30}] {share:4.0%}  {rows:>9,} rows  {seconds:5.0f} s{end}")
            sys.stderr.flush()

    return show


def describe(e: Embedding) -> str:
    """What an embedding holds, in six lines."""
    middle = len(e) // 2
    samples = (*e.words[:4], *e.words[middle : middle + 4])
    lines = {
        "name": e.name,
        "words": f"{len(e):,}",
        "dimensions": e.vectors.shape[1],
        "source": e.source,
        "order": "by frequency" if e.ranked else "not by frequency",
        "examples": ", ".join(map(repr, samples)),
    }
    return "\n".join(f"{label:<11} {value}" for label, value in lines.items())


if __name__ == "__main__":
    sys.exit(main())
