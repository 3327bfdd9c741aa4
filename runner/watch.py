"""Inside the kernel of a chapter: what it opens, lists and imports.

`watch` and `report` run in cells that the runner adds and takes away again; this module imports
nothing of `lib`, so that a chapter depends on what it loads itself. Only Python's own ways of
opening a file are seen; code that hands a path to a compiled reader announces it with
`sys.audit("open", path, "rb", 0)`, and code that looks for a package without importing it with
`sys.audit("biasbook.package", distribution)`.
"""

import importlib
import json
import os
import platform
import resource
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_modules_before: set[str] = set()
_preloaded: set[str] = set()
_opened: dict[str, tuple[int, int] | None] = {}
_listed: set[str] = set()
_looked_for: set[str] = set()


def watch() -> None:
    """Start noting every file that this process opens for reading and every folder that it
    lists.
    """
    _modules_before.update({*sys.modules} - _preloaded)
    _programs()
    sys.addaudithook(_note)


def preload(names: Iterable[str]) -> None:
    """Import modules that count as the chapter's own imports; those that are not installed are left out."""
    before = {*sys.modules}
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)
    _preloaded.update({*sys.modules} - before)


def report(path: str, device: object = None) -> None:
    """Write what was seen since `watch`.

    Parameters
    ----------
    path : str
        A file for the report, as JSON: `modules` of the house, `imported` packages, those `looked_for`, `opened` files with
        their stamps, `listed` folders, `cpu_seconds`, `peak_bytes` of memory, `device`, `machine`.
    device : object, optional
        What the chapter says that it ran on.
    """
    seen = {
        "modules": sorted(
            name for name in sys.modules if name.partition(".")[0] in ("audit", "lib", "studies")
        ),
        "imported": sorted({name.partition(".")[0] for name in {*sys.modules} - _modules_before}),
        "looked_for": sorted(_looked_for),
        "opened": dict(sorted(_opened.items())),
        "listed": sorted(_listed),
        "cpu_seconds": _cpu_seconds(),
        "peak_bytes": _peak_bytes(),
        "device": None if device is None else str(device),
        "machine": _machine(),
    }
    Path(path).write_text(json.dumps(seen))


def stamp(path: str | Path) -> tuple[int, int] | None:
    """Size and time of the last change of a file; None where there is none."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, (str, bytes)) and not (flags or 0) & _WRITING:
            name = _absolute(path)
            if name not in _opened and not name.startswith(_programs()):
                _opened[name] = stamp(name)
    elif event in ("os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes)):
        _listed.add(_absolute(arguments[0]))
    elif event == "biasbook.package":
        _looked_for.add(str(arguments[0]))


def _absolute(path: str | bytes) -> str:
    return os.path.abspath(os.fsdecode(path))  # noqa: PTH100  (thousands of calls, and Path would keep "..")


@cache
def _programs() -> tuple[str, ...]:
    """Folders of programs and settings: package versions stand for what is read there."""
    settings = (
        ".ipython",
        ".jupyter",
        ".config",
        ".local/share/jupyter",
        ".cache/matplotlib",
        ".cache/fontconfig",
    )
    system = ("/proc", "/sys", "/dev", "/etc", "/usr")
    folders = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, *system}
    paths = {*map(Path, folders), *(Path.home() / name for name in settings)}
    return tuple(
        f"{path}/" for path in {*paths, *(path.resolve() for path in paths)} if path != Path("/")
    )


def _machine() -> str:
    """Processor, number of cores and system, in words."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line[:10] == "model name")
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def _cpu_seconds() -> float:
    """Of this process and of those that it started and waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _peak_bytes() -> int:
    """Peak resident memory of this process. Where there is no /proc, it includes what was inherited
    at the start.
    """
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
