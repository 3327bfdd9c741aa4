"""`data/registry.csv`: each remote file once, with its address, hash, size and licence."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lib.checks import did_you_mean
from lib.paths import DATA

REGISTRY = DATA / "registry.csv"
COLUMNS = ("key", "url", "hash", "bytes", "license", "description")


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
    return _read(path, path.stat().st_mtime_ns)


@cache
def _read(path: Path, modified: int) -> dict[str, Source]:
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


def lookup(key: str) -> Source:
    """The registry row of a key; ValueError lists the keys that come close."""
    sources = registry()
    if key in sources:
        return sources[key]
    hint = did_you_mean(key, sources, n=3) or f"The keys are {', '.join(sources)}."
    raise ValueError(f"'{key}' is not a key of {REGISTRY.name}. {hint}")
