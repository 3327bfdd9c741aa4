"""Pronoun predictions beside GAP: scores on feminine and masculine pronouns, their ratio, and what shuffled genders give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.predictions.common import POWER_REACH, score_rows
from audit.predictions.gate import Gate, gate_of_counts
from audit.report import Sentences
from lib import wording
from lib.coreference.checks import checked_female, checked_rows
from lib.coreference.intervals import gender_draws, intervals_of_draws
from lib.coreference.scores import SCORES
from lib.coreference.terms import by_group, row_terms, sides_from
from lib.inference.sums import resampled_sums, share_reaching, shuffled_sums
from lib.markdown import verbatim

Floats = NDArray[np.float64]

RATIO = "ratio, feminine by masculine"
DECIDES = "F1"  # of the scores, chosen before anything is seen
WANTED = 0.97  # a ratio as printed for good systems, for which the power is given


@dataclass(frozen=True, eq=False)
class PronounsAudit:
    """What was found in one file.

    Attributes
    ----------
    name : str
    gate : Gate
    n : dict of str to int
        Passages: feminine, masculine; pages.
    scores : DataFrame
        By measure and side: value, low, high, over pages.
    null : dict of str to ndarray of shape (draws,)
        Ratios with genders shuffled over pages.
    error : dict of str to float
        Standard error of the logarithm of the ratio, over pages.
    """

    name: str
    gate: Gate
    n: dict[str, int]
    scores: pd.DataFrame
    null: dict[str, Floats]
    error: dict[str, float]
    decides = RATIO  # the family of tests

    def table(self) -> pd.DataFrame:
        """Rows of `scores.csv`: each score by side, and the ratio beside its null."""
        rows = []
        passages = self.n["feminine"] + self.n["masculine"]
        for (measure, side), row in self.scores.iterrows():
            about = {"item": measure, **row.to_dict()}
            if side != "ratio":
                n = self.n.get(side, passages)
                rows.append(about | {"measure": f"score, {side}", "n": n})
                continue
            draws = np.log(self.null[measure])
            low, high = np.exp(np.nanquantile(draws, [0.025, 0.975]))
            rows.append(
                about
                | {"measure": RATIO, "fair": 1.0, "null_low": low, "null_high": high, "n": passages}
                | {"p": float(share_reaching(np.log(row["value"]), draws))}
                | {"smallest_p": 1 / (1 + len(draws))}
            )
        return score_rows(rows)

    def shown(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Rows of the picture: feminine less masculine, in per cent of masculine."""
        ratios = rows[rows["measure"] == RATIO].set_index("item")
        columns = {"value": "value", "low": "low", "high": "high"}
        columns |= {"null_low": "null low", "null_high": "null high"}
        return (100 * (ratios[list(columns)] - 1)).rename(columns=columns)

    def takes(self) -> pd.DataFrame:
        """A row for each score: the ratio that is seen with a power of .8, the power for .97, and passages that .97 takes."""
        table = {}
        passages = self.n["feminine"] + self.n["masculine"]
        for measure, error in self.error.items():
            apart = abs(np.log(WANTED)) / error
            power = stats.norm.sf(stats.norm.isf(0.025) - apart)
            table[measure] = {
                "seen with power .8": np.exp(-POWER_REACH * error),
                f"power for {WANTED}": power,
                f"passages for {WANTED}": int(np.ceil(passages * (POWER_REACH / apart) ** 2)),
            }
        return pd.DataFrame.from_dict(table, orient="index")

    def said(self, rows: pd.DataFrame) -> Sentences:
        """What came out, and what may and may not be said."""
        name = verbatim(self.name)
        whole = self.gate.table.loc["all"]
        gate = (
            f"*{name}* is right in {wording.share(whole['right'])} of {whole['n']:,.0f} passages, where answers in the same numbers "
            f"given blindly are right in {wording.share(whole['chance'])}."
        )
        if not self.gate.passed:
            return Sentences(
                (f"**Nothing is compared**: {self.gate.why}. {gate}",),
                (),
                (f"Anything about gender in *{name}*: {self.gate.why}.",),
            )
        row = rows[(rows["measure"] == RATIO) & (rows["item"] == DECIDES)].iloc[0]
        seen = self.takes().loc[DECIDES]
        feminine, masculine = (
            wording.number(self.scores.loc[(DECIDES, side), "value"], 3)
            for side in ("feminine", "masculine")
        )
        ratio = f"{wording.number(row['value'], 3)} (95% interval {wording.interval(row['low'], row['high'], 3)})"
        power = f"A true ratio of {wording.number(seen['seen with power .8'], 3)} or further from 1 is seen in eight of ten such sets of passages"
        answers = (
            gate,
            f"F1 is {feminine} on feminine and {masculine} on masculine pronouns: a **ratio of {ratio}** over {self.n['pages']:,} pages.",
            f"With genders shuffled it lies from {wording.interval(row['null_low'], row['null_high'], 3)} (p {wording.p_equals(row['p'])}).",
            f"{power}; {WANTED} is seen in {wording.share(seen[f'power for {WANTED}'])}.",
        )
        may, may_not = [], []
        side = "worse" if row["value"] < 1 else "better"
        if row["beyond"]:
            may.append(
                f"On these passages *{name}* is {side} on feminine pronouns: F1 ratio {ratio}, adjusted p {wording.p_equals(row['adjusted_p'])}."
            )
        else:
            may.append(
                f"On these passages the F1 ratio of *{name}* is {ratio}: every ratio in that interval fits what was seen."
            )
            may_not.append(
                f"That *{name}* is worse or better on feminine pronouns, nor that it is equal on both: adjusted p {wording.p_equals(row['adjusted_p'])}."
            )
        others = rows[(rows["measure"] == RATIO) & (rows["item"] != DECIDES)]
        disagree = [o["item"] for _, o in others.iterrows() if o["beyond"] != row["beyond"]]
        if disagree:
            may_not.append(
                f"The same by {' and '.join(disagree)}: there the answer is another one. F1 was chosen to decide beforehand."
            )
        may_not += _SYSTEM
        return Sentences(answers, tuple(may), tuple(may_not))


