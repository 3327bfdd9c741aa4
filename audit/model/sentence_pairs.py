"""Pairs of sentences, a reader's own or those of CrowS-Pairs: in how many is the first likelier, beside a null, and what it takes to see more."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.datasets.crows_pairs import read_crows_pairs
from lib.inference.sums import p_of_draws, swapped_sums
from lib.language_models import MaskedLanguageModel
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.sentence_scores import piece_scores
from lib.own_lists import read_own_sentence_pairs

Floats = NDArray[np.float64]

CROWS = "crows_pairs"
WHOLE, SHARED = "whole sentence, a piece", "shared words given the others, a piece"


def read_pairs(reference: str) -> tuple[tuple[str, str], ...]:
    """Pairs of sentences, the more stereotypical one first, once each.

    Parameters
    ----------
    reference : str
        "crows_pairs" for those of CrowS-Pairs that are about gender (Nangia et al. 2020), which are fetched; else a file that
        `lib.own_lists.read_own_sentence_pairs` reads.

    Raises
    ------
    FetchError
        Where CrowS-Pairs cannot be had.
    ValueError
        For a file of something else.
    """
    if reference != CROWS:
        return read_own_sentence_pairs(reference)
    pairs = read_crows_pairs()
    pairs = pairs[pairs["bias_type"] == "gender"]
    return tuple(dict.fromkeys(zip(pairs["sent_more"], pairs["sent_less"])))


def differences(
    model: CausalLanguageModel | MaskedLanguageModel, first: Sequence[str], second: Sequence[str]
) -> dict[str, Floats]:
    """By how much the first sentence of each pair is likelier, in nats a piece.

    Parameters
    ----------
    model : CausalLanguageModel or MaskedLanguageModel
        One that fills masks is read piece by piece, each masked in turn.
    first, second : sequence of str
        n sentences each.

    Returns
    -------
    dict of str to ndarray of shape (n,)
        `WHOLE`: all pieces. `SHARED`: the words that both have, given those that differ, so that how frequent these are by
        themselves does not count; in a decoder the words behind them. NaN where there are none.
    """
    if isinstance(model, MaskedLanguageModel):
        sides = piece_scores(model, first, second), piece_scores(model, second, first)
        whole = [[one.log_p.mean() for one in side] for side in sides]
        shared = [
            [one.log_p[one.shared].mean() if one.shared.any() else np.nan for one in side]
            for side in sides
        ]
    else:
        texts = [*first, *second]
        whole = np.split(model.log_probabilities(texts) / _pieces(model, texts), 2)
        given = [_up_to_the_shared_end(*pair) for pair in zip(first, second)]
        beginnings = [
            text[:place] for side in (0, 1) for text, place in _placed(first, second, given, side)
        ]
        there = [place is not None for place in given] * 2
        rest = np.full(len(texts), np.nan)
        if any(there):
            asked = [text for text, one in zip(texts, there) if one]
            behind = [text for text, one in zip(beginnings, there) if one]
            counted = _pieces(model, [text[len(start) :] for text, start in zip(asked, behind)])
            rest[np.array(there)] = model.log_probabilities(asked, behind) / counted
        shared = np.split(rest, 2)
    return {
        WHOLE: np.asarray(whole[0]) - np.asarray(whole[1]),
        SHARED: np.asarray(shared[0]) - np.asarray(shared[1]),
    }


def _pieces(model: CausalLanguageModel, texts: Sequence[str]) -> NDArray[np.int64]:
    coded = model.transformer.tokenizer(list(texts), add_special_tokens=False, verbose=False)
    return np.array([max(1, len(row)) for row in coded["input_ids"]])


def _up_to_the_shared_end(first: str, second: str) -> tuple[int, int] | None:
    """Where the words begin that two sentences end with alike, in each, behind the space; None where there are none, or
    nothing before them.
    """
    one, other = first.split(" "), second.split(" ")
    alike = 0
    while alike < min(len(one), len(other)) and one[-1 - alike] == other[-1 - alike]:
        alike += 1
    if not alike or alike in (len(one), len(other)):
        return None
    end = len(" ".join(one[-alike:])) + 1
    return len(first) - end, len(second) - end


def _placed(
    first: Sequence[str],
    second: Sequence[str],
    places: Sequence[tuple[int, int] | None],
    side: int,
) -> list[tuple[str, int]]:
    return [
        (text, place[side] if place else 0) for text, place in zip((first, second)[side], places)
    ]


def summary(apart: ArrayLike, *, rng: np.random.Generator | int | None = None) -> dict[str, float]:
    """What differences of pairs say: the share above 0 and the mean, each with an interval over pairs and p.

    Parameters
    ----------
    apart : array_like of shape (n,)
        NaN is left out; a difference of 0 counts one half.
    rng : Generator or int, optional
        Of exchanges of the two sentences within pairs.

    Returns
    -------
    dict
        n; share, share_low, share_high (Wilson), share_p (exact sign test); mean, low, high (Student's t), p (exchanges);
        ends of both under their nulls; smallest_p; and needed, the pairs with which a share of .6 would be found in four of five samples.

    Examples
    --------
    >>> found = summary([0.3, 0.1, 0.2, 0.4, 0.1, 0.2], rng=0)
    >>> found["share"], round(float(found["share_p"]), 3), found["smallest_p"]
    (1.0, 0.031, 0.03125)
    """
    values = np.asarray(apart, float)
    values = values[np.isfinite(values)]
    n = len(values)
    names = ("share", "share_low", "share_high", "share_p", "mean", "low", "high", "p")
    nulls = ("share_null_low", "share_null_high", "null_low", "null_high", "smallest_p")
    found = dict.fromkeys([*names, *nulls], math.nan) | {"n": n, "needed": pairs_for(0.6)}
    if not n:
        return found
    untied = values[values != 0]
    above = int((untied > 0).sum())
    if len(untied):
        test = stats.binomtest(above, len(untied))
        ends = test.proportion_ci(method="wilson")
        found |= {"share_low": ends.low, "share_high": ends.high, "share_p": test.pvalue}
        found["smallest_p"] = 2.0 ** (1 - len(untied))
        by_chance = stats.binom.ppf([0.025, 0.975], len(untied), 0.5) / len(untied)
        found |= dict(zip(("share_null_low", "share_null_high"), by_chance))
    found |= {"share": (above + 0.5 * (n - len(untied))) / n, "mean": values.mean()}
    if n > 2 and np.ptp(values) > 0:
        half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n)
        found |= {"low": found["mean"] - half, "high": found["mean"] + half}
        one, other = swapped_sums(values[:, None], np.zeros((n, 1)), rng=rng)
        null = (one - other)[:, 0] / n
        found |= dict(zip(("null_low", "null_high"), np.quantile(null, [0.025, 0.975])))
        by_draws = p_of_draws(abs(found["mean"]), np.abs(null), tolerance=1e-12)
        found["p"] = max(by_draws, found["smallest_p"])  # few pairs: fewer exchanges than draws
    return found


def pairs_for(share: float, power: float = 0.8) -> int:
    """How many pairs it takes for the sign test to find a share above one half, by the normal approximation.

    Examples
    --------
    >>> pairs_for(0.6), pairs_for(0.75)
    (194, 29)
    """
    reach = stats.norm.ppf(0.975) * 0.5 + stats.norm.ppf(power) * math.sqrt(share * (1 - share))
    return math.ceil((reach / (share - 0.5)) ** 2)


DECIDES = f"share of pairs, {SHARED}"


def table(apart: dict[str, Floats], *, rng: int | None = None) -> pd.DataFrame:
    """Two rows for each rule, the share and the mean, with columns of a report; p adjusted over all of them. `DECIDES` is the
    measure of the row that the report speaks of.
    """
    rows = []
    for rule, values in apart.items():
        found = summary(values, rng=rng)
        smallest = max(found["smallest_p"], 1 / 2001) if found["n"] else math.nan
        for measure, start, value, p, least in (
            ("share of pairs", "share_", "share", "share_p", found["smallest_p"]),
            ("mean difference", "", "mean", "p", smallest),
        ):
            ends = ("low", "high", "null_low", "null_high")
            rows.append(
                {"item": "pairs of sentences", "measure": f"{measure}, {rule}"}
                | {"value": found[value]}
                | {end: found[f"{start}{end}"] for end in ends}
                | {"p": found[p], "adjusted_p": math.nan, "n": found["n"], "smallest_p": least}
            )
    made = pd.DataFrame(rows)
    tested = made["p"].notna()
    if tested.any():
        made.loc[tested, "adjusted_p"] = stats.false_discovery_control(made.loc[tested, "p"])
    return made
