"""Remote files, pinned: `fetch(key)` returns the path of a file whose every byte was checked.

`data/registry.csv` names each file once (key, url, hash, bytes, license, description). A file is looked for in the cache
(`BIASBOOK_CACHE`, or the operating system's cache folder), then in a mirror (`BIASBOOK_MIRROR`: a folder that holds the
tree of the raw URLs, `<owner>/<repo>/<path>`; used in place, never written), then fetched from the network into the cache.
A relative folder in either variable counts from the root of the checkout, so that a notebook finds it from anywhere.
"""

import csv
import difflib
import errno
import hashlib
import importlib.util
import json
import logging
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "data"
REGISTRY = DATA / "registry.csv"
COLUMNS = ("key", "url", "hash", "bytes", "license", "description")
LARGE = (
    64 * 2**20
)  # from this size on, a verified file is recognised by its stamp instead of being hashed again

log = logging.getLogger("lib")


class FetchError(OSError):
    """A file could not be had, or is not the file the registry pins."""


@dataclass(frozen=True)
class Source:
    """One row of the registry; `hash` reads `sha256:…` or `md5:…`, `bytes` is the size of the file."""

    key: str
    url: str
    hash: str
    bytes: int
    license: str
    description: str

    @property
    def path(self) -> Path:
        """Where the file lies inside a cache or a mirror: the URL's own tree, without host and commit."""
        address = urlsplit(self.url)
        parts = [part for part in unquote(address.path).split("/") if part]
        if address.hostname == "raw.githubusercontent.com":
            del parts[2]
        elif address.hostname != "github.com":
            parts.insert(0, address.hostname)
        return Path(*parts)

    @property
    def identity(self) -> str:
        """The key with the content it stands for, `key@sha256:…`."""
        return f"{self.key}@{self.hash}"


def registry(path: Path | None = None) -> dict[str, Source]:
    """The rows of `data/registry.csv` (or of another registry file) by key.

    Raises ValueError naming the line when a row is malformed.
    """
    path = Path(path or REGISTRY)
    sources: dict[str, Source] = {}
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise ValueError(
                f"{path}: expected the columns {','.join(COLUMNS)}, got {','.join(reader.fieldnames or ())}"
            )
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            source = _source(row, where)
            if source.key in sources:
                raise ValueError(
                    f"{where}: the key '{source.key}' appears a second time; rename or remove one of the rows"
                )
            sources[source.key] = source
    return sources


def _source(row: dict, where: str) -> Source:
    """A checked registry row."""
    if None in row or None in row.values():
        raise ValueError(
            f"{where}: expected {len(COLUMNS)} fields; quote a field that holds a comma"
        )
    if not re.fullmatch(r"sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}", row["hash"]):
        raise ValueError(
            f"{where}: expected a hash like sha256:… or md5:… in lower case, got '{row['hash']}'"
        )
    if not re.fullmatch(r"https?://[^/]+/.+", row["url"]) or "/../" in row["url"]:
        raise ValueError(
            f"{where}: expected an http or https address of a file, got '{row['url']}'"
        )
    if not row["bytes"].isdecimal():
        raise ValueError(f"{where}: expected the size of the file in bytes, got '{row['bytes']}'")
    return Source(**(row | {"bytes": int(row["bytes"])}))


def cache_folder() -> Path:
    """The folder that downloads go to: `BIASBOOK_CACHE`, or `bias-measured` in the operating system's cache folder."""
    if os.environ.get("BIASBOOK_CACHE"):
        return ROOT / Path(os.environ["BIASBOOK_CACHE"]).expanduser()
    import pooch

    return Path(pooch.os_cache("bias-measured"))


def mirror_folder() -> Path | None:
    """The folder named by `BIASBOOK_MIRROR`, None when it is not set."""
    mirror = os.environ.get("BIASBOOK_MIRROR")
    return ROOT / Path(mirror).expanduser() if mirror else None


