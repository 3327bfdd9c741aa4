"""Runs the chapters that are stale, on Dask, and says what happens, one line at a time."""

from __future__ import annotations

import argparse
import dataclasses
import fcntl
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
from dask.system import cpu_count
from distributed import Client, Future, as_completed

from lib.book import staging
from lib.book.archive import Archive
from lib.book.book import Book, BookError, Run
from lib.book.execution import TOPIC, Failure, Job, Outcome, execute
from lib.cluster import connect, threads_per_task
from lib.paths import LIBRARY

_MEMORY_PER_CHAPTER = 2 * 2**30


class Runner:
    """Runs what is stale and says one line when a chapter starts and one when it is done.

    options : `fresh`, `scheduler` and `workers` of the command line; say : called with each line
    """

    def __init__(
        self,
        archive: Archive,
        runs: Sequence[Run],
        options: argparse.Namespace,
        say: Callable[[str], None],
    ):
        self.archive, self.runs, self.options, self.say = archive, runs, options, say
        self.width = max(len(run.label) for run in runs)
        self.labels = {run.name: run.label for run in runs}
        self.failed: list[str] = []

    def stale(self, runs: Sequence[Run], inputs: Mapping[str, bytes]) -> dict[Run, str]:
        """The runs that have something to do, each with the reason."""
        reasons = {
            run: "--fresh" if self.options.fresh else self.archive.why_stale(run, inputs)
            for run in runs
        }
        return {run: reason for run, reason in reasons.items() if reason}

    def run(self) -> bool:
        """Run the stale chapters, then those that come after all. True when none failed."""
        first = [run for run in self.runs if not run.after_all]
        last = [run for run in self.runs if run.after_all]
        with ExitStack() as stack:
            cluster = _Cluster(stack, self.options, self._started)
            self._wave(first, {}, cluster)
            if last and self.failed:
                for run in last:
                    self._line(run.label, "skipped", f"waits for {', '.join(self.failed)}")
            elif last:
                results, missing = self.archive.fresh_results()
                if missing:
                    self.say(
                        f"note: no up-to-date results of {', '.join(missing)}; going on without"
                    )
                self._wave(last, results, cluster)
        return not self.failed

    def show(self, parameters: bool) -> None:
        """Say what would run and why, with or without the values of its parameters; run nothing."""
        first = [run for run in self.runs if not run.after_all]
        stale = self.stale(first, {})
        results, _ = self.archive.fresh_results()
        last = self.stale([run for run in self.runs if run.after_all], results)
        if stale:
            last = {run: last.get(run, "after the others") for run in self.runs if run.after_all}
        for run in self.runs:
            reason = {**stale, **last}.get(run)
            self._line(run.label, "stale" if reason else "fresh", reason or "")
            if parameters:
                values = (f"{name}={json.dumps(value)}" for name, value in run.parameters.items())
                self.say(f"{'':{self.width}}  {'  '.join(values)}")

    def _wave(self, runs: Sequence[Run], inputs: Mapping[str, bytes], cluster: _Cluster) -> None:
        stale = self.stale(runs, inputs)
        for run in runs:
            if run not in stale:
                self._line(run.label, "fresh")
        if not stale:
            return
        client = cluster.client(stale)
        threads = threads_per_task(client)
        order = sorted(
            stale, key=self.archive.seconds, reverse=True
        )  # else the longest may be left alone at the end
        futures = {
            client.submit(
                execute,
                self._job(run, inputs, threads),
                key=("chapter", run.name, time.time_ns()),
                resources=dict(run.resources) or None,
                pure=False,
            ): run
            for run in order
        }
        for future in as_completed(futures):
            self._finish(futures[future], _outcome(future, futures[future]), inputs)
            future.release()  # else a finished chapter runs again when the worker that ran it dies

    def _job(self, run: Run, inputs: Mapping[str, bytes], threads: int) -> Job:
        book = self.archive.book.folder
        return Job(
            run.name,
            run.chapter.data,
            dict(run.parameters),
            self.archive.library,
            None if book == LIBRARY.parent else str(book),
            dict(inputs),
            threads,
        )

    def _finish(self, run: Run, outcome: Outcome, inputs: Mapping[str, bytes]) -> None:
        if outcome.failure is None:
            refusal = self.archive.refusal(
                run, outcome, inputs, remote=bool(self.options.scheduler)
            )
            outcome = dataclasses.replace(outcome, failure=refusal)
        if outcome.failure is None:
            self.archive.keep(run, outcome)
            self._line(
                run.label, "ran", f"{outcome.seconds:6.1f} s  {outcome.peak_bytes / 1e6:5.0f} MB"
            )
            return
        self.failed.append(run.label)
        path = self.archive.keep_failed(run, outcome)
        lines = [outcome.failure.cell, *outcome.failure.message.splitlines()]
        lines += [f"the notebook up to there: {path}"] if path else []
        self._line(
            run.label,
            "failed",
            f"{outcome.seconds:6.1f} s" + "".join(f"\n    {line}" for line in lines),
        )

    def _started(self, event: tuple) -> None:
        if event[1] in self.labels:
            self._line(self.labels[event[1]], "running")

    def _line(self, label: str, state: str, rest: str = "") -> None:
        self.say(f"{label:{self.width}}  {state:8}{rest}".rstrip())


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep a second runner out of this book; the lock goes with the process, however that ends."""
    path = folder / ".cache" / "run.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BookError(
                f"another run is at work on {folder}. Wait until it is done."
            ) from error
        yield


def build(
    archive: Archive, runs: Sequence[Run], options: argparse.Namespace, say: Callable[[str], None]
) -> None:
    """Stage the book, and with `options.build` make the site of it."""
    started = time.monotonic()
    place = staging.Stage(archive.book, archive.profile)
    changed, staged = staging.stage(
        place, {run.chapter.name: archive.executed(run).read_bytes() for run in runs}
    )
    say(f"staged {place.folder.relative_to(archive.book.folder)}: {changed or 'no'} files changed")
    if options.build:
        built = staging.build(place, staged, options.warnings_as_errors)
        page = place.html.relative_to(archive.book.folder) / "index.html"
        say(
            f"{page}  "
            + (f"built in {time.monotonic() - started:.1f} s" if built else "up to date")
        )


def fetch_data(
    book: Book, profile: str, chapters: Sequence[str], say: Callable[[str], None]
) -> None:
    """Download what the chapters of a profile read, for machines that will run without a network."""
    from lib.sources import fetch
    from lib.sources.hub import model_folder

    plans = book.plans(profile)
    for key in dict.fromkeys(key for name in chapters or plans for key in plans[name].data):
        say(f"{key}  fetching")
        path = model_folder(key.removeprefix("hub:"))[0] if key.startswith("hub:") else fetch(key)
        size = sum(
            file.stat().st_size
            for file in (path.rglob("*") if path.is_dir() else [path])
            if file.is_file()
        )
        say(f"{key}  {size / 1e6:.1f} MB  {path}")


class _Cluster:
    """Connects to Dask when first needed, and to nothing when nothing is stale."""

    def __init__(
        self, stack: ExitStack, options: argparse.Namespace, started: Callable[[tuple], None]
    ):
        self.stack, self.options, self.started = stack, options, started
        self.connected: Client | None = None

    def client(self, stale: Mapping[Run, str]) -> Client:
        if self.connected is None:
            memory = psutil.virtual_memory().available // _MEMORY_PER_CHAPTER
            workers = self.options.workers or max(1, min(len(stale), cpu_count(), memory))
            needs = {name: amount for run in stale for name, amount in run.resources.items()}
            self.connected = self.stack.enter_context(
                connect(self.options.scheduler, workers, needs)
            )
            self.connected.subscribe_topic(TOPIC, self.started)
        return self.connected


def _outcome(future: Future, run: Run) -> Outcome:
    try:
        return (
            future.result()
        )  # whose worker may die before it has sent it: then the chapter runs again
    except Exception as error:
        return Outcome(
            run.name, failure=Failure("outside the notebook", f"{type(error).__name__}: {error}")
        )
