"""What ends a command from outside: signals, kill -9, disks that are full or may not be written. One line, and no litter."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from lib.command import Stopped, command
from lib.files import (
    in_words,
    new_folder,
    remove_leftovers,
    scratch_folder,
    write_whole,
)
from lib.paths import ROOT
from tests.support.miniature_book import copy_of_undisturbed, environment, set_source, start
from tests.support.small_disks import run_on

STOPPING = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}


# what killed processes leave


HOLDING = """
import sys, time
from pathlib import Path
from lib.files import new_file, new_folder, scratch_folder
path = Path(sys.argv[1])
with new_file(path / "table.csv") as file, new_folder(path / "store") as folder, scratch_folder("scratch") as scratch:
    file.write_text("half")
    (folder / "vectors").write_text("half")
    print("ready", flush=True)
    time.sleep(600)
"""


def holder(folder):
    """A process that is writing a file and two folders."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout.readline() == b"ready\n"
    return process


def test_what_a_killed_process_left_goes_with_the_next_write_and_no_earlier(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    process = holder(tmp_path)
    try:
        parts = sorted(tmp_path.glob(".*.part*"))
        assert len(parts) == 3
        write_whole(tmp_path / "table.csv", "whole")
        remove_leftovers(tmp_path / "store")
        assert sorted(tmp_path.glob(".*.part*")) == parts, "another process is writing them"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert sorted(tmp_path.glob(".*.part*")) == parts
    write_whole(tmp_path / "other.csv", "whole")
    assert len(sorted(tmp_path.glob(".*.part*"))) == 3, "those of other places stay"
    write_whole(tmp_path / "table.csv", "whole")
    with new_folder(tmp_path / "store"), scratch_folder("scratch"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.csv", "store", "table.csv"]


def test_a_place_without_locks_is_written_and_nothing_of_others_removed(tmp_path, monkeypatch):
    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    left = tmp_path / ".one.00000000.part.txt"
    left.touch()
    monkeypatch.setattr("fcntl.flock", no_locks)
    write_whole(tmp_path / "one.txt", "1")
    assert left.exists() and (tmp_path / "one.txt").read_text() == "1"


def test_only_parts_of_the_same_target_that_are_ours_are_leftovers(tmp_path):
    names = [".one.0000000g.part.txt", ".one.00000000.part", ".two.00000000.part.txt", "one.txt"]
    for name in names:
        (tmp_path / name).touch()
    (tmp_path / ".one.11111111.part.txt").symlink_to(tmp_path / "one.txt")
    (tmp_path / ".one.22222222.part.txt").touch()
    remove_leftovers(tmp_path / "one.txt")
    there = {path.name for path in tmp_path.iterdir()}
    assert there == {*names, ".one.11111111.part.txt"}


def test_scratch_folders_are_closed_to_others_and_go_away(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch_folder("one") as first, scratch_folder("one") as second:
        assert first != second and first.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


# signals


WAITING = """
import importlib, sys, time
from pathlib import Path
from lib.files import new_file, new_folder, scratch_folder
module = importlib.import_module(sys.argv[1])
def work(*arguments, **named):
    place = Path(sys.argv[3])
    with new_file(place / "a.csv"), new_folder(place / "b"), scratch_folder("c"):
        print("ready", flush=True)
        time.sleep(600)
setattr(module, sys.argv[2], work)
sys.exit(module.main(sys.argv[4:]))
"""
# a command, what it does that takes long, and how it is asked to
COMMANDS = {
    "runner.command": ("_command", "--chapter", "ripa"),
    "lib.cultures.__main__": ("status", "status", "--output", "."),
    "lib.taxonomy.__main__": ("filter_file", __file__, "--out", "nowhere.csv"),
    "lib.embeddings.__main__": ("load_embedding", "info", "one"),
}


@pytest.mark.parametrize(
    ("module", "number"),
    [
        *((module, signal.SIGTERM) for module in COMMANDS),
        *(("lib.embeddings.__main__", number) for number in STOPPING if number != signal.SIGTERM),
    ],
)
def test_a_signal_ends_a_command_with_one_line_and_no_litter(module, number, tmp_path):
    slow, *asked = COMMANDS[module]
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, module, slow, str(tmp_path), *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == STOPPING[number]
    assert said.startswith("stopped; ") and said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_every_command_is_ended_this_way():
    paths = [path for path in (ROOT / "scripts").rglob("*.py") if path.parent.name != "bench"]
    named = [path for path in paths if "__main__" in path.read_text()]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in named]
    modules = [*COMMANDS, *names]
    assert len(modules) >= 30
    for name in modules:
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        assert "\n@command(" in path.read_text().partition("\ndef main")[0][-120:], name


def test_a_second_signal_does_not_stop_what_cleans_up(tmp_path):
    done = []

    @command("all is kept")
    def main() -> int:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except Stopped:
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("cleaned up")
            raise
        return 0

    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)]
    assert main() == 143 and done == ["cleaned up"]
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)] == before


