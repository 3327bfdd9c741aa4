"""Hard debiasing as it was published first: neutralise all words but a list, then equalise pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.debiasing.conceptors import principal_directions, project_out

Array = NDArray[np.floating]


def pair_direction(female: ArrayLike, male: ArrayLike) -> Array:
    """The direction that word pairs share: the first principal component of their differences.

    female, male : (p, d), row j of one facing row j of the other, as they are. Returns (d,) of length 1; its sign is that of
    the mean difference, so that it points to the female side.
    Raises ValueError when shapes disagree or the two words of every pair share one vector.
    Bolukbasi et al. (2016): words less the mean of their pair, which is half the difference, one way and the other.
    """
    female, male = np.asarray(female, np.float64), np.asarray(male, np.float64)
    if female.shape != male.shape:
        raise ValueError(
            f"expected as many female as male vectors, got {female.shape} and {male.shape}"
        )
    direction = principal_directions(female - male, 1, centred=False)[0]
    return direction if (female - male).mean(axis=0) @ direction >= 0 else -direction


def hard_debias(
    words: ArrayLike, direction: ArrayLike, *, spared: ArrayLike, equal: ArrayLike
) -> Array:
    """Hard debiasing: take a direction out of all words that are not spared, and make pairs differ by nothing else.

    words : (n, d) raw vectors; direction : (d,); spared : (n,) true for words that keep it (gender-specific ones);
    equal : (k, 2) rows of pairs that are set the same distance either side of what they share, in the order of the list.
    Returns (n, d) of unit length. Raises ValueError when shapes disagree or a word has nothing beside the direction.
    Bolukbasi et al. (2016), "neutralize and equalize"; in the order of their code, neutralising before scaling.
    """
    words, direction = np.asarray(words, np.float64), np.asarray(direction, np.float64)
    spared, equal = np.asarray(spared, bool), np.asarray(equal, np.intp).reshape(-1, 2)
    if words.ndim != 2 or direction.shape != words.shape[1:] or spared.shape != words.shape[:1]:
        raise ValueError(
            f"expected words (n, d), a direction (d,) and (n,) spared, got {words.shape}, {direction.shape}, {spared.shape}"
        )
    direction = direction / np.linalg.norm(direction)
    out = _unit(np.where(spared[:, None], words, project_out(words, direction)))
    for one, other in equal:
        shared = (out[one] + out[other]) / 2
        shared = shared - shared @ direction * direction
        reach = np.sqrt(max(0.0, 1 - shared @ shared)) * (
            1 if (out[one] - out[other]) @ direction >= 0 else -1
        )
        out[one], out[other] = shared + reach * direction, shared - reach * direction
    return _unit(out)


def _unit(words: Array) -> Array:
    lengths = np.linalg.norm(words, axis=1, keepdims=True)
    if not (lengths > 1e-9).all():
        raise ValueError(
            f"words: expected some length beside the direction, got none in row {int(lengths.argmin())}"
        )
    return words / lengths
