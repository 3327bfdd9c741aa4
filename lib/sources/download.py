"""`fetch(key)`: the path of a registered file, every byte of it checked.

A file is looked for in the cache (`BIASBOOK_CACHE`, or the operating system's cache folder), then in a mirror
(`BIASBOOK_MIRROR`: a folder that holds the tree of the raw URLs, `<owner>/<repo>/<path>`; used in place, never written),
then fetched from the network into the cache.
"""

import importlib.util
import json
import logging
import sys
from pathlib import Path

from lib.files import WriteError, file_hash, new_file, size_text, write_whole
from lib.paths import cache_folder, mirror_folder
from lib.profiles import profiles_that_need
from lib.sources.registry import Source, lookup

LARGE = (
    64 * 2**20
)  # from this size on, a verified file is recognised by its stamp instead of being hashed again

log = logging.getLogger("lib")


class FetchError(OSError):
    """A file could not be had, or is not the file the registry pins."""


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
    algorithm = source.hash.partition(":")[0]
    try:
        with new_file(target, size=source.bytes) as part:
            downloader(source.url, str(part), None)
            received = f"{algorithm}:{file_hash(part, algorithm)}"
            if received != source.hash:
                raise FetchError(
                    f"'{source.key}': {source.url} sent another file than the registry pins: expected {source.hash}, "
                    f"got {received} ({size_text(part.stat().st_size)}); the download was deleted: try again, and if "
                    "it persists the file has changed at its origin"
                )
    except RequestException as error:
        raise FetchError(_offline(source, damage, error)) from error
    except WriteError as error:
        raise FetchError(
            f"'{source.key}': {error.strerror}; set BIASBOOK_CACHE to a folder you may write, or BIASBOOK_MIRROR to "
            "one that already holds the file"
        ) from error
    return target


def _offline(source: Source, damage: str, error: Exception) -> str:
    """What to do when neither cache nor mirror has a file and the network does not give it."""
    profiles = profiles_that_need(source.key) or ["full" if source.bytes >= LARGE else "sample"]
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
    try:
        write_whole(place, json.dumps(stamp))
    except WriteError as error:
        log.debug("no stamp for %s: %s", stamp["path"], error)
