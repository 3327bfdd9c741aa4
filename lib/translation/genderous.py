"""Shares of genders in GENDEROUS: by stereotype, and resampled over both sides of its design.

30 occupations by 15 adjectives make its sentences, so occupations and adjectives are drawn, each within its stereotype, never
sentences. The files are read by `lib.datasets.genderous`; Hackenbuchner, Gkovedarou & Daems (2025).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.datasets.genderous import GENDERS
from lib.inference.permutation import partition_test
from lib.translation.inclusive import person_form
from lib.translation.person_gender import subject_gender, target_words

SIDES = {"occupation": "stereotype", "adjective": "adjective_stereotype"}
NAMED = {
    "female": "feminine",
    "male": "masculine",
    "neutral": "neutral",
    "unknown": "unread",
}  # what a reader says -> the form
Floats = NDArray[np.float64]


def subject_form(text: str, language: str) -> str:
    """The form of the person with whom a sentence begins: "feminine", "masculine", "neutral", "inclusive" or "unread".

    Parameters
    ----------
    text : str
    language : str
        That `lib.translation.person_gender.subject_gender` reads.

    Examples
    --------
    >>> [subject_form(text, "es") for text in ("La jueza salió.", "El/la juez salió.", "La persona salió.")]
    ['feminine', 'inclusive', 'neutral']
    """
    form = person_form(text, target_words(text, language), 1, language)
    return form or NAMED[subject_gender(text, language)]


class _Crossed(NamedTuple):
    """Occupations by adjectives: how much of each cell is feminine, and how much is feminine or masculine; the stereotypes of both."""

    feminine: Floats
    gendered: Floats
    kinds: dict[str, NDArray[np.object_]]


def _crossed(table: pd.DataFrame) -> _Crossed:
    crossed = table[table["kind"] == "adjectives"]
    cells = [crossed["occupation"], crossed["adjective"]]
    feminine, gendered = (
        crossed["person"].isin(labels).groupby(cells).mean().unstack().fillna(0).to_numpy(float)
        for labels in (["feminine"], ["feminine", "masculine"])
    )
    kinds = {
        side: crossed.groupby(side)[column].first().sort_index().to_numpy()
        for side, column in SIDES.items()
    }
    return _Crossed(feminine, gendered, kinds)


def _shares(
    crossed: _Crossed, rows: Floats, columns: Floats, kinds: Mapping[str, NDArray[np.object_]]
) -> dict[tuple[str, str], Floats]:
    """Feminine shares where occupations (rows) and adjectives (columns) have weights, (draws, number of them), by `kinds`, of
    shape (number,) or (draws, number).
    """
    found: dict[tuple[str, str], Floats] = {}
    for side, which in [("all", ""), *((side, which) for side in SIDES for which in GENDERS)]:
        chosen = {name: kinds[name] == which if name == side else True for name in SIDES}
        of, by = rows * chosen["occupation"], columns * chosen["adjective"]
        with np.errstate(invalid="ignore"):  # a draw may hold no gendered translation
            feminine, gendered = (
                ((of @ cells) * by).sum(axis=1) for cells in (crossed.feminine, crossed.gendered)
            )
            found[side, which] = feminine / gendered
    for side in SIDES:
        found[f"{side} difference", ""] = found[side, "feminine"] - found[side, "masculine"]
    return found


def feminine_shares(
    table: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """How many of the gendered translations are feminine, by stereotype of occupation and adjective.

    Parameters
    ----------
    table : DataFrame
        Columns kind, occupation, adjective, stereotype, adjective_stereotype and person, the gender of the translation. Only the
        sentences with an adjective are taken (kind "adjectives"); several answers to a sentence count as one together.
    n_resamples : int
        Occupations and adjectives are drawn, each within its stereotype.
    rng : Generator or int, optional

    Returns
    -------
    DataFrame
        Indexed by side ("all", "occupation", "adjective", and for both differences feminine − masculine "occupation difference",
        "adjective difference") and stereotype ("" where there is none). Columns value, low, high: shares of feminine ones among
        feminine and masculine ones, in [0, 1], or their difference, NaN where a draw has none of either; n: gendered translations.
    """
    crossed = _crossed(table)
    generator = np.random.default_rng(rng)
    drawn = [_drawn_within(crossed.kinds[side], n_resamples, generator) for side in SIDES]
    even = [np.ones((1, len(crossed.kinds[side]))) for side in SIDES]
    values = _shares(crossed, *even, crossed.kinds)
    draws = _shares(crossed, *drawn, crossed.kinds)
    found = {
        key: (float(value[0]), *np.quantile(draws[key], [0.025, 0.975]))
        for key, value in values.items()
    }
    result = pd.DataFrame(found, ["value", "low", "high"]).T
    result.index.names = ["side", "stereotype"]
    return result.assign(n=round(crossed.gendered.sum()))


def shares_by_chance(
    table: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """What a translator would give that does not know the stereotypes: those of occupations change places at random, and those of
    adjectives.

    Parameters
    ----------
    table, n_resamples, rng
        As in `feminine_shares`.

    Returns
    -------
    DataFrame
        Rows as there. Columns null_low, null_high: the central 95 % of shares and differences.
    """
    crossed = _crossed(table)
    generator = np.random.default_rng(rng)
    even = [np.ones((n_resamples, len(crossed.kinds[side]))) for side in SIDES]
    exchanged = {
        side: generator.permuted(np.tile(kinds, (n_resamples, 1)), axis=1)
        for side, kinds in crossed.kinds.items()
    }
    found = {
        key: np.quantile(draws, [0.025, 0.975])
        for key, draws in _shares(crossed, *even, exchanged).items()
    }
    result = pd.DataFrame(found, ["null_low", "null_high"]).T
    result.index.names = ["side", "stereotype"]
    return result


def _drawn_within(
    kinds: NDArray[np.object_], n_resamples: int, generator: np.random.Generator
) -> Floats:
    """How often each item is drawn, in draws with replacement within each kind."""
    weights = np.zeros((n_resamples, len(kinds)))
    for kind in sorted(set(kinds)):
        places = np.flatnonzero(kinds == kind)
        even = np.full(len(places), 1 / len(places))
        weights[:, places] = generator.multinomial(len(places), even, size=n_resamples)
    return weights


def stereotype_test(
    table: pd.DataFrame, side: str, *, rng: np.random.Generator | int | None = None
) -> float:
    """Whether more is feminine where the stereotype of that side is, than where stereotypes change places: one-sided p, over all
    ways to divide them; 1 where all shares are equal, NaN where a stereotype has no gendered translation.

    Each occupation (adjective) has one share of feminine translations, and ten (five) of twenty (ten) are of the feminine
    stereotype.

    Parameters
    ----------
    table
        As in `feminine_shares`.
    side : str
        One of `SIDES`.
    rng : Generator or int, optional
        For more ways than are counted.
    """
    first, second = shares_of_sides(table, side)
    if not len(first) or not len(second):
        return float("nan")
    if pd.concat([first, second]).nunique() == 1:
        return 1.0
    return partition_test(first, second, rng=rng).pvalue


def shares_of_sides(table: pd.DataFrame, side: str) -> tuple[pd.Series, pd.Series]:
    """The share of feminine among gendered translations for each occupation (adjective) of the feminine stereotype, and for each
    of the masculine.
    """
    one_of("side", side, SIDES)
    crossed = table[(table["kind"] == "adjectives") & table["person"].isin(GENDERS[:2])]
    shares = (
        crossed.assign(share=crossed["person"] == "feminine")
        .groupby([side, SIDES[side]])["share"]
        .mean()
        .reset_index()
    )
    first, second = (shares.loc[shares[SIDES[side]] == which, "share"] for which in GENDERS[:2])
    return first, second