def test_a_command_under_nohup_outlives_its_terminal():
    was = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        @command()
        def main() -> None:
            os.kill(os.getpid(), signal.SIGHUP)

        assert main() == 0
    finally:
        signal.signal(signal.SIGHUP, was)


def test_a_command_whose_reader_has_read_enough_ends_without_a_word():
    lines = "print('line ' * 9**5)"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import sys\nfrom lib.command import command\nsys.exit(command()(lambda: {lines})())",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout.read(4) == b"line"
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 141
    process.stderr.close()


def test_a_signal_in_the_middle_of_a_chapter_leaves_nothing_behind(tmp_path):
    tree, scratch = copy_of_undisturbed(tmp_path), tmp_path / "t"
    scratch.mkdir()
    begun = tmp_path / "begun"
    set_source(
        tree, "alpha", "run", f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(600)"
    )
    process = start(tree, "--chapter", "alpha", variables={"TMPDIR": str(scratch)})
    told = [process.stdout.readline()]
    assert "running" in told[0], told
    while not begun.exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP)
    rest, _ = process.communicate(timeout=120)
    assert process.returncode == STOPPING[signal.SIGHUP], rest
    assert rest == "stopped; what is done is kept, and the same command goes on from there\n"
    assert list(scratch.iterdir()) == []


def test_a_signal_in_the_middle_of_training_leaves_nothing_behind(tmp_path):
    """With worker processes, whose signals come from the command that started them."""
    messages, scratch, output = tmp_path / "m.csv", tmp_path / "t", tmp_path / "out"
    scratch.mkdir()
    words = np.array([f"w{number}" for number in range(300)])
    rng = np.random.default_rng(0)
    rows = [f"{' '.join(rng.choice(words, 30))},{place}" for place in ("Ohio", "Texas") * 400]
    messages.write_text("\n".join(["text,place", *rows]))
    asked = ["--text-column", "text", "--place-column", "place", "--output", str(output)]
    variables = {"TMPDIR": str(scratch)}
    split = start(ROOT, "split", str(messages), *asked, module="lib.cultures", variables=variables)
    assert split.communicate(timeout=120) and split.returncode == 0
    slow = ["--workers", "2", "--epochs", "100000"]
    process = start(
        ROOT, "train", "--output", str(output), *slow, module="lib.cultures", variables=variables
    )
    assert "2 cultures" in process.stdout.readline()
    while not list(scratch.glob(".biasbook-dask.*.part/dask*/*")) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=120)
    assert process.returncode == 143, rest
    assert rest == "stopped; what is done is kept, and the same command goes on from there\n"
    assert list(scratch.iterdir()) == [] and list(output.rglob(".*")) == []


# full disks


