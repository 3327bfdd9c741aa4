"""The variants of Prost et al. on synthetic biographies: accuracy, gaps and a probe, beside controls.

The people of a seed are the same for all signals and variants; nothing but the vectors, or the words
that are deleted, differs. A control takes as much out of the vectors, but of something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, stats

from lib.checks import one_of
from lib.paths import DATA
from lib.text_classification.occupations.classifiers import (
    fit,
    mean_vectors,
    without,
    word_counts,
    words_in,
)
from lib.text_classification.occupations.probe import probe_gender
from lib.text_classification.occupations.rates import confusions, gap_summary
from lib.text_classification.occupations.recurrent import train_network, word_rows
from lib.text_classification.occupations.synthetic import Planted, biographies
from lib.text_classification.occupations.variants import (
    GenderLists,
    random_control,
    variants,
)

SIGNALS: Mapping[str, Planted] = {
    "none": Planted(),
    "explicit words": Planted(explicit=1),
    "stereotyped attributes": Planted(attributes=0.8),
    "correlated topics": Planted(topics=0.8),
    "all three": Planted(explicit=1, attributes=0.8, topics=0.8),
}
CONTROLS = ("random direction", "random direction and sets")
VARIANTS = (
    "plain",
    "scrubbed",
    "debiased",
    "strongly debiased",
    "project only",
    "equalise only",
    *CONTROLS,
)
MEASURES = ("accuracy", "TPR gap", "TNR gap", "probe")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is generated and drawn.

    Attributes
    ----------
    taught, asked : int
        Texts that the classifier learns from, and those that it is asked about.
    seeds : int
        Generations of people and texts: 0 to seeds - 1.
    draws : int
        Controls of each kind for each seed.
    n_resamples : int
        Draws of each null and interval.
    """

    taught: int = 2000
    asked: int = 4000
    seeds: int = 5
    draws: int = 4
    n_resamples: int = 200


def compare(
    words: Sequence[str],
    vectors: ArrayLike,
    lists: GenderLists,
    counts: pd.DataFrame,
    *,
    signals: Mapping[str, Planted] = SIGNALS,
    size: Size | None = None,
) -> pd.DataFrame:
    """All variants and controls on synthetic biographies, each seed and signal by itself.

    Parameters
    ----------
    words : sequence of str
        A vocabulary of V words.
    vectors : array_like of shape (V, d)
        Their vectors; some 50 dimensions keep it quick.
    lists : GenderLists
        What debiasing needs, as from `gender_lists`.
    counts : DataFrame
        Biographies of women and men in each occupation, as `biographies` takes them.
    signals : mapping of str to Planted
        Name -> what goes with gender.
    size : Size, optional
        How much of it.

    Returns
    -------
    DataFrame
        A row for each `signal`, `variant`, `seed`, `draw` (of a control; 0 else) and `measure`
        (`MEASURES`): value; low and high, its interval over texts; fair, null low and null high,
        what a classifier or probe shows that knows nothing of gender but through the occupation; p.
        For the probe also the two floors `majority` and `occupation`.

    Raises
    ------
    ValueError
        For a size below one, and as `biographies` and `variants`.
    """
    size = size or Size()
    if min(size.taught, size.asked, size.seeds, size.n_resamples) < 1 or size.draws < 0:
        raise ValueError(f"size: expected numbers of 1 or more (draws: 0 or more), got {size}")
    rows: list[dict[str, object]] = []
    held: list[str] = []
    row_of = {word: row for row, word in enumerate(words)}
    table = np.asarray(vectors)
    for signal, planted in signals.items():
        for seed in range(size.seeds):
            people = biographies(size.taught + size.asked, planted, counts, rng=seed)
            held = held or words_in(people["text"], words)
            trial = _trial(people, held, row_of, table, lists, size.taught)
            for variant, draw, features in trial.features(lists, size.draws, seed):
                about = {"signal": signal, "variant": variant, "seed": seed, "draw": draw}
                taught, jobs = trial.taught, people["occupation"].to_numpy()
                named = fit(features[taught], jobs[taught]).predict(features[~taught])
                measured = _measured(named, features, trial, size.n_resamples, seed)
                rows += [about | {"measure": name} | row for name, row in measured.items()]
    return pd.DataFrame(rows)


