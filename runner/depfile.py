"""What a chapter run depended on: made from what its kernel saw, compared before the next run."""

import importlib.metadata
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from lib.files import file_hash, text_hash
from lib.paths import ROOT, cache_folder, mirror_folder
from runner.book import PROGRAM
from runner.watch import stamp

FORMAT = 1
_NOT_INPUTS = {"_build", "results"}

Stamps = Mapping[str, Sequence[int] | None]


def module_files() -> dict[str, Path]:
    """The source file of each module of `lib`, `studies` and `runner`, by the name under which it is imported."""
    found = (path for house in PROGRAM for path in (ROOT / house).rglob("*.py"))
    files = sorted(path for path in found if "__pycache__" not in path.parts)
    return {_module_name(path): path for path in files}


def module_hashes() -> dict[str, str]:
    """SHA-256 of each source file of `module_files`, by module name."""
    return {name: file_hash(path) for name, path in module_files().items()}


def library_hash(hashes: Mapping[str, str]) -> str:
    """One hash for the code of the whole checkout, from `module_hashes`."""
    return text_hash(json.dumps(sorted(hashes.items())))


def hash_if_there(path: str | Path) -> str | None:
    """SHA-256 of a file; None where it cannot be read."""
    try:
        return file_hash(path)
    except OSError:
        return None


def hash_folder(path: str | Path) -> str | None:
    """SHA-256 of the names in a folder, hidden ones aside; None where there is no such folder."""
    try:
        entries = [entry.name for entry in Path(path).iterdir()]
    except OSError:
        return None
    return text_hash(
        "\n".join(sorted(name for name in entries if not name.startswith((".", "__"))))
    )


@cache
def installed(distribution: str) -> str | None:
    """The installed version without its local part (the same torch for CPU and for CUDA), or
    None.
    """
    try:
        return importlib.metadata.version(distribution).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return None


