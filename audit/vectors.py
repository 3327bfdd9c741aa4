"""What can be said of words in vectors of a reader's own: known groups first, then each word beside random pairs and random words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.leaning import TOLERANCE, asked_together, beside_random_words, leaning
from lib.checks import unit_rows
from lib.embeddings import Embedding, load_embedding
from lib.embeddings.checkpoints import whole_words
from lib.files import file_hash
from lib.inference.random_words import random_pairs
from lib.language_models.gguf import is_gguf, read_header
from lib.lexicons import pair_list
from lib.measures.known_groups import Separation, separation

Floats = NDArray[np.float64]
Pair = tuple[str, str]

DRAWS_A_WORD = (
    20  # draws for each word asked about, so that one word alone could pass when p is adjusted
)
BLOCK = 2**17  # vectors held at a time
FEWEST_PAIRS = 3  # below which nothing is said of other pairs
FEWEST_RANKED = 10  # words in common, below which embeddings are not ranked


def _between_unit_words(first: NDArray, second: NDArray) -> Floats:
    """What direct bias projects on: the difference of the two words, each at length 1."""
    return np.asarray(unit_rows("pairs", first) - unit_rows("pairs", second), float)


def _direction(first: NDArray, second: NDArray) -> Floats:
    """What RIPA projects on: the difference of the two words, itself at length 1."""
    apart = np.asarray(first - second, float)
    length = np.linalg.norm(apart, axis=-1, keepdims=True)
    return np.divide(apart, length, out=np.zeros_like(apart), where=length > 0)


@dataclass(frozen=True)
class Linear:
    """A measure that is a product of a word with something made of a pair.

    Attributes
    ----------
    contrast : callable
        From the vectors of female and male words (p, d) to what words are multiplied with (p, d).
    unit : bool
        Whether words are brought to length 1 first.
    """

    contrast: Callable[[NDArray, NDArray], Floats]
    unit: bool

    def words(self, vectors: ArrayLike) -> Floats:
        """Vectors as the measure takes them."""
        rows = np.asarray(vectors, float)
        return np.asarray(unit_rows("words", rows), float) if self.unit else rows


MEASURES = {"direct bias": Linear(_between_unit_words, True), "RIPA": Linear(_direction, False)}


@dataclass(frozen=True, eq=False)
class WordScores:
    """Words beside the mean contrast of pairs, by one measure.

    Attributes
    ----------
    by_pair : ndarray of shape (n, p)
        Score of each word with each pair; positive leans female.
    random : ndarray of shape (n, draws)
        Score of each word with as many random pairs, their mean contrast made as long as that of the pairs.
    of_random_words : ndarray of shape (draws,)
        Scores of random words with the pairs.
    """

    by_pair: Floats
    random: Floats
    of_random_words: Floats

    @property
    def value(self) -> Floats:
        """Mean over pairs, (n,)."""
        return self.by_pair.mean(axis=1)

    @property
    def zero(self) -> float:
        """Where words as such lie: the median of random words. Zero itself is moved by how frequent the words of the pairs are."""
        return float(np.median(self.of_random_words))

    def interval(self, confidence_level: float = 0.95) -> tuple[Floats, Floats]:
        """Ends over pairs, by Student's t; NaN with fewer than three pairs."""
        p = self.by_pair.shape[1]
        if p < FEWEST_PAIRS:
            nothing = np.full(len(self.by_pair), np.nan)
            return nothing, nothing
        reach = stats.t.ppf((1 + confidence_level) / 2, p - 1) / math.sqrt(p)
        half = reach * self.by_pair.std(axis=1, ddof=1)
        return self.value - half, self.value + half

    def pvalues(self, least: float = 0.0) -> tuple[Floats, Floats]:
        """Two-sided shares of draws as far out, the word itself counted: beside random pairs, and beside random words, these
        `least` or more.

        The first asks whether another contrast of words would do; it is taken from 0. The second asks whether another
        word would do; it is taken from `zero`.
        """
        far = np.abs(self.value)
        of_pairs = (1 + (np.abs(self.random) >= far[:, None] - TOLERANCE).sum(axis=1)) / (
            1 + self.random.shape[1]
        )
        of_words = beside_random_words(self.value, self.of_random_words, self.zero)
        return of_pairs, np.maximum(of_words, least)


