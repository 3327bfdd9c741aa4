"""Dask clusters: processes here, a real scheduler with workers in their own checkouts, and what each error says."""

import contextlib
import os
import re

import pytest

from lib import cluster
from tests.support.dask_processes import free_port, running
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
def scheduler(tmp_path_factory):
    """A scheduler's address."""
    port = free_port()
    with running(
        tmp_path_factory.mktemp("scheduler"),
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--dashboard-address",
        "127.0.0.1:0",
        "--no-dashboard",
    ):
        yield f"tcp://127.0.0.1:{port}"


@pytest.fixture
def workers(scheduler, tmp_path):
    """The checkouts of two workers of the scheduler; they share no folder with each other or with who asks."""
    folders = [plant(tmp_path / name) for name in ("first", "second")]
    with contextlib.ExitStack() as stack:
        for folder in folders:
            stack.enter_context(
                running(
                    folder,
                    "worker",
                    scheduler,
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
    scheduler, workers, tmp_path, monkeypatch, capsys
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
    assert f'dask worker {scheduler} --nthreads 1 --resources "GPU=1"' in output

    edit(tree / "data" / "numbers.csv", "3", "4")
    code, output = run("--chapter", "alpha")
    assert code == 1 and "differ from these here: data/numbers.csv changed" in output

    edit(tree / "lib" / "rooms" / "arithmetic.py", "return", "return  ")
    code, output = run("--chapter", "alpha")
    assert code == 1 and states(output)["alpha"][0] == "failed"
    assert re.search(
        r"the lib of this worker \(.*(first|second)/lib\) is not the one that asked", output
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


def test_a_scheduler_without_workers_tells_how_to_start_one(scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 3)
    with (
        pytest.raises(cluster.ClusterError, match="has no workers") as caught,
        cluster.connect(scheduler),
    ):
        pass
    assert f"dask worker {scheduler}" in str(caught.value)


def test_no_graphics_card_here_is_an_error_that_tells_both_ways_out(monkeypatch):
    monkeypatch.setattr(cluster, "has_graphics_card", lambda: False)
    with pytest.raises(cluster.ClusterError) as caught, cluster.connect(resources={"GPU": 1}):
        pass
    assert "-p device=cpu" in str(caught.value) and '--resources "GPU=1"' in str(caught.value)


def test_a_graphics_card_here_is_given_to_one_worker(monkeypatch):
    monkeypatch.setattr(cluster, "has_graphics_card", lambda: True)
    with cluster.connect(workers=2, resources={"GPU": 1}) as client:
        assert [worker["resources"] for worker in cluster.workers_of(client).values()] == [
            {"GPU": 1}
        ]
        assert client.submit(os.getpid, resources={"GPU": 1}).result() != os.getpid()


def test_workers_here_share_the_cores(monkeypatch):
    with cluster.connect(workers=2) as client:
        assert len(cluster.workers_of(client)) == 2
        assert cluster.threads_per_task(client) == max(1, cluster.cpu_count() // 2)
        assert len(set(client.run(os.getpid).values())) == 2


def test_nothing_listens_beyond_this_machine():
    with cluster.connect(workers=1) as client:
        addresses = [client.scheduler_info()["address"], *cluster.workers_of(client)]
        assert all(address.startswith("tcp://127.0.0.1:") for address in addresses)


def test_a_book_that_is_fresh_starts_no_kernel_and_asks_no_cluster(tmp_path, monkeypatch, capsys):
    for name in ("lib.cluster.connect", "lib.book.runner.execute"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("started"))
    assert command_here(monkeypatch, copy_of_undisturbed(tmp_path))() == 0
    assert states(capsys.readouterr().out)["alpha"][0] == "fresh"
