"""What can be said of words in a language model of a reader's own, a decoder or one that fills masks: known groups first,
then each word beside random nouns in its place.

A score is an array (n words, b beginnings, p pairs), female first: positive leans female.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.leaning import asked_together, beside_random_words, leaning
from audit.model.gest import GEST
from audit.model.sentence_pairs import read_pairs
from lib import parameters as rules
from lib.checks import as_list
from lib.datasets.gest import read_sentences
from lib.inference.crossed import crossed_components
from lib.inference.crossed import reliability as of_one_facet
from lib.inference.generalisability import (
    generalisability,
    generalisability_interval,
    three_way_components,
)
from lib.inference.sums import p_of_draws
from lib.inference.two_way import two_way_interval
from lib.language_models import MaskedLanguageModel, asking, log_probability_bias
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.decoders import SMOLLM2, decoder, smollm2_file
from lib.language_models.gguf import is_gguf
from lib.lexicons import load_lexicon
from lib.measures.known_groups import Separation, separation
from lib.measures.outside import rank_correlations
from lib.own_lists import read_own_sentences
from lib.sources import FetchError
from lib.sources.hub import model_folder

Floats = NDArray[np.float64]
Pair = tuple[str, str]

SLOTS = {"decoder": ("{word}",), "masked": ("{target}", "{attribute}")}
A_WORD = 20  # random nouns for each word, so that one word alone could pass when p is adjusted
FEWEST_NOUNS = 20  # below which no p is given
FEWEST_KNOWN = 3
BEGINNINGS, NAMES = 4, 3  # by default: of the book, and pairs of a model that fills masks
ENOUGH = 5  # words for an order
SETS = 2000  # of random pairs of endings, at most
MOST = 999  # beginnings or pairs, beyond which it is said that more of them do not help


def any_model(name: str, value: Any) -> str:
    """A rule: one decoder or model that fills masks, also as a list of one; the package of "smollm2" has to be there."""
    things = as_list(value)
    if len(things) != 1:
        raise ValueError(
            f"{name}: expected one model, got {len(things)}; make one report for each, and compare them"
        )
    value = things[0]
    if value == SMOLLM2:
        try:
            smollm2_file()
        except FetchError as error:
            raise ValueError(f"{name}: {error}") from None
    if isinstance(value, str) and (value == SMOLLM2 or is_gguf(Path(value).expanduser())):
        return decoder(name, value)
    try:
        return rules.masked_model(name, value)
    except ValueError as error:
        said = str(error).replace("expected a fill-mask model: one of", "expected a model: one of")
        raise ValueError(
            said.replace("one of ", f"one of {SMOLLM2}, ", 1).replace(
                "a folder,", "a folder, a GGUF file,", 1
            )
        ) from None


def slotted(name: str, value: Any) -> str:
    """A rule: "book", or a file of sentences with {word} (for decoders) or {target} and {attribute} (for models that fill
    masks), once each.
    """
    if value == "book":
        return "book"
    sentences = read_own_sentences(rules.text(name, value))
    if not any(all(_has(text, slots) for text in sentences) for slots in SLOTS.values()):
        raise ValueError(
            f"{name}: expected sentences that each hold {{word}} once, or {{target}} and {{attribute}}; got {sentences[0]!r:.80}"
        )
    return str(value)


def own_sentence_pairs(name: str, value: Any) -> str:
    """A rule: "gest", or what `audit.model.sentence_pairs.read_pairs` takes: "crows_pairs" or a file of pairs of sentences."""
    try:
        if rules.text(name, value) == GEST:
            read_sentences()
        else:
            read_pairs(value)
    except FetchError as error:
        raise ValueError(f"{name}: {error}") from None
    return str(value)


def _has(text: str, slots: Sequence[str]) -> bool:
    others = {slot for listed in SLOTS.values() for slot in listed} - {*slots}
    return all(text.count(slot) == 1 for slot in slots) and not any(s in text for s in others)


def kind_of(name: str) -> str:
    """Whether a model is a "decoder" or a "masked" model, by what it is.

    Raises
    ------
    ValueError
        For a model that is neither, or not at hand.
    """
    if name == SMOLLM2 or is_gguf(Path(name).expanduser()):
        return "decoder"
    if name.startswith("minilm-mlm"):
        return "masked"
    try:
        folder, _ = model_folder(name)
        said = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        made = [str(one) for one in said.get("architectures") or ()]
    except FetchError as error:
        raise ValueError(str(error)) from None
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"{name}: the model cannot be read: {error}") from None
    if any(one.endswith(("ForCausalLM", "LMHeadModel")) for one in made):
        return "decoder"
    if any(one.endswith(("ForMaskedLM", "ForPreTraining")) for one in made):
        return "masked"
    raise ValueError(
        f"{name}: expected a causal language model or one that fills masks; its config.json says {', '.join(made) or 'nothing'}"
    )


class Asked(Protocol):
    """A model with its beginnings and pairs."""

    kind: str
    measure: str
    beginnings: tuple[str, ...]
    pairs: tuple[Pair, ...]

    def knows(self, word: str) -> bool:
        """Whether the model can spell a word."""

    def scores(self, words: Sequence[str]) -> Floats:
        """(n, b, p)."""

    def with_others(self, words: Sequence[str], others: Sequence[str]) -> tuple[Floats, Floats]:
        """The same, and log probabilities of other words where those of the pairs stand, (n, b, others), up to one number
        for each word and beginning.
        """

    def alike(self, words: Sequence[str]) -> list[str]:
        """Those that could stand for the words of the pairs: of as many pieces."""


class AskedDecoder:
    """A decoder: log odds of the pairs behind a word in a beginning, less the same behind a neutral noun.

    Parameters
    ----------
    model : CausalLanguageModel
    beginnings : sequence of str
        With {word}; they stop where the words of the pairs can stand.
    pairs : sequence of (str, str)
        The female word first.
    neutral : str
        The noun whose log odds are taken off.
    """

    kind, measure = "decoder", "log odds less the neutral noun"

    def __init__(
        self,
        model: CausalLanguageModel,
        beginnings: Sequence[str],
        pairs: Sequence[Pair],
        neutral: str,
    ):
        self.model, self.neutral = model, neutral
        self.beginnings, self.pairs = tuple(beginnings), tuple(pairs)
        self.taken_off = self.raw([neutral])

    def knows(self, word: str) -> bool:
        """Whether the model can spell a word."""
        return self.model.knows(word)

    def raw(self, words: Sequence[str]) -> Floats:
        """Log odds as they come, (n, b, p)."""
        return self._asked(words, ())[0]

    def scores(self, words: Sequence[str]) -> Floats:
        """Log odds less the neutral noun, (n, b, p)."""
        return self.raw(words) - self.taken_off

    def with_others(self, words: Sequence[str], others: Sequence[str]) -> tuple[Floats, Floats]:
        """Scores, and log probabilities of other endings, (n, b, others)."""
        raw, found = self._asked(words, others)
        return raw - self.taken_off, found

    def _asked(self, words: Sequence[str], others: Sequence[str]) -> tuple[Floats, Floats]:
        """All endings in one call, so that each beginning is read once."""
        both = [word for pair in self.pairs for word in pair]
        found = asking.of_words(self.model, words, self.beginnings, [*both, *others])
        raw = found[..., : len(both)]
        return raw[..., ::2] - raw[..., 1::2], found[..., len(both) :]

    def alike(self, words: Sequence[str]) -> list[str]:
        """Those of as many pieces as the first word of the first pair."""
        tokenizer = self.model.transformer.tokenizer
        texts = [f" {word}" for word in (self.pairs[0][0], *words)]
        size, *sizes = map(len, tokenizer(texts, add_special_tokens=False)["input_ids"])
        return [word for word, length in zip(words, sizes) if length == size]

    def begun_after(self, start: str) -> AskedDecoder:
        """The same, read after another start."""
        other = asking.begun_after(self.model, start)
        return AskedDecoder(other, self.beginnings, self.pairs, self.neutral)


class AskedMasked:
    """A model that fills masks: log probability bias, which is less the same with the word masked, too.

    Parameters
    ----------
    model : MaskedLanguageModel
    beginnings : sequence of str
        With {target} and {attribute}.
    pairs : sequence of (str, str)
        The female word first.
    """

    kind, measure = "masked", "log probability bias"

    def __init__(
        self, model: MaskedLanguageModel, beginnings: Sequence[str], pairs: Sequence[Pair]
    ):
        self.model = model
        self.beginnings, self.pairs = tuple(beginnings), tuple(pairs)

    def knows(self, word: str) -> bool:
        """Whether the model can spell a word."""
        return self.model.knows(word)

    def scores(self, words: Sequence[str]) -> Floats:
        """Log probability bias, (n, b, p)."""
        return self._bias(words, self.pairs)

    def with_others(self, words: Sequence[str], others: Sequence[str]) -> tuple[Floats, Floats]:
        """Scores, and associations with other words in the place of {target}, less that with the first of them."""
        if not others:
            return self.scores(words), np.empty((len(words), len(self.beginnings), 0))
        rest = [(other, others[0]) for other in others[1:]]
        both = self._bias(words, [*self.pairs, *rest])
        scores, found = np.split(both, [len(self.pairs)], axis=2)
        return scores, np.concatenate([np.zeros((*found.shape[:2], 1)), found], axis=2)

    def alike(self, words: Sequence[str]) -> list[str]:
        """Those of one piece, also at the head of a sentence."""
        return [word for word in words if self.model.is_single(word)]

    def _bias(self, words: Sequence[str], pairs: Sequence[Pair]) -> Floats:
        table = log_probability_bias(
            self.model, list(words), list(self.beginnings), list(pairs), pieces="marginalise"
        )
        return table["bias"].to_numpy(float).reshape(len(words), len(self.beginnings), len(pairs))


def mean_intervals(scores: ArrayLike, confidence_level: float = 0.95) -> tuple[Floats, Floats]:
    """Half the width of the interval of each word's mean over beginnings and pairs, and the degrees of freedom.

    Both facets are taken as drawn: the error is made of what a word does with a beginning, with a pair, and with both,
    each word by itself.

    Parameters
    ----------
    scores : array_like of shape (n, b, p)

    Returns
    -------
    half, degrees : ndarray of shape (n,)
        NaN where fewer than three questions were asked.

    References
    ----------
    Expected mean squares of a crossed random design, and degrees of freedom by Satterthwaite (1946).

    Examples
    --------
    >>> half, degrees = mean_intervals([[[0.0], [1.0], [2.0]]])
    >>> half.round(2), degrees  # Student's t over three numbers
    (array([2.48]), array([2.]))
    """
    table = np.asarray(scores, float)
    n, b, p = table.shape
    if b * p < 3:
        return np.full(n, np.nan), np.full(n, np.nan)
    if min(b, p) == 1:
        flat = table.reshape(n, -1)
        error = flat.std(axis=1, ddof=1) / math.sqrt(b * p)
        degrees = np.full(n, b * p - 1.0)
    else:
        by_b, by_p = table.mean(axis=2), table.mean(axis=1)
        middle = table.mean(axis=(1, 2), keepdims=True)
        rest = table - by_b[:, :, None] - by_p[:, None, :] + middle
        square = (rest**2).sum(axis=(1, 2)) / ((b - 1) * (p - 1))
        # what a facet adds is never less than nothing
        of_b = np.maximum(p * by_b.var(axis=1, ddof=1) - square, 0)
        of_p = np.maximum(b * by_p.var(axis=1, ddof=1) - square, 0)
        sums = np.stack(
            [np.where(of_b > 0, of_b + square, 0), np.where(of_p > 0, of_p + square, 0)]
        )
        left = square * (1 - (of_b > 0).astype(int) - (of_p > 0).astype(int))
        parts = np.stack([*sums, left])
        total = parts.sum(axis=0)
        spread = (parts**2 / np.array([b - 1, p - 1, (b - 1) * (p - 1)])[:, None]).sum(axis=0)
        degrees = np.divide(total**2, spread, out=np.full(n, np.nan), where=spread > 0)
        error = np.sqrt(total / (b * p))
    half = stats.t.ppf((1 + confidence_level) / 2, degrees) * error
    return np.where(error > 0, half, 0.0), degrees


class Order(NamedTuple):
    """Whether other beginnings and pairs would put words in the same order.

    Attributes
    ----------
    value, low, high : float
        Share of the variance of a word's mean that others would find again, with its interval over words.
    beginnings, pairs : int or None
        How many of one, with as many of the other as were asked, it takes for .8; None where no number does, or where
        fewer than two were asked.
    """

    value: float
    low: float
    high: float
    beginnings: int | None
    pairs: int | None


def order_of(scores: ArrayLike, *, rng: int | None = None) -> Order | None:
    """How far the order of words (n, b, p) generalises; None for fewer than five words or one question."""
    table = np.asarray(scores, float)
    n, b, p = table.shape
    if n < ENOUGH or b * p < 2 or not np.ptp(table.mean(axis=(1, 2))) > 0:
        return None
    if min(b, p) > 1:
        parts = three_way_components(table)
        low, high = generalisability_interval(table, b, p, n_resamples=400, rng=rng)
        more_b = _fewest(lambda count: generalisability(parts, count, p))
        more_p = _fewest(lambda count: generalisability(parts, b, count))
        return Order(generalisability(parts, b, p), low, high, more_b, more_p)
    flat, count = table.reshape(n, -1), b * p
    parts = crossed_components(flat)
    low, high = two_way_interval(
        lambda drawn: of_one_facet(crossed_components(drawn), count),
        flat,
        columns="halved" if count >= 4 else "redrawn",
        n_resamples=400,
        rng=rng,
    )
    needed = _fewest(lambda many: of_one_facet(parts, many))
    value = of_one_facet(parts, count)
    return Order(value, low, high, needed if b > 1 else None, needed if p > 1 else None)


def _fewest(of_count: Any, target: float = 0.8) -> int | None:
    return next((count for count in range(1, MOST + 1) if of_count(count) >= target), None)


def orders_of_random_pairs(
    log_p: ArrayLike, facts: ArrayLike, pairs: int, *, rng: np.random.Generator | int | None = None
) -> Floats:
    """Rank correlations with a fact where random words stand for those of the pairs: (n, b, k) -> (sets,).

    Each set has as many pairs as were asked, no word in two of them; with one pair all pairs of words are sets. Sets share
    words, so that they are fewer than they look.

    Examples
    --------
    >>> log_p = np.random.default_rng(0).standard_normal((8, 3, 5))
    >>> orders_of_random_pairs(log_p, range(8), 1).shape
    (10,)
    """
    of_ending = np.asarray(log_p, float).mean(axis=1)
    k = of_ending.shape[1]
    if k < 2 * pairs:
        return np.empty(0)
    if pairs == 1:
        sets = np.array(list(combinations(range(k), 2)))[:, None, :]
    else:
        generator = np.random.default_rng(rng)
        order = generator.permuted(np.tile(np.arange(k), (SETS, 1)), axis=1)
        sets = order[:, : 2 * pairs].reshape(SETS, pairs, 2)
    odds = (of_ending[:, sets[..., 0]] - of_ending[:, sets[..., 1]]).mean(axis=2)
    return rank_correlations(odds, np.asarray(facts, float))


@dataclass(frozen=True, eq=False)
class ModelAudit:
    """What was found in one model.

    Attributes
    ----------
    words : tuple of str
    asked : Asked
    scores, of_nouns : ndarray of shape (n, b, p), (m, b, p)
        Of the words, and of random nouns in their place.
    """

    asked: Asked
    words: tuple[str, ...]
    scores: Floats
    of_nouns: Floats

    @property
    def value(self) -> Floats:
        """Mean over beginnings and pairs, (n,)."""
        return self.scores.mean(axis=(1, 2))

    @property
    def zero(self) -> float:
        """Where nouns as such lie: the median of random nouns; 0 without any."""
        return float(np.median(self.of_nouns.mean(axis=(1, 2)))) if len(self.of_nouns) else 0.0

    @property
    def smallest_p(self) -> float:
        """That one word could have beside these nouns."""
        return 1 / (1 + len(self.of_nouns))

    def at_once(self, times: float = 1.0) -> int:
        """How many words would have to lie beyond all nouns for any to pass after adjustment; 1 where a single one could."""
        return math.ceil(round(times * self.smallest_p * len(self.words) / 0.05, 9))

    def interval(self) -> tuple[Floats, Floats]:
        """Ends over beginnings and pairs, of how far a word lies from where nouns do with the same ones."""
        apart = self.scores
        if len(self.of_nouns):
            apart = apart - np.median(self.of_nouns, axis=0)
        half, _ = mean_intervals(apart)
        return self.value - half, self.value + half

    def pvalues(self) -> Floats:
        """Of each word, two-sided beside random nouns in its place, counted from `zero`; NaN where there are too few nouns."""
        if len(self.of_nouns) < FEWEST_NOUNS:
            return np.full(len(self.words), np.nan)
        return beside_random_words(self.value, self.of_nouns.mean(axis=(1, 2)), self.zero)

    def asked_with(self, **p: float) -> dict[str, float]:
        """By how much each p is multiplied, since all questions are asked of one model (`asked_together`).

        Parameters
        ----------
        **p
            Of other questions, such as that of an order beside a fact; NaN where one is not asked.

        Returns
        -------
        dict of str to float
            "words" (that any leans) and those that are asked.
        """
        of_words = self.pvalues()
        smallest = math.nan
        if np.isfinite(of_words).all():
            smallest = float(stats.false_discovery_control(of_words).min())
        return asked_together({"words": smallest, **p})

    def table(self, times: float = 1.0) -> pd.DataFrame:
        """A row for each word: value, low, high, null_low, null_high, p, adjusted_p, n, smallest_p, zero, leans.

        p is that of `pvalues`; adjusted_p that of Benjamini and Hochberg over the words, `times` that of "words" in
        `asked_with` where more is asked. `leans` is "female" or "male" where it is at most .05 and the interval leaves out `zero`.
        """
        low, high = self.interval()
        n, m = len(self.words), len(self.of_nouns)
        p = self.pvalues()
        adjusted, ends = p, (np.nan, np.nan)
        leans = np.full(n, "", dtype=object)
        if m >= FEWEST_NOUNS:
            adjusted = np.minimum(1, times * stats.false_discovery_control(p))
            ends = np.quantile(self.of_nouns.mean(axis=(1, 2)), [0.025, 0.975])
            leans = leaning(self.value, low, high, self.zero, adjusted)
        b, k = self.scores.shape[1:]
        return pd.DataFrame(
            {
                "item": self.words,
                "measure": self.asked.measure,
                "value": self.value,
                "low": low,
                "high": high,
                "null_low": ends[0],
                "null_high": ends[1],
                "p": p,
                "adjusted_p": adjusted,
                "n": b * k,
                "smallest_p": self.smallest_p if m >= FEWEST_NOUNS else np.nan,
                "zero": self.zero,
                "leans": leans,
            }
        )

    def by_question(self) -> pd.DataFrame:
        """A row for each word, beginning and pair: item, measure, question, value."""
        labels = [
            f"{text} | {' – '.join(pair)}"
            for text in self.asked.beginnings
            for pair in self.asked.pairs
        ]
        flat = pd.DataFrame(self.scores.reshape(len(self.words), -1), self.words, labels)
        stacked = flat.rename_axis(index="item", columns="question").stack().rename("value")
        return stacked.reset_index().assign(measure=self.asked.measure)

    def female_by_zero(self, known: ArrayLike) -> dict[str, float]:
        """The share of words that lean female, by where zero is put.

        Parameters
        ----------
        known : array_like of shape (2 k, b, p)
            Scores of words whose side is known, as many of each.
        """
        zeros = {"less the neutral noun" if self.asked.kind == "decoder" else "less the prior": 0.0}
        taken_off = getattr(self.asked, "taken_off", None)
        if taken_off is not None:
            zeros["as it comes"] = -float(taken_off.mean())
        if len(self.of_nouns):
            zeros["less random nouns"] = self.zero
        zeros["less the middle of known pairs"] = float(np.mean(known))
        return {name: float((self.value > zero).mean()) for name, zero in zeros.items()}


def known_groups(
    asked: Asked, pairs: Sequence[Pair], *, rng: int | None = None
) -> tuple[Floats, Separation | None]:
    """Scores of known words, women's first (2 k, b, p), and how far their sides are told apart; None for too few pairs."""
    if len(pairs) < FEWEST_KNOWN:
        return np.empty((0, len(asked.beginnings), len(asked.pairs))), None
    scores = asked.scores([word for side in zip(*pairs, strict=True) for word in side])
    flat = scores.reshape(len(scores), -1)
    return scores, separation(flat[: len(pairs)], flat[len(pairs) :], rng=rng)


