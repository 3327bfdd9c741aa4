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
    """One row of the registry.

    Attributes
    ----------
    key : str
        What `lib.sources.fetch` calls the file.
    url : str
        Its address, at a fixed commit where there are commits.
    hash : str
        `sha256:…` or `md5:…`, in lower case.
    bytes : int
        The size of the file.
    license, description : str
        What may be done with it, and what it is.
    """

    key: str
    url: str
    hash: str
    bytes: int
    license: str
    description: str

    @property
    def path(self) -> Path:
        """Where the file lies inside a cache or a mirror: the URL's own tree, without host and
        commit.
        """
        address = urlsplit(self.url)
        host = address.hostname or ""
        parts = _parts(address.path)
        if host == "raw.githubusercontent.com":
            del parts[2]
        elif host != "github.com":
            parts.insert(0, host)
        return Path(*parts)

    @property
    def identity(self) -> str:
        """The key with the content it stands for, `key@sha256:…`."""
        return f"{self.key}@{self.hash}"


def registry(path: Path | None = None) -> dict[str, Source]:
    """The rows of `data/registry.csv` by key, read once as long as the file stays as it is.

    Parameters
    ----------
    path : Path, optional
        Another registry file.

    Returns
    -------
    dict of str to Source
        In the order of the file.

    Raises
    ------
    ValueError
        When a row is malformed; the message names the line.
    """
    path = Path(path or REGISTRY)
    return _read(path, path.stat().st_mtime_ns)


@cache
def _read(path: Path, modified: int) -> dict[str, Source]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return _sources(path, csv.DictReader(file))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected text in UTF-8; got another: {error}") from error
    except csv.Error as error:
        raise ValueError(f"{path}: expected a table; got an error: {error}") from error


def _sources(path: Path, reader: "csv.DictReader[str]") -> dict[str, Source]:
    sources: dict[str, Source] = {}
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


def _source(row: dict[str, str], where: str) -> Source:
    """A checked row of the registry."""
    if None in row or None in row.values():
        raise ValueError(
            f"{where}: expected {len(COLUMNS)} fields; quote a field that holds a comma"
        )
    if not re.fullmatch(r"sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}", row["hash"]):
        raise ValueError(
            f"{where}: expected a hash like sha256:… or md5:… in lower case, got '{row['hash']}'"
        )
    if not _names_a_file(row["url"]):
        raise ValueError(
            f"{where}: expected an http or https address of a file, got '{row['url']}'"
        )
    if not re.fullmatch(r"\w[\w.-]*", row["key"]):
        raise ValueError(
            f"{where}: expected a key of letters, digits, _ . and -, got '{row['key']}'"
        )
    if not re.fullmatch(r"[0-9]{1,18}", row["bytes"]):
        raise ValueError(f"{where}: expected the size of the file in bytes, got '{row['bytes']}'")
    return Source(**{**row, "bytes": int(row["bytes"])})  # type: ignore[arg-type]


def _parts(path: str) -> list[str]:
    """Folders and file of an address, as they will lie in the cache."""
    return [part for part in unquote(path).split("/") if part]


def _names_a_file(url: str) -> bool:
    """Whether an address is one of a file, and leads nowhere but down."""
    try:
        address = urlsplit(url)
    except ValueError:
        return False
    parts = _parts(address.path)
    host = address.hostname or ""
    raw = host == "raw.githubusercontent.com"  # the commit, third, is left out
    return (
        address.scheme in ("http", "https")
        and bool(re.fullmatch(r"[\w-]+(\.[\w-]+)*", host))
        and len(parts) > (3 if raw else 0)
        and not parts[0].startswith(".")
        and not any(part in (".", "..") or re.search(r"[\\\x00-\x1f\x7f]", part) for part in parts)
    )


def lookup(key: str) -> Source:
    """The row of a key.

    Raises
    ------
    ValueError
        For a key that is not registered; the message names those that come close.
    """
    sources = registry()
    if key in sources:
        return sources[key]
    hint = did_you_mean(key, sources, n=3) or f"The keys are {', '.join(sources)}."
    raise ValueError(f"'{key}' is not a key of {REGISTRY.name}. {hint}")
