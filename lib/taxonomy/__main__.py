"""Find candidates for gender generalisation in a text of your own.

python -m lib.taxonomy handbook.txt                     one sentence a line
python -m lib.taxonomy novel.txt --format running       split into sentences first
python -m lib.taxonomy table.csv --format csv --column text --every

Writes FILE.candidates.csv, or --out: number of the sentence, candidate (yes or no), the filter that
dropped it, the reason in words, who is taken up by which pronoun, the sentence. One that a
spreadsheet would run as a formula ("=…", "- …") has an apostrophe before it. Nothing is downloaded.
An interrupted run goes on where it stopped when the same command is given.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lib.command import called, command
from lib.taxonomy.filters import FILTERS, NO_NAMES
from lib.taxonomy.stream import FORMATS, Done, Reading, filter_file, sentences_of


@command("what is done is kept, and the same command goes on from there")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0, 2 for bad input, 128 and more when interrupted."""
    options = _parser().parse_args(arguments)
    if not options.file.is_file():
        sys.stderr.write(f"{options.file}: there is no such file; give a text or a table\n")
        return 2
    output = options.out or options.file.with_name(f"{options.file.name}.candidates.csv")
    if output.exists() and not options.overwrite:
        sys.stderr.write(f"{output} exists already; give --overwrite, or another --out\n")
        return 2
    reading = Reading(options.format, options.column, options.encoding)
    try:
        done = filter_file(
            options.file,
            output,
            reading,
            filters=options.filters or tuple(FILTERS),
            names=_names(options.names),
            every=options.every,
            progress=_reporter(),
        )
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    share = 100 * done.candidates / done.sentences
    sys.stderr.write(
        f"{done.candidates:,} of {done.sentences:,} sentences are candidates ({share:.1f} %): {output}\n"
    )
    return 0


def _names(path: Path | None) -> frozenset[str]:
    if path is None:
        return NO_NAMES
    return frozenset(name.lower() for name in sentences_of(path, Reading()))


def _reporter() -> Callable[[Done], None]:
    """A line on stderr, at most one in five seconds."""
    start = last = time.monotonic()

    def report(done: Done) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 5:
            last = now
            sys.stderr.write(
                f"{done.sentences:,} sentences, {done.candidates:,} candidates, {now - start:.0f} s\n"
            )

    return report


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=called("taxonomy"),
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="the text or table")
    add(
        "--format",
        choices=FORMATS,
        default="text",
        help="text: one sentence a line (default); running: sentences end at . ! ? before a capital, "
        "not after a title or an initial; csv, tsv: one sentence a row",
    )
    add("--column", default="sentence", help="the column of a table (default: sentence)")
    add("--encoding", default="utf-8", help="of the file (default: utf-8)")
    add("--out", type=Path, metavar="CSV", help="where the rows go (default: FILE.candidates.csv)")
    add("--overwrite", action="store_true", help="replace an output that is there")
    add("--every", action="store_true", help="write the sentences that were dropped too")
    add(
        "--names",
        type=Path,
        metavar="FILE",
        help="first names, one a line: finds them also where a sentence begins",
    )
    add(
        "--filters",
        nargs="+",
        choices=tuple(FILTERS),
        metavar="NAME",
        help=f"some of the filters, in your order: {', '.join(map(repr, FILTERS))} (default: all)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
