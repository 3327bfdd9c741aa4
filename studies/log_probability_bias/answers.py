"""Answers of a model as a block: words by sentences by pairs of targets, in nats, positive for the first of a pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.language_models import log_probability_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.lexicons import base_pairs, load_lexicon, pair_list
from lib.measures.known_groups import separation
from lib.measures.outside import order_by_share, rank_correlations
from studies.log_probability_bias.statistics import generalisability, variance_components
from studies.log_probability_bias.task_checks import sentence_case

Floats = NDArray[np.float64]
Framed = tuple[str, str, str]
GAP = "{target}"
# What of an answer is whose: names for a reader -> components
PARTS = {
    "the word itself": ["word"],
    "a word with one pair": ["word × pair"],
    "a word with one sentence": ["word × template"],
    "pair and sentence, all words alike": ["pair", "template", "template × pair"],
    "rest": ["word × template × pair"],
}
ENDS, CHANCE = ["value", "low", "high"], ["null low", "null high"]
FEWEST_TO_HALVE = 4  # half of four still leaves two


def framed(pairs: Iterable[Sequence[str]]) -> list[Framed]:
    """What stands around a pair of words, and the pair: ("my {target}", "father", "mother"); two words fill the gap alone.

    Raises ValueError for anything else.
    """
    found = []
    for given in pairs:
        parts = (given,) if isinstance(given, str) else tuple(given)
        whole = (GAP, *parts) if len(parts) == 2 else parts
        if len(whole) != 3 or whole[0].count(GAP) != 1 or len({*whole, ""}) != 4:
            raise ValueError(
                f'expected ("he", "she"), or ("my {GAP}", "father", "mother"); got {given!r}'
            )
        found.append(whole)
    return list(dict.fromkeys(found))


def in_english(pairs: Iterable[Framed]) -> bool:
    """Whether a pair is one of English words that this book knows to name a gender: what it asks in English makes sense beside it."""
    listed = [*pair_list("known_groups/pairs"), *base_pairs()]
    listed += [pair[1:] for pair in load_lexicon("templates")["target_frames"]]
    words = {word.lower() for pair in listed for word in pair}
    return any({word.lower() for word in pair[1:]} <= words for pair in pairs)


def name_of(pair: Framed) -> str:
    """The pair as a label."""
    return " – ".join(pair[1:])


def spread_evenly(facts: pd.Series[float], count: int) -> list[str]:
    """So many words, evenly over the order of a number that each has; all of them where there are no more."""
    ordered = list(facts.sort_values(kind="stable").index)
    if count >= len(ordered):
        return ordered
    return [ordered[row] for row in np.linspace(0, len(ordered) - 1, count).astype(int)]


def ask(
    model: MaskedLanguageModel,
    words: Sequence[str],
    sentences: Sequence[str],
    pairs: Sequence[Framed],
    *,
    pieces: str = "marginalise",
) -> Floats:
    """Log probability bias of every word in every sentence with every pair, (words, sentences, pairs)."""
    found = np.empty((len(words), len(sentences), len(pairs)))
    if not found.size:
        return found
    for frame in dict.fromkeys(pair[0] for pair in pairs):
        here = [column for column, pair in enumerate(pairs) if pair[0] == frame]
        texts = sentence_case(model, (text.replace(GAP, frame) for text in sentences))
        asked = [pairs[column][1:] for column in here]
        scores = log_probability_bias(model, words, texts, asked, pieces=pieces)
        shape = len(words), len(sentences), len(here)
        found[:, :, here] = scores["bias"].to_numpy().reshape(shape)
    return found


def parts_of(components: pd.DataFrame) -> pd.DataFrame:
    """Shares of the variance of one answer, by the names of `PARTS`, for rows of components."""
    whole = components.sum(axis=1)
    sums = {name: components[of].sum(axis=1) / whole for name, of in PARTS.items()}
    return pd.DataFrame(sums, components.index)


def redrawn_components(
    scores: ArrayLike, *, n_resamples: int, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Variance components, a row a draw: words drawn with replacement, half of the sentences and of the pairs without.

    A pair drawn twice would agree with itself; a mean over half of them varies as one over as many redrawn (Politis, Romano and Wolf
    1999). Three or fewer are kept whole, and the draws then say nothing of them. Cautious: in 150 simulated blocks of 60 × 10 × 5 such
    as the story's, 95 % intervals of shares and of generalisability held the truth in 99 % or more.
    """
    cube, generator = np.asarray(scores, float), np.random.default_rng(rng)
    n = len(cube)
    rows = []
    for _ in range(n_resamples):
        part = cube[generator.integers(n, size=n)]
        for axis in (1, 2):
            size = cube.shape[axis]
            if size >= FEWEST_TO_HALVE:
                half = (size + int(generator.integers(2))) // 2
                part = part.take(generator.permutation(size)[:half], axis=axis)
        rows.append(variance_components(part))
    return pd.DataFrame(rows)


