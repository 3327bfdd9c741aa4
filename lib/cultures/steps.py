"""The command behind `python -m lib.cultures`: sort messages, train an embedding for each culture, write biases and gaps.

DIR/texts        cleaned messages by file and culture        DIR/vectors      an embedding store for each culture
DIR/state.json   which files and settings the above are of   DIR/counts.csv   messages and words by culture, rows dropped
DIR/biases.csv   culture, theme, bias; biases.svg, a figure   DIR/gaps.csv     themes against columns of a statistics table
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path

import pandas as pd

from lib.cultures.biases import MEASURES, CultureBiases, usual_lists, word_biases
from lib.cultures.places import LEVELS, RULES
from lib.cultures.regression import regress
from lib.cultures.tasks import ALGORITHMS, Task, Training, open_vectors, run_tasks, tasks
from lib.cultures.texts import REPORT, SplitReport, Splitting, part_folder, read_report, split_file
from lib.datasets.statistics import statistics_table
from lib.files import write_whole

COMMANDS = {
    "all": "all steps: FILE … --text-column … --place-column … --output DIR (what runs when no step is named)",
    "split": "sort and clean messages into a text for each culture",
    "train": "train an embedding for each culture whose text is there",
    "bias": "write the table of biases and the figure, and with --gap the regressions",
    "status": "show what is sorted and trained so far",
}
STATE = "state.json"


def say(line: str) -> None:
    """A line for the person at the terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def command(arguments: list[str]) -> int:
    """Run the command line. Returns the exit code."""
    from lib.cluster import ClusterError

    if arguments and arguments[0] not in COMMANDS and arguments[0] not in ("-h", "--help"):
        arguments = ["all", *arguments]
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    steps = ("split", "train", "bias") if options.command == "all" else (options.command,)
    try:
        return max(STEPS[step](options) for step in steps)
    except (ValueError, OSError, ClusterError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("stopped; what is done is kept, and the same command goes on from there\n")
        return 130


class _Help(argparse.HelpFormatter):
    """Says the default of an option where there is one."""

    def _get_help_string(self, action: argparse.Action) -> str:
        told = action.default not in (None, [], False, argparse.SUPPRESS) and action.option_strings
        return f"{action.help} (default: %(default)s)" if told else action.help


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lib.cultures",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="STEP")
    groups = {
        "all": (_input, _output, _training, _where, _bias),
        "split": (_input, _output, _where),
        "train": (_output, _training, _where),
        "bias": (_output, _bias),
        "status": (_output,),
    }
    for name, text in COMMANDS.items():
        step = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", formatter_class=_Help
        )
        for add in groups[name]:
            add(step)
    return parser


def _input(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("messages")
    what.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help=".csv .tsv .jsonl (also .gz) .parquet"
    )
    what.add_argument(
        "--text-column",
        required=True,
        metavar="NAME",
        help="the message (in JSON with dots: user.location)",
    )
    what.add_argument(
        "--place-column", required=True, metavar="NAME", help="where it is from, in words or codes"
    )
    what.add_argument(
        "--level", choices=LEVELS, default="state", help="cultures are U.S. states or countries"
    )
    what.add_argument(
        "--ambiguous",
        choices=RULES,
        default="keep",
        help="places like Georgia or CA, a state's and a country's: keep them at the level, or drop them",
    )
    what.add_argument(
        "--language-column", metavar="NAME", help="a language code; only --language is kept"
    )
    what.add_argument("--language", default="en", metavar="CODE", help="which language is kept")
    what.add_argument(
        "--english-only", action="store_true", help="without such a column: keep what looks English"
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
    how = parser.add_argument_group("training (the same for all cultures)")
    how.add_argument(
        "--algorithm", choices=ALGORITHMS, default=Training.algorithm, help="how vectors are made"
    )
    numbers = {
        "window": "words to each side",
        "min-count": "least occurrences of a word",
        "dimensions": "of the vectors",
        "epochs": "passes over the text (default: 5, for glove 25)",
        "cap": "most messages of a culture, at random",
        "seed": "of sample and training",
    }
    for name, text in numbers.items():
        default = getattr(Training, name.replace("-", "_"))
        how.add_argument(f"--{name}", type=int, default=default, metavar="N", help=text)
    how.add_argument(
        "--fewest", type=int, default=1, metavar="N", help="leave out cultures with fewer messages"
    )


def _where(parser: argparse.ArgumentParser) -> None:
    where = parser.add_argument_group("where")
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask scheduler, such as tcp://host:8786, whose workers see "
        "FILE and DIR under the same names",
    )
    where.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes on this machine (default: one for each core)",
    )


