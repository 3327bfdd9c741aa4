"""Dask clusters: processes here, a real scheduler with workers in their own checkouts, and what each error says."""

import contextlib
import gc
import os
import re
import subprocess
import sys
from urllib.request import urlopen

import dask
import psutil
import pytest
from distributed import Client

from lib import cluster
from lib.paths import ROOT
from tests.support.dask_processes import Keys, free_port, running
from tests.support.miniature_book import (
    command_here,
    contents,
    copy_of_undisturbed,
    edit,
    plant,
    states,
    undisturbed,
)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Those of the scheduler."""
    return Keys.made_in(tmp_path_factory.mktemp("keys"))


@pytest.fixture
def with_keys(keys):
    """This process has the keys, as a user who has set the variables of cluster.md has them."""
    names = {
        name.removeprefix("DASK_").lower().replace("__", "."): file
        for name, file in keys.variables.items()
    }
    with dask.config.set(names):
        yield


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory, keys):
    """A scheduler's address."""
    port = free_port()
    with running(
        tmp_path_factory.mktemp("scheduler"),
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--protocol",
        "tls",
        "--no-dashboard",
        *keys.options,
    ):
        yield f"tls://127.0.0.1:{port}"


@pytest.fixture
def workers(scheduler, keys, tmp_path):
    """The checkouts of two workers of the scheduler; they share no folder with each other or with who asks."""
    folders = [plant(tmp_path / name) for name in ("first", "second")]
    with contextlib.ExitStack() as stack:
        for folder in folders:
            stack.enter_context(
                running(
                    folder,
                    "worker",
                    scheduler,
                    *keys.options,
                    "--nthreads",
                    "1",
                    "--host",
                    "127.0.0.1",
                    "--no-dashboard",
                    "--local-directory",
                    str(folder / ".dask"),
                )
            )
        yield folders


@pytest.mark.slow
def test_a_scheduler_with_two_workers_gives_what_one_machine_gives(
    scheduler, with_keys, workers, tmp_path, monkeypatch, capsys
):
    tree = plant(tmp_path / "asking")
    here = command_here(monkeypatch, tree)

    def run(*arguments):
        return here("--scheduler", scheduler, *arguments), "".join(capsys.readouterr())

    code, output = run()
    assert code == 0, output
    assert {state for state, _ in states(output).values()} == {"ran"}
    assert contents(tree) == contents(undisturbed()[0])
    for folder in workers:
        assert not (folder / "results").exists() and not (folder / ".cache").exists(), (
            "only the client writes"
        )

    code, output = run("--profile", "sample")
    assert code == 2
    assert f"dask worker {scheduler} --tls-ca-file " in output and '"GPU=1"' in output

    edit(tree / "data" / "numbers.csv", "3", "4")
    code, output = run("--chapter", "alpha")
    assert code == 1 and "differ from these here: data/numbers.csv changed" in output

    edit(tree / "lib" / "rooms" / "arithmetic.py", "return", "return  ")
    code, output = run("--chapter", "alpha")
    assert code == 1 and states(output)["alpha"][0] == "failed"
    assert re.search(
        r"the code of this worker \(.*(first|second): audit, lib, studies, runner\) is not that of the client",
        output,
    )


def test_a_scheduler_that_is_not_there_is_said_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    address = f"tcp://127.0.0.1:{free_port()}"
    with (
        pytest.raises(cluster.ClusterError, match="no Dask scheduler answers") as caught,
        cluster.connect(address),
    ):
        pass
    assert address in str(caught.value) and "dask scheduler" in str(caught.value)


def test_a_scheduler_without_workers_tells_how_to_start_one(scheduler, with_keys, monkeypatch):
    waited = (
        Client.wait_for_workers
    )  # patient while it connects, not for workers that nobody starts
    monkeypatch.setattr(
        Client, "wait_for_workers", lambda client, n, timeout: waited(client, n, timeout=3)
    )
    with (
        pytest.raises(cluster.ClusterError, match="has no workers") as caught,
        cluster.connect(scheduler),
    ):
        pass
    assert f"dask worker {scheduler} --tls-ca-file" in str(caught.value)


