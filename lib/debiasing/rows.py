"""Rows of a matrix that may be larger than memory: checked, decomposed, and changed block by
block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

BLOCK_BYTES = 2**22  # what a cache holds is fastest


def checked_rows(name: str, values: Any, dimensions: int | None = None) -> Array:
    """Vectors as a 2-d array of numbers; a memmap, or rows made when asked for, as they are."""
    is_array = isinstance(getattr(values, "dtype", None), np.dtype)
    array: Array = values if is_array else np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise ValueError(
            f"{name}: expected numbers, got {array.dtype}; "
            "look words up first: embedding.rows(words).vectors"
        )
    if len(array.shape) != 2:
        raise ValueError(f"{name}: expected a 2-d array, one vector a row, got shape {array.shape}")
    if array.shape[1] == 0 or (array.shape[0] == 0 and name != "words"):
        raise ValueError(
            f"{name}: expected at least one vector of one dimension, got shape {array.shape}"
        )
    if dimensions not in (None, array.shape[1]):
        raise ValueError(
            f"{name}: expected {dimensions} dimensions, got {array.shape[1]}; "
            "take both from one embedding"
        )
    return array


def finite(name: str, block: Array, first_row: int = 0) -> Array:
    """The block itself. Raises ValueError naming the first row that holds NaN or infinity."""
    with np.errstate(all="ignore"):
        suspect = not np.isfinite(block.sum())  # one pass; a sum may also overflow
    if suspect:
        flawed = ~np.isfinite(block).all(axis=1)
        if flawed.any():
            row = first_row + int(flawed.argmax())
            raise ValueError(
                f"{name}: expected finite numbers, got NaN or infinity in row {row:,}; "
                "leave such rows out"
            )
    return block


def change_rows(
    words: Array, change: Callable[[Array], Array], memory: int, out: Array | None
) -> Array:
    """The rows after a change of each block, in their own precision, in `out` where one is
    given.
    """
    kept = words.dtype if words.dtype.kind == "f" else np.dtype(np.float64)
    working = np.promote_types(kept, np.float32)  # no arithmetic in float16
    if out is None:
        out = np.empty(words.shape, kept)
    elif out.shape != tuple(words.shape) or out.dtype.kind != "f":
        raise ValueError(
            f"out: expected floats of shape {tuple(words.shape)}, "
            f"got {out.dtype} of shape {out.shape}"
        )
    elif isinstance(words, np.ndarray) and np.may_share_memory(out, words):
        raise ValueError(
            "out: expected an array apart from words, got one that shares their memory; "
            "pass a new one"
        )
    for rows in _blocks(words.shape, memory, working.itemsize):
        with np.errstate(invalid="ignore"):
            block = change(np.asarray(words[rows], working))
        out[rows] = finite("words", block, rows.start)
    return out


def less_components(block: Array, directions: Array, shares: Array) -> Array:
    """Rows less their components along (k, d) orthonormal directions, times (d, k) shares of
    them.
    """
    component = (block @ shares.astype(block.dtype)) @ directions.astype(block.dtype)
    return np.subtract(block, component, out=component)


def singular_vectors(Z: Array, mean: Array) -> tuple[Array, Array]:
    """Singular values and right singular vectors of Z less a mean; values at rounding level are
    0.
    """
    triangle: Array = np.empty((0, Z.shape[1]))
    for rows in _blocks(Z.shape, max(2**24, 16 * Z.shape[1] ** 2)):  # d rows at least
        block = finite("Z", np.asarray(Z[rows], np.float64), rows.start)
        triangle = np.asarray(np.linalg.qr(np.concatenate([triangle, block - mean]), mode="r"))
    _, lengths, directions = np.linalg.svd(triangle, full_matrices=False)
    lengths[lengths <= max(Z.shape) * np.finfo(float).eps * lengths[0]] = 0
    return lengths, directions


def _blocks(shape: tuple[int, ...], memory: int, itemsize: int = 8) -> Iterator[slice]:
    if not memory >= 1:
        raise ValueError(
            f"memory: expected a number of bytes above 0, got {memory!r}; "
            "a row is done at a time at least"
        )
    step = max(1, int(memory) // (2 * itemsize * shape[1]))
    return (slice(start, min(start + step, shape[0])) for start in range(0, shape[0], step))
