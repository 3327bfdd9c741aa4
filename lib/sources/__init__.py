"""Remote files, pinned: `fetch(key)` returns the path of a file whose every byte was checked."""

from lib.sources.download import FetchError, fetch
from lib.sources.registry import lookup

__all__ = ["FetchError", "fetch", "lookup"]
