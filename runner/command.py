"""The command that runs chapters and builds the book: python -m lib.run --profile embedded

A chapter runs again when something it depended on has changed, and only then. Results go to
results/<profile>, executed notebooks to .cache/runs/<profile>, the site to _build/html
(_build/html-<profile>). Exit code 0: all fresh; 1: a chapter or the build failed; 2: the command
asks for something that is not there.

With --book DIR the command runs another book on the same code: a folder of one's own with _toc.yml,
_config.yml, data/profiles, notebooks, and modules that the notebooks import beside those of lib.
That is the way to a measure of one's own that leaves lib as it is.

Each worker process imports this module again when it starts, so the rest of `lib` is imported where
it is needed.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.command import called, command
from lib.paths import ROOT

if TYPE_CHECKING:
    from runner.book import Book, Run

EPILOG = """\
values   -p seed=1  -p others=gap,news  -p "others=[gap, news]"  -p others=[]
grids    --grid seed=0,1,2                    a run for each value
         --grid others=gap,news               of a list parameter: two runs, each with a list of one
         --grid "others=[gap,news],[film]"    two runs, with a list of two and a list of one

A measure of one's own needs no change of lib: --book DIR runs another folder on this lib, with a _toc.yml, a _config.yml,
data/profiles/embedded.yml, notebooks, and modules in that folder that the notebooks import.
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=called("run"),
        description=(__doc__ or "").partition("\n")[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    repeated: dict[str, Any] = {"action": "append", "default": []}
    add = made.add_argument_group("what to run").add_argument
    add("--profile", default="embedded", help="one of data/profiles (default: %(default)s)")
    several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    add("--chapter", **several, metavar="NAME", help="only these chapters")
    text = "another value for a parameter, in every chapter that has it"
    add("-p", "--parameter", **repeated, metavar="NAME=VALUE", help=text)
    text = "one run for each value (for each combination when repeated), results side by side"
    add("--grid", **repeated, metavar="NAME=A,B", help=text)
    add("--fresh", action="store_true", help="run again even where nothing has changed")
    text = "only chapters that are not as data/results/<profile> has them, and one more in turn"
    add("--due", action="store_true", help=text)
    text = "the folder of the book, also of one of your own (default: %(default)s)"
    add("--book", type=Path, default=ROOT, metavar="DIR", help=text)

    add = made.add_argument_group("where to run").add_argument
    text = "a Dask scheduler, such as tls://host:8786, whose workers have their own checkout of the book in the same state"
    add("--scheduler", metavar="ADDRESS", help=text)
    text = (
        "processes on this machine (default: one a core, fewer for few chapters or little memory)"
    )
    add("--workers", type=_positive, metavar="N", help=text)

    add = made.add_argument_group("instead of running").add_argument
    add(
        "--list",
        action="store_true",
        help="show chapters, their minutes and parameters, and what is stale",
    )
    add("--dry-run", action="store_true", help="show what would run and why")
    add("--data", action="store_true", help="download what the profile reads")
    text = "make a chapter that runs, and enter it in _toc.yml, data/profiles and tests/chapters"
    add("--new", metavar="NAME", help=text)
    text = "with --new: the paper that it reruns, such as zhang2020_base_pairs, entered in scope and bibliography"
    add("--paper", default="", metavar="SLUG", help=text)

    add = made.add_argument_group("after running").add_argument
    text = "build the site with Jupyter Book, with --chapter only a preview of these pages"
    add("--build", action="store_true", help=text)
    text = "let the build fail on a warning"
    add("-W", "--warnings-as-errors", action="store_true", help=text)
    text = "copy the results to data/results/<profile>, with --chapter only those of these chapters"
    add("--record", action="store_true", help=text)
    return made


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 up; got {text!r}")
    return int(text)


def _asked(options: argparse.Namespace) -> tuple["Book", list["Run"]]:
    """The book and the runs that the command line asks for. Raises ValueError where there are no
    such.
    """
    from runner.book import Book

    if options.paper and not options.new:
        raise ValueError("--paper belongs to --new NAME.")
    if options.record and (options.parameter or options.grid):
        raise ValueError("--record takes the profile's parameters: leave out -p and --grid.")
    if options.grid and options.build:
        raise ValueError("--build shows one run a chapter: leave out --grid.")
    if options.parameter and not options.chapter and options.build:
        raise ValueError("--build with -p shows a preview: name pages with --chapter.")
    if options.due and (options.parameter or options.grid):
        raise ValueError("--due takes the profile's parameters: leave out -p and --grid.")
    book = Book.open(options.book)
    return book, book.runs(options.profile, options.chapter, options.parameter, options.grid)


def _command(options: argparse.Namespace, book: "Book", runs: list["Run"]) -> int:
    from runner.archive import Archive
    from runner.notebooks import complaints, read_notebook
    from runner.pages import preview
    from runner.running import Runner, alone, fetch_data
    from runner.site import Site

    say = partial(print, flush=True)
    if options.data:
        return int(not fetch_data(book.data(options.profile, options.chapter), say))
    archive = Archive(book, options.profile)
    if options.due:
        due = archive.due(runs)
        for run, reason in due.items():
            say(f"{run.chapter.name}  {reason}")
        runs = list(due)
    part = bool(options.chapter or options.due)
    runner = Runner(
        archive,
        runs,
        say,
        fresh=options.fresh,
        scheduler=options.scheduler,
        workers=options.workers,
    )
    if options.list or options.dry_run:
        runner.show(parameters=options.list)
        return 0
    with alone(book.folder):
        if not runner.run():
            return 1
        if options.record:
            found = {
                run: complaints(read_notebook(archive.executed(run).read_bytes())) for run in runs
            }
            for run, lines in found.items():
                for line in lines:
                    say(f"{run.chapter.name}  {line}")
            if any(found.values()):
                say("nothing is recorded: a page of warnings is none")
                return 1
            say(f"recorded in {archive.record(runs).relative_to(book.folder)}")
        if options.build:
            suffix = "" if options.profile == "embedded" else f"-{options.profile}"
            Site(book, "-preview" if part else suffix).publish(
                options.profile,
                {run.chapter.name: archive.executed(run) for run in runs},
                say,
                pages=preview(book, [run.chapter for run in runs]) if part else [],
                strict=options.warnings_as_errors,
            )
    return 0


@command("what is done is kept, and the same command goes on from there")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process when None.

    Returns
    -------
    int
        The exit code.
    """
    options = parser().parse_args(arguments)
    try:
        book, runs = _asked(options)
        if options.new:
            from runner.new_chapter import left_to_do, new_chapter

            print("made or changed:", *new_chapter(book, options.new, options.paper), sep="\n  ")
            print("next:", *left_to_do(book.folder, options.new, options.paper), sep="\n  ")
            return 0
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    from lib.cluster import ClusterError
    from runner.running import BusyError
    from runner.site import BuildError

    try:
        return _command(options, book, runs)
    except (BusyError, ClusterError) as error:
        print(error, file=sys.stderr)
        return 2
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
