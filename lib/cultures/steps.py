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

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.cultures.biases import CultureBiases, usual_lists, word_biases
from lib.cultures.controls import READINGS, Controls, control
from lib.cultures.regression import regress, signed_r2
from lib.cultures.tasks import Task, Training, open_vectors, plan_tasks, run_tasks
from lib.cultures.texts import REPORT, SplitReport, Splitting, part_folder, read_report, split_file
from lib.datasets.statistics import statistics_table
from lib.documents import read_json
from lib.files import spreadsheet_csv, write_whole

STATE = "state.json"
FEWEST = 3  # cultures in a regression
SMALL = (
    5_000_000  # bytes to sort, or words to train on in all passes: done before workers have begun
)
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
    small = sum(path.stat().st_size for path in waiting) < SMALL
    with _client(scheduler, workers, len(waiting), small) as client:
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
    small = sum(words[task.text.code] * training.passes for task in waiting) < SMALL
    with _client(scheduler, workers, len(waiting), small) as client:
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
    """Write biases.csv, themes.csv and biases.svg, and gaps.csv where columns of a statistics table are
    named.

    Random words stand beside all of it (`lib.cultures.controls`); where the themes do as they do, that is
    said.

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
        Where nothing is trained yet, for a column that is not there or holds no numbers, and where no
        theme can be regressed.
    """
    state = _read_state(output)
    report = _report(output, state)
    embeddings = open_vectors(_tasks(output, state)) if "training" in state else {}
    if not embeddings:
        raise ValueError(
            f"{output}: expected trained cultures, got none; run `python -m lib.cultures train` first"
        )
    if gaps:
        table = statistics_table(statistics or STATISTICS[state["splitting"]["level"]])
        numbers = table.select_dtypes("number")
        for column in gaps:
            one_of("--gap", column, numbers)
    usual_themes, usual_female, usual_male = usual_lists()
    sides = female or usual_female, male or usual_male
    embeddings = dict(sorted(embeddings.items()))
    biases = word_biases(embeddings, themes or usual_themes, *sides, measure=measure)
    controls = control(embeddings, biases, *sides, rng=0)
    _write_biases(output / "biases.csv", biases, controls, report)
    about_themes = controls.themes.rename_axis("theme").reset_index()
    _write_table(output / "themes.csv", about_themes)
    _draw(biases, controls, report, output / "biases.svg")
    line = f"biases of {len(biases.themes)} themes in {len(embeddings)} cultures: "
    line += f"{output / 'biases.csv'}, themes.csv, biases.svg"
    if lost := sum(map(len, biases.missing.values())):
        line += f"; {lost:,} times a word was missing from a culture (column `missing`)"
    say(line)
    _tell_controls(controls)
    if gaps:
        regressions = _regressions(biases, controls, numbers[[*gaps]])
        _write_table(output / "gaps.csv", regressions)
        if regressions["signed_r2"].isna().all():
            raise ValueError(
                f"--gap: expected themes with words in {FEWEST} cultures or more that the statistics know, got "
                f"none among {', '.join(embeddings)}; see words in biases.csv, or name another --statistics"
            )


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
    try:
        state = read_json(path, dict, ["splitting", "parts"])
        Splitting(**state["splitting"])
        Training(**state.get("training", {}))
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{path}: expected the settings of earlier steps, got something else ({error}); run "
            "`python -m lib.cultures split` again, texts and vectors stay"
        ) from error
    return state


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
    others = report.ambiguous, report.duplicates
    rows = [
        ("kept", code, n, report.words[code], *(counts.get(code, 0) for counts in others))
        for code, n in report.messages.items()
    ]
    rows += [("dropped", reason, n, "", "", "") for reason, n in report.dropped.items()]
    columns = ["rows", "culture or reason", "messages", "words", "from ambiguous places"]
    table = pd.DataFrame(rows, columns=[*columns, "repeated"]).assign(repairs="")
    repairs = {
        "bytes that are no UTF-8": report.repaired,
        "open quotation marks": report.open_quotes,
    }
    for what, n in repairs.items():
        table.loc[len(table)] = ["repaired", what, "", "", "", "", n]
    _write_table(path, table)


def _write_biases(
    path: Path, biases: CultureBiases, controls: Controls, report: SplitReport
) -> None:
    """A row for each culture and theme: the lean, its interval, what random words lean there."""
    leans = controls.leans.rename(columns=lambda name: name.replace(" ", "_"))
    table = biases.table().join(leans, on=["culture", "theme"])
    table.insert(1, "text_words", table["culture"].map(report.words))
    ends = [column for column in leans if column in table]
    table = table[["culture", "text_words", "theme", "bias", *ends, "words", "missing"]]
    _write_table(path, table)


