"""A Dask scheduler and its workers as processes of their own on this machine, and the sudden death of a worker.

They take connections only with keys that are made anew, so that no other user of the machine gets in meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from distributed import Client, Security

from tests.support.miniature_book import environment, processes_in

PATIENCE = 600  # a wait ends with what it waits for; this is for a test that would hang
Key = tuple[str, ...]  # the kind of task, its name, and what tells it from earlier ones


class DemoError(RuntimeError):
    """What was to be shown was not seen; the message says what was seen instead."""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@dataclass(frozen=True)
class Keys:
    """A certificate and its key, in files that only this user can read."""

    certificate: Path
    key: Path

    @classmethod
    def made_in(cls, folder: Path) -> Keys:
        """New ones, such as a user makes with openssl."""
        made = Security.temporary()
        folder.mkdir(parents=True, exist_ok=True)
        keys = cls(folder / "cert.pem", folder / "key.pem")
        for path, text in (
            (keys.certificate, made.tls_client_cert),
            (keys.key, made.tls_client_key),
        ):
            path.touch(mode=0o600)
            path.write_text(text)
        return keys

    @property
    def options(self) -> tuple[str, ...]:
        """For `dask scheduler` and `dask worker`."""
        certificate, key = str(self.certificate), str(self.key)
        return ("--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key)

    @property
    def variables(self) -> dict[str, str]:
        """For commands with --scheduler."""
        prefix = "DASK_DISTRIBUTED__COMM__TLS__"
        return {
            f"{prefix}CA_FILE": str(self.certificate),
            f"{prefix}CLIENT__CERT": str(self.certificate),
            f"{prefix}CLIENT__KEY": str(self.key),
        }

    @property
    def security(self) -> Security:
        """For a client in this process."""
        certificate, key = str(self.certificate), str(self.key)
        return Security(tls_ca_file=certificate, tls_client_cert=certificate, tls_client_key=key)


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen]:
    """A Dask process in a folder of its own, finding lib there, its temporary files beside it."""
    scratch = folder.with_name(f"{folder.name}-tmp")
    for one in (folder, scratch):
        one.mkdir(parents=True, exist_ok=True)
    variables = {**environment(folder), "TMPDIR": str(scratch), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        cwd=folder,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@dataclass(frozen=True)
class Kill:
    """A worker that was killed: its name and process, the key of the task it was in, and by the scheduler's own account what
    has to be done again: that task, and those it had finished and not yet handed over."""

    worker: str
    process: int
    task: Key
    again: frozenset[Key]


class Cluster:
    """A scheduler's address, a client that watches it, and its workers by name."""

    def __init__(self, folder: Path, checkout: Callable[[Path], Path], stack: ExitStack):
        self.folder, self.checkout, self.stack = folder, checkout, stack
        self.workers: dict[str, subprocess.Popen] = {}
        self.count = 0
        self.address = f"tls://127.0.0.1:{free_port()}"
        self.keys = Keys.made_in(folder / "keys")
        self.scheduler = stack.enter_context(
            running(
                folder / "scheduler",
                "scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                self.address.rpartition(":")[2],
                "--protocol",
                "tls",
                "--no-dashboard",
                *self.keys.options,
            )
        )
        self.client = stack.enter_context(
            Client(
                self.address, security=self.keys.security, timeout=PATIENCE, set_as_default=False
            )
        )

    def add_worker(self) -> str:
        """Start a worker of one thread with its own checkout of the book; returns its name."""
        self.count += 1
        name = f"worker-{self.count}"
        folder = self.checkout(self.folder / name)
        self.workers[name] = self.stack.enter_context(
            running(
                folder,
                "worker",
                self.address,
                *self.keys.options,
                "--name",
                name,
                "--nthreads",
                "1",
                "--no-nanny",
                "--host",
                "127.0.0.1",
                "--no-dashboard",
                "--local-directory",
                str(folder / ".dask"),
            )
        )
        return name

    def wait(self) -> None:
        """Until all workers are there: on how many there are depends how many threads a chapter gets."""
        self.client.wait_for_workers(len(self.workers), timeout=PATIENCE)

    def kill_one_at_work(self, rng: np.random.Generator, going_on: Callable[[], bool]) -> Kill:
        """Kill -9 a worker that is in a task: stopped first, so that what the scheduler lacks it will never get.

        rng : chooses the worker and a pause of up to half a second before; going_on : whether there is anything to come.
        Raises DemoError when it ended before a worker was seen at work.
        """
        pause = float(rng.uniform(0, 0.5))
        while going_on():
            tasks = self._tasks_begun()
            if tasks and pause:
                time.sleep(pause)
                pause = 0
            elif tasks:
                address = sorted(tasks)[rng.integers(len(tasks))]
                if kill := self._kill(address, tasks[address]):
                    return kill
            else:
                time.sleep(0.05)
        raise DemoError(
            "the run ended before a worker could be killed in a task; give it more to do"
        )

    def _kill(self, address: str, task: Key) -> Kill | None:
        name = self.client.scheduler_info(n_workers=-1)["workers"][address]["name"]
        process = self.workers[name]
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        if task not in self.client.processing()[address]:
            process.send_signal(signal.SIGCONT)
            return None
        process.kill()
        process.wait()
        del self.workers[name]
        event = self._removal_of(address)
        if task not in event["processing-tasks"]:
            raise DemoError(f"{name} was killed when {task} was done already")
        return Kill(name, process.pid, task, frozenset(event["lost-computed-tasks"]) | {task})

    def _tasks_begun(self) -> dict[str, Key]:
        """The task that each worker's thread is in, as the workers say, by address."""
        begun = self.client.run(
            lambda dask_worker: [task.key for task in dask_worker.state.executing]
        )
        return {address: keys[0] for address, keys in begun.items() if keys}

    def _removal_of(self, address: str) -> Mapping:
        """What the scheduler noted when it found the worker dead."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for _, event in self.client.get_events("all"):
                if event["action"] == "remove-worker" and event["worker"] == address:
                    return event
            time.sleep(0.05)
        raise DemoError(
            f"after {PATIENCE} s the scheduler has not noticed that its worker at {address} is dead"
        )

    def given_again(self) -> set[Key]:
        """The tasks that the scheduler gave out more than once, since it began."""
        times = self.client.run_on_scheduler(
            lambda dask_scheduler: dict(
                Counter(
                    step.key
                    for step in dask_scheduler.transition_log
                    if step.finish == "processing"
                )
            )
        )
        return {key for key, count in times.items() if count > 1}


@contextmanager
def cluster(folder: Path, checkout: Callable[[Path], Path], workers: int = 2) -> Iterator[Cluster]:
    """A scheduler and workers, each in a folder of its own; when this ends, no process works below the folder.

    checkout : puts a checkout of the book into the folder it is given and returns it
    """
    try:
        with ExitStack() as stack:
            made = Cluster(folder, checkout, stack)
            for _ in range(workers):
                made.add_worker()
            made.wait()
            yield made
    finally:
        for process in processes_in(
            folder
        ):  # kernels of a killed worker see its end a moment later
            with contextlib.suppress(Exception):
                process.kill()
