"""Runs the chapters that are stale, here or on Dask, and says what happens, one line at a time.

Here, a chapter is a kernel and a thread of this process that waits for it.
"""

import dataclasses
import fcntl
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from lib.files import explained, size_text
from lib.paths import ROOT
from runner.archive import Archive
from runner.book import Run
from runner.execution import TOPIC, Failure, Job, Outcome, execute, open_nursery
from runner.needs import LIGHTER, needs, still_away
from runner.nursery import MODELS, SHARED, Nursery

if TYPE_CHECKING:
    from distributed import Client

_MEMORY_PER_CHAPTER = 2 * 2**30


class BusyError(RuntimeError):
    """Another run is at work on the book."""


class Runner:
    """Runs what is stale and says one line when a chapter starts and one when it is done.

    Parameters
    ----------
    archive : Archive
    runs : sequence of Run
    say : callable
        Is given each line.
    fresh : bool, optional
        Whether what is up to date runs again.
    scheduler : str, optional
        Address of a Dask scheduler; kernels on this machine without one.
    workers : int, optional
        How many kernels at a time; one a core without it, fewer where there is little to do or
        little memory.
    """

    def __init__(
        self,
        archive: Archive,
        runs: Sequence[Run],
        say: Callable[[str], None],
        *,
        fresh: bool = False,
        scheduler: str | None = None,
        workers: int | None = None,
    ):
        self.archive, self.say = archive, say
        self.fresh, self.scheduler, self.workers = fresh, scheduler, workers
        self.first = [run for run in runs if not run.after_all]
        self.last = [run for run in runs if run.after_all]
        self.labels = {run.name: run.label for run in runs}
        self.width = max(len(run.label) for run in runs)
        self.failed: list[str] = []
        self._client: Client | None = None

    def run(self) -> bool:
        """Run the stale chapters, then those that come after all. True when none failed.

        Raises
        ------
        ClusterError
            Where there is no cluster to run on.
        WriteError
            Where a result does not fit on the disk.
        """
        with ExitStack() as stack:
            self._wave(self.first, {}, stack)
            if self.failed:
                for run in self.last:
                    self._line(run.label, "skipped", f"waits for {', '.join(self.failed)}")
            elif self.last:
                results, missing = self.archive.fresh_results()
                if missing:
                    self.say(
                        f"note: no up-to-date results of {', '.join(missing)}; going on without"
                    )
                self._wave(self.last, results, stack)
        return not self.failed

    def show(self, parameters: bool) -> None:
        """Say what would run and why, with or without the minutes on a quiet machine and the values
        of the parameters; of a profile that fetches also what each needs. Run nothing.
        """
        reasons = self._stale(self.first, {})
        results, _ = self.archive.fresh_results()
        last = self._stale(self.last, results)
        if reasons:
            last = {run: last.get(run, "after the others") for run in self.last}
        reasons |= last
        for run in [*self.first, *self.last]:
            self._line(run.label, "stale" if run in reasons else "fresh", reasons.get(run, ""))
            if parameters:
                values = (f"{name}={json.dumps(value)}" for name, value in run.parameters.items())
                minutes = minutes_text(self.archive.seconds(run))
                self.say(f"{'':{self.width}}  {'  '.join([minutes, *values])}")
            elif self.archive.profile in LIGHTER:
                said = needs(self.archive.book, self.archive.profile, run)
                self.say(f"{'':{self.width}}  {said}")
        if not parameters and self.archive.profile in LIGHTER:
            names = {run.chapter.name for run in [*self.first, *self.last]}
            if away := still_away(self.archive.book.data(self.archive.profile, sorted(names))):
                self.say(
                    f"not here: {away}; `make data PROFILE={self.archive.profile}` fetches them"
                )

    def _stale(self, runs: Sequence[Run], inputs: Mapping[str, bytes]) -> dict[Run, str]:
        """The runs that have something to do, each with the reason."""
        if self.fresh:
            return dict.fromkeys(runs, "--fresh")
        reasons = {run: self.archive.why_stale(run, inputs) for run in runs}
        return {run: reason for run, reason in reasons.items() if reason}

    def _wave(self, runs: Sequence[Run], inputs: Mapping[str, bytes], stack: ExitStack) -> None:
        stale = self._stale(runs, inputs)
        for run in runs:
            if run not in stale:
                self._line(run.label, "fresh")
        if not stale:
            return
        # the longest first, which else may be left alone at the end
        order = sorted(stale, key=self.archive.seconds, reverse=True)
        if self.scheduler:
            self._run_elsewhere(order, inputs, self._connected(order, stack))
        else:
            self._run_here(order, inputs)

    def _run_here(self, order: Sequence[Run], inputs: Mapping[str, bytes]) -> None:
        """Run in kernels of this machine; whatever ends the waiting ends the kernels too."""
        from dask.system import cpu_count

        memory = psutil.virtual_memory().available // _MEMORY_PER_CHAPTER
        workers = self.workers or max(1, min(len(order), cpu_count(), memory))
        if needs := _needs(order):
            from lib.cluster import check_card

            check_card(needs)
            workers = 1  # a graphics card is not shared
        threads = max(1, cpu_count() // workers)

        with ExitStack() as stack, ThreadPoolExecutor(workers) as pool:
            nurseries = self._nurseries(order, threads, stack)

            def begin(run: Run) -> Outcome:
                self._started((None, run.name))
                return execute(self._job(run, inputs, threads), nurseries.get(run))

            futures = {pool.submit(begin, run): run for run in order}
            try:
                for future in as_completed(futures):
                    self._finish(futures[future], _outcome(futures[future], future), inputs)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                while not all(future.done() for future in futures):
                    for kernel in psutil.Process().children(recursive=True):
                        with suppress(psutil.NoSuchProcess):
                            kernel.kill()
                    time.sleep(0.1)
                raise

    def _nurseries(self, runs: Sequence[Run], threads: int, stack: ExitStack) -> dict[Run, Nursery]:
        """Where the kernel of each run is forked: with language models for those that are known to use them. One or two runs
        do not pay for it, and a record of another profile names the packages that the chapter imported itself.
        """
        if sys.platform != "linux" or len(runs) <= 2 or self.archive.profile != "embedded":
            return {}
        made: dict[bool, Nursery] = {}
        of_run = {}
        for run in runs:
            models = "transformers" in self.archive.packages(run)
            if models not in made:
                made[models] = open_nursery(threads, (*SHARED, *(MODELS if models else ())))
                stack.callback(made[models].close)
            of_run[run] = made[models]
        return of_run

    def _run_elsewhere(
        self, order: Sequence[Run], inputs: Mapping[str, bytes], client: "Client"
    ) -> None:
        from distributed import as_completed

        from lib.cluster import threads_per_task

        threads = threads_per_task(client)
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
            self._finish(futures[future], _outcome(futures[future], future), inputs)
            future.release()  # else a finished chapter runs again when the worker that ran it dies

    def _connected(self, runs: Sequence[Run], stack: ExitStack) -> "Client":
        """A client of the cluster, asked for when first needed and not at all when nothing is
        stale.
        """
        if self._client is None:
            from lib.cluster import connect

            self._client = stack.enter_context(connect(self.scheduler, None, _needs(runs)))
            self._client.subscribe_topic(TOPIC, self._started)
        return self._client

    def _job(self, run: Run, inputs: Mapping[str, bytes], threads: int) -> Job:
        book = self.archive.book.folder
        return Job(
            run.name,
            run.chapter.data,
            dict(run.parameters),
            self.archive.library,
            None if book == ROOT else str(book),
            dict(inputs),
            threads,
        )

    def _finish(self, run: Run, outcome: Outcome, inputs: Mapping[str, bytes]) -> None:
        if outcome.failure is None:
            refusal = self.archive.refusal(run, outcome, inputs, remote=bool(self.scheduler))
            outcome = dataclasses.replace(outcome, failure=refusal)
        seconds = f"{outcome.seconds:6.1f} s"
        if outcome.failure is None:
            self.archive.keep(run, outcome)
            self._line(run.label, "ran", f"{seconds}  {outcome.peak_bytes / 1e6:5.0f} MB")
            if unlisted := self.archive.unlisted(run, outcome):
                self.say(
                    f"note: {run.chapter.name} reads {', '.join(unlisted)}; add this to its line `data:` in "
                    f"data/profiles/{self.archive.profile}.yml, so that make data fetches it"
                )
            return
        self.failed.append(run.label)
        path = self.archive.keep_failed(run, outcome)
        lines = [seconds, outcome.failure.cell, *outcome.failure.message.splitlines()]
        lines += [f"the notebook up to there: {path}"] if path else []
        self._line(run.label, "failed", "\n    ".join(lines))

    def _started(self, event: tuple[Any, str]) -> None:
        if event[1] in self.labels:
            self._line(self.labels[event[1]], "running")

    def _line(self, label: str, state: str, rest: str = "") -> None:
        self.say(f"{label:{self.width}}  {state:8}{rest}".rstrip())


def _needs(runs: Sequence[Run]) -> dict[str, float]:
    return {name: amount for run in runs for name, amount in run.resources.items()}


def _outcome(run: Run, future: "Future[Outcome]") -> Outcome:
    """What a run gave; an error outside the notebook, such as a worker that was killed again and again,
    as its failure.
    """
    try:
        return future.result()
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        return Outcome(run.name, failure=Failure("outside the notebook", said))


def minutes_text(seconds: float) -> str:
    """Minutes for people, of a second on; of what nobody knows a question mark.

    Examples
    --------
    >>> minutes_text(34.2), minutes_text(1930), minutes_text(float("inf"))
    ('0.6 min', '32 min', '? min')
    """
    minutes = seconds / 60
    if minutes == float("inf"):
        return "? min"
    return f"{minutes:.0f} min" if minutes >= 9.95 else f"{max(minutes, 0.1):.1f} min"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep a second runner out of a book; the lock goes with the process, however that ends.

    Raises
    ------
    BusyError
        Where another runner is at work.
    WriteError
        Where the book's folder may not be written.
    """
    path = folder / ".cache" / "run.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a")
    except OSError as error:
        raise explained(error, path) or error from error
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(
                f"another run is at work on {folder}. Wait until it is done."
            ) from error
        yield


def fetch_data(keys: Sequence[str], say: Callable[[str], None]) -> bool:
    """Download files of the registry and models of the hub, for machines that will run without a
    network.

    Parameters
    ----------
    keys : sequence of str
        As in `lib.profiles.data_keys`.
    say : callable
        Is given one line before and one after each.

    Returns
    -------
    bool
        Whether all are there now; one that cannot be had does not keep the others away.
    """
    from lib.sources import FetchError, fetch
    from lib.sources.hub import model_folder

    missing = 0
    for key in keys:
        say(f"{key}  fetching")
        model = key.removeprefix("hub:")
        try:
            path = fetch(key) if model == key else model_folder(model)[0]
        except FetchError as error:
            missing += 1
            say(f"{key}  failed: {error}")
            continue
        files = path.rglob("*") if path.is_dir() else [path]
        size = sum(file.stat().st_size for file in files if file.is_file())
        say(f"{key}  {size_text(size)}  {path}")
    return not missing
