"""Numbers as whole-number codes and as text, small enough to travel with a page."""

from __future__ import annotations

import base64
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


class Codes(NamedTuple):
    """Whole numbers that stand for numbers: ``codes * scale``."""

    codes: NDArray[np.integer]
    scale: float


def quantised(values: ArrayLike, dtype: DTypeLike = np.int16) -> Codes:
    """Numbers as codes of one scale.

    A number keeps its sign: what would be rounded to zero becomes the smallest code of its side, so
    that signs, and all that is counted of them, are those of the numbers themselves.

    Parameters
    ----------
    values : array_like
        Finite numbers.
    dtype : dtype
        A signed whole-number type; the largest number gets its largest code.

    Returns
    -------
    Codes
        Off by half a step of the scale at most, by one step next to zero.

    Raises
    ------
    ValueError
        For numbers that are not finite, or all so close to zero (below 1e-300) that they have no step.

    Examples
    --------
    >>> codes, scale = quantised([2.54, -1.0, 0.0, 0.001], np.int8)
    >>> codes.tolist(), round(scale, 4)
    ([127, -50, 0, 1], 0.02)
    """
    values = np.asarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("expected finite numbers to code, got NaN or infinity")
    largest = float(np.abs(values).max(initial=0))
    if 0 < largest < 1e-300:
        raise ValueError(f"expected numbers of a size that can be coded, got {largest} at most")
    scale = largest / np.iinfo(dtype).max if largest else 1.0
    codes = np.rint(values / scale)
    codes = np.where(codes == 0, np.sign(values), codes)
    return Codes(codes.astype(dtype), scale)


def packed(codes: NDArray[np.integer]) -> str:
    """The bytes of codes as base64 text, little-endian, row by row.

    Examples
    --------
    >>> packed(np.array([[1, -1]], np.int16))
    'AQD//w=='
    """
    plain = np.ascontiguousarray(codes, dtype=codes.dtype.newbyteorder("<"))
    return base64.b64encode(plain.tobytes()).decode("ascii")


def unpacked(text: str, dtype: DTypeLike, columns: int) -> NDArray[np.integer]:
    """Codes from their text, so many in a row: what the browser does.

    Examples
    --------
    >>> unpacked("AQD//w==", np.int16, 2)
    array([[ 1, -1]], dtype=int16)
    """
    little = np.dtype(dtype).newbyteorder("<")
    return np.frombuffer(base64.b64decode(text), little).reshape(-1, columns).astype(dtype)
