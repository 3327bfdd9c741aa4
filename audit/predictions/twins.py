"""Twin sentences: differences within pairs, with the pair as the unit, by mean and by ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.predictions.common import POWER_REACH, digits, score_rows
from audit.predictions.gate import FAILED, UNTESTED, Gate, gate_of_scores
from audit.report import Sentences
from lib import wording
from lib.inference.sums import share_reaching, swapped_sums
from lib.markdown import verbatim

Floats = NDArray[np.float64]

APART = "difference within pairs"
MEAN, RANKS = "mean", "signed ranks"  # both decide, adjusted for one another
FEWEST_PAIRS = 6  # with fewer no two-sided p by signs is below .05
EXACT_PAIRS = 20  # up to which all signs are counted
MOST_AVERAGES = 2**22  # of two differences, for the interval by ranks


@dataclass(frozen=True, eq=False)
class TwinsAudit:
    """What was found in one file.

    Attributes
    ----------
    name : str
    sides : (str, str)
        A difference is the first less the second.
    gate : Gate
    pairs : Series
        Difference of each pair, the mean of its items.
    items : int
        Twins in all.
    spread : float
        Standard deviation of the scores of pairs, for scale.
    rows : DataFrame
        As of `scores.csv`, without adjusted p.
    """

    name: str
    sides: tuple[str, str]
    gate: Gate
    pairs: pd.Series
    items: int
    spread: float
    rows: pd.DataFrame
    decides = APART  # the family of tests

    def table(self) -> pd.DataFrame:
        """Rows of `scores.csv`."""
        return self.rows

    @property
    def digits(self) -> int:
        """Decimals that show differences as small as these."""
        mean = self.rows.iloc[0]
        return digits(mean["value"], mean["high"] - mean["low"], self.spread / 10)

    def by_pair(self) -> pd.DataFrame:
        """A row for each pair: item, measure, question, value."""
        table = self.pairs.rename("value").rename_axis("question").reset_index()
        return table.assign(item=MEAN, measure=APART)

    def shown(self, rows: pd.DataFrame, most: int = 16) -> pd.DataFrame:
        """Rows of the picture: the mean with its interval, and the pairs at both ends."""
        ordered = self.pairs.sort_values(ascending=False)
        ends = ordered
        if len(ordered) > most:
            ends = pd.concat([ordered.head(most // 2), ordered.tail(most // 2)])
        mean = rows[rows["item"] == MEAN].iloc[0]
        head = {"value": mean["value"], "low": mean["low"], "high": mean["high"]}
        head |= {"null low": mean["null_low"], "null high": mean["null_high"]}
        of_pairs = [{"value": value, "low": value, "high": value} for value in ends]
        index = [f"mean of {len(ordered)} pairs", *ends.index]
        return pd.DataFrame([head, *of_pairs], index)

    def takes(self) -> pd.DataFrame:
        """One row: pairs, the mean difference that is seen with a power of .8, and the pairs that one as measured takes."""
        n, deviation, mean = len(self.pairs), float(self.pairs.std(ddof=1)), abs(self.pairs.mean())
        reach = stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1) if n > 1 else math.nan
        needed = math.nan
        if mean > 0 and deviation > 0:
            needed = max(FEWEST_PAIRS, math.ceil((POWER_REACH * deviation / mean) ** 2))
        return pd.DataFrame(
            {
                "pairs": [n],
                "seen with power .8": [reach * deviation / math.sqrt(n)],
                "pairs for the mean as measured": [needed],
                "smallest p": [self.rows["smallest_p"].max()],
            },
            [self.name],
        )

    def said(self, rows: pd.DataFrame) -> Sentences:
        """What came out, and what may and may not be said."""
        name, (first, second) = verbatim(self.name), map(verbatim, self.sides)
        gate = f"Whether *{name}* measures anything is not in the file: {self.gate.why}."
        if self.gate.state != UNTESTED and len(self.gate.table):
            whole = self.gate.table.loc["all"]
            gate = f"*{name}* scores a row that is 1 above one that is 0 in {wording.share(whole['right'])} of cases, where chance gives 50 %."
        if not self.gate.passed:
            more = f" {gate}" if len(self.gate.table) else ""
            return Sentences(
                (f"**Nothing is compared**: {self.gate.why}.{more}",),
                (),
                (f"Anything about differences of *{name}*: {self.gate.why}.",),
            )
        tested = rows[rows["measure"] == APART].set_index("item")
        mean, ranks = tested.loc[MEAN], tested.loc[RANKS]
        many = self.digits
        value = wording.signed(mean["value"], many)
        ends = wording.interval(mean["low"], mean["high"], many, sign=True)
        above, below = int((self.pairs > 0).sum()), int((self.pairs < 0).sum())
        seen = self.takes().iloc[0]
        answers = [
            gate,
            f"Over {len(self.pairs)} pairs {first} less {second} is **{value}** (95% interval {ends}; p {wording.p_equals(mean['p'])}), in a spread of {wording.number(self.spread, many)} between pairs.",
            f"By signed ranks p {wording.p_equals(ranks['p'])}: {above} {'pair lies' if above == 1 else 'pairs lie'} above 0, {below} below, {len(self.pairs) - above - below} at 0.",
        ]
        if len(self.pairs) < FEWEST_PAIRS:
            answers.append(
                f"{len(self.pairs)} pairs cannot show a difference at 5 %: the smallest p that they could give is {wording.p_text(mean['smallest_p'])}, and it takes {FEWEST_PAIRS}."
            )
        else:
            answers.append(
                f"Eight of ten such sets of pairs would show a mean difference of {wording.number(seen['seen with power .8'], many)}."
            )
        by = {MEAN: "by the mean", RANKS: "by ranks"}
        shown = [item for item in by if tested.loc[item, "adjusted_p"] <= 0.05]
        both = ", ".join(
            f"adjusted p {wording.p_equals(tested.loc[item, 'adjusted_p'])} {said}"
            for item, said in by.items()
        )
        may, may_not = [], []
        if shown:
            of = mean["value"] if MEAN in shown else ranks["value"]
            which = "higher" if of > 0 else "lower"
            may.append(
                f"On these pairs *{name}* scores {first} {which} than {second}{'' if len(shown) == 2 else ', ' + by[shown[0]] + ' alone'}: {both}."
            )
        else:
            few = len(self.pairs) < FEWEST_PAIRS
            if not few:  # else the interval rests on a normal distribution alone
                may.append(
                    f"On these pairs {first} less {second} is {value} (95% interval {ends}): every difference in that interval fits what was seen."
                )
            may_not.append(
                f"That *{name}* scores {first} and {second} differently, nor that it does not: {both}."
                + (
                    f" {len(self.pairs)} pairs could not have shown it: {wording.p_text(mean['smallest_p'])} is the smallest p that they could give."
                    if few
                    else ""
                )
                + (
                    f" A mean as measured takes some {seen['pairs for the mean as measured']:,.0f} pairs."
                    if np.isfinite(seen["pairs for the mean as measured"])
                    else ""
                )
            )
        if len(shown) == 1:
            far = self.pairs.sort_values(key=np.abs, ascending=False).head(2)
            named = " and ".join(
                f"{verbatim(pair)} ({wording.signed(apart, many)})" for pair, apart in far.items()
            )
            may_not.append(
                f"{'A general shift' if shown == [MEAN] else 'A size'}: mean and ranks disagree, and a few pairs decide, such as {named}."
            )
        if self.gate.state == UNTESTED:
            may_not.append(
                "That this is a bias of something useful: nothing here shows that the scores measure what they are meant to."
            )
        of_items = f"these {len(self.pairs)} pairs are the sample"
        if self.items > len(self.pairs):
            of_items += f", not {self.items:,} twins"
        may_not += [
            f"That other pairs would show the same beyond the interval: {of_items}.",
            f"That {first} and {second} are all that differs: the words of a pair may differ in more, such as age or how common they are.",
        ]
        return Sentences(tuple(answers), tuple(may), tuple(may_not))


def audit_twins(
    table: pd.DataFrame,
    *,
    name: str = "predictions",
    sides: tuple[str, str] = ("female", "male"),
    draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> TwinsAudit:
    """Compare twins that differ in one thing.

    Parameters
    ----------
    table : DataFrame
        Columns pair, item, female (bool) and score, each pair and item once a side; optional truth, 0 or 1. A pair with
        several items counts once, with their mean.
    name : str
        Of what gave the scores.
    sides : (str, str)
        What `female` is true of, and the other.
    draws : int
        Of signs, where pairs are too many to count all.
    rng : Generator or int, optional

    Returns
    -------
    TwinsAudit

    References
    ----------
    Fisher (1935), section 21, for signs of differences; Wilcoxon (1945) for their ranks; Hodges and Lehmann (1963) for
    the estimate by ranks.

    Examples
    --------
    >>> scores = [0.3, 0.1, 0.5, 0.2, 0.6, 0.5, 0.4, 0.2, 0.8, 0.4, 0.7, 0.1]
    >>> rows = pd.DataFrame({"pair": np.repeat(list("abcdef"), 2), "item": "", "score": scores})
    >>> found = audit_twins(rows.assign(female=[True, False] * 6), rng=0)
    >>> found.rows["p"][:2].round(3).tolist(), found.gate.state
    ([0.031, 0.031], 'untested')
    """
    generator = np.random.default_rng(rng)
    cells = table.pivot(index=["pair", "item"], columns="female", values="score")
    pairs = (cells[True] - cells[False]).groupby(level="pair", sort=False).mean()
    level = cells.mean(axis=1).groupby(level="pair", sort=False).mean()
    apart = pairs.to_numpy(float)
    apart = np.where(np.abs(apart) <= 1e-12 * table["score"].abs().max(), 0.0, apart)
    if "truth" in table:
        gate = gate_of_scores(
            *(table[name] for name in ("score", "truth", "female")),
            sides,
            clusters=table["pair"],
            rng=generator,
        )
    elif table["score"].nunique() < 2:
        gate = Gate(FAILED, pd.DataFrame(), "all rows have one score, so that nothing could differ")
    else:
        gate = Gate(UNTESTED, pd.DataFrame(), "it takes a column truth of 0 and 1")
    spread = float(level.std(ddof=1)) if len(level) > 1 else math.nan
    return TwinsAudit(
        name,
        sides,
        gate,
        pd.Series(apart, pairs.index),
        len(cells),
        spread,
        _rows(apart, draws, generator),
    )


def sign_flips(
    values: ArrayLike, draws: int, generator: np.random.Generator
) -> tuple[Floats, bool]:
    """Sums of values (n, k) with signs that are as likely + as −, (draws, k), and whether these are all there are.

    The k columns share their signs; rows that are 0 throughout do not count.

    Examples
    --------
    >>> sums, exact = sign_flips([[1.0], [2.0]], 100, np.random.default_rng(0))
    >>> sorted(sums[:, 0].tolist()), exact
    ([-3.0, -1.0, 1.0, 3.0], True)
    """
    array = np.asarray(values, float)
    array = array[(array != 0).any(axis=1)]
    if len(array) > EXACT_PAIRS:
        first, second = swapped_sums(array, np.zeros_like(array), n_resamples=draws, rng=generator)
        return first - second, False
    sums = np.zeros((1, array.shape[1]))
    for row in array:
        sums = np.concatenate([sums + row, sums - row])
    return sums, True


def _rows(apart: Floats, draws: int, generator: np.random.Generator) -> pd.DataFrame:
    n = len(apart)
    ranks = np.zeros(n)
    moved = apart != 0
    ranks[moved] = stats.rankdata(np.abs(apart[moved])) * np.sign(apart[moved])
    all_ranks = max(1.0, float(np.abs(ranks).sum()))  # the rank statistic is a share, from −1 to 1
    scaled = np.column_stack([apart / n, ranks / all_ranks])
    null, exact = sign_flips(scaled, draws, generator)
    value = scaled.sum(axis=0)
    if exact:
        reached = np.abs(null) >= np.abs(value) * (1 - 1e-9)
        p, smallest = reached.mean(axis=0), min(1.0, 2 / len(null))
    else:
        p, smallest = share_reaching(value, null), 1 / (1 + draws)
    null_low, null_high = np.quantile(null, [0.025, 0.975], axis=0)
    low = high = math.nan
    if n > 2:
        half = stats.t.ppf(0.975, n - 1) * apart.std(ddof=1) / math.sqrt(n)
        low, high = value[0] - half, value[0] + half
    middle, middle_low, middle_high = _hodges_lehmann(apart, generator)
    signs = int((apart > 0).sum()), int(moved.sum())
    share = stats.binomtest(*signs) if signs[1] else None
    ends = share.proportion_ci(method="wilson") if share else (math.nan, math.nan)
    about = {"measure": APART, "n": n}
    tested = [
        about
        | {
            "item": item,
            "value": value[i],
            "fair": 0.0,
            "null_low": null_low[i],
            "null_high": null_high[i],
        }
        | {"p": float(p[i]), "smallest_p": smallest}
        for i, item in enumerate((MEAN, RANKS))
    ]
    tested[0] |= {"low": low, "high": high}
    return score_rows(
        [
            *tested,
            about
            | {"item": "pseudomedian", "value": middle, "low": middle_low, "high": middle_high},
            {"item": "pairs", "measure": "share above 0 of those not at 0", "n": signs[1]}
            | {
                "value": signs[0] / signs[1] if signs[1] else math.nan,
                "low": ends[0],
                "high": ends[1],
            }
            | {
                "p": share.pvalue if share else math.nan,
                "smallest_p": min(1.0, 2.0 ** (1 - signs[1])),
            },
        ]
    )


def _hodges_lehmann(apart: Floats, generator: np.random.Generator) -> tuple[float, float, float]:
    """The median of all means of two differences, and where the signed-rank test would no longer reject (normal approximation)."""
    n = len(apart)
    if n * (n + 1) // 2 <= MOST_AVERAGES:
        i, j = np.triu_indices(n)
    else:
        i, j = generator.integers(n, size=(2, MOST_AVERAGES))
    means = np.sort((apart[i] + apart[j]) / 2)
    if n < FEWEST_PAIRS:
        return float(np.median(means)), math.nan, math.nan
    whole = n * (n + 1) / 2
    half = stats.norm.isf(0.025) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    share = max(0.0, (whole / 2 - half) / whole)
    cut = min(int(share * len(means)), (len(means) - 1) // 2)
    return float(np.median(means)), float(means[cut]), float(means[len(means) - 1 - cut])