def lookup(key: str) -> Source:
    """The registry row of a key; ValueError lists the keys that come close."""
    sources = registry()
    if key in sources:
        return sources[key]
    close = difflib.get_close_matches(key, sources, n=3, cutoff=0.5)
    hint = (
        f"did you mean {' or '.join(map(repr, close))}?"
        if close
        else f"the keys are {', '.join(sources)}"
    )
    raise ValueError(f"'{key}' is not a key of {REGISTRY.name}; {hint}")


def locate(key: str) -> Path | None:
    """The unchecked path of a file that is at hand in the cache or the mirror, None when only the network has it."""
    source = lookup(key)
    folders = [cache_folder(), mirror_folder()]
    return next(
        (folder / source.path for folder in folders if folder and (folder / source.path).is_file()),
        None,
    )


def fetch(key: str) -> Path:
    """The path of a registered file, from the cache, the mirror or the network, with every byte checked.

    A damaged file in the cache is deleted and replaced; a damaged file in the mirror is left alone and refused. Several
    processes may fetch one key at once: each writes under a name of its own and renames when the hash is right.
    Raises ValueError for an unknown key and FetchError when the file cannot be had; nothing partial is left behind.
    """
    source = lookup(key)
    cached = cache_folder() / source.path
    damage = ""
    if cached.is_file():
        received = received_hash(cached, source)
        if received == source.hash:
            return cached
        cached.unlink(missing_ok=True)
        damage = (
            f"the cached copy was damaged and is deleted (expected {source.hash}, got {received}); "
        )
        log.warning("%s: %s", key, damage)
    mirror = mirror_folder()
    if mirror and (mirror / source.path).is_file():
        received = received_hash(mirror / source.path, source)
        if received == source.hash:
            return mirror / source.path
        raise FetchError(
            f"'{key}': the mirror's {mirror / source.path} is another file than the registry pins: expected {source.hash}, "
            f"got {received}; it was left untouched: refresh the mirror, or unset BIASBOOK_MIRROR to download"
        )
    return _download(source, cached, damage)


def _download(source: Source, target: Path, damage: str) -> Path:
    """Fetch a file from the network under a temporary name, check it, rename it to `target`."""
    import pooch
    from requests import RequestException

    terminal = source.bytes >= LARGE and sys.stderr is not None and sys.stderr.isatty()
    downloader = pooch.HTTPDownloader(
        progressbar=terminal and bool(importlib.util.find_spec("tqdm")), timeout=30
    )
    log.info("fetching %s (%s) from %s", source.key, size_text(source.bytes), source.url)
    part = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        os.close(handle)
        part = Path(name)
        downloader(source.url, str(part), None)
        received = (
            f"{source.hash.partition(':')[0]}:{file_hash(part, source.hash.partition(':')[0])}"
        )
        if received != source.hash:
            raise FetchError(
                f"'{source.key}': {source.url} sent another file than the registry pins: expected {source.hash}, got "
                f"{received} ({size_text(part.stat().st_size)}); the download was deleted: try again, and if it persists "
                "the file has changed at its origin"
            )
        part.replace(target)
        return target
    except FetchError:
        raise
    except RequestException as error:
        raise FetchError(_offline(source, damage, error)) from error
    except OSError as error:
        raise FetchError(_unwritable(source, target.parent, error)) from error
    finally:
        if part:
            part.unlink(missing_ok=True)


def _offline(source: Source, damage: str, error: Exception) -> str:
    """What to do when neither cache nor mirror has a file and the network does not give it."""
    profiles = profiles_that_need(source.key)
    mirror = mirror_folder()
    looked = (
        f"the mirror {mirror} does not hold {source.path}"
        if mirror
        else "BIASBOOK_MIRROR is not set"
    )
    response = getattr(error, "response", None)
    reason = f"status {response.status_code}" if response is not None else type(error).__name__
    return (
        f"'{source.key}' ({size_text(source.bytes)}, needed by the profile {' and '.join(profiles)}) is not at hand: "
        f"{damage}the cache {cache_folder()} does not hold it, {looked}, and {source.url} could not be fetched ({reason}); "
        f"run `make data PROFILE={profiles[0]}` where there is a network, or set BIASBOOK_MIRROR to a folder that holds "
        f"{source.path}"
    )


