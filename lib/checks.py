"""Arguments and arrays: one wording for what was expected, what came, and what to do."""

import ast
import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def one_of(name: str, value: object, legal: Iterable[object]) -> None:
    """Raise ValueError unless a value is a legal one.

    Parameters
    ----------
    name : str
        What the value is called where it was given.
    value : object
        What was given.
    legal : iterable
        What may be given.

    Raises
    ------
    ValueError
        When it is not; the message lists the legal values and the one that comes close.

    Examples
    --------
    >>> one_of("kind", "cosine", ["cosine", "dot"])
    >>> try:
    ...     one_of("kind", "cosin", ["cosine", "dot"])
    ... except ValueError as error:
    ...     print(error)
    kind: expected one of cosine, dot; got 'cosin'. Did you mean 'cosine'?
    """
    legal = list(legal)
    if value not in legal:
        listed = ", ".join(map(str, legal)) or "(none)"
        hint = did_you_mean(value, legal)
        raise ValueError(f"{name}: expected one of {listed}; got {value!r}.{hint and ' ' + hint}")


def did_you_mean(value: object, known: Iterable[object], n: int = 1) -> str:
    """A hint at the known names that come close to a misspelt one.

    Parameters
    ----------
    value : object
        What was given.
    known : iterable
        What there is.
    n : int, optional
        How many names to hint at, at most.

    Returns
    -------
    str
        A question, or nothing.

    Examples
    --------
    >>> did_you_mean("embeding", ["embedding", "seed"])
    "Did you mean 'embedding'?"
    """
    names = {str(name).casefold(): str(name) for name in known}
    close = difflib.get_close_matches(str(value).casefold(), names, n=n, cutoff=0.5)
    return f"Did you mean {' or '.join(repr(names[name]) for name in close)}?" if close else ""


def real_numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """An array of real numbers as float64, NaN and infinity as they are.

    Parameters
    ----------
    name : str
        What the message calls it.
    values : array_like
        Any shape; None in a list is NaN.

    Returns
    -------
    ndarray
        The same numbers; the array itself where it is one of float64.

    Raises
    ------
    ValueError
        For a masked array, whose mask would be ignored, for complex numbers, whose imaginary part would be
        dropped, and for text.

    Examples
    --------
    >>> real_numbers("scores", [1, 2])
    array([1., 2.])
    >>> try:
    ...     real_numbers("scores", np.ma.masked_greater([1, 400], 9))
    ... except ValueError as error:
    ...     print(error)
    scores: expected real numbers; got a masked array: leave masked values out, or fill them with NaN
    """
    array = unmasked(name, values)
    if array.dtype.kind == "O":
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: expected real numbers; {error}") from error
    if array.dtype.kind not in "biuf":
        raise ValueError(
            f"{name}: expected real numbers; got {array.dtype}: convert them before, and say how"
        )
    return array.astype(np.float64, copy=False)


def unmasked(name: str, values: ArrayLike) -> NDArray[Any]:
    """An array as it is, of any type; ValueError for a masked one, whose mask would be ignored."""
    if isinstance(values, np.ma.MaskedArray):
        raise ValueError(
            f"{name}: expected real numbers; got a masked array: leave masked values out, or fill them with NaN"
        )
    return np.asarray(values)


def vectors(
    name: str, rows: ArrayLike, *, at_least: int = 1, dimensions: int | None = None
) -> NDArray[np.floating]:
    """Finite vectors as an (n, d) array, float32 as it is and other numbers as float64.

    Parameters
    ----------
    name : str
        What the message calls them.
    rows : array_like of shape (n, d)
        One vector a row.
    at_least : int
        How many there must be.
    dimensions : int, optional
        The d they must have.

    Returns
    -------
    ndarray of shape (n, d)
        The same numbers.

    Raises
    ------
    ValueError
        Where the array has another shape, holds too few rows, no numbers, or one that is not
        finite.

    Examples
    --------
    >>> vectors("words", [[1, 2]])
    array([[1., 2.]])
    """
    array = unmasked(name, rows)
    if array.dtype.kind not in "fiu":
        raise ValueError(
            f"{name}: expected numbers, one vector a row; got {array.dtype}: look words up first"
        )
    if array.ndim != 2 or array.shape[0] < at_least or array.shape[1] == 0:
        why = getattr(rows, "why", "")  # an embedding's rows of words that it lacks say which
        raise ValueError(
            f"{name}: expected (n, d) vectors, one a row, at least {at_least} of them; "
            f"got shape {array.shape}{why and ': ' + why}"
        )
    if dimensions not in (None, array.shape[1]):
        raise ValueError(
            f"{name}: expected {dimensions} dimensions, got {array.shape[1]}; "
            "take all vectors from one embedding"
        )
    if array.dtype != np.float32:
        array = array.astype(np.float64)
    flawed = ~np.isfinite(array).all(axis=1)
    if flawed.any():
        raise ValueError(
            f"{name}: expected finite numbers; got NaN or infinity in row {int(flawed.argmax())}: "
            "leave it out"
        )
    return array


def unit_rows(name: str, rows: ArrayLike, *, at_least: int = 1) -> NDArray[np.floating]:
    """Vectors divided by their length, which must not be zero.

    Parameters
    ----------
    name, rows, at_least
        As in `vectors`.

    Returns
    -------
    ndarray of shape (n, d)
        Vectors of length 1.

    Raises
    ------
    ValueError
        As `vectors`, and where a vector is zero and so has no direction.

    Examples
    --------
    >>> unit_rows("words", [[3.0, 4.0]])
    array([[0.6, 0.8]])
    """
    array = vectors(name, rows, at_least=at_least)
    lengths: NDArray[np.floating] = np.linalg.norm(array, axis=1, keepdims=True)
    if not (lengths > 0).all():
        row = int(np.argmin(lengths))
        raise ValueError(
            f"{name}: expected vectors with a direction; got zeros in row {row}: leave it out"
        )
    unit: NDArray[np.floating] = array / lengths
    return unit


def as_list(value: object) -> list[Any]:
    """A parameter that is a list, also where papermill's `-p` passed it as text.

    Parameters
    ----------
    value : list, str, number or None
        A list; or its items as text with commas between, in brackets or not; or a single item. The text "none",
        an empty text and None are the empty list.

    Returns
    -------
    list
        The items: numbers where the text is one, else text without quotes around it.

    Examples
    --------
    >>> as_list(["gap", "news"])
    ['gap', 'news']
    >>> as_list("[gap, news]")
    ['gap', 'news']
    >>> as_list("-4,-3")
    [-4, -3]
    >>> as_list("none")
    []
    """
    if isinstance(value, str):
        text = value.strip().removeprefix("[").removesuffix("]").strip()
        return [_item(part.strip()) for part in text.split(",")] if text not in ("", "none") else []
    if value is None:
        return []
    return list(value) if isinstance(value, Iterable) else [value]


def _item(text: str) -> int | float | str:
    """A number or a quoted text as what it stands for, any other text as it is."""
    try:
        item = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return item if type(item) in (int, float, str) else text
