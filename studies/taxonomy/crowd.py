"""What the released labels of the crowd say: by book, how far the workers agreed, and against an expert."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import product

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from lib.inference.sums import resampled_sums

FULL, SPLIT, ALL_DIFFERENT = "3 of 3", "2 of 3", "1 of 3"
SCORES = ("accuracy", "F1", "kappa")


def letters(sentence: str) -> str:
    """The letters of a sentence alone, in small ones: what is left the same by lost footnote numbers and spaces."""
    return "".join(filter(str.isalpha, sentence.lower()))


def with_books(crowd: pd.DataFrame, candidates: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The labelled sentences without the test questions, each with its book: that of the candidate with the same letters.

    Or with nearly the same: three sentences were cut or mangled on their way to the crowd. "" where no book has one.
    """
    book_of = {
        letters(sentence): book for book, listed in candidates.items() for sentence in listed
    }
    rows = crowd[~crowd["test_question"]]
    keys = rows["sentence"].map(letters)
    books = keys.map(book_of)
    for row in keys.index[books.isna() & (keys != "")]:
        close = get_close_matches(keys[row], book_of, n=1, cutoff=0.6)
        books[row] = book_of[close[0]] if close else None
    return rows.assign(book=books.fillna(""))


def offset_check(
    crowd: pd.DataFrame, confident: pd.DataFrame, offsets: Sequence[int]
) -> pd.DataFrame:
    """Which sentences the labels of the second batch belong to: the list of confident labels as a test.

    Each sentence is moved down by an offset; 0 is the realigned reading. By offset: labels that all three workers gave and that
    have a sentence then) as n, and the share of them whose sentence is in the list as value.
    """
    rows = crowd[(crowd["batch"] == 2) & ~crowd["test_question"]]
    listed = set(confident["sentence"].map(letters))
    inside = rows["sentence"].map(letters).isin(listed)
    agreed = rows["confidence"] == 1
    found = {}
    for offset in offsets:
        moved = inside.shift(offset).dropna()
        at = moved[agreed[moved.index]]
        found[offset] = {"n": len(at), "value": float(at.astype(bool).mean())}
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("offset")


def labels_at(crowd: pd.DataFrame, confident: pd.DataFrame, offsets: Sequence[int]) -> pd.DataFrame:
    """As `offset_check`, of the sentences that are in the list then (n): the share whose label is the list's own (value)."""
    rows = crowd[(crowd["batch"] == 2) & ~crowd["test_question"]]
    of_list = dict(zip(confident["sentence"].map(letters), confident["generalisation"]))
    listed = rows["sentence"].map(letters).map(of_list)
    yes, agreed = rows["label"] == "generalisation", rows["confidence"] == 1
    found = {}
    for offset in offsets:
        at = listed.shift(offset)[agreed].dropna()
        alike = at.astype(bool) == yes[at.index]
        found[offset] = {"n": len(at), "value": float(alike.mean()) if len(at) else np.nan}
    return pd.DataFrame.from_dict(found, orient="index").rename_axis("offset")


def true_shares(rows: pd.DataFrame, candidates: Mapping[str, int]) -> pd.DataFrame:
    """labelled, true, candidates, of_labelled and of_candidates by book: the share of generalisations over both."""
    table = pd.DataFrame(index=pd.Index(candidates, name="book"))
    groups = rows["label"].eq("generalisation").groupby(rows["book"])
    table["labelled"], table["true"] = groups.size(), groups.sum()
    table = table.fillna(0).astype(int).assign(candidates=pd.Series(candidates))
    table["of_labelled"] = table["true"] / table["labelled"]
    table["of_candidates"] = table["true"] / table["candidates"]
    return table


def share_of(true: int, n: int) -> dict[str, float]:
    """A share: value, low and high of its 95 % Wilson interval, n."""
    ends = binomtest(true, n).proportion_ci(method="wilson")
    return {"value": true / n, "low": ends.low, "high": ends.high, "n": n}


def votes(confidence: pd.Series) -> pd.Series:
    """How many of three workers gave each label, from its confidence: 1 where all agree, about a third where each said something else."""
    split = confidence.gt(0.5).map({True: SPLIT, False: ALL_DIFFERENT})
    return split.mask(confidence == 1, FULL)


def agreement_bounds(rows: pd.DataFrame, *, merged: bool = False) -> pd.DataFrame:
    """The lowest and the highest agreement of three workers that the released labels allow: pairs that agree, and Fleiss' kappa.

    The single judgments were not released. A label with its confidence says how many gave it; what the third worker said instead is
    one of the other labels. `merged` counts "problematic" as "none", as where labels are 0 and 1.
    """
    how_many, labels = votes(rows["confidence"]), ("generalisation", "none", "problematic")
    full, split = (
        rows["label"][how_many == kind].value_counts().reindex(labels, fill_value=0).to_numpy()
        for kind in (FULL, SPLIT)
    )
    different = int((how_many == ALL_DIFFERENT).sum())
    n = len(rows)
    certain = 3 * full + 2 * split + different
    # what the third workers said instead: so many of each split label went to the first of the other two
    others = [(1, 2), (0, 2), (0, 1)]
    grids = np.meshgrid(*[np.unique(np.linspace(0, k, 80).round()) for k in split], indexing="ij")
    given = np.stack([np.full(grids[0].shape, float(count)) for count in certain])
    for label, (first, second) in enumerate(others):
        given[first] += grids[label]
        given[second] += split[label] - grids[label]
    agreeing = np.full(grids[0].shape, full.sum() + split.sum() / 3)
    if merged:
        alike = (split[1] - grids[1]) + (split[2] - grids[2])  # none and problematic in one triple
        agreeing = agreeing + alike * (2 / 3) + different / 3
        given = np.stack([given[0], given[1] + given[2]])
    pairs = agreeing / n
    chance = ((given / given.sum(axis=0)) ** 2).sum(axis=0)
    with np.errstate(invalid="ignore"):  # all judgments alike
        kappa = (pairs - chance) / (1 - chance)
    return pd.DataFrame(
        {"low": [pairs.min(), kappa.min()], "high": [pairs.max(), kappa.max()]},
        index=["pairs", "kappa"],
    )


