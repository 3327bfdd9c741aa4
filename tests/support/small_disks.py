"""Disks that are small or may not be written, for one command: mounts that no other process sees."""

import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest


@cache
def _can_mount() -> bool:
    tried = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    return (
        bool(shutil.which("unshare")) and not subprocess.run(tried, capture_output=True).returncode
    )


def run_on(
    *command: str,
    small: Mapping[Path, int] = {},
    read_only: Iterable[Path] = (),
    kept: Mapping[Path, Path] = {},
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command where folders are disks of their own; skips the test where nothing may be mounted.

    small : the bytes of each disk; it holds what the folder holds
    read_only : folders that may not be written
    kept : where a copy of a folder goes when the command is done, as its disk goes with it
    """
    if not _can_mount():
        pytest.skip("needs a user who may mount (unshare -rm)")
    steps = []
    for folder, size in small.items():
        there, before = shlex.quote(str(folder)), shlex.quote(f"{folder}.before")
        steps += [f"mv {there} {before}", f"mkdir {there}"]
        steps += [f"mount -t tmpfs -o size={size} none {there}", f"cp -a {before}/. {there}"]
    for folder in map(shlex.quote, map(str, read_only)):
        steps += [f"mount --bind {folder} {folder}", f"mount -o remount,bind,ro {folder}"]
    steps += [f"{shlex.join(command)}; code=$?"]
    for folder, copy in kept.items():
        steps += [f"cp -a {shlex.quote(str(folder))} {shlex.quote(str(copy))}"]
    script = "\n".join([*steps, "exit $code"])
    return subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=env,
        timeout=300,
        check=False,
    )
