"""Outputs to GENDEROUS in an audit of a translator: which gender it gives a person of whom the English says none.

Nothing can be right or wrong there. What is asked is how much is feminine, and whether stereotypes of occupations and adjectives
decide. Hackenbuchner, Gkovedarou & Daems (2025).
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from audit.report import COLUMNS
from lib.datasets.genderous import GENDERS, read_translations
from lib.ledger.results import recorded_results
from lib.translation.genderous import (
    SIDES,
    feminine_shares,
    shares_by_chance,
    shares_of_sides,
    stereotype_test,
)
from lib.translation.winomt import tokens

SOURCE = "GENDEROUS"
ALL = "feminine forms"  # of those of one gender
BY_KIND = {
    (side, kind): f"{ALL}, {kind} {side}s" for side in SIDES for kind in GENDERS
}  # of the stereotype of each
APART = {side: f"{side}s, feminine less masculine" for side in SIDES}


@functools.cache
def genderous_sentences() -> pd.DataFrame:
    """The sentences, with whom they are about. Needs the `sample` files.

    Returns
    -------
    DataFrame
        510 rows. Columns id ("genderous:1" and so on), text, person, place (of the person's last word among
        `lib.translation.winomt.tokens`), gender and stereotype (none: ""), twin (the person), and for `score_leaning` kind,
        occupation, adjective, occupation_stereotype, adjective_stereotype.
    """
    table = read_translations("gt", "es")  # all systems were asked the same
    people = table["occupation"]
    last = [tokens(person)[-1] for person in people]
    return pd.DataFrame(
        {
            "id": [f"genderous:{number}" for number in range(1, len(table) + 1)],
            "text": table["sentence"],
            "person": people,
            "place": [tokens(text).index(word) for text, word in zip(table["sentence"], last)],
            "gender": "",
            "stereotype": "",
            "twin": people,
            "kind": table["kind"],
            "occupation": people,
            "adjective": table["adjective"],
            "occupation_stereotype": table["stereotype"],
            "adjective_stereotype": table["adjective_stereotype"],
        }
    )


def may_be_asked(outputs: pd.DataFrame) -> pd.Series:
    """Which outputs may be to one of these sentences, without a look at the files."""
    like = outputs["source"].str.contains(r"^\s*The .* finished (?:the|their) work\b", regex=True)
    return like | (outputs["source"].eq("") & outputs["id"].str.startswith("genderous:"))


class Leaning(NamedTuple):
    """What `score_leaning` finds.

    Attributes
    ----------
    table : DataFrame
        By measure, in per cent and percentage points: value, low, high (occupations and adjectives drawn), null_low, null_high
        (stereotypes change places), p (one-sided, as a stereotype has a side), adjusted_p (Holm over both tests), smallest_p, n.
    """

    table: pd.DataFrame

    def found(self, side: str) -> bool:
        """Whether more is feminine where the stereotype of that side, one of `SIDES`, is."""
        return bool(self.table.loc[APART[side], "adjusted_p"] <= 0.05)

    def reach(self, side: str) -> float:
        """The difference, in percentage points, that is found in 80 of 100 translators."""
        row = self.table.loc[APART[side]]
        spread = (row["null_high"] - row["null_low"]) / 2 / stats.norm.ppf(0.975)
        return float(spread * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)))


def score_leaning(
    rows: pd.DataFrame, *, draws: int = 1000, rng: np.random.Generator | int | None = None
) -> Leaning | None:
    """Feminine shares by stereotype, of outputs to sentences with an adjective; None where fewer than two occupations and
    adjectives of each stereotype are there.

    Parameters
    ----------
    rows : DataFrame
        Translations: columns text, of `genderous_sentences`, and form, of `audit.translator.FORMS`. Those of one sentence count
        as one together.
    draws : int
        Of the bootstrap and of every null.
    rng : Generator or int, optional
    """
    if not len(rows):
        return None
    design = genderous_sentences().drop(columns="stereotype").set_index("text")
    table = design.loc[rows["text"]].assign(person=rows["form"].to_numpy())
    table = table.rename(columns={"occupation_stereotype": SIDES["occupation"]})
    parts = {side: shares_of_sides(table, side) for side in SIDES}
    if min(len(part) for both in parts.values() for part in both) < 2:
        return None
    found = feminine_shares(table, n_resamples=draws, rng=rng)
    found = 100 * found.drop(columns="n").join(shares_by_chance(table, n_resamples=draws, rng=rng))
    crossed = table[table["kind"] == "adjectives"]
    counts = {("all", ""): crossed["person"].isin(GENDERS[:2]).sum()}
    for side, column in SIDES.items():
        gendered = crossed[crossed["person"].isin(GENDERS[:2])][column]
        counts |= {(side, kind): (gendered == kind).sum() for kind in GENDERS}
        counts[f"{side} difference", ""] = gendered.isin(GENDERS[:2]).sum()
    found["n"] = pd.Series(counts)
    found.loc[("all", ""), ["null_low", "null_high"]] = math.nan  # no stereotype is asked for
    names = {("all", ""): ALL, **BY_KIND}
    names |= {(f"{side} difference", ""): name for side, name in APART.items()}
    found.index = pd.Index([names[key] for key in found.index], name="measure")
    p = pd.Series({APART[side]: stereotype_test(table, side, rng=rng) for side in SIDES})
    ordered = p.sort_values()
    found["p"] = p
    found["adjusted_p"] = (ordered * np.arange(len(p), 0, -1)).cummax().clip(upper=1)
    found["smallest_p"] = pd.Series(
        {
            APART[side]: 1 / math.comb(len(first) + len(second), len(first))
            for side, (first, second) in parts.items()
        }
    )
    return Leaning(found[found["value"].notna()])


def leaning_table(leaning: Leaning) -> pd.DataFrame:
    """The measures with the columns of `audit.COLUMNS`."""
    return leaning.table.reset_index().assign(item=SOURCE).reindex(columns=list(COLUMNS))


class BesidePeople(NamedTuple):
    """How far shares by a reader were from those by people's labels, over released systems.

    Attributes
    ----------
    systems : int
    table : DataFrame
        By measure (`ALL`, and those of `APART`): low and high, the least and the largest difference, reader less people, in
        percentage points.
    """

    systems: int
    table: pd.DataFrame

    def worst(self, measure: str) -> float:
        """The largest difference without its sign."""
        return float(self.table.loc[measure].abs().max())


def beside_people(language: str) -> BesidePeople | None:
    """What the chapter `translated_gender_evidence` recorded of it; None in a language without released outputs that are read."""
    keys = ["system", "language", "side", "stereotype"]
    read, labelled = (
        recorded_results("translated_gender_evidence", f"GENDEROUS feminine share{by}")
        for by in (" by our reader", "")
    )
    if not len(read) or not len(labelled):
        return None
    both = read.merge(labelled, on=keys, suffixes=("", "_people"))
    names = {"all": ALL} | {f"{side} difference": name for side, name in APART.items()}
    both = both[(both["language"] == language) & both["side"].isin(names)]
    if not len(both):
        return None
    off = (100 * (both["value"] - both["value_people"])).groupby(both["side"].map(names))
    return BesidePeople(both["system"].nunique(), off.agg(low="min", high="max"))