def nouns_for(words: int, listed: int, most: int, *, questions: int = 1) -> int:
    """How many random nouns to ask about: enough for one word alone to pass after adjustment for words and questions, if there are
    so many.
    """
    return min(max(A_WORD * questions * words, FEWEST_NOUNS), listed, most)


def p_of_order(rho: float, by_lot: ArrayLike) -> tuple[float, float]:
    """p of a rank correlation beside random pairs, two-sided, and the smallest that there could be; NaN without any."""
    null = np.abs(np.asarray(by_lot, float))
    if not len(null):
        return math.nan, math.nan
    return p_of_draws(abs(rho), null, tolerance=1e-12), 1 / (1 + len(null))


def load(
    name: str,
    *,
    beginnings: Sequence[str] | None = None,
    pairs: Sequence[Pair] | None = None,
    neutral: str = "person",
    start: str = "auto",
    device: str = "auto",
) -> AskedDecoder | AskedMasked:
    """A model with what it is asked, told apart by what it is.

    Parameters
    ----------
    name : str
        As `any_model` takes it.
    beginnings : sequence of str, optional
        By default four of the book's for its kind.
    pairs : sequence of (str, str), optional
        By default the book's for its kind. Those that the model cannot spell are an error.
    neutral, start : str
        Of decoders.
    device : str

    Returns
    -------
    AskedDecoder or AskedMasked

    Raises
    ------
    ValueError
        For a model that cannot be read or is not at hand, and for beginnings of the other kind or words that it cannot spell.
    """
    kind = kind_of(name)
    if kind == "decoder":
        lexicon = load_lexicon("language_models")
        texts, both = lexicon["beginnings"][:BEGINNINGS], lexicon["ending_pairs"]
    else:
        texts = load_lexicon("sentence_measures")["templates"][:BEGINNINGS]
        subjects = load_lexicon("language_models")["subject_pairs"]
        both = [pair for pair in subjects if not any(" " in word for word in pair)][:NAMES]
    chosen = tuple(beginnings or texts)
    wrong = [text for text in chosen if not _has(text, SLOTS[kind])]
    if wrong:
        raise ValueError(
            f"beginnings: {name} is a {kind} model, which takes sentences that each hold {' and '.join(SLOTS[kind])} once; got {wrong[0]!r:.80}"
        )
    try:
        model = (
            CausalLanguageModel(name, device, start=start)
            if kind == "decoder"
            else MaskedLanguageModel(name, device)
        )
    except FetchError as error:
        raise ValueError(str(error)) from None
    named = [tuple(pair) for pair in pairs or both]
    needed = [*(word for pair in named for word in pair), *([neutral] if kind == "decoder" else [])]
    lost = [word for word in needed if not model.knows(word)]
    if lost:
        raise ValueError(
            f"{name} cannot spell {', '.join(map(repr, lost[:5]))}; name other pairs or another neutral noun"
        )
    if isinstance(model, CausalLanguageModel):
        return AskedDecoder(model, chosen, named, neutral)
    return AskedMasked(model, chosen, named)