def word_scores(
    measure: Linear,
    words: ArrayLike,
    female: ArrayLike,
    male: ArrayLike,
    random_contrasts: ArrayLike,
    others: ArrayLike,
) -> WordScores:
    """Scores of words with each pair, with random pairs, and of random words.

    Parameters
    ----------
    measure : Linear
        One of `MEASURES`.
    words : array_like of shape (n, d)
    female, male : array_like of shape (p, d)
        Row j of one faces row j of the other.
    random_contrasts : array_like of shape (draws, d)
        Mean contrasts of as many random pairs, of any length.
    others : array_like of shape (m, d)
        Random words.

    Returns
    -------
    WordScores

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> words, female, male, contrasts, others = rng.standard_normal((5, 20, 30))
    >>> found = word_scores(MEASURES["direct bias"], words, female, male, contrasts, others)
    >>> found.by_pair.shape, found.random.shape, bool((found.pvalues()[0] > 0.04).all())
    ((20, 20), (20, 20), True)
    """
    contrasts = measure.contrast(np.asarray(female, float), np.asarray(male, float))
    rows, lengths = measure.words(words), np.linalg.norm(random_contrasts, axis=1, keepdims=True)
    length = np.linalg.norm(contrasts.mean(axis=0))
    random = rows @ (length * np.asarray(random_contrasts, float) / lengths).T
    return WordScores(rows @ contrasts.T, random, measure.words(others) @ contrasts.mean(axis=0))


