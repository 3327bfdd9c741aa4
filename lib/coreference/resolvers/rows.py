"""What systems compute once for each passage and keep: a part of the passages, or a fold, costs nothing more."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import Span, encode_spans
from lib.coreference.resolvers.kept import kept

# What, and the settings that decide it -> passage -> array.
_KNOWN: dict[tuple[str, str], dict[str, NDArray[Any]]] = {}


def kept_rows(
    kind: str, about: str, names: Sequence[str], compute: Callable[[list[int]], NDArray[Any]]
) -> NDArray[Any]:
    """One array of the same shape for each name, computed once and kept in memory and in the book's cache.

    Parameters
    ----------
    kind : str
        What the arrays are, such as "graphs".
    about : str
        All settings that decide them.
    names : sequence of str
        n passages: all of each that its array depends on.
    compute : callable
        From the places of those names that are not known yet, each once, to their arrays, in that order.

    Returns
    -------
    ndarray
        n rows.

    Examples
    --------
    >>> words = ["two", "three", "two"]
    >>> kept_rows("doctest", "letters", words, lambda at: np.array([len(words[i]) for i in at]))
    array([3, 5, 3])
    """
    known, missing = _asked((kind, about), names)
    if missing:
        key = json.dumps([about, list(missing)])
        known.update(zip(missing, kept(kind, key, lambda: compute(list(missing.values())))))
    return np.stack([known[name] for name in names])


def kept_lists(
    kind: str,
    about: str,
    names: Sequence[str],
    compute: Callable[[list[int]], Sequence[NDArray[Any]]],
) -> list[NDArray[Any]]:
    """As `kept_rows`, where the arrays differ in their number of rows.

    Examples
    --------
    >>> words = ["two", "three"]
    >>> found = kept_lists("doctest", "rows", words, lambda at: [np.ones((len(words[i]), 1)) for i in at])
    >>> [len(rows) for rows in found]
    [3, 5]
    """
    known, missing = _asked((kind, about), names)
    if missing:
        key = json.dumps([about, list(missing)])
        computed: list[Sequence[NDArray[Any]]] = []

        def together() -> NDArray[Any]:
            computed.append(compute(list(missing.values())))
            return np.concatenate(computed[0])

        flat = kept(kind, key, together)
        rows = kept(
            f"{kind}-lengths",
            key,
            lambda: np.array(
                [len(part) for part in (computed or [compute([*missing.values()])])[0]]
            ),
        )
        known.update(zip(missing, np.split(flat, np.cumsum(rows)[:-1])))
    return [known[name] for name in names]


def span_rows(
    texts: Sequence[str], spans: Sequence[Sequence[Span]], encoder: str = "minilm"
) -> NDArray[np.float32]:
    """States of stretches of texts as `encode_spans` gives them, each passage encoded once.

    Returns
    -------
    ndarray of float32, shape (n, layers + 1, k, d)
    """
    names = [json.dumps([text, *held]) for text, held in zip(texts, spans)]
    known, missing = _asked(("spans", encoder), names)
    if missing:
        places = list(missing.values())
        states, _ = encode_spans([texts[i] for i in places], [spans[i] for i in places], encoder)
        known.update(zip(missing, states.astype(np.float16)))
    return np.stack([known[name] for name in names]).astype(np.float32)


def _asked(
    about: tuple[str, str], names: Sequence[str]
) -> tuple[dict[str, NDArray[Any]], dict[str, int]]:
    """The arrays that are known, and the names that are not with the place of each."""
    known = _KNOWN.setdefault(about, {})
    places = {name: place for place, name in enumerate(names)}
    return known, {name: place for name, place in sorted(places.items()) if name not in known}
