"""What a chapter run depended on: recorded inside its kernel, compared before the next run.

`watch` and `report` run in the kernel, in cells that the runner adds and takes away again. Only Python's own ways of
opening a file are seen; code that hands a path to a compiled reader announces it with `sys.audit("open", path, "rb", 0)`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import resource
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lib.paths import LIBRARY

FORMAT = 1
_NOT_INPUTS = {"_build", "results", "lib"}
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_before: set[str] = set()
_opened: dict[str, tuple[int, int] | None] = {}
_listed: set[str] = set()


def watch() -> None:
    """Start noting every file that this process opens for reading and every folder that it lists."""
    _before.update(sys.modules)
    _programs()
    sys.addaudithook(_note)


def report(path: str, book: str, device: object = None) -> None:
    """Write what was seen since `watch` as JSON: modules, packages, files, folders, peak memory (bytes), device."""
    imported = {name.partition(".")[0] for name in set(sys.modules) - _before}
    modules = sorted(
        name
        for name in sys.modules
        if name.partition(".")[0] == "lib" and name.split(".")[:2] != ["lib", "book"]
    )
    opened, listed = dict(_opened), sorted(_listed)
    seen = {
        "modules": modules,
        "imported": sorted(imported),
        **_inputs(opened, listed, Path(book)),
        "peak_bytes": _peak_bytes(),
        "device": None if device is None else str(device),
    }
    Path(path).write_text(json.dumps(seen))


def module_hashes() -> dict[str, str]:
    """SHA-256 of each source file of `lib`, by module name."""
    files = sorted(path for path in LIBRARY.rglob("*.py") if "__pycache__" not in path.parts)
    return {_module_name(path): hash_file(path) for path in files}


def library_hash(hashes: Mapping[str, str]) -> str:
    """One hash for the whole of `lib`, from `module_hashes`."""
    return hashlib.sha256(json.dumps(sorted(hashes.items())).encode()).hexdigest()


def digest(data: bytes) -> str:
    """SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def hash_file(path: str | Path) -> str | None:
    """SHA-256 of a file in hexadecimal; None when it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def hash_folder(path: str | Path) -> str | None:
    """SHA-256 of the names in a folder, hidden ones aside; None when there is no such folder."""
    try:
        names = sorted(
            one.name for one in Path(path).iterdir() if not one.name.startswith((".", "__"))
        )
    except OSError:
        return None
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


@cache
def distributions() -> dict[str, str]:
    """The distribution that each installed top-level module comes from."""
    return {
        module: names[0] for module, names in importlib.metadata.packages_distributions().items()
    }


@cache
def installed(distribution: str) -> str | None:
    """The installed version without its local part (the same torch for CPU and for CUDA), or None."""
    try:
        return importlib.metadata.version(distribution).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def python_version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def why_stale(
    depfile: Mapping,
    book: Path,
    code: str,
    parameters: Mapping,
    hashes: Mapping[str, str],
    inputs: Mapping[str, str],
) -> str | None:
    """The first thing that has changed since the run that left this depfile, in words; None when nothing has.

    The parameter `device` says where a run happens, not what it computes, and does not count.
    Files outside the book that are not on this machine count as unchanged: the registry, itself in the book, pins them.
    """
    if depfile["format"] != FORMAT:
        return "the runner records more than it did"
    if depfile["code"] != code:
        return "a code cell changed"
    changed = [name for name in _differences(depfile["parameters"], parameters) if name != "device"]
    if changed:
        return f"parameter {changed[0]} changed"
    if depfile["python"] != python_version():
        return f"Python {depfile['python']} is now {python_version()}"
    for package, version in depfile["packages"].items():
        if installed(package) != version:
            return f"{package} {version} is now {installed(package)}"
    for module, recorded in depfile["modules"].items():
        if hashes.get(module) != recorded:
            return f"{module} changed"
    changed = _differences(depfile["inputs"], inputs)
    if changed:
        return f"result {changed[0]} changed"
    return _changed_file(depfile, book)


def _changed_file(depfile: Mapping, book: Path) -> str | None:
    for name, recorded in depfile["files"].items():
        if hash_file(book / name) != recorded:
            return f"{name} changed"
    for name, recorded in depfile["folders"].items():
        if hash_folder(book / name) != recorded:
            return f"the files in {name} changed"
    for name, recorded in depfile["external"].items():
        stamp = _stamp(name)
        if stamp and list(stamp) != recorded["stamp"] and hash_file(name) != recorded["sha256"]:
            return f"{name} changed"
    return None


def _differences(one: Mapping, other: Mapping) -> list[str]:
    return [name for name in sorted({*one, *other}) if one.get(name, ...) != other.get(name, ...)]


def _note(event: str, arguments: tuple) -> None:
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, (str, bytes)) and not (flags or 0) & _WRITING:
            name = _absolute(path)
            if name not in _opened and not name.startswith(_programs()):
                _opened[name] = _stamp(name)
    elif event in ("os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes)):
        _listed.add(_absolute(arguments[0]))


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
    paths = {
        Path(path)
        for path in (
            *sysconfig.get_paths().values(),
            sys.prefix,
            sys.base_prefix,
            "/proc",
            "/sys",
            "/dev",
            "/etc",
            "/usr",
            os.environ.get("IPYTHONDIR") or "/proc",
        )
    }
    paths |= {Path.home() / name for name in settings}
    return tuple(
        f"{path}/" for path in {*paths, *(path.resolve() for path in paths)} if path != Path("/")
    )


def _inputs(opened: Mapping[str, tuple | None], listed: list[str], book: Path) -> dict[str, dict]:
    files, folders, external = {}, {}, {}
    for name, stamp in sorted(opened.items()):
        source = _source(Path(name))
        stamp = stamp if source == Path(name) else _stamp(source)
        inside = _inside(source, book)
        if inside is not None and _is_input(inside):
            files[inside.as_posix()] = _hash_unchanged(source, stamp)
        elif (
            inside is None
            and stamp
            and not _passing(source)
            and (recorded := _hash_unchanged(source, stamp))
        ):
            external[str(source)] = {"stamp": list(stamp), "sha256": recorded}
    for name in listed:
        inside = _inside(Path(name), book)
        if inside is not None and inside.parts and _is_input(inside):
            folders[inside.as_posix()] = hash_folder(name)
    return {"files": files, "folders": folders, "external": external}


def _hash_unchanged(path: Path, stamp: tuple | None) -> str | None:
    """The hash of a file as it was when opened; a name for "changed meanwhile" that no hash equals, if it was."""
    recorded = hash_file(path)
    return recorded if _stamp(path) == stamp else "changed while the chapter ran"


def _stamp(path: str | Path) -> tuple[int, int] | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _source(path: Path) -> Path:
    """The module's source for a compiled one."""
    if path.suffix == ".pyc" and path.parent.name == "__pycache__":
        return path.parent.parent / f"{path.name.partition('.')[0]}.py"
    return path


