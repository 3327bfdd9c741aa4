"""GENDEROUS: how far a judge agrees with people, and what *their* does to the label of a sentence.

The files are read by `lib.datasets.genderous`, shares by stereotype are those of `lib.translation.genderous`; Hackenbuchner,
Gkovedarou & Daems (2025).
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.datasets.genderous import GENDERS


def judge_agreement(
    table: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """How far a judge agrees with people where people read a gender, and how it labels errors.

    Columns person and judge hold labels; occupations are drawn for the intervals. Rows "kappa" (Cohen's, over feminine, masculine
    and neutral; NaN where people gave one label only), "kappa feminine", "kappa masculine" and "kappa neutral" (that label
    against the others), "agreement", and "errors called a gender": of the translations that people call wrong, the share that the
    judge gives a gender.
    """
    asked = table["person"].isin(GENDERS)
    occupations = {name: part for name, part in table.groupby("occupation")}
    generator = np.random.default_rng(rng)
    names = list(occupations)
    counts = np.stack([_pairs(occupations[name]) for name in names])
    weights = generator.multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=n_resamples
    )
    value = _judged(counts.sum(axis=0))
    draws = pd.DataFrame(map(_judged, np.tensordot(weights, counts, axes=1)))
    low, high = draws.quantile(0.025), draws.quantile(0.975)
    result = pd.DataFrame({"value": value, "low": low, "high": high})
    wrong = ~asked
    result["n"] = [int((wrong if "errors" in name else asked).sum()) for name in result.index]
    return result


LABELS = (*GENDERS, "other")


def _pairs(table: pd.DataFrame) -> NDArray[np.int64]:
    """Counts of what people say (rows) by what the judge says; errors and "both" are "other"."""
    codes = [
        table[who].where(table[who].isin(GENDERS), "other").map(LABELS.index)
        for who in ("person", "judge")
    ]
    counts = np.zeros((len(LABELS), len(LABELS)), np.int64)
    np.add.at(counts, tuple(codes), 1)
    return counts


def _judged(counts: NDArray[np.int64]) -> dict[str, float]:
    asked = counts[: len(GENDERS)]
    wrong = counts[len(GENDERS)]
    one_against_others = {
        f"kappa {label}": _kappa(
            np.array(
                [
                    [asked[place, place], asked[place].sum() - asked[place, place]],
                    [
                        asked[:, place].sum() - asked[place, place],
                        asked.sum()
                        - asked[place].sum()
                        - asked[:, place].sum()
                        + asked[place, place],
                    ],
                ]
            )
        )
        for place, label in enumerate(GENDERS)
    }
    square = np.vstack([asked, np.zeros(len(LABELS), np.int64)])
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "kappa": _kappa(square),
            **one_against_others,
            "agreement": float(np.trace(asked) / asked.sum()),
            "errors called a gender": float(wrong[: len(GENDERS)].sum() / wrong.sum()),
        }


def _kappa(counts: NDArray[np.int64]) -> float:
    """Cohen's kappa of a table of counts; NaN where a rater gives one label only."""
    total = counts.sum()
    rows, columns = counts.sum(axis=1) / total, counts.sum(axis=0) / total
    chance = float(rows @ columns)
    if max(rows) == 1:
        return float("nan")
    return float((np.trace(counts) / total - chance) / (1 - chance))


def effect_of_their(table: pd.DataFrame) -> pd.Series:
    """Labels of the sentences with *their* beside those without, sentence by sentence.

    became feminine, became masculine: gendered in both, and changed; became wrong: an error with *their* alone; was wrong: an
    error without it alone; n: occupations.
    """
    wide = table[table["kind"].isin(["base", "their"])].pivot(
        index="occupation", columns="kind", values="person"
    )
    base, their = wide["base"], wide["their"]
    wrong = ["incorrect", "mixed"]
    return pd.Series(
        {
            "became feminine": int(((base == "masculine") & (their == "feminine")).sum()),
            "became masculine": int(((base == "feminine") & (their == "masculine")).sum()),
            "became wrong": int((~base.isin(wrong) & their.isin(wrong)).sum()),
            "was wrong": int((base.isin(wrong) & ~their.isin(wrong)).sum()),
            "n": len(wide),
        }
    )
