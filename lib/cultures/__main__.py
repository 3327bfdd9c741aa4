"""Sort messages by place, train an embedding for each culture, write biases and gaps.

DIR/texts        cleaned messages by file and culture
DIR/vectors      an embedding store for each culture
DIR/state.json   which files and settings the above are of
DIR/counts.csv   messages and words by culture, rows dropped, repairs
DIR/biases.csv   culture, theme, bias, its interval, random words; biases.svg, a figure
DIR/themes.csv   whether the words of a theme move together more than random words do
DIR/gaps.csv     themes and random words against columns of a statistics table
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from lib.command import called, command
from lib.cultures.biases import MEASURES
from lib.cultures.messages import QUOTING
from lib.cultures.places import LEVELS, RULES
from lib.cultures.steps import bias, split, status, train
from lib.cultures.tasks import ALGORITHMS, Training
from lib.cultures.texts import DUPLICATES, Splitting
from lib.files import in_words

Settings = TypeVar("Settings", Splitting, Training)


@command("what is done is kept, and the same command goes on from there")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code."""
    from lib.cluster import ClusterError

    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments and arguments[0] not in (*STEPS, "-h", "--help"):
        arguments = ["all", *arguments]
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        return _run(options)
    except (ValueError, OSError, ClusterError) as error:
        sys.stderr.write(f"{in_words(error, options.output)}\n")
        return 2


def _run(options: argparse.Namespace) -> int:
    failed = 0
    if options.step in ("all", "split"):
        settings = _settings(Splitting, options)
        split(options.files, options.output, settings, options.scheduler, options.workers)
    if options.step in ("all", "train"):
        settings = _settings(Training, options)
        failed = train(options.output, settings, options.fewest, options.scheduler, options.workers)
    if options.step in ("all", "bias"):
        themes = [given.partition("=") for given in options.theme]
        bias(
            options.output,
            themes={name: _words(listed) for name, _, listed in themes},
            female=_words(options.female),
            male=_words(options.male),
            measure=options.measure,
            gaps=options.gap,
            statistics=options.statistics,
        )
    if options.step == "status":
        status(options.output)
    return int(failed > 0)


def _settings(kind: type[Settings], options: argparse.Namespace) -> Settings:
    """The fields of a class of settings for which there are options."""
    names = [field.name for field in fields(kind)]
    return kind(**{name: value for name, value in vars(options).items() if name in names})


def _words(listed: str) -> tuple[str, ...]:
    return tuple(filter(None, listed.split(",")))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=called("cultures"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__,
    )
    commands = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for name, (text, groups) in STEPS.items():
        step = commands.add_parser(name, help=text, description=f"{text.capitalize()}.")
        for add_options in groups:
            add_options(step)
    return parser


def _input(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("messages").add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help=".csv .tsv .jsonl (also .gz) .parquet")
    add("--text-column", dest="text", required=True, help="the message (JSON: user.description)")
    add("--place-column", dest="place", required=True, help="where it is from, words or codes")
    add("--language-column", dest="language", help="a language code; only --language is kept")
    kept = "the language that is kept (default: en)"
    add("--language", dest="wanted", default="en", metavar="CODE", help=kept)
    add("--english-only", dest="english", action="store_true", help="keep what looks English")
    add("--level", choices=LEVELS, default="state", help="what a culture is (default: state)")
    ambiguous = "what to do with a state's and a country's name, Georgia or CA (default: keep)"
    add("--ambiguous", choices=RULES, default="keep", help=ambiguous)
    quoting = "usual: a cell in quotation marks may hold lines; none: a mark is a character (default: usual)"
    add("--quoting", choices=QUOTING, default="usual", help=quoting)
    repeated = "messages with the words of an earlier one of their culture and file (default: keep)"
    add("--duplicates", choices=DUPLICATES, default="keep", help=repeated)


def _output(parser: argparse.ArgumentParser) -> None:
    folder = "the folder for everything this writes"
    parser.add_argument("--output", required=True, type=Path, metavar="DIR", help=folder)


def _training(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("training (the same for all cultures)").add_argument
    algorithm = "how vectors are made (default: skip-gram)"
    add("--algorithm", choices=ALGORITHMS, default=Training.algorithm, help=algorithm)
    add("--epochs", type=int, metavar="N", help="passes over the text (default: 5, for glove 25)")
    numbers = {
        "window": (Training.window, "words to each side"),
        "min-count": (Training.min_count, "least occurrences of a word"),
        "dimensions": (Training.dimensions, "of the vectors"),
        "cap": (Training.cap, "most messages of a culture, at random"),
        "seed": (Training.seed, "of sample and training"),
        "fewest": (1, "leave out cultures with fewer messages"),
    }
    for name, (default, text) in numbers.items():
        shown = f"{text} (default: {default:,})"
        add(f"--{name}", type=int, default=default, metavar="N", help=shown)


def _where(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("where").add_argument
    scheduler = "of Dask, tls://host:8786; its workers see FILE and DIR under the same names"
    add("--scheduler", metavar="ADDRESS", help=scheduler)
    workers = "processes on this machine (default: one for each core)"
    add("--workers", type=int, metavar="N", help=workers)


def _bias(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("biases").add_argument
    theme = "a theme of your own, again for more (default: those of Friedman et al. 2019)"
    add("--theme", action="append", default=[], metavar="NAME=WORD,WORD", help=theme)
    for side in ("female", "male"):
        words = f"{side} words (default: those of ten pairs)"
        add(f"--{side}", default="", metavar="WORD,WORD", help=words)
    lean = "of a word's lean (default: axis_projection)"
    add("--measure", choices=tuple(MEASURES), default="axis_projection", help=lean)
    gap = "regress this column of --statistics on each theme's bias; again for more"
    add("--gap", action="append", default=[], metavar="COLUMN", help=gap)
    add("--statistics", metavar="TABLE", help="of data/statistics (default: by level)")


STEPS = {
    "all": (
        "all steps, which is what runs when none is named",
        (_input, _output, _training, _where, _bias),
    ),
    "split": ("sort and clean messages into a text for each culture", (_input, _output, _where)),
    "train": ("train an embedding for each culture", (_output, _training, _where)),
    "bias": ("write biases and their figure, with --gap the regressions", (_output, _bias)),
    "status": ("show what is sorted and trained so far", (_output,)),
}


if __name__ == "__main__":
    sys.exit(main())