def _write_table(path: Path, table: pd.DataFrame) -> None:
    write_whole(path, spreadsheet_csv(table.to_csv(index=False)))


def _tell_controls(controls: Controls) -> None:
    """What random words say of each theme, and the warning."""
    if not controls.draws:
        say("  no random words to compare with: the cultures share too few words")
    for theme, row in controls.themes.iterrows():
        r = row["r with random words"]
        with_r = "" if np.isnan(r) else f" (r with random words {r:+.2f}, p {row['p']:.3f})"
        say(f"  {theme}: {READINGS[row['reading']]}{with_r}")
    if controls.warning:
        say(f"WARNING: {controls.warning}")


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
            f"  {ambiguous:,} kept from places that are a state's and a country's name, or two states' "
            "(--ambiguous drop leaves them out)"
        )
    if repeated := sum(report.duplicates.values()):
        say(
            f"  {repeated:,} of those kept repeat the words of an earlier one of their culture "
            "(--duplicates drop leaves them out)"
        )
    if report.repaired:
        say(f"  {report.repaired:,} stretches of bytes that are no UTF-8, taken for Windows-1252")
    if report.open_quotes:
        say(
            f"  {report.open_quotes:,} quotation marks that nothing closes, taken for characters "
            "(--quoting none takes all of them so)"
        )


def _draw(biases: CultureBiases, controls: Controls, report: SplitReport, path: Path) -> None:
    from lib.plots import render
    from lib.plots.dots import biases_by_culture

    label = f"{biases.measure.replace('_', ' ')}: male-leaning  ←  →  female-leaning"
    means, ends = biases.means(), controls.leans
    if biases.measure.endswith("ratio"):  # neutral at 1
        label, means, ends = label.replace(":", " − 1:", 1), means - 1, ends - 1
    words = {code: report.words[code] for code in means.index}
    fig = biases_by_culture(means, label=label, ends=ends, words=words, warning=controls.warning)
    write_whole(path, render(fig))


def _regressions(biases: CultureBiases, controls: Controls, gaps: pd.DataFrame) -> pd.DataFrame:
    """Each theme against each gap, with and without selection of words, and random words against it;
    a theme without words in enough cultures has a row without numbers.
    """
    rows = []
    for theme in biases.themes:
        leans = biases.theme(theme)
        for column, gap in gaps.reindex(leans.index).items():
            row = {"theme": theme, "gap": column}
            rows.append(row)
            known = leans.notna().any(axis=1) & gap.notna()
            row["cultures"] = int(known.sum())
            if known.sum() < FEWEST:
                row["signed_r2"] = np.nan
                say(
                    f"{theme} against {column}: left out, as {row['cultures']} of {len(leans)} cultures have "
                    f"words of it and a value; {FEWEST} are needed"
                )
                continue
            fit = regress(leans, gap, rng=0)
            of_random = np.abs(signed_r2(controls.random[theme].T, gap)) if controls.draws else []
            row |= {
                "signed_r2": fit.unselected,
                "p": fit.p_unselected,
                "p_random_words": _share_as_large(abs(fit.unselected), of_random),
                "signed_r2_selected": fit.r2,
                "p_selected": fit.p_value,
                "signed_r2_held_out": fit.held_out,
                "p_held_out": fit.p_held_out,
            }
            say(
                f"{theme} against {column}, {fit.n} cultures: signed R² {fit.unselected:+.2f} "
                f"(p {fit.p_unselected:.3f}, among random words {row['p_random_words']:.3f}); words selected "
                f"{fit.r2:+.2f} (p {fit.p_value:.3f}, selection included), on the other cultures {fit.held_out:+.2f}"
            )
    return pd.DataFrame(rows)


def _share_as_large(size: float, of_random: Sequence[float]) -> float:
    """Share of random sets, the theme among them, whose R² is as large; NaN without any."""
    among = np.count_nonzero(np.asarray(of_random) >= size)
    return (1 + among) / (1 + len(of_random)) if len(of_random) else np.nan


@contextmanager
def _client(
    scheduler: str | None, workers: int | None, waiting: int, small: bool
) -> Iterator[object | None]:
    """A Dask client, or None where one process does it all: for little work, unless workers are asked
    for.
    """
    from dask.system import cpu_count

    workers = workers or (1 if small and scheduler is None else cpu_count())
    if waiting == 0 or (scheduler is None and min(workers, waiting) == 1):
        yield None
        return
    workers = min(workers, waiting)
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
