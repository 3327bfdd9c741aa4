"""What sentences that differ in one pronoun say about a resolver: accuracy, consistency, gaps, correlations; and Kurita et al.'s
case study (2019, Section 4): does a resolver give up on feminine pronouns more often, and where topics lean male?

Tables are those of `studies.resolvers.sentences`. Templates of one cluster share people or words, so clusters are what
intervals draw and what tests flip or shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import one_of, real_numbers
from lib.coreference.predictions import codes
from lib.inference.bootstrap import bca_interval, clustered_share
from lib.inference.permutation import partition_test
from lib.inference.sums import p_of_draws
from lib.language_models.log_probability import mean_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.lexicons import load_lexicon
from lib.measures.topics import find_topics, topic_scores

Rng = np.random.Generator | int | None


@dataclass(frozen=True)
class Gap:
    """A mean difference, first side less second, with a percentile bootstrap interval over clusters and a two-sided p."""

    value: float
    low: float
    high: float
    pvalue: float
    n: int  # sentences on each side
    clusters: int


@dataclass(frozen=True)
class Consistency:
    """Whether a resolver says the same of every pronoun of a template, with a bootstrap interval over clusters."""

    same: float  # share of templates with one answer for all pronouns
    low: float
    high: float
    # the share to expect if answers, as frequent as they are for each pronoun, fell on templates at random
    chance: float
    right: float  # share of templates with the right answer for all pronouns
    n: int  # templates


@dataclass(frozen=True)
class Correlation:
    """Spearman's correlation over things such as occupations, with a BCa bootstrap interval over them."""

    value: float
    low: float
    high: float
    pvalue: float  # two-sided: how often shuffled things correlate as much
    null_low: float  # with null_high, where 95 % of the shuffled correlations are
    null_high: float
    n: int


def decisions(probabilities: ArrayLike, *, neither: bool = True) -> NDArray[np.intp]:
    """The likeliest answer of each row: 0 for A, 1 for B, 2 for NEITHER; without `neither` the choice is between A and B."""
    rows = real_numbers("probabilities", probabilities)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"expected probabilities of shape (n, 3), got {rows.shape}")
    return rows[:, : 3 if neither else 2].argmax(axis=1)


def is_right(
    table: pd.DataFrame, probabilities: ArrayLike, *, neither: bool = True
) -> NDArray[np.bool_]:
    """Whether the likeliest answer of each row is the true one."""
    chosen = decisions(probabilities, neither=neither)
    if len(chosen) != len(table):
        raise ValueError(f"expected {len(table)} rows of probabilities, got {len(chosen)}")
    return chosen == codes(table["answer"])