def compare_networks(
    words: Sequence[str],
    vectors: ArrayLike,
    lists: GenderLists,
    counts: pd.DataFrame,
    *,
    signal: str = "explicit words",
    seeds: Sequence[int] = (1, 2, 3, 4, 5),
    size: Size | None = None,
) -> Iterator[pd.DataFrame]:
    """The variants read by a network in the form of the paper's instead, seed by seed.

    Parameters
    ----------
    words, vectors, lists, counts
        As in `compare`.
    signal : str
        One of `SIGNALS`.
    seeds : sequence of int
        Generations of people and texts; each is the seed of its networks, too.
    size : Size, optional
        Numbers of texts and of draws of nulls; there is one control of each kind for a seed.

    Yields
    ------
    DataFrame
        Rows of `compare` for one seed and variant.

    Raises
    ------
    ValueError
        As `compare`, and for another signal.
    """
    one_of("signal", signal, SIGNALS)
    size, table = size or Size(), np.asarray(vectors)
    row_of = {word: row for row, word in enumerate(words)}
    for seed in seeds:
        people = biographies(size.taught + size.asked, SIGNALS[signal], counts, rng=seed)
        held = words_in(people["text"], words)
        trial = _trial(people, held, row_of, table, lists, size.taught)
        made = variants(trial.words, trial.vectors, lists)
        made["scrubbed"] = made["plain"]
        made |= {name: control for name, _, control in trial.controls(lists, 1, seed)}
        jobs = people["occupation"].to_numpy()
        for name in VARIANTS:
            deleted = lists.scrubbed if name == "scrubbed" else frozenset()
            rows = word_rows(people["text"], trial.words, without=deleted)
            read = train_network(rows, made[name], jobs, trial.taught, rng=seed)
            named = read.labels[~trial.taught]
            measured = _measured(named, read.representation, trial, size.n_resamples, seed)
            about = {"signal": signal, "variant": name, "seed": seed, "draw": 0}
            yield pd.DataFrame(
                [about | {"measure": measure} | row for measure, row in measured.items()]
            )


def recorded_networks() -> pd.DataFrame:
    """Results of `compare_networks` as `lib.training.occupation_network` recorded them.

    Examples
    --------
    >>> sorted(recorded_networks()["seed"].unique().tolist())
    [1, 2, 3, 4, 5]
    """
    return pd.read_csv(DATA / "models" / "occupation-network" / "runs.csv")


def differences(results: pd.DataFrame, variant: str, other: str = "plain") -> pd.DataFrame:
    """What a variant changes against another one, seed by seed.

    Parameters
    ----------
    results : DataFrame
        As from `compare`.
    variant, other : str
        Two of `VARIANTS`. The draws of a control are averaged within a seed.

    Returns
    -------
    DataFrame
        A row for each signal and measure: value, the mean difference over seeds; low and high, its
        95 % t interval over seeds (NaN for one seed); seeds, how many.

    Raises
    ------
    ValueError
        For a variant that is not there.

    Examples
    --------
    >>> results = pd.DataFrame(
    ...     {"signal": "none", "measure": "accuracy", "variant": ["plain", "scrubbed"] * 2,
    ...      "seed": [0, 0, 1, 1], "value": [0.8, 0.7, 0.9, 0.82]})
    >>> differences(results, "scrubbed")["value"].round(2).tolist()
    [-0.09]
    """
    present = results["variant"].unique().tolist()
    for name in (variant, other):
        one_of("variant", name, present)
    keys = ["signal", "measure", "seed"]
    means = results.groupby(["variant", *keys], sort=False)["value"].mean()
    change = (means[variant] - means[other]).rename("value")
    rows = []
    for (signal, measure), values in change.groupby(["signal", "measure"], sort=False):
        spread = stats.sem(values) if len(values) > 1 else np.nan
        reach = spread * stats.t.ppf(0.975, max(1, len(values) - 1))
        mean = float(values.mean())
        rows.append(
            {
                "signal": signal,
                "measure": measure,
                "variant": variant,
                "value": mean,
                "low": mean - reach,
                "high": mean + reach,
                "seeds": len(values),
            }
        )
    return pd.DataFrame(rows)


