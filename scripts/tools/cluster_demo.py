"""A proof that the work leaves one machine: on a Dask scheduler and two workers one worker is killed, and nothing changes.

Planted messages of U.S. states are trained into an embedding for each, then the chapters of a book run, through --scheduler.
Scheduler and workers are processes of their own, each in its own folder with its own checkout of the book; only the texts
and vectors of the cultures lie in a folder that all see. In each part kill -9 ends a worker in the middle of a task, and
another worker takes its place. The results have to be those of a run on this machine without the cluster, byte for byte.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

import numpy as np

from lib.command import command
from lib.cultures.__main__ import main as cultures_command
from lib.cultures.biases import usual_lists
from lib.datasets.statistics import statistics_table
from lib.paths import ROOT
from runner.book import Book
from studies.calibration.replication import CONDITIONS
from studies.cross_cultural.planted import Plan, plant
from tests.support.dask_processes import Cluster, DemoError, Key, cluster
from tests.support.miniature_book import contents, start, undisturbed
from tests.support.miniature_book import plant as plant_book

GRID = ROOT / "scripts" / "sweeps" / "calibration"
LONGEST = 1800  # seconds that a part may take before it counts as stuck
TRAINING = ("--dimensions", "50", "--epochs", "12")  # enough to be killed in the middle of

Say = Callable[[str], None]


class Cultures:
    """Embeddings of planted messages by U.S. state. They need one folder that client and workers see under one name."""

    name = "cultures"
    done = re.compile(r"\[ *\d+/\d+\] (\w+) ")

    def __init__(self, folder: Path, count: int, seed: int, say: Say):
        self.count, alone = count, folder / "alone"
        say(f"cultures: planting messages of {count} states, and training them in one process")
        messages = planted(folder / "messages.csv", count, seed)
        columns = ("--text-column", "body", "--place-column", "where")
        cultures_step("split", messages, *columns, "--workers", "1", "--output", alone)
        self.sorted = shutil.copytree(alone, folder / "sorted")
        cultures_step("train", "--output", alone, "--workers", "1", *TRAINING)
        self.expected = self.results(alone)

    def start(self, folder: Path, dask: Cluster) -> subprocess.Popen:
        shared = shutil.copytree(self.sorted, folder / "shared")
        return start(
            ROOT,
            "train",
            "--output",
            str(shared),
            "--scheduler",
            dask.address,
            *TRAINING,
            module="lib.cultures",
            variables=dask.keys.variables,
        )

    def found(self, folder: Path) -> Mapping[str, bytes]:
        return self.results(folder / "shared")

    @staticmethod
    def label(key: Key) -> str:
        """What a task is called in the lines of its command."""
        return key[1]

    @staticmethod
    def results(folder: Path) -> dict[str, bytes]:
        """Files of vectors and the table of biases, which is made of them now."""
        cultures_step("bias", "--output", folder)
        files = [folder / "biases.csv", *sorted(folder.glob("vectors/[!.]*/*"))]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}


class Chapters:
    """The chapters of a book. Its client and its workers share nothing."""

    name = "chapters"
    done = re.compile(r"(\w+) +ran ")

    def __init__(self, checkout: Callable[[Path], Path], expected: Mapping[str, bytes]):
        self.checkout, self.expected = checkout, expected
        self.count = sum(name.endswith(".ipynb") for name in expected)

    def start(self, folder: Path, dask: Cluster) -> subprocess.Popen:
        asking = self.checkout(folder / "asking")
        return start(asking, "--scheduler", dask.address, variables=dask.keys.variables)

    def found(self, folder: Path) -> Mapping[str, bytes]:
        return contents(folder / "asking")

    @staticmethod
    def label(key: Key) -> str:
        """What a task is called in the lines of its command."""
        return key[1].partition("--")[0]


class Grid(Chapters):
    """A few runs of the recorded grid; its book lies where client and workers see it under one name."""

    name = "grid"
    done = re.compile(r"\[([^\]]+)\] +ran ")

    def start(self, folder: Path, dask: Cluster) -> subprocess.Popen:
        asked = (*grid_arguments(grid_book(folder)), "--scheduler", dask.address)
        return start(ROOT, *asked, variables=dask.keys.variables)

    def found(self, folder: Path) -> Mapping[str, bytes]:
        return contents(folder / "grid")

    @staticmethod
    def label(key: Key) -> str:
        """What a task is called in the lines of its command: all runs are of one chapter."""
        return key[1].partition("--")[2]


def grid_book(folder: Path) -> Path:
    """A copy of the book of the grid without what was run of it."""
    made = shutil.ignore_patterns(".*", "results", "_build")
    return Path(shutil.copytree(GRID, folder / "grid", ignore=made))


def grid_arguments(book: Path) -> list[str]:
    """One text each of six conditions."""
    asked = ("--chapter", "replications", "-p", "size=1", "--grid")
    return ["--book", str(book), *asked, f"condition={','.join(list(CONDITIONS)[:6])}"]


def small_grid(folder: Path, say: Say) -> Grid:
    """The runs made on this machine, to compare."""
    say("grid: one text each of six conditions, on this machine")
    alone = grid_book(folder / "alone")
    with at_work(start(ROOT, *grid_arguments(alone), "--workers", "1")) as process:
        for line in process.stdout:
            say(f"    {line.rstrip()}")
        if process.wait():
            raise DemoError(f"lib.run ended with {process.returncode} on this machine")
    return Grid(checkout_of_the_book, contents(alone))


def planted(path: Path, count: int, seed: int) -> Path:
    """Messages of states, 20,000 words each, in which threat words lean male where women earn nearly as much as men."""
    gaps = statistics_table("us_states_2016")[["earnings_ratio_full_time"]].iloc[:count]
    themes, female, male = usual_lists()
    text = plant(
        gaps,
        themes,
        {"threat": "-earnings_ratio_full_time"},
        female,
        male,
        Plan(tokens=20_000, types=1_500),
        rng=seed,
    )
    return text.write_csv(path, rng=seed)


def cultures_step(*arguments: object) -> None:
    """A step of `python -m lib.cultures` in this process. Raises DemoError with what it said when it fails."""
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        code = cultures_command([*map(str, arguments)])
    if code:
        raise DemoError(f"lib.cultures {arguments[0]} ended with {code}:\n{told.getvalue()}")


@contextmanager
def at_work(process: subprocess.Popen) -> Iterator[subprocess.Popen]:
    """A command that is not left behind, however this ends, and that is stopped when it takes too long."""
    alarm = threading.Timer(LONGEST, process.kill)
    alarm.start()
    try:
        yield process
    finally:
        alarm.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


def checkout_of_the_book(folder: Path) -> Path:
    """A copy of this book and its lib, without what can be made again."""

    def left_out(place: str, names: list[str]) -> set[str]:
        made = shutil.ignore_patterns(".*", "_build", "__pycache__")(place, names)
        return made | ({"results", "tests"} & set(names) if Path(place) == ROOT else set())

    return Path(shutil.copytree(ROOT, folder, ignore=left_out)).resolve()


def embedded_book(say: Say) -> Chapters:
    """The book itself, whose results here are made now where they are not up to date."""
    say("chapters: running the embedded book on this machine, as far as it is not fresh")
    with at_work(start(ROOT, "--profile", "embedded", "--workers", "2")) as process:
        for line in process.stdout:
            say(f"    {line.rstrip()}")
        if process.wait():
            raise DemoError(f"lib.run ended with {process.returncode} on this machine")
    names = {run.name for run in Book.open(ROOT).runs("embedded")}
    expected = {
        name: data
        for name, data in contents(ROOT).items()
        if names & {Path(name).stem, Path(name).parent.name}
    }
    return Chapters(checkout_of_the_book, expected)


def show(
    part: Cultures | Chapters, folder: Path, dask: Cluster, rng: np.random.Generator, say: Say
) -> int:
    """Run one part on the cluster, kill a worker in a task, compare the results; returns how many tasks were done again.

    Raises DemoError when nothing ran at the kill, when the command failed, when something finished was done again, and
    when a result differs.
    """
    begun = time.monotonic()
    dask.wait()
    say(f"{part.name}: {part.count} of them on the cluster")
    with at_work(part.start(folder, dask)) as process:
        finished = listen(process, part, int(rng.integers(0, part.count - 1)), say)
        kill = dask.kill_one_at_work(rng, lambda: process.poll() is None)
        say(
            f"    kill -9 of {kill.worker} (process {kill.process}) in the middle of {part.label(kill.task)}, after "
            f"{len(finished)} of {part.count}; {dask.add_worker()} takes its place"
        )
        listen(process, part, part.count + 1, say)
        if process.wait():
            raise DemoError(f"the command ended with {process.returncode}; see what it said above")
    if wasted := finished & set(map(part.label, dask.given_again())):
        raise DemoError(
            f"expected nothing that was finished to be done again; got {', '.join(sorted(wasted))}"
        )
    check_same(part.expected, part.found(folder))
    say(
        f"    done again: {', '.join(sorted(map(part.label, kill.again)))}; {len(part.expected)} files are the same, byte for "
        f"byte, as without the cluster; {time.monotonic() - begun:.0f} s"
    )
    return len(kill.again)


def listen(process: subprocess.Popen, part: Cultures | Chapters, count: int, say: Say) -> set[str]:
    """Pass on what a command says until so many of its tasks are done, or it ends; the tasks done."""
    done: set[str] = set()
    while len(done) < count and (line := process.stdout.readline()):
        say(f"    {line.rstrip()}")
        done.update(part.done.findall(line))
    return done


def check_same(expected: Mapping[str, bytes], found: Mapping[str, bytes]) -> None:
    """Raises DemoError naming the files that are not the same."""
    different = sorted(
        name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)
    )
    if different:
        raise DemoError(
            f"{len(different)} of {len(expected)} files differ from those made without the cluster: "
            + ", ".join(different[:5])
        )


def prepare(options: argparse.Namespace, folder: Path, say: Say) -> list[Cultures | Chapters]:
    """What is to be shown, with the results of this machine alone."""
    parts: list[Cultures | Chapters] = []
    if options.cultures:
        parts.append(Cultures(folder, options.cultures, options.seed, say))
    if options.book == "miniature":
        parts.append(Chapters(plant_book, contents(undisturbed()[0])))
    elif options.book == "embedded":
        parts.append(embedded_book(say))
    elif options.book == "grid":
        parts.append(small_grid(folder, say))
    return parts


def play(options: argparse.Namespace, say: Say) -> tuple[int, int, int]:
    """All rounds, each with a cluster of its own; returns rounds that went well, workers killed and tasks done again."""
    well = killed = again = 0
    checkout = plant_book if options.book == "miniature" else checkout_of_the_book
    with tempfile.TemporaryDirectory(prefix="cluster-", ignore_cleanup_errors=True) as name:
        parts = prepare(options, Path(name), say)
        for number in range(options.rounds):
            folder = Path(name) / f"round-{number + 1}"
            try:
                with cluster(folder, checkout) as dask:
                    say(
                        f"round {number + 1} of {options.rounds}: a scheduler at {dask.address}, and "
                        + ", ".join(
                            f"{name} (process {process.pid})"
                            for name, process in dask.workers.items()
                        )
                    )
                    rng = np.random.default_rng([options.seed, number])
                    for part in parts:
                        again += show(part, folder, dask, rng, say)
                        killed += 1
                well += 1
            except DemoError as error:
                say(f"round {number + 1} failed: {error}")
            shutil.rmtree(folder, ignore_errors=True)
    return well, killed, again


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tools.cluster_demo", description=__doc__
    )
    how = partial(parser.add_argument, type=int, metavar="N")
    how(
        "--cultures",
        default=51,
        help="how many U.S. states to train, 3 to 51; 0 for none (%(default)s)",
    )
    parser.add_argument(
        "--book",
        choices=("miniature", "embedded", "grid", "none"),
        default="embedded",
        help="the chapters to run: three small ones of the tests, this book's, or some of the recorded grid (%(default)s)",
    )
    how("--rounds", default=1, help="do it all over so many times (%(default)s)")
    how("--seed", default=0, help="of the texts, and of whom to kill when (%(default)s)")
    return parser


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 all the same, 1 not, 130 stopped."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.cultures not in (0, *range(3, 52)):
        parser.error(f"--cultures: expected 0, or 3 to 51 states; got {options.cultures}")
    begun = time.monotonic()
    try:
        well, killed, again = play(options, partial(print, flush=True))
    except DemoError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    print(
        f"{well} of {options.rounds} rounds ended with the results of one machine; {killed} workers were killed in a "
        f"task, {again} tasks done again; {time.monotonic() - begun:.0f} s"
    )
    return int(well < options.rounds)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
