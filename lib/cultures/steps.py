"""The steps of `python -m lib.cultures`; each reads what the one before it left in the output
folder.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from lib.checks import one_of
from lib.cultures.biases import CultureBiases, usual_lists, word_biases
from lib.cultures.regression import regress
from lib.cultures.tasks import Task, Training, open_vectors, plan_tasks, run_tasks
from lib.cultures.texts import REPORT, SplitReport, Splitting, part_folder, read_report, split_file
from lib.datasets.statistics import statistics_table
from lib.documents import read_json
from lib.files import write_whole

STATE = "state.json"
STATISTICS = {"state": "us_states_2016", "country": "gender_gap_2018"}


def split(
    files: Sequence[Path],
    output: Path,
    splitting: Splitting,
    scheduler: str | None = None,
    workers: int | None = None,
) -> None:
    """Sort files of messages into a text for each culture; write counts.csv and say what was
    dropped.

    Raises
    ------
    ValueError
        Where a file is not there, or its columns or format are not as expected.
    """
    if absent := [str(path) for path in files if not path.is_file()]:
        raise ValueError(f"{', '.join(absent)}: expected files of messages, got none there")
    folder = output / "texts"
    parts = {part_folder(path, folder, splitting): path.resolve() for path in files}
    waiting = [path for part, path in parts.items() if not (part / REPORT).is_file()]
    with _client(scheduler, workers, len(waiting)) as client:
        if client is None:
            for path in waiting:
                split_file(path, folder, splitting, _progress(path.name))
        else:
            named = {"folder": folder.resolve(), "splitting": splitting, "pure": False}
            client.gather(client.map(split_file, waiting, **named))
    state = {"splitting": asdict(splitting), "parts": [part.name for part in parts]}
    _write_state(output, state)
    report = _report(output, state)
    _write_counts(output / "counts.csv", report)
    _tell(report)


def train(
    output: Path,
    training: Training,
    fewest: int = 1,
    scheduler: str | None = None,
    workers: int | None = None,
) -> int:
    """Train an embedding for each culture with at least `fewest` messages. Returns how many failed.

    Raises
    ------
    ValueError
        Where no texts are sorted yet.
    """
    state = _read_state(output) | {"training": asdict(training), "fewest": fewest}
    tasks = _tasks(output, state)
    _write_state(output, state)
    waiting = [task for task in tasks if not task.done]
    words = _report(output, state).words
    say(f"{len(tasks)} cultures, {len(tasks) - len(waiting)} trained before")
    failed, begun = 0, time.monotonic()
    with _client(scheduler, workers, len(waiting)) as client:
        for number, (code, error) in enumerate(run_tasks(tasks, client), 1):
            failed += error is not None
            seconds = time.monotonic() - begun
            say(
                f"[{number:>3}/{len(waiting)}] {code:<4} {words[code]:>12,} words {seconds:7.1f} s  "
                + (error or "trained")
            )
    return failed


def bias(
    output: Path,
    themes: Mapping[str, Sequence[str]] | None = None,
    female: Sequence[str] = (),
    male: Sequence[str] = (),
    measure: str = "axis_projection",
    gaps: Sequence[str] = (),
    statistics: str | None = None,
) -> None:
    """Write biases.csv and biases.svg, and gaps.csv where columns of a statistics table are named.

    Parameters
    ----------
    output : Path
        The folder in which texts and vectors are.
    themes, female, male
        Words; those of `usual_lists` where none are given.
    measure : str
        A name of `lib.cultures.biases.MEASURES`.
    gaps : sequence of str
        Columns to regress on each theme's bias.
    statistics : str, optional
        A table of data/statistics; by default one of the level of the cultures.

    Raises
    ------
    ValueError
        Where nothing is trained yet, or for a column that is not there or holds no numbers.
    """
    state = _read_state(output)
    embeddings = open_vectors(_tasks(output, state)) if "training" in state else {}
    if not embeddings:
        raise ValueError(
            f"{output}: expected trained cultures, got none; run `python -m lib.cultures train` first"
        )
    usual_themes, usual_female, usual_male = usual_lists()
    biases = word_biases(
        dict(sorted(embeddings.items())),
        themes or usual_themes,
        female or usual_female,
        male or usual_male,
        measure=measure,
    )
    write_whole(output / "biases.csv", biases.table().to_csv(index=False))
    _draw(biases, output / "biases.svg")
    line = f"biases of {len(biases.themes)} themes in {len(embeddings)} cultures: "
    line += f"{output / 'biases.csv'}, biases.svg"
    if lost := sum(map(len, biases.missing.values())):
        line += f"; {lost:,} times a word was missing from a culture (column `missing`)"
    say(line)
    if gaps:
        table = statistics_table(statistics or STATISTICS[state["splitting"]["level"]])
        numbers = table.select_dtypes("number")
        for column in gaps:
            one_of("--gap", column, numbers)
        write_whole(output / "gaps.csv", _regressions(biases, numbers[[*gaps]]).to_csv(index=False))


def status(output: Path) -> None:
    """Say what is sorted and trained so far. Raises ValueError where no texts are sorted yet."""
    state = _read_state(output)
    report, tasks = _report(output, state), _tasks(output, state)
    _tell(report)
    training = Training(**state.get("training", {}))
    say(
        f"trained: {sum(task.done for task in tasks)} of {len(tasks)} cultures "
        f"({training.algorithm}, {training.dimensions} dimensions)"
    )
    for task in tasks:
        code, stage = task.text.code, "trained" if task.done else "waiting"
        say(
            f"  {code:<4} {report.messages[code]:>10,} messages "
            f"{report.words[code]:>12,} words  {stage}"
        )


def say(line: str) -> None:
    """A line for the person at the terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _read_state(output: Path) -> dict:
    path = output / STATE
    if not path.is_file():
        raise ValueError(
            f"{output}: expected sorted texts, got none; run `python -m lib.cultures split` first"
        )
    return read_json(path, dict, ["splitting", "parts"])