def shuffled_components(
    scores: ArrayLike, *, draws: int, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Variance components, a row a draw, where the words change places within each pair: what pairs give that share no order."""
    cube, generator = np.asarray(scores, float), np.random.default_rng(rng)
    rows = []
    for _ in range(draws):
        mixed = [column[generator.permutation(len(cube))] for column in np.moveaxis(cube, 2, 0)]
        rows.append(variance_components(np.stack(mixed, axis=2)))
    return pd.DataFrame(rows)


def shuffled_auc(
    first: int, second: int, *, draws: int, rng: np.random.Generator | int | None = None
) -> Floats:
    """AUC of two lists of so many words under random labels, (draws,)."""
    generator = np.random.default_rng(rng)
    ranks = np.tile(np.arange(1.0, first + second + 1), (draws, 1))
    mixed = generator.permuted(ranks, axis=1)
    found = stats.mannwhitneyu(mixed[:, :first], mixed[:, first:], axis=1).statistic
    return np.asarray(found / (first * second), float)


def shuffled_shares(
    sides: ArrayLike, *, draws: int, rng: np.random.Generator | int | None = None
) -> Floats:
    """Share of yes in each question where every item's answers change places between questions, (draws, questions)."""
    table, generator = np.asarray(sides, float), np.random.default_rng(rng)
    return np.array([generator.permuted(table, axis=1).mean(axis=0) for _ in range(draws)])


@dataclass(frozen=True)
class Split:
    """Where the differences between answers come from: components, the same redrawn and shuffled, and a table of `PARTS`."""

    components: pd.Series[float]
    redrawn: pd.DataFrame
    shuffled: pd.DataFrame
    parts: pd.DataFrame


def split(
    scores: Floats, *, n_resamples: int, draws: int, rng: np.random.Generator | int | None = None
) -> Split | None:
    """The variance of answers (words, sentences, pairs) by its parts; None for fewer than three words, two sentences or two pairs."""
    if min(scores.shape) < 2 or len(scores) < 3 or not np.ptp(scores) > 0:
        return None
    components = variance_components(scores)
    redrawn = redrawn_components(scores, n_resamples=n_resamples, rng=rng)
    shuffled = shuffled_components(scores, draws=draws, rng=rng)
    value = parts_of(components.to_frame().T)
    ends, null = (parts_of(of).quantile([0.025, 0.975]) for of in (redrawn, shuffled))
    table = pd.concat([value, ends, null]).set_axis([*ENDS, *CHANCE]).T
    return Split(components, redrawn, shuffled, table)


def found_again(whole: Split, designs: Mapping[str, tuple[int, int]]) -> pd.DataFrame:
    """Generalisability of the mean over so many sentences and pairs, with its interval and with shuffled words."""
    rows = {}
    for name, design in designs.items():
        ends = [
            np.nanquantile(
                [generalisability(row, *design) for _, row in of.iterrows()], [0.025, 0.975]
            )
            for of in (whole.redrawn, whole.shuffled)
        ]
        rows[name] = generalisability(whole.components, *design), *ends[0], *ends[1]
    return pd.DataFrame.from_dict(rows, orient="index", columns=[*ENDS, *CHANCE])


def by_pair(scores: Floats, labels: Sequence[str]) -> dict[str, Floats]:
    """Scores (words, sentences) of each pair, and of the mean over all, turned so that the second, female side counts up."""
    found = {label: -scores[:, :, column] for column, label in enumerate(labels)}
    return found | ({"all pairs": -scores.mean(axis=2)} if len(labels) > 1 else {})


def told_apart(
    scores: Floats,
    labels: Sequence[str],
    *,
    n_resamples: int,
    draws: int,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """AUC of the first half of the words, which name women, before the second, by pair, beside random labels; and who lies on their side of zero."""
    half = len(scores) // 2
    null = np.quantile(shuffled_auc(half, half, draws=draws, rng=rng), [0.025, 0.975])
    rows = {}
    for name, lean in by_pair(scores, labels).items():
        told = separation(lean[:half], lean[half:], n_resamples=n_resamples, rng=rng)
        mean = lean.mean(axis=1)
        sides = (mean[:half] > 0).mean(), (mean[half:] < 0).mean()
        rows[name] = told.auc, told.low, told.high, *null, *sides
    columns = [*ENDS, *CHANCE, "women", "men"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def beside_facts(
    scores: Floats,
    facts: Floats,
    labels: Sequence[str],
    *,
    n_resamples: int,
    draws: int,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Rank correlation of the lean with a fact about each word (NaN: not known), by pair, beside random pairings."""
    there, generator = np.isfinite(facts), np.random.default_rng(rng)
    mixed = generator.permuted(np.tile(facts[there], (draws, 1)), axis=1).T
    rows = {}
    for name, lean in by_pair(scores, labels).items():
        of_word = lean.mean(axis=1)
        asked = -scores.mean(axis=1) if name == "all pairs" else of_word
        found = order_by_share(asked, facts, n_resamples=n_resamples, rng=rng)
        null = np.quantile(rank_correlations(mixed, of_word[there]), [0.025, 0.975])
        rows[name] = found.rho, found.low, found.high, *null, found.p
    return pd.DataFrame.from_dict(rows, orient="index", columns=[*ENDS, *CHANCE, "p"])
