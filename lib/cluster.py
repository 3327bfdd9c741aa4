"""Connecting to Dask: processes on this machine, or a scheduler elsewhere.

Whoever can talk to a scheduler can run code as its user. Processes here therefore take only connections with keys that
are made anew for each cluster and never leave its processes. A scheduler at tls://… is asked with the keys that Dask's own
configuration names (`cluster.md`).
"""

import logging
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import dask
from dask.system import cpu_count

if TYPE_CHECKING:  # elsewhere where it is used: most commands only name the error below
    from distributed import Client

from lib.command import signals_wait
from lib.files import scratch_folder

PATIENCE = 10
_KEYS = "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and …__CLIENT__KEY"
# Pages about tasks and logs, which ask nobody for a key.
_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


class ClusterError(RuntimeError):
    """No cluster to run on, or one that lacks what a chapter needs; the message holds the line that
    mends it.
    """


@contextmanager
def connect(
    scheduler: str | None = None,
    workers: int | None = None,
    resources: Mapping[str, float] | None = None,
) -> Iterator["Client"]:
    """A client of a scheduler elsewhere, or of new worker processes on this machine.

    Parameters
    ----------
    scheduler : str, optional
        Its address; processes on this machine without one, which take connections from nobody else.
    workers : int, optional
        How many processes to start here, one per core when None; a scheduler elsewhere has its own.
    resources : Mapping, optional
        What some worker must offer, such as {"GPU": 1}.

    Yields
    ------
    Client

    Raises
    ------
    ClusterError
        When the scheduler does not answer within `PATIENCE` seconds, has no workers, or none of them offers the
        resources.
    """
    needs = dict(resources or {})
    with ExitStack() as stack:
        client = stack.enter_context(_remote(scheduler) if scheduler else _local(workers, needs))
        offers = [worker["resources"] for worker in workers_of(client).values()]
        if not any(_offers(offer, needs) for offer in offers):
            raise ClusterError(
                f"no worker of the scheduler at {scheduler} offers {_words(needs)}, and without it the run "
                f"would wait for ever. Start one where there is a graphics card with:\n"
                f"  {_worker_line(scheduler or '', needs)}"
            )
        yield client


def threads_per_task(client: "Client") -> int:
    """Cores ÷ tasks that run at once, on the host where that is least; at least 1."""
    workers = workers_of(client)
    cores: dict[str, int] = client.run(cpu_count)
    tasks: Counter[str | None] = Counter()
    for address, worker in workers.items():
        tasks[urlsplit(address).hostname] += worker["nthreads"]
    shares = [cores[a] // tasks[urlsplit(a).hostname] for a in workers if a in cores]
    return max(1, min(shares))


def workers_of(client: "Client") -> dict[str, dict[str, Any]]:
    """What the scheduler knows of its workers, by address."""
    return dict(client.scheduler_info(n_workers=-1)["workers"])


def has_graphics_card() -> bool:
    """Whether NVIDIA's tools are on this machine, which is all that is asked before a chapter looks
    for itself.
    """
    return shutil.which("nvidia-smi") is not None


def check_card(needs: Mapping[str, float]) -> None:
    """Raise ClusterError where something is needed that only a graphics card offers, and this machine
    has none.
    """
    if needs and not has_graphics_card():
        raise ClusterError(
            f"no graphics card on this machine, and {_words(needs)} is needed. Leave it out with "
            f"-p device=cpu, or run on a cluster with --scheduler, where a worker was started with:\n"
            f"  {_worker_line('tls://HOST:8786', needs)}"
        )


@contextmanager
def _local(workers: int | None, needs: Mapping[str, float]) -> Iterator["Client"]:
    """Worker processes here; a single one where a graphics card has to be shared out."""
    from distributed import Client, LocalCluster

    check_card(needs)
    with ExitStack() as stack:
        # LocalCluster silences its own handlers; where a command has set up logging, there are none of these
        dask_log = logging.getLogger("distributed")
        stack.callback(dask_log.setLevel, dask_log.level)
        dask_log.setLevel(logging.CRITICAL)
        folder = str(stack.enter_context(scratch_folder("biasbook-dask")))
        stack.enter_context(dask.config.set({**_NO_PAGES, "temporary-directory": folder}))
        with signals_wait():  # a cluster that is stopped while it starts is not closed by Dask
            cluster = LocalCluster(
                n_workers=1 if needs else workers or cpu_count(),
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                protocol="tls://",
                security=True,
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                memory_limit=0,
                local_directory=folder,
                env={"TMPDIR": folder},  # what a worker leaves that is killed goes with it
                resources=dict(needs),
                silence_logs=logging.CRITICAL,
                scheduler_kwargs={"allowed_failures": 1, "dashboard": False},
            )
            client = stack.enter_context(Client(stack.enter_context(cluster)))
        yield client


@contextmanager
def _remote(scheduler: str) -> Iterator["Client"]:
    from distributed import Client

    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:  # TypeError: tls:// without keys
        keys = (
            f" and the keys ({_KEYS} in the environment; see cluster.md)"
            if _closed(scheduler)
            else ""
        )
        raise ClusterError(
            f"no Dask scheduler answers at {scheduler} ({error}). Start one with `dask scheduler`, "
            f"check host, port, firewall{keys}, or leave out --scheduler to run on this machine."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ClusterError(
                f"the scheduler at {scheduler} has no workers. From a checkout of this book start one "
                f"with:\n  {_worker_line(scheduler, {})}"
            ) from error
        yield client


def _closed(scheduler: str) -> bool:
    """Whether a scheduler asks for keys."""
    return scheduler.startswith("tls:")


def _offers(offer: Mapping[str, float], needs: Mapping[str, float]) -> bool:
    return all(offer.get(name, 0) >= amount for name, amount in needs.items())


def _worker_line(scheduler: str, needs: Mapping[str, float]) -> str:
    resources = " ".join(f"{name}={amount:g}" for name, amount in needs.items())
    keys = " --tls-ca-file CERT --tls-cert CERT --tls-key KEY" if _closed(scheduler) else ""
    line = f"dask worker {scheduler}{keys} --nthreads 1"
    return f'{line} --resources "{resources}"' if resources else line


def _words(needs: Mapping[str, float]) -> str:
    return " and ".join(f"{name}={amount:g}" for name, amount in needs.items())
