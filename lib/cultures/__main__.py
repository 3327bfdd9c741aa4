"""Sort messages by place, train an embedding for each culture, write biases and gaps.

DIR/texts        cleaned messages by file and culture
DIR/vectors      an embedding store for each culture
DIR/state.json   which files and settings the above are of
DIR/counts.csv   messages and words by culture, rows dropped
DIR/biases.csv   culture, theme, bias; biases.svg, a figure
DIR/gaps.csv     themes against columns of a statistics table
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

from lib.cultures.biases import MEASURES
from lib.cultures.places import LEVELS, RULES
from lib.cultures.steps import bias, split, status, train
from lib.cultures.tasks import ALGORITHMS, Training
from lib.cultures.texts import Splitting

Settings = TypeVar("Settings", Splitting, Training)


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
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("stopped; what is done is kept, and the same command goes on from there\n")
        return 130


def _run(options: argparse.Namespace) -> int:
    failed = 0
    if options.step in ("all", "split"):
        settings = _settings(Splitting, options)
        split(options.files, options.output, settings, options.scheduler, options.workers)
    if options.step in ("all", "train"):
        settings = _settings(Training, options)
        failed = train(options.output, settings, options.fewest, options.scheduler, options.workers)
    if options.step in ("all", "bias"):
        themes = dict(given.split("=", 1) for given in options.theme)
        bias(
            options.output,
            themes={name: _words(listed) for name, listed in themes.items()},
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
        prog="python -m lib.cultures",
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
    add(
        "--text-column",
        dest="text",
        required=True,
        metavar="NAME",
        help="the message (in JSON with dots: user.location)",
    )
    add(
        "--place-column",
        dest="place",
        required=True,
        metavar="NAME",
        help="where it is from, in words or codes",
    )
    add(
        "--level",
        choices=LEVELS,
        default="state",
        help="cultures are U.S. states or countries (default: %(default)s)",
    )
    add(
        "--ambiguous",
        choices=RULES,
        default="keep",
        help="places like Georgia or CA, a state's and a country's: keep them at the level, "
        "or drop them (default: %(default)s)",
    )
    add(
        "--language-column",
        dest="language",
        metavar="NAME",
        help="a language code; only --language is kept",
    )
    add(
        "--language",
        dest="wanted",
        default="en",
        metavar="CODE",
        help="which language is kept (default: %(default)s)",
    )
    add(
        "--english-only",
        dest="english",
        action="store_true",
        help="without such a column: keep what looks English",
    )


def _output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--output",
        required=True,
        type=Path,
        metavar="DIR",
        help="the folder for everything this writes",
    )


def _training(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("training (the same for all cultures)").add_argument
    add(
        "--algorithm",
        choices=ALGORITHMS,
        default=Training.algorithm,
        help="how vectors are made (default: %(default)s)",
    )
    add(
        "--epochs",
        type=int,
        metavar="N",
        help="passes over the text (default: 5, for glove 25)",
    )
    numbers = {
        "window": "words to each side",
        "min_count": "least occurrences of a word",
        "dimensions": "of the vectors",
        "cap": "most messages of a culture, at random",
        "seed": "of sample and training",
    }
    for name, text in numbers.items():
        add(
            f"--{name.replace('_', '-')}",
            type=int,
            default=getattr(Training, name),
            metavar="N",
            help=f"{text} (default: %(default)s)",
        )
    add(
        "--fewest",
        type=int,
        default=1,
        metavar="N",
        help="leave out cultures with fewer messages (default: %(default)s)",
    )


def _where(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("where").add_argument
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://host:8786, whose workers see "
        "FILE and DIR under the same names",
    )
    add(
        "--workers",
        type=int,
        metavar="N",
        help="processes on this machine (default: one for each core)",
    )


def _bias(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("biases").add_argument
    add(
        "--theme",
        action="append",
        default=[],
        metavar="NAME=WORD,WORD",
        help="a theme of your own; may be repeated "
        "(default: those printed by Friedman et al. 2019)",
    )
    for side in ("female", "male"):
        add(
            f"--{side}",
            default="",
            metavar="WORD,WORD",
            help=f"{side} words (default: those of ten pairs)",
        )
    add(
        "--measure",
        choices=tuple(MEASURES),
        default="axis_projection",
        help="of a word's lean (default: %(default)s)",
    )
    add(
        "--gap",
        action="append",
        default=[],
        metavar="COLUMN",
        help="regress this column of --statistics on each theme's bias; may be repeated",
    )
    add("--statistics", metavar="TABLE", help="of data/statistics (default: by level)")


STEPS = {
    "all": (
        "all steps: FILE … --text-column … --place-column … --output DIR "
        "(what runs when no step is named)",
        (_input, _output, _training, _where, _bias),
    ),
    "split": ("sort and clean messages into a text for each culture", (_input, _output, _where)),
    "train": (
        "train an embedding for each culture whose text is there",
        (_output, _training, _where),
    ),
    "bias": (
        "write the table of biases and the figure, and with --gap the regressions",
        (_output, _bias),
    ),
    "status": ("show what is sorted and trained so far", (_output,)),
}


if __name__ == "__main__":
    sys.exit(main())