def _write_state(output: Path, state: dict) -> None:
    write_whole(output / STATE, json.dumps(state, indent=1))


def _parts(output: Path, state: dict) -> list[Path]:
    return [(output / "texts" / name).resolve() for name in state["parts"]]


def _report(output: Path, state: dict) -> SplitReport:
    return SplitReport.total([read_report(part) for part in _parts(output, state)])


def _tasks(output: Path, state: dict) -> list[Task]:
    return plan_tasks(
        _report(output, state),
        _parts(output, state),
        (output / "vectors").resolve(),
        Training(**state.get("training", {})),
        state.get("fewest", 1),
    )


def _write_counts(path: Path, report: SplitReport) -> None:
    rows = [
        ("kept", code, count, report.words[code], report.ambiguous.get(code, 0))
        for code, count in report.messages.items()
    ]
    rows += [("dropped", reason, count, "", "") for reason, count in report.dropped.items()]
    columns = ["rows", "culture or reason", "messages", "words", "from ambiguous places"]
    write_whole(path, pd.DataFrame(rows, columns=columns).to_csv(index=False))


def _tell(report: SplitReport) -> None:
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
            f"  {ambiguous:,} kept from places that are a state's and a country's name "
            "(--ambiguous drop leaves them out)"
        )


def _draw(biases: CultureBiases, path: Path) -> None:
    from lib.plots import render
    from lib.plots.dots import biases_by_culture

    label = f"{biases.measure.replace('_', ' ')}: male-leaning  ←  →  female-leaning"
    means = biases.means()
    if biases.measure.endswith("ratio"):  # neutral at 1
        label, means = label.replace(":", " − 1:", 1), means - 1
    write_whole(path, render(biases_by_culture(means, label=label)))


def _regressions(biases: CultureBiases, gaps: pd.DataFrame) -> pd.DataFrame:
    """Each theme against each gap, with and without selection of words."""
    rows = []
    for theme in biases.themes:
        leans = biases.theme(theme)
        for column, gap in gaps.reindex(leans.index).items():
            fit = regress(leans, gap, rng=0)
            rows.append(
                {
                    "theme": theme,
                    "gap": column,
                    "cultures": fit.n,
                    "signed_r2": fit.unselected,
                    "p": fit.p_unselected,
                    "signed_r2_selected": fit.r2,
                    "p_selected": fit.p_value,
                    "signed_r2_held_out": fit.held_out,
                    "p_held_out": fit.p_held_out,
                }
            )
            say(
                f"{theme} against {column}, {fit.n} cultures: signed R² {fit.unselected:+.2f} "
                f"(p {fit.p_unselected:.3f}); words selected {fit.r2:+.2f} (p {fit.p_value:.3f}, "
                f"selection included), on the other cultures {fit.held_out:+.2f}"
            )
    return pd.DataFrame(rows)


@contextmanager
def _client(scheduler: str | None, workers: int | None, waiting: int) -> Iterator[object | None]:
    """A Dask client, or None where one process does it all (or nothing is to be done)."""
    from dask.system import cpu_count

    workers = min(workers or cpu_count(), waiting)
    if waiting == 0 or (scheduler is None and workers == 1):
        yield None
        return
    from lib.cluster import connect

    with connect(scheduler, workers) as client:
        yield client


def _progress(name: str) -> Callable[[int, float], None]:
    """A line for each tenth of a file."""
    tenths = 0

    def tell(rows: int, share: float) -> None:
        nonlocal tenths
        if int(share * 10) > tenths:
            tenths = int(share * 10)
            say(f"{name}: {share:4.0%}, {rows:,} rows")

    return tell