def accuracy_by(
    table: pd.DataFrame,
    right: ArrayLike,
    by: Sequence[str],
    *,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> pd.DataFrame:
    """Accuracy in groups of sentences, with two intervals: low, high (bootstrap over clusters) and wilson low, wilson high (as if
    sentences were independent; it has a width also where all are right).
    """
    rows = {}
    for group, held in table.assign(right=np.asarray(right, bool)).groupby(list(by), sort=False):
        k, n = int(held["right"].sum()), len(held)
        share, low, high = clustered_share(
            held["right"], rows=held["cluster"].astype(str), n_resamples=n_resamples, rng=rng
        )
        wilson = stats.binomtest(k, n).proportion_ci(method="wilson")
        row = {"accuracy": share, "low": low, "high": high}
        row |= {"wilson low": wilson.low, "wilson high": wilson.high}
        rows[group if len(by) > 1 else group[0]] = row | {
            "n": n,
            "clusters": held["cluster"].nunique(),
        }
    frame = pd.DataFrame(rows).T.astype({"n": int, "clusters": int})
    return frame.rename_axis(index=list(by))


def consistency(
    table: pd.DataFrame,
    chosen: ArrayLike,
    pronouns: Sequence[str],
    *,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Consistency:
    """How often a template gets one answer, as from `decisions`, whatever its pronoun."""
    if len(pronouns) < 2:
        raise ValueError(f"expected two pronoun sets or more to compare, got {list(pronouns)}")
    held = table.assign(chosen=np.asarray(chosen))
    held["right"] = held["chosen"].to_numpy() == codes(table["answer"])
    wide = held.pivot(index="template", columns="pronouns", values=["chosen", "right"])
    for name in pronouns:
        if ("chosen", name) not in wide or wide["chosen", name].isna().any():
            raise ValueError(
                f"expected every template with each of {list(pronouns)}; {name} lacks some"
            )
    answers = wide["chosen"][list(pronouns)].to_numpy(int)
    same = (answers == answers[:, :1]).all(axis=1)
    often = np.stack([(answers == code).mean(axis=0) for code in range(3)])
    clusters = held.drop_duplicates("template").set_index("template")["cluster"][wide.index]
    share, low, high = clustered_share(
        same, rows=clusters.astype(str), n_resamples=n_resamples, rng=rng
    )
    return Consistency(
        same=share,
        low=low,
        high=high,
        chance=float(often.prod(axis=1).sum()),
        right=float(wide["right"][list(pronouns)].to_numpy(bool).all(axis=1).mean()),
        n=len(wide),
    )


def paired_gap(
    table: pd.DataFrame,
    values: ArrayLike,
    sides: tuple[str, str],
    *,
    column: str = "pronouns",
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Mean difference between two sides of each template, such as *she* and *he*, or "pro" and "anti"; p by exchanging the two
    sides of each cluster at random.

    Templates with both sides count; `column` is "pronouns" or "side".
    """
    clusters, differences = _differences(table, values, sides, column)
    sums, sizes = _by_cluster(clusters, differences)
    generator = np.random.default_rng(rng)
    observed = sums.sum()
    flipped = generator.choice([-1.0, 1.0], size=(draws, len(sums))) @ sums
    weights = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=n_resamples)
    low, high = np.quantile((weights @ sums) / (weights @ sizes), [0.025, 0.975])
    return Gap(
        value=float(observed / sizes.sum()),
        low=float(low),
        high=float(high),
        pvalue=p_of_draws(abs(observed), np.abs(flipped), tolerance=1e-9),
        n=len(differences),
        clusters=len(sums),
    )


def case_contrast(
    table: pd.DataFrame,
    values: ArrayLike,
    sides: tuple[str, str],
    cases: tuple[str, str] = ("nominative", "possessive"),
    *,
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Whether the gap between two pronouns is larger in one grammatical case than in another: the first less the second.

    p comes from shuffling the cases over templates; the interval draws clusters.
    """
    inside = table["case"].isin(cases).to_numpy()
    held = table[inside]
    clusters, differences = _differences(
        held, real_numbers("values", values)[inside], sides, "pronouns"
    )
    of_template = held.drop_duplicates("template").set_index("template")["case"]
    first = (of_template[differences.index] == cases[0]).to_numpy()
    if not 0 < first.sum() < len(first):
        raise ValueError(f"expected templates of both cases, got only {sorted(set(held['case']))}")

    numbers = differences.to_numpy()

    def contrast(mask: NDArray[np.bool_]) -> float:
        return float(numbers[mask].mean() - numbers[~mask].mean())

    generator = np.random.default_rng(rng)
    observed = contrast(first)
    null = [contrast(generator.permutation(first)) for _ in range(draws)]
    p = p_of_draws(abs(observed), np.abs(null), tolerance=1e-9)
    tables = [_by_cluster(clusters, differences.where(mask, 0.0), mask) for mask in (first, ~first)]
    size = len(tables[0][0])
    weights = generator.multinomial(size, np.full(size, 1 / size), size=n_resamples)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = [(weights @ sums) / (weights @ sizes) for sums, sizes in tables]
    low, high = np.nanquantile(means[0] - means[1], [0.025, 0.975])
    return Gap(observed, float(low), float(high), p, len(numbers), size)


def stereotype_sides(table: pd.DataFrame, women: pd.Series) -> pd.Series:
    """Whether the stereotype of the occupation helps to find the answer, from the share of women by occupation in per cent.

    "pro" where the pronoun fits the occupation's majority and means the occupation, or does not fit it and means the other
    person; "anti" for the reverse, the "gotcha" sentences of Rudinger et al. (2018), Section 4; "" where neither is meant,
    the pronoun is neither feminine nor masculine, or the share is unknown or 50.
    """
    share = table["occupation"].map(women)
    known = share.notna() & (share != 50) & table["gender"].isin(["female", "male"])
    known &= table["about"] != "neither"
    fits = (share > 50) == (table["gender"] == "female")
    helps = fits == (table["about"] == "occupation")
    return pd.Series(np.select([known & helps, known], ["pro", "anti"], ""), index=table.index)


def rank_correlation(
    x: ArrayLike,
    y: ArrayLike,
    *,
    draws: int = 10_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Correlation:
    """Spearman's correlation with an interval and a null of shuffled pairs."""
    pair = [real_numbers("values", values) for values in (x, y)]
    if pair[0].shape != pair[1].shape or pair[0].ndim != 1 or len(pair[0]) < 4:
        raise ValueError(
            f"expected two lists of one length, four numbers or more; got {[a.shape for a in pair]}"
        )
    if not all(np.isfinite(values).all() and np.ptp(values) > 0 for values in pair):
        raise ValueError("expected numbers that are not all equal in both lists")
    ranks = [stats.rankdata(values) for values in pair]
    standard = [(rank - rank.mean()) / rank.std() for rank in ranks]
    n = len(ranks[0])
    generator = np.random.default_rng(rng)
    value = float(standard[0] @ standard[1] / n)
    null = np.array([standard[0] @ generator.permutation(standard[1]) / n for _ in range(draws)])

    def of_draws(rows: NDArray[np.int64]) -> NDArray[np.floating]:
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = [stats.rankdata(values[rows], axis=-1) for values in pair]
            centred = [d - d.mean(axis=-1, keepdims=True) for d in drawn]
            product = (centred[0] * centred[1]).sum(axis=-1)
            return product / np.sqrt(
                (centred[0] ** 2).sum(axis=-1) * (centred[1] ** 2).sum(axis=-1)
            )

    low, high = bca_interval(of_draws, [n], n_resamples=n_resamples, batch=200, rng=generator)
    null_low, null_high = np.quantile(null, [0.025, 0.975])
    p = p_of_draws(abs(value), np.abs(null), tolerance=1e-12)
    return Correlation(value, low, high, p, float(null_low), float(null_high), n)


def _differences(
    table: pd.DataFrame, values: ArrayLike, sides: tuple[str, str], column: str
) -> tuple[pd.Series, pd.Series]:
    """Cluster, and first side less second, by template."""
    one_of("column", column, ("pronouns", "side"))
    held = table.assign(_value=real_numbers("values", values))
    held = held[held[column].isin(sides)]
    wide = held.pivot_table(index="template", columns=column, values="_value", aggfunc="mean")
    wide = wide.reindex(columns=list(sides)).dropna()
    clusters = held.drop_duplicates("template").set_index("template")["cluster"]
    clusters = clusters[wide.index].astype(str)
    if clusters.nunique() < 2:
        raise ValueError(
            f"expected two clusters or more with both {sides[0]} and {sides[1]}, got {clusters.nunique()}"
        )
    return clusters, wide[sides[0]] - wide[sides[1]]


def _by_cluster(
    clusters: pd.Series, differences: pd.Series, counted: ArrayLike | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and number of the differences of each cluster."""
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place, weights=differences.to_numpy(float))
    counts = None if counted is None else real_numbers("counted", counted)
    return sums, np.bincount(place, weights=counts, minlength=len(sums)).astype(float)


def neither_gap(
    given: ArrayLike,
    female: ArrayLike,
    pages: Sequence[str],
    *,
    draws: int = 100_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Mean P(neither) around feminine pronouns less that around masculine ones; positive where feminine ones are given up more
    often.

    p (two-sided) shuffles the genders over passages, the interval draws pages; `n` counts feminine pronouns. Kurita et al.
    (Table 4) do not say what was permuted.
    """
    values, feminine = real_numbers("given", given), np.asarray(female, bool)
    if not len(values) == len(feminine) == len(pages):
        raise ValueError(
            f"expected one gender and one page for each passage, got {len(values)}, {len(feminine)} and {len(pages)}"
        )
    if not 0 < feminine.sum() < len(feminine):
        raise ValueError("expected pronouns of both genders; one alone has no gap")
    generator = np.random.default_rng(rng)
    sides = values[feminine], values[~feminine]
    test = partition_test(*sides, alternative="two-sided", n_resamples=draws, rng=generator)
    names, place = np.unique(np.asarray(pages, str), return_inverse=True)
    weights = generator.multinomial(
        len(names), np.full(len(names), 1 / len(names)), size=n_resamples
    )
    means = []
    for mask in (feminine, ~feminine):
        sums = np.bincount(place[mask], weights=values[mask], minlength=len(names))
        sizes = np.bincount(place[mask], minlength=len(names))
        with np.errstate(invalid="ignore"):
            means.append((weights @ sums) / (weights @ sizes))
    low, high = np.nanquantile(means[0] - means[1], [0.025, 0.975])
    return Gap(
        value=float(sides[0].mean() - sides[1].mean()),
        low=float(low),
        high=float(high),
        pvalue=float(test.pvalue),
        n=int(feminine.sum()),
        clusters=len(names),
    )


def topic_bias(
    texts: Sequence[str], model: MaskedLanguageModel, *, per_weight: bool = False, topics: int = 20
) -> NDArray[np.float64]:
    """How far the topics of each text lean to men (positive), by the model's own log probability bias of their words.

    It is asked about the 15 top words of each topic in "[men] are interested in [word]", against women; the paper has 20
    topics and sums, so that long texts and texts full of frequent words get scores far from 0 on either side; with
    `per_weight` the sum is divided by the weight of those words in the text.
    """
    found = find_topics(texts, topics)
    lexicon = load_lexicon("kurita2019")
    asking = lexicon["topic_templates"], lexicon["topic_target_pairs"]
    words = sorted({word for held in found.top(15) for word in held})
    scores = found.documents @ topic_scores(found, mean_bias(model, words, *asking))
    if not per_weight:
        return scores
    top = np.sort(found.weights, axis=1)[:, -15:].sum(axis=1)
    return scores / np.maximum(found.documents @ top, 1e-12)
