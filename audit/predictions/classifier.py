"""A classifier's rows: gaps between women and men by class, beside those of a fair classifier, over rows and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, stats

from audit.predictions.common import POWER_REACH, score_rows
from audit.predictions.gate import Gate, gate_of_counts, gate_of_scores
from audit.report import Sentences
from lib import wording
from lib.inference.sums import share_reaching
from lib.markdown import verbatim
from lib.text_classification.occupations.rates import gaps

Floats = NDArray[np.float64]

MEAN = "mean size of gaps"  # over classes, the number that decides
TPR, FPR, ACCURACY = "TPR gap", "FPR gap", "accuracy gap"
DRAWS_A_CLASS = 40  # so that one class alone could pass when p is adjusted
CELLS = 2**22  # numbers held at a time
MOST_CLASSES = 300
WANTED = 0.05  # a gap for which the rows needed are given


@dataclass(frozen=True, eq=False)
class ClassifierAudit:
    """What was found in one file.

    Attributes
    ----------
    name : str
    sides : (str, str)
        The first is counted less the second.
    gate : Gate
    seeds : tuple of str
    rates : DataFrame
        A row for each class (and group): n and TPR of both sides.
    rows : DataFrame
        As of `scores.csv`, without adjusted p.
    fair : dict of str to float
        Mean of a fair classifier, by "TPR gap" and "FPR gap".
    by_seed : DataFrame
        TPR gap of each class (rows) by seed.
    n : int
        Rows, each counted once.
    """

    name: str
    sides: tuple[str, str]
    gate: Gate
    seeds: tuple[str, ...]
    rates: pd.DataFrame
    rows: pd.DataFrame
    fair: dict[str, float]
    by_seed: pd.DataFrame
    n: int
    decides = TPR  # the family of tests: the mean size of these gaps, and those of classes

    def table(self) -> pd.DataFrame:
        """Rows of `scores.csv`."""
        return self.rows

    def shown(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Rows of the picture: the TPR gap of each class, in percentage points."""
        classes = rows[(rows["measure"] == TPR) & rows["value"].notna()].set_index("item")
        columns = {"value": "value", "low": "low", "high": "high"}
        columns |= {"null_low": "null low", "null_high": "null high"}
        table = 100 * classes[list(columns)].rename(columns=columns)
        return table.sort_values("value", ascending=False)

    def takes(self) -> pd.DataFrame:
        """A row for each class with rows of both sides: the gap that is seen with a power of .8, and rows a side that 0.05 takes."""
        there = self.rates[(self.rates[["first n", "second n"]] > 0).all(axis=1)]
        n = there[["first n", "second n"]].to_numpy(float)
        # a rate of 0 or 1 among few rows is not known to be that
        rate = (there["hits"] + 1) / (n.sum(axis=1) + 2)
        spread = (rate * (1 - rate)).to_numpy()
        seen = POWER_REACH * np.sqrt(spread * (1 / n).sum(axis=1))
        needed = np.ceil(2 * spread * (POWER_REACH / WANTED) ** 2)
        return pd.DataFrame(
            {"seen with power .8": np.minimum(seen, 1), f"rows a side for {WANTED}": needed},
            there.index,
        )

    def said(self, rows: pd.DataFrame) -> Sentences:
        """What came out, and what may and may not be said."""
        name, whole = verbatim(self.name), self.gate.table.loc["all"]
        first, second = map(verbatim, self.sides)
        gate = (
            f"*{name}* is right in {wording.share(whole['right'])} of {whole['n']:,.0f} rows, where answers in the same numbers given blindly "
            f"are right in {wording.share(whole['chance'])}."
        )
        if self.gate.what == "AUC":
            gate = f"*{name}* scores a row that is 1 above one that is 0 in {wording.share(whole['right'])} of cases, where chance gives 50 %."
        if not self.gate.passed:
            return Sentences(
                (f"**Nothing is compared**: {self.gate.why}. {gate}",),
                (),
                (f"Anything about gaps of *{name}*: {self.gate.why}.",),
            )
        mean = rows[(rows["measure"] == MEAN) & (rows["item"] == TPR)].iloc[0]
        classes = rows[(rows["measure"] == TPR) & rows["value"].notna()]
        own = classes[classes["beyond"]]
        own = own.sort_values("value", key=np.abs, ascending=False)
        named = ", ".join(
            f"{verbatim(row['item'])} ({wording.signed(row['value'])})"
            for _, row in own.head(4).iterrows()
        )
        seen = self.takes()["seen with power .8"]
        ends = wording.interval(mean["low"], mean["high"], 3)
        value = f"{wording.number(mean['value'], 3)} (95% interval {ends})"
        of_seeds = f", mean of {len(self.seeds)} seeds" if len(self.seeds) > 1 else ""
        fair = (
            f"{wording.number(self.fair[TPR], 3)}, and up to {wording.number(mean['null_high'], 3)}"
        )
        answers = (
            gate,
            f"True-positive rates of {first} and {second} rows differ by **{value}** on average over {len(classes)} classes{of_seeds}; a fair classifier shows {fair} (p {wording.p_equals(mean['p'])}).",
            f"**{len(own)} of {len(classes)} classes** have a gap of their own"
            + (
                f" ({first} less {second}): {named}{' …' if len(own) > 4 else ''}."
                if named
                else "."
            ),
            f"Eight of ten such files would show a gap of {wording.number(seen.min())} in the best filled class, and one of {wording.number(seen.median())} in the middle one.",
        )
        may, may_not = [], []
        if mean["adjusted_p"] <= 0.05:
            may.append(
                f"On these rows *{name}* finds {first} and {second} rows of a class unequally often: mean TPR gap {value}, where a fair classifier shows {fair}."
            )
        else:
            may.append(
                f"On these rows the mean TPR gap of *{name}* is {value}; a fair classifier shows {fair}."
            )
            may_not.append(
                f"That *{name}* treats {first} and {second} unequally as a whole, nor that it does not: a mean TPR gap of {value} is what a fair classifier could show, too."
            )
        if len(own):
            what = "one class has a gap" if len(own) == 1 else f"{len(own)} classes have gaps"
            may.append(
                f"That {what}, tested beside a fair classifier and adjusted for {len(classes)} classes: {named}{' …' if len(own) > 4 else ''}."
            )
        weak = (seen.drop(own["item"]) > 0.1).sum()
        if weak:
            may_not.append(
                f"That there is no gap in {weak} of {len(seen)} classes: theirs would have to be larger than 10 points to be seen."
            )
        if len(self.seeds) == 1:
            may_not.append(
                "That the classifier trained once more would show the same: give its answers in a column seed."
            )
        elif len(own):
            signs = np.sign(self.by_seed.loc[own["item"]])
            alike = int((signs.nunique(axis=1) == 1).sum())
            if alike == len(own):
                may.append(
                    f"That each of {len(self.seeds)} seeds shows them in the same direction."
                )
            else:
                may_not.append(
                    f"That each of {len(self.seeds)} seeds shows them in the same direction: {alike} of {len(own)} classes do."
                )
        lone = int((self.rates[["first n", "second n"]] == 0).any(axis=1).sum())
        if lone:
            may_not.append(
                f"Anything about {lone} classes in which only one of {first} and {second} occurs."
            )
        may_not.append(
            "That equal rates are fair, or that the labels are: a truth that is itself biased goes unseen here, and so does everybody who is neither."
        )
        return Sentences(answers, tuple(may), tuple(may_not))