def whole_counts(share: float, n: int, *, digits: int = 4) -> list[int]:
    """How many of n sentences may have three like judgments of two labels, if the mean agreement prints as a share; none may fit."""
    full = np.arange(n + 1)
    return full[np.round((full + (n - full) / 3) / n, digits) == round(share, digits)].tolist()


def kappa_of_two(rows: pd.DataFrame, full: int) -> float:
    """Fleiss' kappa with "problematic" counted as "none", if so many sentences have three like judgments: that number settles all votes.

    What the labels leave open is whether the third worker of a split "none" or "problematic" said the other of these two.
    """
    how_many, yes = votes(rows["confidence"]), rows["label"] == "generalisation"
    whole, split = how_many == FULL, how_many == SPLIT
    alike = full - int(
        whole.sum()
    )  # split "none" and "problematic" whose third worker said the other
    others = int((split & ~yes).sum())
    if not 0 <= alike <= others:
        least = int(whole.sum())
        raise ValueError(f"full: expected {least} to {least + others} full agreements, got {full}")
    given = 3 * (whole & yes).sum() + 2 * (split & yes).sum() + others - alike
    share = (given + (how_many == ALL_DIFFERENT).sum()) / (3 * len(rows))
    chance = share**2 + (1 - share) ** 2
    pairs = (full + (len(rows) - full) / 3) / len(rows)
    return float((pairs - chance) / (1 - chance)) if chance < 1 else float("nan")


def against_expert(
    rows: pd.DataFrame,
    expert: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Accuracy, F1 and Cohen's kappa of the crowd against an expert, for all sentences and by how far the crowd agreed.

    Intervals are 95 % percentile bootstrap over sentences, within each label of the crowd, for the sample has as many of one as of
    the other.
    """
    known = rows.assign(key=rows["sentence"].map(letters)).drop_duplicates("key").set_index("key")
    keys = expert["sentence"].map(letters)
    if not keys.isin(known.index).all():
        missing = expert["sentence"][~keys.isin(known.index)].iloc[0]
        raise ValueError(
            f"expected sentences that the crowd labelled too; it did not label {missing[:60]!r}"
        )
    both = known.loc[keys]
    said, right = both["label"].eq("generalisation").to_numpy(), expert["generalisation"].to_numpy()
    how_many = votes(both["confidence"]).to_numpy()
    parts = {"all": np.ones(len(both), bool), FULL: how_many == FULL, SPLIT: how_many == SPLIT}
    found = []
    for (of, part), seed in zip(parts.items(), np.random.default_rng(rng).spawn(len(parts))):
        if part.sum() < 4:
            continue
        cells = confusion(said[part], right[part])
        draws = resampled_sums(cells, strata=said[part], n_resamples=n_resamples, rng=seed)
        values, spread = scores(cells.sum(axis=0)), scores(draws)
        for name in SCORES:
            low, high = np.nanquantile(spread[name], [0.025, 0.975])
            found.append((of, name, float(values[name]), low, high, int(part.sum())))
    return pd.DataFrame(found, columns=["of", "score", "value", "low", "high", "n"])


def by_agreement(
    guesses: Mapping[str, np.ndarray],
    truth: np.ndarray,
    confidence: pd.Series,
    books: np.ndarray,
    *,
    n_resamples: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """Accuracy and kappa of guesses (n,) by name, for all sentences and by how many workers agreed: features, workers, score, value, low, high, n.

    Intervals are 95 % percentile bootstrap over sentences within books, each from the same seed.
    """
    workers = votes(confidence).to_numpy()
    parts = {"all": workers != ""} | {kind: workers == kind for kind in (FULL, SPLIT)}
    found = []
    for (features, said), (of, part) in product(guesses.items(), parts.items()):
        cells = confusion(said[part], truth[part])
        draws = resampled_sums(cells, strata=books[part], n_resamples=n_resamples, rng=seed)
        values, spread = scores(cells.sum(axis=0)), scores(draws)
        for name in ("accuracy", "kappa"):
            low, high = np.quantile(spread[name], [0.025, 0.975])
            found.append((features, of, name, float(values[name]), low, high, int(part.sum())))
    columns = ["features", "workers", "score", "value", "low", "high", "n"]
    return pd.DataFrame(found, columns=columns)


def confusion(said: np.ndarray, right: np.ndarray) -> np.ndarray:
    """For each sentence in which of four cells (n, 4) it is: both yes, said only, right only, both no."""
    cells = [(said == yes) & (right == true) for yes, true in product([True, False], [True, False])]
    return np.stack(cells, axis=1).astype(float)


def scores(cells: np.ndarray) -> dict[str, np.ndarray]:
    """Accuracy, F1, kappa, precision and recall from the sums (..., 4) of the cells of `confusion`; NaN where undefined."""
    both, said, right, neither = np.moveaxis(np.asarray(cells, float), -1, 0)
    n = both + said + right + neither
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = (both + neither) / n
        chance = ((both + said) * (both + right) + (right + neither) * (said + neither)) / n**2
        return {
            "accuracy": accuracy,
            "F1": 2 * both / (2 * both + said + right),
            "kappa": (accuracy - chance) / (1 - chance),
            "precision": both / (both + said),
            "recall": both / (both + right),
        }
