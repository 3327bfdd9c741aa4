"""Every defensible way from released predictions to a bias ratio: floor, its place, weights, labels."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pandas as pd
from numpy.typing import ArrayLike

from lib.coreference.predictions import blended, floored
from lib.coreference.scores import by_gender

FLOORS = (0.0, 0.005, 0.01)
PLACES = ("mean", "each")
WEIGHTS = (0.5, 0.65)


def floor_settings(
    floors: Sequence[float] = FLOORS, places: Sequence[str] = PLACES
) -> Iterator[tuple[float, str]]:
    """Each floor with each place for it; no floor has no place.

    Parameters
    ----------
    floors : sequence of float
        The smallest probability that is left; 0 changes nothing.
    places : sequence of str
        "mean" raises the mean of several classifiers, "each" every classifier before the mean.

    Yields
    ------
    (float, str)

    Raises
    ------
    ValueError
        For another place.

    Examples
    --------
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
    """Scores of an ensemble, of another system and of their blend under every combination of settings.

    Parameters
    ----------
    classifiers : sequence of array_like, each of shape (n, 3)
        The ensemble's members; a floor is laid under their side only.
    other : array_like, shape (n, 3)
        What they are blended with.
    labels : mapping of str to array_like of int, shape (n,)
        Name -> answers.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    floors, places : sequence
        As in `floor_settings`.
    weights : sequence of float
        Of the ensemble in the blend.

    Returns
    -------
    DataFrame
        One row for each setting and score: columns system ("fine-tuned", "frozen", "blend"), floor, place ("none"
        where there is no floor), weight (nan where nothing is blended), labels, score, and those of
        `lib.coreference.scores.by_gender`.

    Raises
    ------
    ValueError
        As `lib.coreference.predictions.floored`, `blended` and `lib.coreference.scores.by_gender`.

    Examples
    --------
    >>> sure, unsure = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3]]
    >>> table = multiverse([sure], unsure, {"original": [0, 0]}, [True, False], floors=[0, 0.01])
    >>> losses = table[(table["score"] == "log loss") & (table["system"] == "fine-tuned")]
    >>> losses[["floor", "place", "overall"]].round(2).to_dict("split")["data"]
    [[0.0, 'none', 17.27], [0.01, 'mean', 2.32], [0.01, 'each', 2.32]]
    """
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
