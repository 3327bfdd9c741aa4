"""The command that runs chapters and builds the book: python -m lib.run --profile embedded

A chapter runs again when something it depended on has changed, and only then. Results go to results/<profile>, executed
notebooks to .cache/runs/<profile>, the site to _build/html (_build/html-<profile>). Exit code 0: all fresh; 1: a chapter
or the build failed; 2: the command asks for something that is not there.

Each worker process imports this module again when it starts, so the rest of `lib` is imported where it is needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lib.run", description=__doc__.partition("\n")[0]
    )
    what = parser.add_argument_group("what to run")
    what.add_argument(
        "--profile", default="embedded", help="one of data/profiles (default: %(default)s)"
    )
    what.add_argument(
        "--chapter",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="only these chapters",
    )
    what.add_argument(
        "-p",
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another value for a parameter, in every chapter that has it",
    )
    what.add_argument(
        "--grid",
        action="append",
        default=[],
        metavar="NAME=A,B",
        help="one run for each value (for each combination when repeated), results side by side",
    )
    what.add_argument(
        "--fresh", action="store_true", help="run again even where nothing has changed"
    )
    what.add_argument(
        "--book",
        type=Path,
        default=Path(__file__).resolve().parents[1],
        metavar="DIR",
        help="the folder of the book (default: %(default)s)",
    )
    where = parser.add_argument_group("where to run")
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://host:8786; its workers "
        "need their own checkout of the book in the same state",
    )
    where.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="processes on this machine (default: one per core, "
        "fewer where there are fewer chapters or little memory)",
    )
    then = parser.add_argument_group("instead of running, or after it")
    then.add_argument(
        "--list",
        action="store_true",
        help="show chapters, parameters and what is stale; run nothing",
    )
    then.add_argument(
        "--dry-run", action="store_true", help="show what would run and why; run nothing"
    )
    then.add_argument(
        "--data", action="store_true", help="download what the profile reads; run nothing"
    )
    then.add_argument(
        "--stage", action="store_true", help="then put the book together in _build/book"
    )
    then.add_argument("--build", action="store_true", help="then build the site with Jupyter Book")
    then.add_argument(
        "-W", "--warnings-as-errors", action="store_true", help="let the build fail on a warning"
    )
    then.add_argument(
        "--record", action="store_true", help="then copy the results to data/results/<profile>"
    )
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up; got {text!r}")
    return int(text)


def _command(options: argparse.Namespace) -> int:
    from lib.book import runner
    from lib.book.archive import Archive
    from lib.book.book import Book, BookError

    say = partial(print, flush=True)
    book = Book.open(options.book)
    runs = book.runs(options.profile, options.chapter, options.parameter, options.grid)
    if options.data:
        runner.fetch_data(book, options.profile, options.chapter, say)
        return 0
    if options.list or options.dry_run:
        runner.Runner(Archive(book, options.profile), runs, options, say).show(
            parameters=options.list
        )
        return 0
    partly = options.chapter or options.parameter or options.grid
    if partly and (options.stage or options.build or options.record):
        raise BookError(
            "--stage, --build and --record take all chapters with the profile's parameters: "
            "leave out --chapter, -p and --grid."
        )
    with runner.alone(book.folder):
        archive = Archive(book, options.profile)
        if not runner.Runner(archive, runs, options, say).run():
            return 1
        if options.record:
            say(f"recorded in {archive.record(runs).relative_to(book.folder)}")
        if options.stage or options.build:
            runner.build(archive, runs, options, say)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    options = _parser().parse_args(arguments)
    from lib.book.book import BookError
    from lib.book.staging import BuildError
    from lib.cluster import ClusterError

    try:
        return _command(options)
    except (BookError, ClusterError, BuildError) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, BuildError) else 2
    except KeyboardInterrupt:
        print(
            "stopped; what is done is kept, and the same command goes on from there",
            file=sys.stderr,
        )
        return 130


if __name__ == "__main__":
    sys.exit(main())