@dataclass(frozen=True, eq=False)
class _Cells:
    """Rows that are alike, counted: of one group and truth, and with the same prediction by every seed.

    `stratum` and `number` (second side, first side) are by kind of row; `places` has a sparse matrix a seed, kinds by
    cells (group, truth, predicted).
    """

    stratum: NDArray[np.intp]
    number: NDArray[np.int64]
    places: list[sparse.csr_matrix]
    shape: tuple[int, int]  # groups, classes

    def counts(self, weights: Floats) -> Floats:
        """Counts (seeds, draws, groups, 2, k, k) of weights (draws, 2, kinds)."""
        groups, k = self.shape
        flat = weights.reshape(-1, weights.shape[-1])
        tables = [(place.T @ flat.T).T for place in self.places]
        stacked = np.stack(tables).reshape(len(tables), len(weights), 2, groups, k, k)
        return np.moveaxis(stacked, 2, 3)

    def blocks(self, draws: int) -> Iterator[int]:
        """Sizes of parts of the draws that fit into memory."""
        groups, k = self.shape
        one = 2 * max(len(self.stratum), len(self.places) * groups * k * k)
        size = max(1, CELLS // one)
        for start in range(0, draws, size):
            yield min(size, draws - start)

    def bootstrap(self, draws: int, generator: np.random.Generator) -> Floats:
        """Weights of rows drawn again within group, truth and side."""
        weights = np.zeros((draws, 2, len(self.stratum)))
        for members in self._strata():
            for side in (0, 1):
                own = self.number[members, side]
                if own.sum():
                    weights[:, side, members] = generator.multinomial(
                        own.sum(), own / own.sum(), size=draws
                    )
        return weights

    def fair(self, draws: int, generator: np.random.Generator) -> Floats:
        """Weights with the sides shuffled within group and truth."""
        weights = np.zeros((draws, 2, len(self.stratum)))
        for members in self._strata():
            both = self.number[members].sum(axis=1)
            weights[:, 1, members] = generator.multivariate_hypergeometric(
                both, self.number[members, 1].sum(), size=draws, method="marginals"
            )
            weights[:, 0, members] = both - weights[:, 1, members]
        return weights

    def _strata(self) -> Iterator[NDArray[np.intp]]:
        for code in range(self.stratum.max() + 1):
            members = np.flatnonzero(self.stratum == code)
            if len(members):
                yield members


def audit_classifier(
    table: pd.DataFrame,
    *,
    name: str = "predictions",
    sides: tuple[str, str] = ("female", "male"),
    draws: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> ClassifierAudit:
    """Measure the gaps of a classifier between women and men, class by class.

    Gaps are the first side less the second. Rows are drawn again within truth and gender, and what seeds differ by beyond that is added; a
    fair classifier is the same with genders shuffled within truth (and group).

    Parameters
    ----------
    table : DataFrame
        Columns truth, prediction, female (bool); optional group, seed, id, score. Several seeds have the same rows, by
        id, or else in the same order.
    name : str
        Of the classifier.
    sides : (str, str)
    draws : int
        At least; 40 for each class where that is more.
    rng : Generator or int, optional

    Returns
    -------
    ClassifierAudit

    Raises
    ------
    ValueError
        Where the rows of seeds differ, or there are too many classes.

    Examples
    --------
    >>> rows = pd.DataFrame({"truth": list("aabb") * 20, "prediction": list("aabb") * 20})
    >>> found = audit_classifier(rows.assign(female=[True, False] * 40), draws=200, rng=0)
    >>> found.gate.state, float(found.rows.query("measure == 'TPR gap'")["value"].abs().max())
    ('passed', 0.0)
    """
    seeds, rows, said = _by_seed(table)
    classes = sorted({*rows["truth"], *said.ravel()}, key=_in_order)
    group = rows["group"] if "group" in rows else pd.Series("", rows.index)
    groups = sorted({*group}, key=_in_order)
    k = len(classes)
    if k * len(groups) > MOST_CLASSES:
        raise ValueError(
            f"{name}: expected up to {MOST_CLASSES} classes in all groups, got {k:,} different truths and predictions"
            + (f" in {len(groups):,} groups" if len(groups) > 1 else "")
        )
    draws = max(draws, DRAWS_A_CLASS * k * len(groups))
    cells = _cells(rows, said, classes, group, groups)
    generator = np.random.default_rng(rng)
    value = _statistics(cells.counts(cells.number.T[None].astype(float)))[:, 0]  # seeds, statistics
    drawn, null, of_gate, squares = [], [], [], []
    for size in cells.blocks(draws):
        counts = cells.counts(cells.bootstrap(size, generator))
        of_seeds = _statistics(counts)
        drawn.append(of_seeds.mean(axis=0))
        apart = (of_seeds - drawn[-1]) - (value - value.mean(axis=0))[:, None]
        squares.append((apart**2).mean(axis=0))
        of_gate.append(counts.sum(axis=(0, 2)))
        fair = cells.counts(cells.fair(size, generator))
        null.append(_statistics(fair).mean(axis=0))
    over_rows = np.concatenate(drawn)
    spread = np.concatenate(squares).mean(axis=0)
    over_all = _with_seeds(value, over_rows, spread, generator)
    whole = cells.counts(cells.number.T[None].astype(float))[:, 0]
    rates = _rates(whole.sum(axis=0) / len(seeds), classes, groups)
    gate = gate_of_counts(whole.sum(axis=(0, 1)) / len(seeds), np.concatenate(of_gate), sides)
    gate.table["n"] = [len(rows), rows["female"].sum(), (~rows["female"]).sum()]
    if "score" in table:
        truth = table["truth"].to_numpy() == "1"
        gate = gate_of_scores(table["score"], truth, table["female"], sides, rng=generator)
    found, fair_means = _rows(value.mean(axis=0), over_all, np.concatenate(null), rates, len(seeds))
    by_seed = pd.DataFrame(value[:, 3 : 3 + k * len(groups)].T, rates.index, list(seeds))
    return ClassifierAudit(name, sides, gate, seeds, rates, found, fair_means, by_seed, len(rows))


def _in_order(label: str) -> tuple[float, str]:
    """Numbers by size, then texts."""
    try:
        return float(label), label
    except ValueError:
        return float("inf"), label


def _by_seed(table: pd.DataFrame) -> tuple[tuple[str, ...], pd.DataFrame, NDArray[np.object_]]:
    """Seeds, the rows that all of them have, and what each predicts for them (rows, seeds)."""
    if "seed" not in table:
        return ("",), table, table[["prediction"]].to_numpy(object)
    seeds = tuple(dict.fromkeys(table["seed"]))
    parts = [table[table["seed"] == seed] for seed in seeds]
    if "id" in table:
        parts = [part.set_index("id", drop=False) for part in parts]
        parts = [part.reindex(parts[0].index) for part in parts]
    same = ["truth", "female", *(["group"] if "group" in table else [])]
    sizes = {seed: int((table["seed"] == seed).sum()) for seed in seeds}
    alike = len({*sizes.values()}) == 1 and all(
        (part[same].to_numpy(object) == parts[0][same].to_numpy(object)).all() for part in parts
    )
    if not alike:
        raise ValueError(
            f"seed: expected the same rows, truth and gender for each of {len(seeds)} seeds, by a column id or in the same order; "
            f"got {', '.join(f'{n:,}' for n in sizes.values())} rows"[:300]
        )
    said = np.column_stack([part["prediction"].to_numpy(object) for part in parts])
    return seeds, parts[0].reset_index(drop=True), said


def _cells(
    rows: pd.DataFrame,
    said: NDArray[np.object_],
    classes: Sequence[str],
    group: pd.Series,
    groups: Sequence[str],
) -> _Cells:
    k = len(classes)
    place = pd.Index(classes)
    stratum = pd.Index(groups).get_indexer(group) * k + place.get_indexer(rows["truth"])
    codes = np.column_stack([stratum, *(place.get_indexer(column) for column in said.T)])
    kinds, kind = np.unique(codes, axis=0, return_inverse=True)
    number = np.zeros((len(kinds), 2), np.int64)
    np.add.at(number, (kind.ravel(), rows["female"].to_numpy(int)), 1)
    places = [
        sparse.csr_matrix(
            (np.ones(len(kinds)), (np.arange(len(kinds)), kinds[:, 0] * k + column)),
            shape=(len(kinds), len(groups) * k * k),
        )
        for column in kinds[:, 1:].T
    ]
    return _Cells(kinds[:, 0], number, places, (len(groups), k))


def _statistics(counts: Floats) -> Floats:
    """Of counts (..., groups, 2, k, k): accuracy gap, mean sizes of TPR and FPR gaps, then TPR and FPR gaps, (..., 3 + 2 groups k)."""
    whole = counts.sum(axis=-4)
    with np.errstate(invalid="ignore", divide="ignore"):
        right = np.trace(whole, axis1=-2, axis2=-1) / whole.sum(axis=(-2, -1))
    apart = gaps(np.rint(counts).astype(np.int64))  # (..., groups, rate, k)
    apart = np.moveaxis(apart, -2, 0) * np.array([1.0, -1.0]).reshape(2, *[1] * (apart.ndim - 1))
    flat = apart.reshape(2, *apart.shape[1:-2], -1)
    there = ~np.isnan(flat)
    with np.errstate(invalid="ignore", divide="ignore"):
        sizes = np.where(there, np.abs(flat), 0).sum(axis=-1) / there.sum(axis=-1)
    columns = [right[..., 1] - right[..., 0], *sizes]
    return np.concatenate([np.stack(columns, axis=-1), *flat], axis=-1)


def _with_seeds(
    value: Floats, drawn: Floats, spread: Floats, generator: np.random.Generator
) -> Floats:
    """Bootstrap draws over rows (draws, statistics) with the noise that other seeds would add.

    `value` is by seed (seeds, statistics); `spread` is the variance over draws of how far one seed is from the mean of
    all. What seeds differ by beyond that is theirs; it is drawn from Student's t, as seeds are few.
    """
    seeds = len(value)
    if seeds == 1:
        return drawn
    own = np.maximum(value.var(axis=0, ddof=1) - spread * seeds / (seeds - 1), 0)
    noise = generator.standard_t(seeds - 1, size=(len(drawn), 1))
    return drawn + noise * np.sqrt(own / seeds)


def _rates(counts: Floats, classes: Sequence[str], groups: Sequence[str]) -> pd.DataFrame:
    """Rows and TPR of both sides by class and group, from counts (groups, 2, k, k)."""
    items = [
        f"{group}: {label}" if len(groups) > 1 else label for group in groups for label in classes
    ]
    n = counts.sum(axis=-1)
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = hits / n
    columns = {
        "first n": n[:, 1].ravel(),
        "second n": n[:, 0].ravel(),
        "first TPR": rate[:, 1].ravel(),
        "second TPR": rate[:, 0].ravel(),
        "hits": hits.sum(axis=1).ravel(),
    }
    return pd.DataFrame(columns, items)


def _rows(
    value: Floats, drawn: Floats, null: Floats, rates: pd.DataFrame, seeds: int
) -> tuple[pd.DataFrame, dict[str, float]]:
    """Rows of `scores.csv`, and the means of a fair classifier."""
    middle = null.mean(axis=0)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    null_low, null_high = np.quantile(null, [0.025, 0.975], axis=0)
    # a mean of sizes grows with noise: its interval is turned round, and its null is one-sided
    sizes = slice(1, 3)
    turned = 2 * value[sizes] - high[sizes], 2 * value[sizes] - low[sizes]
    low[sizes], high[sizes] = np.maximum(turned[0], 0), np.minimum(turned[1], 1)
    far, of_null = np.abs(value - middle), np.abs(null - middle)
    p = share_reaching(far, of_null)
    p[sizes] = share_reaching(value[sizes], null[:, sizes])
    smallest = np.where(np.ptp(null, axis=0) > 0, 1 / (1 + len(null)), 1.0)
    many = len(rates)
    if seeds == 1:
        smallest[3 : 3 + many] = np.maximum(smallest[3 : 3 + many], _smallest_p(rates))
    both = (rates["first n"] + rates["second n"]).to_numpy()
    items = ["all", TPR, FPR, *rates.index, *rates.index]
    measures = [ACCURACY, MEAN, MEAN, *[TPR] * many, *[FPR] * many]
    rows = []
    for i, (item, measure) in enumerate(zip(items, measures)):
        n = both.sum() if i < 3 else both[(i - 3) % many]
        row = {"item": item, "measure": measure, "value": value[i], "n": int(n)}
        if not np.isnan(value[i]):
            row |= {
                "low": low[i],
                "high": high[i],
                "null_low": null_low[i],
                "null_high": null_high[i],
            }
            row |= {"p": p[i], "smallest_p": smallest[i]}
            # noise makes a mean of sizes larger in every draw, so that p alone decides there
            row |= {"family": item if measure == MEAN else measure}
            row |= {} if measure == MEAN else {"fair": middle[i]}
        rows.append(row)
    fair = {TPR: float(middle[1]), FPR: float(middle[2])}
    return score_rows(rows), fair


def _smallest_p(rates: pd.DataFrame) -> Floats:
    """How often shuffled genders give the largest gap that a class with as many rows and right answers could have."""
    found = []
    for first, second, hits in rates[["first n", "second n", "hits"]].to_numpy(int):
        if not first or not second:
            found.append(1.0)
            continue
        of_first = np.arange(max(0, hits - second), min(hits, first) + 1)
        apart = np.abs(of_first / first - (hits - of_first) / second)
        share = stats.hypergeom.pmf(of_first, first + second, hits, first)
        found.append(share[apart >= apart.max() - 1e-12].sum())
    return np.minimum(found, 1.0)