def test_a_full_disk_leaves_the_old_file_and_says_where(tmp_path):
    """A real one, of 64 kB."""
    (tmp_path / "disk").mkdir()
    code = f"""
from pathlib import Path
from lib.files import WriteError, crowded, new_folder, write_together, write_whole
disk = Path({str(tmp_path / "disk")!r})
write_whole(disk / "one", "old")
for attempt in (
    lambda: write_whole(disk / "one", "n" * 100_000),
    lambda: write_together({{disk / "one": b"new", disk / "two": b"n" * 100_000}}),
):
    try:
        attempt()
    except WriteError as error:
        print(error)
try:
    with new_folder(disk / "store") as part:
        (part / "vectors").write_bytes(b"n" * 100_000)
except WriteError as error:
    print(error)
print((disk / "one").read_text(), [path.name for path in disk.iterdir()], crowded(disk))
"""
    done = run_on(
        sys.executable,
        "-c",
        code,
        small={tmp_path / "disk": 65536},
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 4, done
    assert all(line.startswith("the disk is full: ") for line in lines[:3])
    assert lines[3].startswith("old ['one'] the disk is full: ")


def test_a_file_larger_than_is_allowed_is_said_and_leaves_nothing(tmp_path):
    code = f"""
import resource
from pathlib import Path
from lib.files import WriteError, write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_whole(Path({str(tmp_path / "one")!r}), "n" * 2000)
except WriteError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert "one needs 2.0 kB or more, and no file here may be that large" in done.stdout
    assert "ulimit -f" in done.stdout and list(tmp_path.iterdir()) == []


def lib_run(tree, *arguments, **disks):
    return run_on(
        *(sys.executable, "-m", "lib.run", *arguments), cwd=tree, env=environment(tree), **disks
    )


def test_a_record_on_a_full_disk_leaves_the_old_pair(tmp_path):
    tree = copy_of_undisturbed(tmp_path)
    recorded = tree / "data" / "results" / "embedded"
    recorded.mkdir(parents=True)
    old = {}
    for path in sorted((tree / "results" / "embedded").glob("[ab]*")):
        old[path.name] = b"old"
        (recorded / path.name).write_bytes(b"old")
    kept = tmp_path / "kept"
    # room for the first file, none for the second
    done = lib_run(tree, "--record", small={recorded: 4096 * (len(old) + 1)}, kept={recorded: kept})
    assert done.returncode == 1, done
    said = done.stderr.splitlines()
    assert len(said) == 1 and said[0].startswith(f"the disk is full: {recorded}/")
    now = {path.name: path.read_bytes() for path in kept.iterdir()}
    assert now == old


def test_a_full_disk_of_temporary_files_names_the_disk(tmp_path):
    tree, scratch = copy_of_undisturbed(tmp_path), tmp_path / "t"
    scratch.mkdir()
    (scratch / "filling").write_bytes(b"n" * 48_000)
    (tree / "results/embedded/alpha--factor=2.0,seed=0.csv").unlink()
    env = {**environment(tree), "TMPDIR": str(scratch)}
    asked = (sys.executable, "-m", "lib.run", "--chapter", "alpha")
    done = run_on(*asked, small={scratch: 65_536}, cwd=tree, env=env)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done
    assert f"the disk is full: {scratch}" in done.stdout + done.stderr, done


@pytest.mark.parametrize("place", ["results", ".cache", "_build"])
def test_a_folder_that_may_not_be_written_is_named_in_one_line(tmp_path, place):
    tree = copy_of_undisturbed(tmp_path)
    (tree / place).mkdir(exist_ok=True)
    if place == "results":  # a run that has something to write there
        (tree / "results/embedded/alpha--factor=2.0,seed=0.csv").unlink()
    done = lib_run(tree, "--chapter", "alpha", "--build", read_only=[tree / place])
    assert done.returncode == 1, done
    said = done.stderr.splitlines()
    assert len(said) == 1 and said[0].startswith(f"{tree / place}/"), said
    assert "cannot be written (Read-only file system)" in said[0]


def test_a_site_on_a_full_disk_ends_with_the_disk_that_is_full(tmp_path):
    """Behind what Sphinx says of it, which is long."""
    tree = copy_of_undisturbed(tmp_path)
    (tree / "_build").mkdir()
    done = lib_run(tree, "--build", small={tree / "_build": 8192})
    assert done.returncode == 1, done
    said = done.stderr.splitlines()
    assert "the disk is full" in said[-1] and f"{tree / '_build'}" in said[-1], said[-3:]


def test_a_filter_on_a_full_disk_says_what_is_kept(tmp_path):
    text, disk = tmp_path / "text.txt", tmp_path / "disk"
    disk.mkdir()
    text.write_text("The scout shares his bread.\n" * 5000)
    asked = [sys.executable, "-m", "lib.taxonomy", str(text), "--out", str(disk / "found.csv")]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = run_on(*asked, small={disk: 65_536}, env=env)
    said = done.stderr.splitlines()
    assert done.returncode == 2 and len(said) == 1, done
    assert said[0].startswith(f"the disk is full: {disk / 'found.csv'} needs room")
    assert "what is done is kept" in said[0]


def test_errors_of_a_disk_are_told_from_others():
    full = OSError(errno.ENOSPC, "No space left on device", "/tmp")
    assert in_words(full).startswith("the disk is full: /tmp needs room")
    denied = PermissionError(errno.EACCES, "Permission denied", "own.txt")
    assert in_words(denied) == "[Errno 13] Permission denied: 'own.txt'"
