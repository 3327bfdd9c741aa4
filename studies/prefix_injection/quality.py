"""BLEU and chrF of sets of outputs, from counts of each sentence, and with the gender left out."""

import functools
import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

COLUMNS = ("system", "metric", "score", "low", "high", "change", "change_low", "change_high", "p")


def paired_scores(
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[str],
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """BLEU and chrF of each set of outputs, with 95 % bootstrap intervals over sentences, and changes from the first set.

    All sets and both metrics are computed on the same resamples, each from the counts of its sentences, which gives what
    sacrebleu gives and takes a hundredth of the time. Columns `COLUMNS`. score: 0 to 100; change: score less that of the first;
    p: its two-sided p-value as sacrebleu's paired bootstrap computes it (Koehn 2004); NaN for the first.
    """
    texts = list(references)
    for name, lines in outputs.items():
        if not texts or len(lines) != len(texts):
            raise ValueError(
                f"{name}: expected an output for each of {len(texts)} references, got {len(lines)}"
            )
    uniform = np.full(len(texts), 1 / len(texts))
    weights = np.random.default_rng(rng).multinomial(len(texts), uniform, resamples)
    measures = {"BLEU": (bleu_counts, bleu_of_counts), "chrF2": (chrf_counts, chrf_of_counts)}
    rows = []
    for metric, (count, score_of) in measures.items():
        first = None
        for name, lines in outputs.items():
            counts = np.array([count(line, text) for line, text in zip(lines, texts)])
            (score,), resampled = score_of(counts.sum(axis=0)[None]), score_of(weights @ counts)
            if first is None:
                first = score, resampled
                change = (np.nan,) * 4
            else:
                change = _change(score, resampled, *first)
            rows.append((name, metric, score, *np.quantile(resampled, [0.025, 0.975]), *change))
    return pd.DataFrame(rows, columns=COLUMNS)


def bleu_counts(output: str, reference: str) -> list[int]:
    """What BLEU needs of one output, ten numbers to be summed over sentences: both lengths, then matching n-grams and all of the
    output.
    """
    score = _sentence_bleu().sentence_score(output, [reference])
    return [score.sys_len, score.ref_len, *score.counts, *score.totals]


def bleu_of_counts(totals: NDArray) -> NDArray[np.float64]:
    """BLEU, 0 to 100, from (n, 10) summed counts: sacrebleu's, with its smoothing "exp"."""
    totals = np.asarray(totals, float)
    length, reference = totals[:, 0], totals[:, 1]
    correct, number = totals[:, 2:6], totals[:, 6:10]
    smoothing, logs = np.ones(len(totals)), np.zeros(len(totals))
    for order in range(4):
        missed = (correct[:, order] == 0) & (number[:, order] > 0)
        smoothing[missed] *= 2
        matched = np.where(missed, 1 / smoothing, correct[:, order])
        with np.errstate(divide="ignore", invalid="ignore"):
            logs += np.log(matched / number[:, order]) / 4
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.minimum(0, 1 - reference / length)
    scored = (correct.sum(axis=1) > 0) & (number > 0).all(axis=1)
    return np.where(scored, 100 * np.exp(np.where(scored, logs + brevity, 0)), 0.0)


def chrf_counts(output: str, reference: str) -> list[int]:
    """Character n-grams of the output, of the reference and of both, order by order: 18 numbers."""
    counts = []
    for own, right in zip(_char_ngrams(output), _char_ngrams(reference)):
        counts += [own.total() if right else 0, right.total(), (own & right).total()]
    return counts


@functools.lru_cache(2_000)
def _char_ngrams(text: str) -> list:
    from sacrebleu.metrics import CHRF
    from sacrebleu.metrics.helpers import extract_all_char_ngrams

    return extract_all_char_ngrams(text, CHRF.CHAR_ORDER)


def chrf_of_counts(totals: NDArray) -> NDArray[np.float64]:
    """chrF2, 0 to 100, from (n, 18) summed counts: F of mean precision and mean recall (Popović 2015)."""
    from sacrebleu.metrics import CHRF

    own, right, both = totals.reshape(len(totals), -1, 3).astype(float).transpose(2, 0, 1)
    effective = (own > 0) & (right > 0)
    orders = np.maximum(effective.sum(axis=1), 1)
    precision, recall = (
        np.divide(both, size, out=np.zeros_like(both), where=effective).sum(axis=1) / orders
        for size in (own, right)
    )
    weight = CHRF.BETA**2
    overlap = (1 + weight) * precision * recall
    return 100 * np.divide(
        overlap, weight * precision + recall, out=np.zeros_like(overlap), where=overlap > 0
    )


@functools.cache
def _sentence_bleu():
    from sacrebleu.metrics import BLEU

    return BLEU(effective_order=True)


def gender_blind(text: str, feminine: str, masculine: str) -> str:
    """A translation in which the words that only a woman says are written as a man says them: those in which the two references,
    of the same words, differ. A score of such texts against the masculine reference says how good a translation is but for the
    gender of its speaker.
    """
    pairs = [re.findall(r"\w+", reference) for reference in (feminine, masculine)]
    if len(pairs[0]) != len(pairs[1]):
        raise ValueError(
            f"expected references of the same words, got {feminine!r} and {masculine!r}; write "
            "both so that they differ in single words only"
        )
    exchanged = {
        hers.lower(): his.lower() for hers, his in zip(*pairs) if hers.lower() != his.lower()
    }

    def exchange(match: re.Match) -> str:
        word = exchanged.get(match[0].lower(), match[0])
        return word.capitalize() if match[0][0].isupper() else word

    return re.sub(r"\w+", exchange, text)


def _change(
    score: float, resampled: NDArray, first: float, first_resampled: NDArray
) -> tuple[float, ...]:
    """Difference from the first, its interval, and the p-value of Koehn (2004): how often resampled differences, moved to a mean
    of zero, are as large.
    """
    differences = resampled - first_resampled
    size = np.abs(differences) - np.abs(differences).mean()
    p = (np.sum(~(size <= abs(score - first))) + 1) / (len(differences) + 1)
    return (score - first, *np.quantile(differences, [0.025, 0.975]), float(p))


def signatures() -> dict[str, str]:
    """sacrebleu's signature of BLEU and chrF as `paired_scores` computes them."""
    from sacrebleu.metrics import BLEU, CHRF

    names = {}
    for metric in (BLEU(), CHRF()):
        score = metric.corpus_score(["a"], [["a"]])
        names[score.name] = str(metric.get_signature())
    return names