@dataclass(frozen=True, eq=False)
class VectorsAudit:
    """What was found in one embedding.

    Attributes
    ----------
    embedding : Embedding
    words, missing : tuple of str
        Words that are there, and that are not.
    pairs, missing_pairs : tuple of (str, str)
    known : Separation or None
        How far direct bias tells known female from known male words apart; None where too few are there.
    known_pairs : tuple of (str, str)
        What that was measured on.
    scores : dict of str to WordScores
        By measure.
    draws : int
        Random pairs and random words behind each p.
    matched : bool
        Whether these are about as frequent as what they stand for; not where rows are in no order of frequency, or too
        few words are near.
    others : int
        Different words that random words are drawn from: with fewer than draws, no word can be said to be rarer than one of these.
    """

    embedding: Embedding
    words: tuple[str, ...]
    missing: tuple[str, ...]
    pairs: tuple[Pair, ...]
    missing_pairs: tuple[Pair, ...]
    known: Separation | None
    known_pairs: tuple[Pair, ...]
    scores: dict[str, WordScores]
    draws: int
    matched: bool
    others: int

    @property
    def smallest_p(self) -> float:
        """The smallest p that a word could have: one draw of all, or one word of all there are."""
        return 1 / (1 + min(self.draws, self.others))

    @property
    def told_apart(self) -> bool:
        """Whether known groups are: the interval of their AUC lies above one half. Else nothing is ranked."""
        return self.known is not None and self.known.low > 0.5

    def table(self, times: float = 1.0) -> pd.DataFrame:
        """A row for each word and measure: value, low, high, null_low, null_high, p, adjusted_p, n, smallest_p and what they are made of.

        p is the larger of two: beside random pairs, and beside random words. adjusted_p is that of Benjamini and
        Hochberg over the words of one measure, `times` that of "words" in `asked` where more is asked of them; `leans` is "female" or "male" where it is at most .05 and the interval
        over pairs leaves out `zero`, else "".
        """
        parts = []
        for measure, found in self.scores.items():
            low, high = found.interval()
            of_pairs, of_words = found.pvalues(self.smallest_p)
            p = np.maximum(of_pairs, of_words)
            adjusted = np.minimum(1, times * stats.false_discovery_control(p))
            ends = np.quantile(found.random, [0.025, 0.975], axis=1)
            parts.append(
                pd.DataFrame(
                    {
                        "item": self.words,
                        "measure": measure,
                        "value": found.value,
                        "low": low,
                        "high": high,
                        "null_low": ends[0],
                        "null_high": ends[1],
                        "p": p,
                        "adjusted_p": adjusted,
                        "n": len(self.pairs),
                        "smallest_p": self.smallest_p,
                        "zero": found.zero,
                        "p_random_pairs": of_pairs,
                        "p_random_words": of_words,
                        "leans": leaning(found.value, low, high, found.zero, adjusted),
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    def by_pair(self) -> pd.DataFrame:
        """A row for each word, measure and pair: item, measure, question, value."""
        labels = [" – ".join(pair) for pair in self.pairs]
        parts = [
            pd.DataFrame(found.by_pair, self.words, labels)
            .rename_axis(index="item", columns="question")
            .stack()
            .rename("value")
            .reset_index()
            .assign(measure=measure)
            for measure, found in self.scores.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def beyond_random_pairs(self, measure: str = "direct bias") -> tuple[float, float]:
        """How much more these words lean than with random pairs of words, and p.

        Returns
        -------
        ratio : float
            Mean square of the scores over its median with random pairs; 1 where the pairs are like any.
        p : float
            Share of random pairs with as large a mean square, these counted.
        """
        found = self.scores[measure]
        own, drawn = (found.value**2).mean(), (found.random**2).mean(axis=0)
        return float(own / np.median(drawn)), float((1 + (drawn >= own).sum()) / (1 + len(drawn)))

    def asked(self, fact: float = math.nan, groups: float = math.nan) -> dict[str, float]:
        """By how much each p is multiplied, since all questions are asked of the same words (`asked_together`).

        Parameters
        ----------
        fact, groups : float
            p of an order beside a fact, and the smallest adjusted p of groups of words; NaN where these are not asked.

        Returns
        -------
        dict of str to float
            "words" (that any leans by direct bias), "list" (`beyond_random_pairs`), "fact" and "groups".
        """
        of_words = np.maximum(*self.scores["direct bias"].pvalues(self.smallest_p))
        words = float(stats.false_discovery_control(of_words).min())
        list_p = self.beyond_random_pairs()[1]
        return asked_together({"words": words, "list": list_p, "fact": fact, "groups": groups})

    def one_alone(self, fact: float = math.nan, groups: float = math.nan) -> float:
        """The smallest adjusted p that one word could have if no other leaned: above .05 it could not have been shown.

        Parameters
        ----------
        fact, groups : float
            As in `asked`.
        """
        words = min(1.0, len(self.words) * self.smallest_p)
        list_p = self.beyond_random_pairs()[1]
        asked = {"words": words, "list": list_p, "fact": fact, "groups": groups}
        return min(1.0, words * asked_together(asked)["words"])


def load_vectors(name: str, *, spelling: str = "") -> Embedding:
    """What `lib.embeddings.load_embedding` reads, and the input table of a GGUF file for the pieces that are whole words.

    Parameters
    ----------
    name : str
    spelling : str
        As there.

    Returns
    -------
    Embedding

    Raises
    ------
    ValueError
        As there; and for a file of safetensors, whose words stand in other files of its folder.

    Examples
    --------
    >>> len(load_vectors("minilm"))
    21722
    """
    path = Path(name).expanduser()
    if path.is_file() and path.suffix.lower() == ".safetensors":
        raise ValueError(
            f"{path}: expected words with vectors, got weights without words; give the model's folder as hf:{path.parent}"
        )
    if not is_gguf(path):
        return load_embedding(name, spelling=spelling)
    embedding = _of_gguf(path)
    return embedding.spelled(spelling) if spelling else embedding


def _of_gguf(path: Path) -> Embedding:
    """The rows of the pieces that are whole words, dequantised."""
    from gguf import GGMLQuantizationType
    from gguf.quants import dequantize
    from tokenizers.decoders import ByteLevel

    header = read_header(path)
    pieces = header.said["tokenizer.ggml.tokens"]
    if header.said["tokenizer.ggml.model"] == "gpt2":  # its blanks and other bytes stand as letters
        texts = (ByteLevel().decode([piece]) for piece in pieces)
        pieces = ["▁" + text[1:] if text.startswith(" ") else text for text in texts]
    words, rows = whole_words({piece: row for row, piece in enumerate(pieces)})
    tensor = header.tensors["token_embd.weight"]
    packed = np.memmap(path, np.uint8, "r", tensor.start, (len(pieces), tensor.size // len(pieces)))
    vectors = dequantize(packed[rows], GGMLQuantizationType(tensor.kind))
    source = f"{path.name}@sha256:{file_hash(path)}"
    return Embedding(words, np.asarray(vectors, np.float32), path.stem, source)


def audit_vectors(
    embedding: Embedding,
    words: Sequence[str],
    pairs: Sequence[Pair],
    *,
    known: Sequence[Pair] | None = None,
    draws: int = 1000,
    questions: int = 1,
    rng: np.random.Generator | int | None = None,
) -> VectorsAudit:
    """Measure words in one embedding beside random pairs and random words.

    Parameters
    ----------
    embedding : Embedding
    words : sequence of str
        Those that it lacks are listed in the result.
    pairs : sequence of (str, str)
        Base pairs, the female word first; likewise.
    known : sequence of (str, str), optional
        Pairs whose two sides are known, by default those of the lexicon `known_groups`; words of the base pairs are
        left out.
    draws : int
        Random pairs and random words, at least; twenty for each word and question where that is more, so that p could be small
        enough after adjustment. Matched in frequency where the embedding's rows are in that order.
    questions : int
        That are asked of the words, as in `VectorsAudit.asked`.
    rng : Generator or int, optional

    Returns
    -------
    VectorsAudit

    Raises
    ------
    ValueError
        Where no word, or no pair, is there, or too few others are to draw from.

    Examples
    --------
    >>> from lib.embeddings import load_embedding
    >>> from lib.lexicons import base_pairs
    >>> found = audit_vectors(load_embedding("minilm"), ["nurse", "mason", "qwrt"], base_pairs(), rng=0)
    >>> found.missing, found.told_apart, round(found.known.auc, 2)
    (('qwrt',), True, 1.0)
    """
    generator = np.random.default_rng(rng)
    there = embedding.rows(words, missing="drop")
    base = embedding.pairs(pairs, missing="drop")
    for what, kept, lost in (("words", there.words, words), ("pairs", base.kept, pairs)):
        if not len(kept):
            why = getattr(there.vectors if what == "words" else base.female, "why", "")
            mend = "" if what == "words" else "; give pairs in their language and spelling (pairs)"
            raise ValueError(
                f"none of {len(lost)} {what} is in {embedding.name}. {why}".strip() + mend
            )
    of_pairs = np.array([embedding.words.positions(pair) for pair in base.kept])
    of_words = embedding.words.positions(there.words)
    draws = max(draws, DRAWS_A_WORD * questions * len(there.words))
    matched = embedding.ranked
    try:
        drawn = random_pairs(of_pairs, len(embedding), draws, matched=matched, rng=generator)
        others = _others(embedding, of_words, of_pairs.ravel(), draws, matched, generator)
    except ValueError:  # too few words as frequent as these
        matched = False
        drawn = random_pairs(of_pairs, len(embedding), draws, matched=False, rng=generator)
        others = _others(embedding, of_words, of_pairs.ravel(), draws, False, generator)
    scores = {}
    for name, measure in MEASURES.items():
        contrasts = _mean_contrasts(embedding, drawn, measure)
        scores[name] = word_scores(
            measure, there.vectors, base.female, base.male, contrasts, others
        )
    known_pairs, separated = _known(embedding, base.kept, known, generator)
    return VectorsAudit(
        embedding,
        there.words,
        there.missing,
        base.kept,
        base.missing,
        separated,
        known_pairs,
        scores,
        draws,
        matched,
        len(embedding) - len({*of_words.tolist(), *of_pairs.ravel().tolist()}),
    )


def _others(
    embedding: Embedding,
    of_words: NDArray,
    of_pairs: NDArray,
    draws: int,
    matched: bool,
    generator: np.random.Generator,
) -> NDArray:
    """Vectors of random words that are neither asked about nor in a pair, near in rank to words asked about where that is asked."""
    positions = np.concatenate([of_words, of_pairs])
    times = -(-draws // (2 * len(of_words)))
    drawn = random_pairs(
        np.column_stack([positions, positions]),
        len(embedding),
        times,
        matched=matched,
        rng=generator,
    )[:, : len(of_words)]
    return np.asarray(embedding.vectors[drawn.ravel()[:draws]])


def _mean_contrasts(embedding: Embedding, drawn: NDArray, measure: Linear) -> Floats:
    """Mean contrasts of random pairs, (draws, d), from rows (draws, p, 2)."""
    draws, p, _ = drawn.shape
    found = np.empty((draws, embedding.vectors.shape[1]))
    step = max(1, BLOCK // (2 * p))
    for start in range(0, draws, step):
        rows = drawn[start : start + step]
        first, second = (np.asarray(embedding.vectors[rows[..., side].ravel()]) for side in (0, 1))
        found[start : start + step] = (
            measure.contrast(first, second).reshape(len(rows), p, -1).mean(axis=1)
        )
    return found


def _known(
    embedding: Embedding,
    base: Sequence[Pair],
    known: Sequence[Pair] | None,
    generator: np.random.Generator,
) -> tuple[tuple[Pair, ...], Separation | None]:
    """The known pairs that are there, without words of the base pairs, and how far their sides are told apart."""
    asked = {word for pair in base for word in pair}
    listed = pair_list("known_groups/pairs") if known is None else known
    found = embedding.pairs(
        [pair for pair in listed if not asked & {*pair}] or listed, missing="drop"
    )
    if len(found.kept) < FEWEST_PAIRS:
        return found.kept, None
    contrast = embedding.pairs(base)
    direct = MEASURES["direct bias"]
    contrasts = direct.contrast(contrast.female, contrast.male).T
    sides = (direct.words(side) @ contrasts for side in (found.female, found.male))
    return found.kept, separation(*sides, rng=generator)


def ranking(
    audits: Sequence[VectorsAudit],
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Embeddings by how much the same words lean in them beside random pairs.

    Parameters
    ----------
    audits : sequence of VectorsAudit
        Two or more; words that all have count.
    n_resamples, rng
        Of the bootstrap over words, the same for all embeddings.

    Returns
    -------
    DataFrame
        A row for each audit, in the order given: ratio (1 is what random pairs give), low, high, rank (1 leans most),
        share of draws in which it is first, n.

    Raises
    ------
    ValueError
        For fewer than two audits, or fewer than ten words that all have.
    """
    common = [word for word in audits[0].words if all(word in audit.words for audit in audits)]
    if len(audits) < 2 or len(common) < FEWEST_RANKED:
        raise ValueError(
            f"expected two embeddings or more with {FEWEST_RANKED} words in common, got {len(audits)} and {len(common)}"
        )
    generator = np.random.default_rng(rng)
    n = len(common)
    weights = generator.multinomial(n, np.full(n, 1 / n), size=n_resamples) / n
    values, draws = [], []
    for audit in audits:
        rows = [audit.words.index(word) for word in common]
        found = audit.scores["direct bias"]
        squares, random = found.value[rows] ** 2, found.random[rows] ** 2
        values.append(squares.mean() / np.median(random.mean(axis=0)))
        draws.append(weights @ squares / np.median(weights @ random, axis=1))
    value, drawn = np.array(values), np.array(draws)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
    leads = drawn >= drawn.max(axis=0) * (1 - 1e-9)  # two that are the same share the lead
    first = (leads / leads.sum(axis=0)).mean(axis=1)
    return pd.DataFrame(
        {
            "ratio": value,
            "low": low,
            "high": high,
            "rank": stats.rankdata(-value),
            "share of draws in which it is first": first,
            "n": n,
        }
    )