def _inside(path: Path, book: Path) -> Path | None:
    for one in (path, path.resolve()):
        if one.is_relative_to(book):
            return one.relative_to(book)
    return None


def _is_input(inside: Path) -> bool:
    machinery = any(
        part.startswith((".", "__")) or part.endswith(".egg-info") for part in inside.parts
    )
    return inside.parts[0] not in _NOT_INPUTS and not machinery


def _passing(path: Path) -> bool:
    """Whether a file outside the book is part of `lib`, hashed as such, or a temporary or hidden one."""
    if any(part.startswith(".") for part in path.parts[-2:]):
        return True
    downloads = [
        Path(os.environ[key]).expanduser()
        for key in ("BIASBOOK_CACHE", "BIASBOOK_MIRROR")
        if os.environ.get(key)
    ]
    if any(
        path.resolve().is_relative_to((LIBRARY.parent / folder).resolve()) for folder in downloads
    ):
        return False
    temporary = Path(tempfile.gettempdir())
    return any(path.is_relative_to(folder) for folder in (LIBRARY, temporary, temporary.resolve()))


def _module_name(path: Path) -> str:
    parts = ("lib", *path.relative_to(LIBRARY).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _peak_bytes() -> int:
    """Peak resident memory of this process. Where there is no /proc, it includes what was inherited at the start."""
    try:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
