"""A score of WinoMT less that of a blind translator, with occupations drawn for both.

A blind translator gives each occupation the genders that were read, as often as they were read, whatever the English says. How
often it is right in an occupation follows from both margins: no shuffling is needed, so that each resample of occupations has its
own blind score.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.translation.winomt import GENDERS, GOLD

SCORES = ("accuracy", "recall_female", "recall_male", "delta_g", "delta_s")


def less_blind(
    genders: Sequence[str],
    sentences: pd.DataFrame,
    stereotypes: Mapping[str, NDArray[np.int64]],
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """`SCORES` in rows, in per cent: value, low, high (the score less the blind one), blind, blind low, blind high (the blind one).

    genders: read in each translation, one of `GENDERS`; stereotypes: places of the "pro" and of the "anti" sentences. Intervals are
    95 % over occupations, both scores on the same resamples.
    """
    people = sentences["person"].str.lower().str.replace(r"^(?:the|an?) ", "", regex=True)
    occupation, names = pd.factorize(people)
    says = sentences["gender"].map(GENDERS.index).to_numpy()
    read = np.array([GENDERS.index(gender) for gender in genders])
    usual = np.zeros((len(names), len(GENDERS)))  # how often each gender is read
    np.add.at(usual, (occupation, read), 1)
    usual /= usual.sum(axis=1, keepdims=True)
    parts = []
    for rows in (np.arange(len(read)), stereotypes["pro"], stereotypes["anti"]):
        found = np.zeros((len(names), len(GENDERS), len(GENDERS)))
        np.add.at(found, (occupation[rows], says[rows], read[rows]), 1)
        blind = found.sum(axis=2)[:, :, None] * usual[:, None]
        parts.append((found, blind))
    generator = np.random.default_rng(rng)
    even = np.full(len(names), 1 / len(names))
    weights = np.vstack([np.ones(len(names)), generator.multinomial(len(names), even, n_resamples)])
    found, blind = (
        _scores(*(np.tensordot(weights, part[which], axes=1) for part in parts)) for which in (0, 1)
    )
    columns = {}
    for name, drawn in {"": found - blind, "blind ": blind}.items():
        ends = np.quantile(drawn[1:], [0.025, 0.975], axis=0)
        columns |= {name.strip() or "value": drawn[0]}
        columns |= {f"{name}low": ends[0], f"{name}high": ends[1]}
    return pd.DataFrame(columns, index=[*SCORES])


def _scores(
    every: NDArray[np.float64], pro: NDArray[np.float64], anti: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The `SCORES` of tables of (resample, says, read)."""
    right = np.diagonal(every, axis1=1, axis2=2)[:, : len(GOLD)]
    says = every.sum(axis=2)
    accuracy = 100 * right.sum(axis=1) / says.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        men, women = (100 * right[:, place] / says[:, place] for place in (0, 1))
    f1 = [_f1(table) for table in (every, pro, anti)]
    gap = f1[0][:, 0] - f1[0][:, 1]
    return np.column_stack([accuracy, women, men, gap, f1[1].mean(axis=1) - f1[2].mean(axis=1)])


def _f1(tables: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 of men and of women, in per cent; 0 where nobody is said or read to be one."""
    right = np.diagonal(tables, axis1=1, axis2=2)[:, :2]
    both = (tables.sum(axis=2) + tables.sum(axis=1))[:, :2]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(200 * right / both)
