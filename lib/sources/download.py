"""`fetch(key)`: the path of a registered file, every byte of it checked.

A file is looked for in the cache (`BIASBOOK_CACHE`, or the operating system's cache folder), then
in a mirror (`BIASBOOK_MIRROR`: a folder that holds the tree of the raw URLs,
`<owner>/<repo>/<path>`; used in place, never written), then fetched from the network into the
cache.
"""

import importlib.util
import logging
import sys
import time
from pathlib import Path
from typing import Any

import pooch
import requests

from lib.files import WriteError, file_hash, new_file, size_text
from lib.paths import cache_folder, mirror_folder
from lib.profiles import profiles_that_need
from lib.sources.registry import Source, lookup
from lib.sources.stamps import LARGE, known_hash

RETRIES = 2  # a second and two seconds after a broken connection or a damaged download

log = logging.getLogger("lib")


class FetchError(OSError):
    """A file could not be had, or is not the file the registry pins."""


def fetch(key: str) -> Path:
    """The path of a registered file, from the cache, the mirror or the network, with every byte
    checked.

    Several processes may fetch one key at once: each writes under a name of its own and renames when the hash is
    right.

    Parameters
    ----------
    key : str
        A key of `data/registry.csv`.

    Returns
    -------
    Path
        The file. One from the network lies in the cache, one of the mirror is used in place.

    Raises
    ------
    ValueError
        For an unknown key.
    FetchError
        When the file cannot be had; nothing partial is left behind. A damaged file in the cache is deleted and
        fetched again, one in the mirror is left alone and refused.
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
    """Fetch a file from the network into the cache."""
    downloader = _Downloader(source.bytes)
    log.info("fetching %s (%s) from %s", source.key, size_text(source.bytes), source.url)
    try:
        _receive(source, target, downloader)
    except requests.RequestException as error:
        raise FetchError(_offline(source, damage, error)) from error
    except ValueError as error:
        raise FetchError(
            f"'{source.key}': {source.url} sent another file than the registry pins "
            f"({size_text(downloader.received)}); the download was deleted: try again, and if it persists the file "
            f"has changed at its origin. {error}"
        ) from error
    except OSError as error:
        if not isinstance(error, WriteError):
            raise
        raise FetchError(
            f"'{source.key}': {error}; set BIASBOOK_CACHE to a folder you may write, or BIASBOOK_MIRROR to "
            "one that already holds the file"
        ) from error
    return target


def _receive(source: Source, target: Path, downloader: "_Downloader") -> None:
    """Ask for a file until it comes as the registry pins it, at most `RETRIES` times more."""
    algorithm = source.hash.partition(":")[0]
    for wait in range(1, RETRIES + 2):
        try:
            with new_file(target, source.bytes) as part:
                downloader(source.url, str(part), None)
                received = f"{algorithm}:{file_hash(part, algorithm)}"
                if received != source.hash:
                    raise ValueError(f"Expected {source.hash}, got {received}.")
            return
        except (ValueError, requests.RequestException):
            if wait > RETRIES:
                raise
            time.sleep(wait)


class _Downloader(pooch.HTTPDownloader):  # type: ignore[misc]
    """Downloads with a progress bar where that is worth it and somebody looks; `received` counts
    the bytes.
    """

    def __init__(self, size: int) -> None:
        terminal = size >= LARGE and sys.stderr is not None and sys.stderr.isatty()
        super().__init__(
            progressbar=terminal and bool(importlib.util.find_spec("tqdm")), timeout=30
        )
        self.received = 0

    def __call__(self, url: str, output_file: str, *arguments: Any, **options: Any) -> None:
        super().__call__(url, output_file, *arguments, **options)
        self.received = Path(output_file).stat().st_size


def _offline(source: Source, damage: str, error: requests.RequestException) -> str:
    """What to do when neither cache nor mirror has a file and the network does not give it."""
    profiles = profiles_that_need(source.key) or ["full" if source.bytes >= LARGE else "sample"]
    mirror = mirror_folder()
    looked = (
        f"the mirror {mirror} does not hold {source.path}"
        if mirror
        else "BIASBOOK_MIRROR is not set"
    )
    response = error.response
    reason = f"status {response.status_code}" if response is not None else type(error).__name__
    return (
        f"'{source.key}' ({size_text(source.bytes)}, needed by the profile {' and '.join(profiles)}) is not at hand: "
        f"{damage}the cache {cache_folder()} does not hold it, {looked}, and {source.url} could not be fetched ({reason}); "
        f"run `make data PROFILE={profiles[0]}` where there is a network, or set BIASBOOK_MIRROR to a folder that holds "
        f"{source.path}"
    )


def received_hash(path: Path, source: Source) -> str:
    """The hash of a file in the registry's form, `sha256:…` or `md5:…`.

    A large file that is unchanged since this user last hashed it is not read again (`lib.sources.stamps`).
    """
    algorithm = source.hash.partition(":")[0]
    return f"{algorithm}:{known_hash(path, algorithm)}"