def _bias(parser: argparse.ArgumentParser) -> None:
    bias = parser.add_argument_group("biases")
    bias.add_argument(
        "--theme",
        action="append",
        default=[],
        metavar="NAME=WORD,WORD",
        help="a theme of your own; may be repeated (default: those printed by Friedman et al. 2019)",
    )
    bias.add_argument(
        "--female", metavar="WORD,WORD", help="female words (default: those of ten pairs)"
    )
    bias.add_argument(
        "--male", metavar="WORD,WORD", help="male words (default: those of ten pairs)"
    )
    bias.add_argument(
        "--measure",
        choices=tuple(MEASURES),
        default="axis_projection",
        help="of a word's lean",
    )
    bias.add_argument(
        "--gap",
        action="append",
        default=[],
        metavar="COLUMN",
        help="regress this column of --statistics on each theme's bias; may be repeated",
    )
    bias.add_argument(
        "--statistics", metavar="TABLE", help="of data/statistics (default: by level)"
    )


def _split(options: argparse.Namespace) -> int:
    splitting = Splitting(
        options.text_column,
        options.place_column,
        options.level,
        options.ambiguous,
        options.language_column,
        options.language,
        options.english_only,
    )
    folder = options.output / "texts"
    if absent := [str(path) for path in options.files if not path.is_file()]:
        raise ValueError(f"{', '.join(absent)}: expected files of messages, got none there")
    parts = [part_folder(path, folder, splitting) for path in options.files]
    waiting = [
        path.resolve() for path, part in zip(options.files, parts) if not (part / REPORT).is_file()
    ]
    with _client(options, len(waiting)) as client:
        if client is None:
            for path in waiting:
                split_file(path, folder, splitting, _progress(path.name))
        else:
            client.gather(
                client.map(
                    split_file, waiting, folder=folder.resolve(), splitting=splitting, pure=False
                )
            )
    state = {"splitting": asdict(splitting), "parts": [part.name for part in dict.fromkeys(parts)]}
    write_whole(options.output / STATE, json.dumps(state, indent=1))
    report = SplitReport.total([read_report(part) for part in dict.fromkeys(parts)])
    _write_counts(options.output, report)
    _tell_split(report)
    return 0


def _write_counts(folder: Path, report: SplitReport) -> None:
    rows = [
        ("kept", code, count, report.words[code], report.ambiguous.get(code, 0))
        for code, count in report.messages.items()
    ]
    rows += [("dropped", reason, count, "", "") for reason, count in report.dropped.items()]
    table = pd.DataFrame(
        rows, columns=["rows", "culture or reason", "messages", "words", "from ambiguous places"]
    )
    write_whole(folder / "counts.csv", table.to_csv(index=False))


def _tell_split(report: SplitReport) -> None:
    say(
        f"{report.rows:,} rows: {report.kept:,} messages of {len(report.messages)} cultures kept, "
        f"{sum(report.dropped.values()):,} dropped"
    )
    for reason, count in report.dropped.items():
        if count:
            say(f"  {count:>10,}  {reason.replace('_', ' ')}")
    if report.unmatched:
        say("  the commonest unmatched places: " + ", ".join(map(repr, list(report.unmatched)[:5])))
    if ambiguous := sum(report.ambiguous.values()):
        say(
            f"  {ambiguous:,} kept from places that are a state's and a country's name (--ambiguous drop leaves them out)"
        )


def _tasks(
    options: argparse.Namespace, training: Training, fewest: int
) -> tuple[SplitReport, list[Task]]:
    parts = [options.output / "texts" / name for name in _state(options)["parts"]]
    report = SplitReport.total([read_report(part) for part in parts])
    vectors = (options.output / "vectors").resolve()
    return report, tasks(report, [part.resolve() for part in parts], vectors, training, fewest)


