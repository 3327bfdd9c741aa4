"""What systems compute once for each passage and keep: a part of the passages, or a fold, costs nothing more."""

import json
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib import kept
from lib.coreference.resolvers.examples import CHUNK, Span, encode_spans
from lib.kept import Rows
from lib.language_models.pretrained import load_transformer

# What, and the settings that decide it -> passage -> array.
_KNOWN: dict[tuple[str, str], dict[str, NDArray[Any]]] = {}


def kept_rows(
    kind: str, about: str, names: Sequence[str], compute: Callable[[list[int]], Rows]
) -> NDArray[Any]:
    """One array of the same shape for each name, computed once and kept in memory and in the book's cache.

    `names` says all of a passage that its array depends on, `about` all settings. `compute` makes the arrays of some places,
    each once, short names first and so many at a time.
    """
    return np.stack(kept_lists(kind, about, names, compute))


def kept_lists(
    kind: str,
    about: str,
    names: Sequence[str],
    compute: Callable[[list[int]], Rows],
) -> list[NDArray[Any]]:
    """As `kept_rows`, where the arrays differ in their number of rows."""
    known = _KNOWN.setdefault((kind, about), {})
    places = {name: place for place, name in enumerate(names) if name not in known}
    missing = sorted(places, key=lambda name: (len(name), name))
    keys = [json.dumps([about, name]) for name in missing]

    @wraps(compute)  # the arrays are those of its code, not of this
    def of_missing(rows: list[int]) -> Rows:
        from lib.threads import one_thread

        with one_thread():
            return compute([places[missing[row]] for row in rows])

    for rows, arrays in kept.kept_rows(kind, keys, of_missing, CHUNK):
        known.update(zip([missing[row] for row in rows], arrays))
    return [known[name] for name in names]


def span_rows(
    texts: Sequence[str], spans: Sequence[Sequence[Span]], encoder: str = "minilm"
) -> NDArray[np.float32]:
    """States of stretches of texts as `encode_spans` gives them, (n, layers + 1, k, d), each passage encoded once."""

    def compute(places: list[int]) -> NDArray[np.float16]:
        asked = [texts[i] for i in places], [spans[i] for i in places]
        return encode_spans(*asked, encoder, keep=False)[0].astype(np.float16)

    names = [json.dumps([text, *held]) for text, held in zip(texts, spans)]
    source = load_transformer(encoder).source
    return kept_rows("spans", source, names, compute).astype(np.float32)


def forget() -> None:
    """Free the memory; what is in the book's cache stays."""
    _KNOWN.clear()
