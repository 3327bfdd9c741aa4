"""Every defensible way from released predictions to a bias ratio: floor, its place, weights, labels."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.coreference.scores import by_gender

FLOORS = (0.0, 0.005, 0.01)
PLACES = ("mean", "each")
WEIGHTS = (0.5, 0.65)


def floored(probabilities: ArrayLike, floor: float) -> NDArray[np.float64]:
    """Probabilities (n, 3) with every one below a floor raised to it; rows are not rescaled."""
    if not 0 <= floor <= 1 / 3:
        raise ValueError(f"floor: expected a probability from 0 to 1/3, got {floor}")
    return np.maximum(real_numbers("probabilities", probabilities), floor)


def blended(
    systems: Sequence[ArrayLike], weights: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """The weighted mean of what several systems say, each (n, 3); equal weights unless given."""
    arrays = [real_numbers("systems", system) for system in systems]
    if not arrays or len({array.shape for array in arrays}) > 1:
        raise ValueError(
            f"expected systems of one shape, got {[array.shape for array in arrays]}; score the same passages with all"
        )
    shares = np.ones(len(arrays)) if weights is None else real_numbers("weights", weights)
    if shares.shape != (len(arrays),) or (shares < 0).any() or not shares.sum() > 0:
        raise ValueError(
            f"weights: expected one for each of {len(arrays)} systems, none negative; got {weights}"
        )
    return np.average(np.stack(arrays), axis=0, weights=shares)


def floor_settings(
    floors: Sequence[float] = FLOORS, places: Sequence[str] = PLACES
) -> Iterator[tuple[float, str]]:
    """Each floor with each place for it: under the mean of several classifiers, or under every one before the mean.

    >>> list(floor_settings([0, 0.01]))
    [(0, 'none'), (0.01, 'mean'), (0.01, 'each')]
    """
    for place in places:
        if place not in PLACES:
            raise ValueError(f"places: expected some of {', '.join(PLACES)}; got {place!r}")
    for floor in floors:
        if floor == 0:
            yield floor, "none"
        else:
            yield from product([floor], places)


def multiverse(
    classifiers: Sequence[ArrayLike],
    other: ArrayLike,
    labels: Mapping[str, ArrayLike],
    female: ArrayLike,
    *,
    floors: Sequence[float] = FLOORS,
    places: Sequence[str] = PLACES,
    weights: Sequence[float] = WEIGHTS,
) -> pd.DataFrame:
    """Scores of an ensemble, another system and their blend, a row a setting and score; floors are under the ensemble only."""
    tables = []
    for name, answers in labels.items():
        for about, rows in _universes(classifiers, other, floors, places, weights):
            scores = by_gender(rows, answers, female)
            scores = scores.rename_axis("score").reset_index()
            tables.append(scores.assign(**about, labels=name))
    first = ["system", "floor", "place", "weight", "labels", "score"]
    table = pd.concat(tables, ignore_index=True)
    return table[[*first, *(column for column in table if column not in first)]]


def _universes(
    classifiers: Sequence[ArrayLike],
    other: ArrayLike,
    floors: Sequence[float],
    places: Sequence[str],
    weights: Sequence[float],
) -> Iterator[tuple[dict[str, object], ArrayLike]]:
    """What is set, and the probabilities that follow."""
    nothing = {"floor": 0.0, "place": "none", "weight": float("nan")}
    yield {"system": "frozen", **nothing}, other
    for floor, place in floor_settings(floors, places):
        members = [floored(rows, floor) for rows in classifiers] if place == "each" else classifiers
        ensemble = blended(members)
        if place == "mean":
            ensemble = floored(ensemble, floor)
        setting = {**nothing, "floor": float(floor), "place": place}
        yield {"system": "fine-tuned", **setting}, ensemble
        for weight in weights:
            both = blended([ensemble, other], [weight, 1 - weight])
            yield {"system": "blend", **setting, "weight": float(weight)}, both