def test_without_keys_a_scheduler_that_asks_for_them_is_not_reached(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    open_address = scheduler.replace("tls:", "tcp:")
    with pytest.raises(cluster.ClusterError, match="CLIENT__KEY"), cluster.connect(scheduler):
        pass
    gc.collect()  # what Dask left, so that it does not end in the thread in which the next loop begins
    with pytest.raises(cluster.ClusterError, match="answers"), cluster.connect(open_address):
        pass


def test_no_graphics_card_here_is_an_error_that_tells_both_ways_out(monkeypatch):
    monkeypatch.setattr(cluster, "has_graphics_card", lambda: False)
    with pytest.raises(cluster.ClusterError) as caught, cluster.connect(resources={"GPU": 1}):
        pass
    assert "-p device=cpu" in str(caught.value) and '--resources "GPU=1"' in str(caught.value)


def test_workers_here_share_the_cores_and_one_has_the_graphics_card(monkeypatch):
    monkeypatch.setattr(cluster, "has_graphics_card", lambda: True)
    with cluster.connect(workers=2, resources={"GPU": 1}) as client:
        found = [worker["resources"] for worker in cluster.workers_of(client).values()]
        assert found == [{"GPU": 1}]
        assert client.submit(os.getpid, resources={"GPU": 1}).result() != os.getpid()
    with cluster.connect(workers=2) as client:
        assert len(set(client.run(os.getpid).values())) == 2
        assert cluster.threads_per_task(client) == max(1, cluster.cpu_count() // 2)


@pytest.fixture(scope="module")
def alone():
    """The client of a cluster of this machine alone."""
    with cluster.connect(workers=1) as client:
        yield client


def test_nothing_listens_beyond_this_machine(alone):
    addresses = [alone.scheduler_info()["address"], *cluster.workers_of(alone)]
    assert all(address.startswith("tls://127.0.0.1:") for address in addresses)


INTRUSION = """
import os, socket, ssl, sys
from distributed import Client, Security

def in_by_client(address, keys):
    with Client(address, timeout=2, security=keys) as client:
        return client.submit(os.getuid).result(timeout=2)

def in_by_hand(address):
    anything = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anything.check_hostname, anything.verify_mode = False, ssl.CERT_NONE
    host, port = address.removeprefix("tls://").split(":")
    with socket.create_connection((host, int(port)), 2) as plain, anything.wrap_socket(plain) as closed:
        if not closed.recv(1):  # a scheduler or worker that lets somebody in speaks first
            raise ConnectionError

def ways(address):
    for way, *asked in (
        (in_by_client, address, Security.temporary()),
        (in_by_client, address.replace("tls:", "tcp:"), None),
        (in_by_hand, address),
    ):
        try:
            yield f"in {way(*asked)}"
        except OSError:
            yield "refused"

list(ways(sys.argv[2]))  # loads all that is needed, as the stranger may not read where this environment lies
os.setuid(int(sys.argv[1]))
for address in sys.argv[2:]:
    print(*ways(address))
"""


def test_another_user_of_the_machine_runs_no_code_here(alone):
    """Neither with keys of one's own nor without keys, at the scheduler, its workers and their nannies."""
    stranger = 65534 if os.getuid() == 0 else os.getuid()
    nannies = [worker["nanny"] for worker in cluster.workers_of(alone).values()]
    addresses = [alone.scheduler_info()["address"], *cluster.workers_of(alone), *nannies]
    asked = [sys.executable, "-c", INTRUSION, str(stranger), *addresses]
    tried = subprocess.run(asked, capture_output=True, text=True, cwd="/", timeout=120)
    assert alone.submit(os.getuid).result() == os.getuid()
    assert tried.stdout.split() == ["refused"] * 9, tried.stdout + tried.stderr


def test_nothing_here_shows_tasks_or_logs_to_those_who_have_no_key(alone):
    """What answers without a key at all answers with nothing."""
    ports = [
        place.laddr.port
        for process in (psutil.Process(), *psutil.Process().children(recursive=True))
        for place in process.net_connections("tcp")
        if place.status == psutil.CONN_LISTEN and place.laddr.ip == "127.0.0.1"
    ]
    assert len(ports) >= 5
    for port in ports:
        for page in ("info/main/workers.html", "json/counts.json", "metrics", "status"):
            with pytest.raises(OSError):
                urlopen(f"http://127.0.0.1:{port}/{page}", timeout=10)


def test_a_book_that_is_fresh_starts_no_kernel_and_asks_no_cluster(tmp_path, monkeypatch, capsys):
    for name in ("lib.cluster.connect", "runner.running.execute"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("started"))
    assert command_here(monkeypatch, copy_of_undisturbed(tmp_path))() == 0
    assert states(capsys.readouterr().out)["alpha"][0] == "fresh"


def test_the_page_on_clusters_names_the_keys_as_these_tests_give_them(keys):
    page = (ROOT / "pages" / "cluster.md").read_text(encoding="utf-8")
    assert all(name in page for name in (*keys.options[::2], *keys.variables))
    assert all(path.stat().st_mode & 0o077 == 0 for path in (keys.certificate, keys.key))
