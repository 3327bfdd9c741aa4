"""The variants of Prost et al. on synthetic biographies: accuracy, gaps and a probe, beside controls.

The people of a seed are the same for all signals and variants; nothing but the vectors, or the words that are deleted, differs. A control
takes as much out of the vectors, but of something else.
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
from lib.text_classification.occupations.rates import confusions, gap_summary
from lib.text_classification.occupations.synthetic import Planted, biographies
from studies.biographies.probe import probe_gender
from studies.biographies.recurrent import train_network, word_rows
from studies.biographies.variants import (
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

_ENDS = ("value", "low", "high")

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is generated and drawn: texts to learn from and to be asked about, generations of both, controls of each kind for each, resamples."""

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
    """All variants and controls on synthetic biographies, each seed and signal by itself; `vectors` are (V, d), some 50 dimensions keep it quick.

    A row for each signal, variant, seed, draw (of a control; 0 else) and measure (accuracy, TPR gap, TNR gap, probe): value; low and high, over
    texts; fair, null low and null high, what a classifier or probe shows that knows nothing of gender but through the occupation; p. For the
    probe also the two floors `majority` and `occupation`.
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
    """The same for a network in the form of the paper's instead, with one control of each kind; a table for each seed and variant."""
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
    """Results of `compare_networks` as `scripts.train.occupation_network` recorded them."""
    return pd.read_csv(DATA / "models" / "occupation-network" / "runs.csv")


def over_seeds(results: pd.DataFrame) -> pd.DataFrame:
    """Each variant's mean over seeds and its 95 % t interval, for each signal and measure; beside it what a fair one shows (fair, null high).

    Each seed has people, texts and first weights of its own, so the interval covers all three. `excess`, `excess low` and `excess high` are
    of the value less the fair one's.
    """
    rows = []
    for keys, runs in results.groupby(["signal", "variant", "measure"], sort=False):
        about = dict(zip(["signal", "variant", "measure"], keys))
        excess = _over_seeds(runs["value"] - runs["fair"])
        rows.append(
            about
            | _over_seeds(runs["value"])
            | {f"excess {name}".removesuffix(" value"): excess[name] for name in _ENDS}
            | {"fair": runs["fair"].mean(), "null high": runs["null high"].mean()}
        )
    return pd.DataFrame(rows)


def differences(results: pd.DataFrame, variant: str, other: str = "plain") -> pd.DataFrame:
    """What a variant changes against another one: the mean over seeds, its 95 % t interval and p, for each signal and measure.

    The draws of a control are averaged within a seed.
    """
    present = results["variant"].unique().tolist()
    for name in (variant, other):
        one_of("variant", name, present)
    keys = ["signal", "measure", "seed"]
    means = results.groupby(["variant", *keys], sort=False)["value"].mean()
    change = (means[variant] - means[other]).rename("value")
    rows = []
    for (signal, measure), values in change.groupby(["signal", "measure"], sort=False):
        about = {"signal": signal, "measure": measure, "variant": variant}
        rows.append(about | _over_seeds(values))
    return pd.DataFrame(rows)


def _over_seeds(values: pd.Series) -> dict[str, float]:
    """The mean of a value of each seed, its 95 % t interval, p of 0, and how many seeds there are."""
    mean, n = float(values.mean()), len(values)
    spread = stats.sem(values) if n > 1 else np.nan
    reach = spread * stats.t.ppf(0.975, max(1, n - 1))
    p = stats.ttest_1samp(values, 0).pvalue if n > 1 else np.nan
    return {"value": mean, "low": mean - reach, "high": mean + reach, "p": float(p), "seeds": n}


def averages(results: pd.DataFrame) -> pd.DataFrame:
    """Each variant's mean over runs, with the least and the greatest, what a fair one shows, and the share of runs with p < .05 (`beyond`)."""
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