def _state(options: argparse.Namespace) -> dict:
    path = options.output / STATE
    if not path.is_file():
        raise ValueError(
            f"{options.output}: expected sorted texts, got none; run `python -m lib.cultures split` first"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def _train(options: argparse.Namespace) -> int:
    given = {
        one.name: getattr(options, one.name)
        for one in fields(Training)
        if hasattr(options, one.name)
    }
    training = Training(**given)
    report, wanted = _tasks(options, training, options.fewest)
    state = _state(options) | {"training": asdict(training), "fewest": options.fewest}
    write_whole(options.output / STATE, json.dumps(state, indent=1))
    waiting = [task for task in wanted if not task.done]
    say(f"{len(wanted)} cultures, {len(wanted) - len(waiting)} trained before")
    failed, begun = 0, time.monotonic()
    with _client(options, len(waiting)) as client:
        for number, (code, error) in enumerate(run_tasks(wanted, client), 1):
            failed += error is not None
            seconds = time.monotonic() - begun
            say(
                f"[{number:>3}/{len(waiting)}] {code:<4} {report.words[code]:>12,} words {seconds:7.1f} s  "
                + (error or "trained")
            )
    return int(failed > 0)


def _bias_step(options: argparse.Namespace) -> int:
    state = _state(options)
    if "training" not in state:
        raise ValueError(
            f"{options.output}: expected trained cultures, got none; run `python -m lib.cultures train` first"
        )
    _, wanted = _tasks(options, Training(**state["training"]), state["fewest"])
    embeddings = dict(sorted(open_vectors(wanted).items()))
    if not embeddings:
        raise ValueError(
            f"{options.output}: expected trained cultures, got none; run `python -m lib.cultures train` again"
        )
    themes, female, male = usual_lists()
    if options.theme:
        themes = {
            name: tuple(words.split(","))
            for name, _, words in (given.partition("=") for given in options.theme)
        }
    female, male = (
        tuple(given.split(",")) if given else usual
        for given, usual in ((options.female, female), (options.male, male))
    )
    biases = word_biases(embeddings, themes, female, male, measure=options.measure)
    write_whole(options.output / "biases.csv", biases.table().to_csv(index=False))
    _draw(biases, options.output / "biases.svg")
    lost = sum(map(len, biases.missing.values()))
    say(
        f"biases of {len(themes)} themes in {len(embeddings)} cultures: {options.output / 'biases.csv'}, biases.svg"
        + (f"; {lost:,} times a word was missing from a culture (column `missing`)" if lost else "")
    )
    if options.gap:
        _regress(options, biases, state["splitting"]["level"])
    return 0


def _draw(biases: CultureBiases, path: Path) -> None:
    from lib.plots import render
    from lib.plots.dots import biases_by_culture

    ratio = biases.measure.endswith("ratio")  # neutral at 1, not at 0
    label = (
        f"{biases.measure.replace('_', ' ')}{' − 1' * ratio}: male-leaning  ←  →  female-leaning"
    )
    write_whole(path, render(biases_by_culture(biases.means() - ratio, label=label)).decode())


def _regress(options: argparse.Namespace, biases: CultureBiases, level: str) -> None:
    table = statistics_table(
        options.statistics or {"state": "us_states_2016", "country": "gender_gap_2018"}[level]
    )
    for column in options.gap:
        if column not in table or not pd.api.types.is_numeric_dtype(table[column]):
            numbers = [name for name in table if pd.api.types.is_numeric_dtype(table[name])]
            raise ValueError(f"--gap: expected one of {', '.join(numbers)}, got {column!r}")
    rows = []
    for name in biases.themes:
        words = biases.theme(name)
        for column in options.gap:
            found = regress(words, table[column].reindex(words.index), rng=0)
            rows.append(
                (
                    name,
                    column,
                    found.n,
                    found.unselected,
                    found.p_unselected,
                    found.r2,
                    found.p_value,
                    found.held_out,
                    found.p_held_out,
                )
            )
            say(
                f"{name} against {column}, {found.n} cultures: signed R² {found.unselected:+.2f} (p "
                f"{found.p_unselected:.3f}); words selected {found.r2:+.2f} (p {found.p_value:.3f}, selection included), "
                f"on the other cultures {found.held_out:+.2f}"
            )
    columns = [
        "theme",
        "gap",
        "cultures",
        "signed_r2",
        "p",
        "signed_r2_selected",
        "p_selected",
        "signed_r2_held_out",
        "p_held_out",
    ]
    write_whole(
        options.output / "gaps.csv", pd.DataFrame(rows, columns=columns).to_csv(index=False)
    )


def _status(options: argparse.Namespace) -> int:
    state = _state(options)
    training = Training(**state["training"]) if "training" in state else Training()
    report, wanted = _tasks(options, training, state.get("fewest", 1))
    _tell_split(report)
    done = sum(task.done for task in wanted)
    say(
        f"trained: {done} of {len(wanted)} cultures ({training.algorithm}, {training.dimensions} dimensions)"
    )
    for task in wanted:
        code, state = task.text.code, "trained" if task.done else "waiting"
        say(
            f"  {code:<4} {report.messages[code]:>10,} messages {report.words[code]:>12,} words  {state}"
        )
    return 0


@contextmanager
def _client(options: argparse.Namespace, waiting: int) -> Iterator[object | None]:
    """A Dask client, or None where one process does it all (or nothing is to be done)."""
    from dask.system import cpu_count

    workers = min(options.workers or cpu_count(), waiting)
    if waiting == 0 or (options.scheduler is None and workers == 1):
        yield None
        return
    from lib.cluster import connect

    with connect(options.scheduler, workers) as client:
        yield client


def _progress(name: str) -> Callable[[int, float], None]:
    told = [0]

    def tell(rows: int, share: float) -> None:
        if int(share * 10) > told[0]:
            told[0] = int(share * 10)
            say(f"{name}: {share:4.0%}, {rows:,} rows")

    return tell


STEPS: dict[str, Callable[[argparse.Namespace], int]] = {
    "split": _split,
    "train": _train,
    "bias": _bias_step,
    "status": _status,
}