def averages(results: pd.DataFrame) -> pd.DataFrame:
    """Each variant's mean over seeds, with the spread of the seeds and what a fair one shows.

    Parameters
    ----------
    results : DataFrame
        As from `compare`.

    Returns
    -------
    DataFrame
        A row for each signal, variant and measure: value, the mean; low and high, the least and the
        greatest of the runs; fair and null high, means over runs; beyond, the share of runs with
        p < .05; runs, how many.
    """
    groups = results.groupby(["signal", "variant", "measure"], sort=False)
    table = groups.agg(
        value=("value", "mean"),
        low=("value", "min"),
        high=("value", "max"),
        fair=("fair", "mean"),
        null_high=("null high", "mean"),
        beyond=("p", lambda p: (p < 0.05).mean() if p.notna().all() else np.nan),
        runs=("value", "size"),
    )
    return table.rename(columns={"null_high": "null high"}).reset_index()


@dataclass(frozen=True, eq=False)
class _Trial:
    """The texts of one seed as counts of words, the words most frequent first."""

    people: pd.DataFrame
    taught: NDArray[np.bool_]
    counts: sparse.csr_matrix
    words: list[str]
    vectors: Floats

    def features(
        self, lists: GenderLists, draws: int, seed: int
    ) -> Iterator[tuple[str, int, Floats]]:
        """Variant, draw and mean vectors of all texts."""
        made = variants(self.words, self.vectors, lists)
        for name in VARIANTS[: -len(CONTROLS)]:
            if name == "scrubbed":
                scrubbed = without(self.counts, self.words, lists.scrubbed)
                yield name, 0, mean_vectors(scrubbed, made["plain"])
            else:
                yield name, 0, mean_vectors(self.counts, made[name])
        for name, draw, control in self.controls(lists, draws, seed):
            yield name, draw, mean_vectors(self.counts, control)

    def controls(
        self, lists: GenderLists, draws: int, seed: int
    ) -> Iterator[tuple[str, int, Floats]]:
        """Name, draw and vectors of each random control."""
        for name, controlled in zip(CONTROLS, (lists._replace(sets=()), lists)):
            for draw in range(draws):
                rng = np.random.default_rng([seed, draw])
                yield name, draw, random_control(self.words, self.vectors, controlled, rng=rng)


def _trial(
    people: pd.DataFrame,
    held: Sequence[str],
    row_of: Mapping[str, int],
    vectors: NDArray[np.floating],
    lists: GenderLists,
    n_taught: int,
) -> _Trial:
    counts = word_counts(people["text"], held)
    by_frequency = np.argsort(-counts.sum(axis=0).A1, kind="stable")
    listed = [word for words in (*lists.definitional, *lists.sets) for word in words]
    others = [word for word in dict.fromkeys(listed) if word in row_of and word not in held]
    words = [*(held[place] for place in by_frequency), *others]
    empty = sparse.csr_matrix((counts.shape[0], len(others)), dtype=counts.dtype)
    return _Trial(
        people,
        np.arange(len(people)) < n_taught,
        sparse.hstack([counts[:, by_frequency], empty], format="csr"),
        words,
        vectors[[row_of[word] for word in words]],
    )


def _measured(
    named: NDArray[Any], features: Floats, trial: _Trial, n_resamples: int, seed: int
) -> dict[str, dict[str, float]]:
    """What a classifier's answers for the texts it was not taught, and its features of all, show."""
    asked, people = ~trial.taught, trial.people
    jobs, female = people["occupation"].to_numpy(), (people["gender"] == "female").to_numpy()
    cells = confusions(jobs[asked], named, female[asked])
    summary = gap_summary(cells, n_resamples=n_resamples, rng=seed)
    probed = probe_gender(features, female, jobs, trial.taught, n_resamples=n_resamples, rng=seed)
    return {**summary.to_dict("index"), "probe": probed.as_row()}