def _unwritable(source: Source, folder: Path, error: OSError) -> str:
    """What to do when the cache cannot take a file."""
    if error.errno == errno.ENOSPC:
        free = shutil.disk_usage(
            next(place for place in (folder, *folder.parents) if place.exists())
        ).free
        return (
            f"'{source.key}': the disk is full: {folder} needs {size_text(source.bytes)} and has {size_text(free)} free; "
            "nothing was kept: make room, or set BIASBOOK_CACHE to a folder on another disk"
        )
    return (
        f"'{source.key}': the cache folder {folder} cannot be written ({error.strerror or error}); set BIASBOOK_CACHE to a "
        "folder you may write, or BIASBOOK_MIRROR to one that already holds the file"
    )


def file_hash(path: Path, algorithm: str = "sha256") -> str:
    """The hexadecimal digest of a file's bytes."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, algorithm).hexdigest()


def received_hash(path: Path, source: Source) -> str:
    """The hash of a file in the registry's form; a large file that was verified before and is unchanged is not read again.

    The stamp of a verified large file (its path, size, modification time and hash) lies in the cache folder.
    """
    state = path.stat()
    stamp = {
        "path": str(path),
        "size": state.st_size,
        "modified": state.st_mtime_ns,
        "hash": source.hash,
    }
    place = cache_folder() / ".verified" / f"{source.key}.json"
    if state.st_size >= LARGE:
        try:
            if json.loads(place.read_text(encoding="utf-8")) == stamp:
                return source.hash
        except (OSError, ValueError):
            pass
    algorithm = source.hash.partition(":")[0]
    received = f"{algorithm}:{file_hash(path, algorithm)}"
    if received == source.hash and state.st_size >= LARGE:
        _write_stamp(place, stamp)
    return received


def _write_stamp(place: Path, stamp: dict) -> None:
    """Remember a verified file; a cache that cannot be written only costs the time of hashing again."""
    part = place.with_suffix(f".{os.getpid()}.part")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(stamp), encoding="utf-8")
        part.replace(place)
    except OSError as error:
        log.debug("no stamp for %s: %s", stamp["path"], error)


def profile_keys(profile: str) -> list[str]:
    """What a profile needs: every `data:` list in `data/profiles/<profile>.yml`, in order, once each. Registry keys, and
    `hub:<model>` or `hub:<model>@<commit>` for a model that `lib.pretrained` loads."""
    import yaml

    path = DATA / "profiles" / f"{profile}.yml"
    if not path.is_file():
        legal = ", ".join(sorted(file.stem for file in path.parent.glob("*.yml")))
        raise ValueError(f"unknown profile '{profile}'; the profiles are {legal or 'none yet'}")
    keys: list[str] = []

    def collect(node: object) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("data"), list):
                keys.extend(node["data"])
            for value in node.values():
                collect(value)

    collect(yaml.safe_load(path.read_text(encoding="utf-8")))
    return list(dict.fromkeys(keys))


def profiles_that_need(key: str) -> list[str]:
    """The names of the profiles whose `data:` lists hold a key; by the size of the file where no profile says so."""
    names = sorted(
        (file.stem for file in (DATA / "profiles").glob("*.yml")),
        key=lambda name: (name != "sample", name),
    )
    needing = [name for name in names if key in profile_keys(name)]
    return needing or ["full" if lookup(key).bytes >= LARGE else "sample"]


def size_text(size: int) -> str:
    """A number of bytes for people: 812 bytes, 2.2 MB, 1.7 GB."""
    if size < 1000:
        return f"{size} bytes"
    for unit, scale in (("kB", 1e3), ("MB", 1e6)):
        if size < scale * 999.5:
            return f"{size / scale:.1f} {unit}"
    return f"{size / 1e9:.1f} GB"
