"""Shares of genders in GENDEROUS: by stereotype, and resampled over both sides of its design.

30 occupations by 15 adjectives make its sentences, so occupations and adjectives are drawn, each
within its stereotype, never sentences. The files are read by `lib.datasets.genderous`;
Hackenbuchner, Gkovedarou & Daems (2025).
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.datasets.genderous import GENDERS
from lib.inference.permutation import partition_test

SIDES = {"occupation": "stereotype", "adjective": "adjective_stereotype"}


def feminine_shares(
    table: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """How many of the gendered translations are feminine, by stereotype of occupation and adjective.

    Indexed by side ("all", "occupation", "adjective", and for both differences feminine − masculine "occupation difference",
    "adjective difference") and stereotype ("" where there is none). Columns value, low, high: shares of feminine ones among
    feminine and masculine ones, in [0, 1], or their difference, NaN where a draw has none of either; n: gendered translations.
    Only the sentences with an adjective are taken; occupations and adjectives are drawn, each within its stereotype.
    """
    crossed = table[table["kind"] == "adjectives"]
    stereotypes = {
        side: crossed.groupby(side)[column].first().sort_index() for side, column in SIDES.items()
    }
    feminine, gendered = (
        crossed.assign(cell=crossed["person"].isin(labels))
        .pivot(index="occupation", columns="adjective", values="cell")
        .to_numpy(float)
        for labels in (["feminine"], ["feminine", "masculine"])
    )
    generator = np.random.default_rng(rng)
    rows, columns = (
        _drawn_within(stereotypes[side].to_numpy(), n_resamples, generator) for side in SIDES
    )
    ones = (np.ones((1, len(rows[0]))), np.ones((1, len(columns[0]))))
    parts: dict[tuple[str, str], list[NDArray[np.float64]]] = {}
    for weights, others in (ones, (rows, columns)):
        for side, which in [("all", ""), *((side, which) for side in SIDES for which in GENDERS)]:
            chosen = {
                name: kinds.to_numpy() == which if name == side else np.ones(len(kinds), bool)
                for name, kinds in stereotypes.items()
            }
            of, by = weights * chosen["occupation"], others * chosen["adjective"]
            with np.errstate(invalid="ignore"):  # a draw may hold no gendered translation
                share = ((of @ feminine) * by).sum(axis=1) / ((of @ gendered) * by).sum(axis=1)
            parts.setdefault((side, which), []).append(share)
    for side in SIDES:
        parts[f"{side} difference", ""] = [
            first - second
            for first, second in zip(parts[side, "feminine"], parts[side, "masculine"])
        ]
    found = {
        key: (float(value[0]), *np.quantile(draws, [0.025, 0.975]))
        for key, (value, draws) in parts.items()
    }
    result = pd.DataFrame(found, ["value", "low", "high"]).T
    result.index.names = ["side", "stereotype"]
    return result.assign(n=int(gendered.sum()))


def _drawn_within(
    kinds: NDArray[np.object_], n_resamples: int, generator: np.random.Generator
) -> NDArray[np.float64]:
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
    ways to divide them; 1 where all shares are equal. Each occupation (adjective) has one share of feminine translations, and
    ten (five) of twenty (ten) are of the feminine stereotype.
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
    if pd.concat([first, second]).nunique() == 1:
        return 1.0
    return partition_test(first, second, rng=rng).pvalue


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