_SYSTEM = (
    "That another training of the system, or other labels, would show the same: one file is one training, and labels have errors.",
    "Anything about passages with other pronouns, or about people who are neither she nor he.",
)


def audit_pronouns(
    probabilities: ArrayLike,
    answers: ArrayLike,
    female: ArrayLike,
    *,
    name: str = "predictions",
    pages: ArrayLike | None = None,
    hard: bool = False,
    draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> PronounsAudit:
    """Score predictions on feminine and masculine pronouns.

    Parameters
    ----------
    probabilities : array_like of shape (n, 3)
        Of A, B and NEITHER.
    answers : array_like of int, shape (n,)
        0, 1 or 2.
    female : array_like of bool, shape (n,)
        Whether the pronoun is feminine.
    name : str
        Of the system.
    pages : array_like of shape (n,), optional
        Page of each passage; passages of a page are drawn and shuffled together.
    hard : bool
        Whether these are answers only: then there is no log loss.
    draws : int
        Of the bootstrap and of shuffled genders.
    rng : Generator or int, optional
        With a seed, intervals are those of `lib.coreference.intervals.gender_intervals` with the same.

    Returns
    -------
    PronounsAudit

    Raises
    ------
    ValueError
        For arrays that do not fit, or one gender only.

    Examples
    --------
    >>> rows = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7]] * 25
    >>> found = audit_pronouns(rows, [0, 1, 1, 2] * 25, [True, False, False, True] * 25, draws=200, rng=0)
    >>> found.gate.state, found.n["feminine"]
    ('passed', 50)
    """
    rows, right = checked_rows(probabilities, answers)
    group = checked_female(female, len(right))
    drawn = gender_draws(rows, right, group, pages=pages, n_resamples=draws, rng=rng)
    scores = intervals_of_draws(rows, right, group, drawn)
    generator = np.random.default_rng(rng)
    terms = row_terms(rows, right)
    feminine = shuffled_sums(terms, group, clusters=pages, n_resamples=draws, rng=generator)
    null = sides_from(terms.sum(axis=0) - feminine, feminine)[..., -1]
    cells = np.eye(9)[3 * right + rows.argmax(axis=1)]
    by_side = by_group(cells, group)
    counts = resampled_sums(by_side, clusters=pages, strata=group, n_resamples=draws, rng=generator)
    gate = gate_of_counts(
        by_side.sum(axis=0).reshape(2, 3, 3),
        counts.reshape(draws, 2, 3, 3),
        ("feminine", "masculine"),
    )
    kept = [measure for measure in SCORES if not (hard and measure == "log loss")]
    kept.sort(key=lambda measure: measure != DECIDES)
    place = {measure: SCORES.index(measure) for measure in kept}
    with np.errstate(divide="ignore", invalid="ignore"):
        error = {m: float(np.nanstd(np.log(drawn[:, i, -1]))) for m, i in place.items()}
    many = len(right) if pages is None else len(np.unique(np.asarray(pages)))
    return PronounsAudit(
        name,
        gate,
        {"feminine": int(group.sum()), "masculine": int((~group).sum()), "pages": many},
        pd.concat([scores.loc[[measure]] for measure in kept]),
        {measure: null[:, i] for measure, i in place.items()},
        error,
    )
