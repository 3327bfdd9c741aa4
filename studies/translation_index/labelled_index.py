"""The translation gender bias index of translations that people labelled, beside those of 2019.

GENDEROUS goes the other way from the index's own sentences: English names no gender, and the
language of the translation has a feminine and a masculine form of the noun or article. Its 480
sentences without *their* make seven sets, as those of the index do: three by the stereotype of the
occupation, and four by the adjective (three stereotypes, none), so that each counts twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.translation.tgbi import CLASSES, SetScore, set_score

LABELS = {"feminine": "female", "masculine": "male"}  # any other is neutral to the index
ERRORS = ("neutral", "left out")  # what a wrong translation is; the index counts it as neutral
WRONG = ("incorrect", "mixed", "error")


@dataclass(frozen=True)
class LabelledIndex:
    """The index of n labelled translations with a 95 % interval, in [0, 1]; set -> its `SetScore`."""

    index: float
    low: float
    high: float
    sets: Mapping[str, SetScore]
    n: int


def labelled_index(
    table: pd.DataFrame,
    *,
    errors: str = "neutral",
    resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> LabelledIndex:
    """The index (Cho et al. 2019, equation 2) of translations whose gender people labelled.

    Columns occupation, adjective ("" where there is none), stereotype, adjective_stereotype, person (the label): as of
    `lib.datasets.genderous.read_translations`, without rows that are to stay out. errors: "neutral", a wrong translation counts
    as neutral, as it would in the index; or "left out". Draws are of occupations, within a stereotype, and of adjectives at once.
    """
    one_of("errors", errors, ERRORS)
    columns = ["occupation", "adjective", "stereotype", "adjective_stereotype", "person"]
    if table.empty or not {*columns} <= {*table.columns}:
        raise ValueError(
            f"expected a table with rows and the columns {', '.join(columns)}, got {len(table)} "
            f"rows with {', '.join(map(str, table.columns))}"
        )
    rows = table if errors == "neutral" else table[~table["person"].isin(WRONG)]
    places = rows["person"].map(LABELS).fillna("neutral").map(CLASSES.index).to_numpy()
    sets = _sets(rows)
    lacking = [*_sets(table).keys() - sets.keys()]
    if lacking:
        raise ValueError(
            f"{', '.join(sorted(lacking))}: every translation is wrong; count errors as neutral"
        )
    genders = np.eye(3)[places]
    found = {
        name: set_score(*genders[inside].sum(axis=0).astype(int)) for name, inside in sets.items()
    }
    generator = np.random.default_rng(rng)
    weights = _weights(rows, "occupation", "stereotype", resamples, generator)
    weights *= _weights(rows, "adjective", "adjective_stereotype", resamples, generator)
    drawn = []
    for inside in sets.values():
        totals = weights[:, inside] @ genders[inside]
        whole = totals.sum(axis=1)
        with np.errstate(invalid="ignore"):  # a set that no draw fell into
            shares = totals / whole[:, None]
        drawn.append(np.sqrt(shares[:, 0] * shares[:, 1] + shares[:, 2]))
    low, high = np.nanquantile(np.nanmean(drawn, axis=0), [0.025, 0.975]).tolist()
    index = float(np.mean([score.score for score in found.values()]))
    return LabelledIndex(index, low, high, found, len(rows))


def _sets(rows: pd.DataFrame) -> dict[str, NDArray[np.bool_]]:
    """Set -> whether a row is in it."""
    sets = {
        f"{name} occupation": (rows["stereotype"] == name).to_numpy()
        for name in ("feminine", "masculine", "neutral")
    }
    for name in ("feminine", "masculine", "neutral", ""):
        title = f"{name} adjective" if name else "no adjective"
        sets[title] = (rows["adjective_stereotype"] == name).to_numpy()
    return {name: inside for name, inside in sets.items() if inside.any()}


def _weights(
    rows: pd.DataFrame, word: str, group: str, resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """How often each row's word is drawn, words of a group among themselves: (resamples, rows)."""
    weights = np.ones((resamples, len(rows)))
    for _, inside in rows.reset_index(drop=True).groupby(group):
        codes, words = pd.factorize(inside[word])
        drawn = rng.multinomial(len(words), np.full(len(words), 1 / len(words)), resamples)
        weights[:, inside.index] = drawn[:, codes]
    return weights