def python_version() -> str:
    """Major and minor version of this Python."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def depfile(
    seen: Mapping[str, Any], book: Path, hashes: Mapping[str, str], inputs: Mapping[str, bytes]
) -> dict[str, Any]:
    """What a run depended on, besides its notebook and its parameters.

    Parameters
    ----------
    seen : Mapping
        The report of `runner.watch.report`.
    book : Path
        The folder of the book.
    hashes : Mapping of str to str
        `module_hashes` from before the run.
    inputs : Mapping of str to bytes
        Results of other chapters that the run was given, by file name.

    Returns
    -------
    dict
        `python`, versions of `packages`, and hashes of `modules` of lib and studies, of `files` and `folders` of the book, of
        `external` files with size and time, and of `inputs`.
    """
    return {
        "format": FORMAT,
        "python": python_version(),
        "packages": _packages(seen["imported"], seen["looked_for"]),
        "modules": {name: hashes[name] for name in seen["modules"] if name in hashes},
        **files_read(seen["opened"], seen["listed"], book),
        "inputs": {name: text_hash(data) for name, data in sorted(inputs.items())},
    }


def why_stale(
    record: Mapping[str, Any],
    book: Path,
    code: str,
    parameters: Mapping[str, Any],
    hashes: Mapping[str, str],
    inputs: Mapping[str, str],
) -> str | None:
    """The first thing that has changed since a run.

    Parameters
    ----------
    record : Mapping
        What `depfile` gave, with the run's `parameters` and the hash of its `code`.
    book : Path
        The folder of the book.
    code, parameters, hashes, inputs
        The same as they are now; of `inputs` the hashes. The parameter `device` says where a run happens, not what
        it computes, and does not count.

    Returns
    -------
    str or None
        What changed, in words; None when nothing has. Files outside the book that are not on this machine count as
        unchanged: the registry, itself in the book, pins them.
    """
    if record["format"] != FORMAT:
        return "the runner records more than it did"
    if record["code"] != code:
        return "a code cell changed"
    changed = [name for name in _differences(record["parameters"], parameters) if name != "device"]
    if changed:
        return f"parameter {changed[0]} changed"
    if record["python"] != python_version():
        return f"Python {record['python']} is now {python_version()}"
    for package, version in record["packages"].items():
        if installed(package) != version:
            return f"{package} {version} is now {installed(package)}"
    for module, recorded in record["modules"].items():
        if hashes.get(module) != recorded:
            return f"{module} changed"
    changed = _differences(record["inputs"], inputs)
    if changed:
        return f"result {changed[0]} changed"
    return _changed_file(record, book)


def _changed_file(record: Mapping[str, Any], book: Path) -> str | None:
    for name, recorded in record["files"].items():
        if hash_if_there(book / name) != recorded:
            return f"{name} changed"
    for name, recorded in record["folders"].items():
        if hash_folder(book / name) != recorded:
            return f"the files in {name} changed"
    for name, recorded in record["external"].items():
        now = stamp(name)
        if now and list(now) != recorded["stamp"] and hash_if_there(name) != recorded["sha256"]:
            return f"{name} changed"
    return None


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    names = sorted({*first, *second})
    return [name for name in names if first.get(name, ...) != second.get(name, ...)]


def files_read(opened: Stamps, listed: Iterable[str], book: Path) -> dict[str, dict[str, Any]]:
    """Which of the files that a kernel opened, and folders that it listed, a run depends on.

    Parameters
    ----------
    opened : Mapping
        Absolute paths, with size and time of the last change when they were opened.
    listed : iterable of str
        Absolute paths of folders.
    book : Path
        The folder of the book.

    Returns
    -------
    dict
        `files` of the book with their hash, None where there was none; its `folders` with the hash of their names;
        `external` files with stamp and hash. Results, builds, hidden and temporary files do not count, and the code of
        the checkout counts by its modules.
    """
    files: dict[str, str | None] = {}
    folders: dict[str, str | None] = {}
    external: dict[str, dict[str, Any]] = {}
    for name, opened_stamp in opened.items():
        source = _source(Path(name))
        if source.suffix == ".py" and _in_a_house(source):
            continue
        then = stamp(source) if source != Path(name) else opened_stamp
        inside = _inside(source, book)
        if inside is None:
            if then and not _passing(source) and (recorded := _hash_if_unchanged(source, then)):
                external[str(source)] = {"stamp": list(then), "sha256": recorded}
        elif _is_input(inside):
            files[inside.as_posix()] = _hash_if_unchanged(source, then)
    for name in listed:
        inside = _inside(Path(name), book)
        if (
            inside is not None
            and inside.parts
            and _is_input(inside)
            and not _in_a_house(Path(name))
        ):
            folders[inside.as_posix()] = hash_folder(name)
    return {"files": files, "folders": folders, "external": external}


def _packages(imported: Iterable[str], looked_for: Iterable[str]) -> dict[str, str | None]:
    """Versions of the distributions that top-level modules come from, and of those that were looked for, None for one that
    is not there.
    """
    names = {_distributions()[module][0] for module in imported if module in _distributions()}
    names.update(looked_for)
    return {name: installed(name) for name in sorted(names - {"bias-measured"})}


@cache
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


def _hash_if_unchanged(path: Path, then: Sequence[int] | None) -> str | None:
    """The hash of a file as it was when opened; words that no hash equals, if it was changed
    meanwhile.
    """
    recorded, now = hash_if_there(path), stamp(path)
    same = now is None if then is None else now == tuple(then)
    return recorded if same else "changed while the chapter ran"


def _source(path: Path) -> Path:
    """The module's source for a compiled one."""
    if path.suffix == ".pyc" and path.parent.name == "__pycache__":
        return path.parent.parent / f"{path.name.partition('.')[0]}.py"
    return path


def _inside(path: Path, book: Path) -> Path | None:
    for name in (path, path.resolve()):
        if name.is_relative_to(book):
            return name.relative_to(book)
    return None


def _in_a_house(path: Path) -> bool:
    """Whether a path leads into the code of the checkout."""
    folders = [ROOT / house for house in PROGRAM]
    return any(name.is_relative_to(one) for name in (path, path.resolve()) for one in folders)


def _is_input(inside: Path) -> bool:
    machinery = any(
        part.startswith((".", "__")) or part.endswith(".egg-info") for part in inside.parts
    )
    return inside.parts[0] not in _NOT_INPUTS and not machinery


def _passing(path: Path) -> bool:
    """Whether a file outside the book is a temporary or a hidden one."""
    if any(part.startswith(".") for part in path.parts[-2:]):
        return True
    downloads = [folder.resolve() for folder in (cache_folder(), mirror_folder()) if folder]
    if any(path.resolve().is_relative_to(folder) for folder in downloads):
        return False
    temporary = Path(tempfile.gettempdir())
    return any(path.is_relative_to(folder) for folder in (temporary, temporary.resolve()))


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
