"""What rewriting sentences in the other gender got right: sentences, words that mark gender, BLEU.

The two targets of a sentence, masculine and feminine, are parallel word by word. Words in which
they differ mark gender; a sentence whose targets are the same marks nobody.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.inference.sums import resampled_sums

ORDER = 4  # of BLEU's n-grams
MEASURES = ("BLEU", "sentences", "words", "over-corrected")
COLUMNS = ("system", "measure", "n", "value", "low", "high")
CHANGES = ("change", "change_low", "change_high")


def line_scores(
    outputs: Sequence[str], targets: Sequence[str], others: Sequence[str]
) -> pd.DataFrame:
    """What each output got right, a row a line; words are parted by blanks.

    right: whether it is the target; marking: words in which target and other differ; hits: those of them that are as in the
    target; kept: other words that are; words: of the target.
    """
    if not len(outputs) == len(targets) == len(others):
        raise ValueError(
            f"expected an output and two targets a line, got {len(outputs)} outputs, "
            f"{len(targets)} targets and {len(others)} others"
        )
    rows = []
    for number, lines in enumerate(zip(outputs, targets, others)):
        output, target, other = (line.split() for line in lines)
        if len(target) != len(other):
            raise ValueError(
                f"line {number}: expected targets of as many words, "
                f"got {len(target)} and {len(other)}"
            )
        same = _same_words(output, target)
        marking = [a != b for a, b in zip(target, other)]
        hits = sum(right for right, marks in zip(same, marking) if marks)
        rows.append((output == target, sum(marking), hits, sum(same) - hits, len(target)))
    return pd.DataFrame(rows, columns=["right", "marking", "hits", "kept", "words"])


def bleu(outputs: Sequence[str], targets: Sequence[str]) -> float:
    """BLEU of words as they are, without tokenisation, 0 to 100, as sacrebleu computes it."""
    return float(_bleu(_bleu_counts(outputs, targets).sum(axis=0)[None])[0])


def compare_systems(
    outputs: Mapping[str, Sequence[str]],
    targets: Sequence[str],
    others: Sequence[str],
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    resamples: int = 1000,
    *,
    rng: np.random.Generator | int = 0,
) -> pd.DataFrame:
    """Scores of systems on the same lines and draws, with 95 % bootstrap intervals: columns `COLUMNS` and `CHANGES`, a row for a
    system and a measure. BLEU in 0 to 100, the others shares: of lines that equal their target; of gender-marking words that
    are as in the target; of lines that mark nobody and were changed. n: lines or words; change: value less that of the first
    system, NaN for itself. A measure of no lines is left out. Lines of one group (n,) are drawn together; each stratum (n,)
    keeps its number of groups in every draw.
    """
    seed = int(np.random.default_rng(rng).integers(2**32))
    rows, first = [], {}
    for place, (system, lines) in enumerate(outputs.items()):
        scored = line_scores(lines, targets, others)
        unmarked = scored["marking"] == 0
        sums = [scored["right"], np.ones(len(scored)), scored["hits"], scored["marking"]]
        sums += [unmarked & ~scored["right"], unmarked]
        terms = np.column_stack([*sums, _bleu_counts(lines, targets)]).astype(float)
        drawn = resampled_sums(
            terms, clusters=groups, strata=strata, n_resamples=resamples, rng=seed
        )
        values, samples = _values(terms.sum(axis=0)[None]), _values(drawn)
        for measure, n in zip(MEASURES, (len(scored), len(scored), *terms[:, [3, 5]].sum(axis=0))):
            if not n:
                continue
            value, sample = float(values[measure][0]), samples[measure]
            if place == 0:
                first[measure] = value, sample
                change = (np.nan,) * 3
            else:
                base, base_sample = first[measure]
                change = (value - base, *_ends(sample - base_sample))
            rows.append((system, measure, int(n), value, *_ends(sample), *change))
    return pd.DataFrame(rows, columns=[*COLUMNS, *CHANGES])


def _same_words(output: list[str], target: list[str]) -> list[bool]:
    """Whether each word of the target is in the output at its place; where the output has more or fewer words, they are aligned
    first.
    """
    if len(output) == len(target):
        return [a == b for a, b in zip(output, target)]
    same = [False] * len(target)
    for block in SequenceMatcher(None, output, target, autojunk=False).get_matching_blocks():
        same[block.b : block.b + block.size] = [True] * block.size
    return same


def _values(sums: NDArray) -> dict[str, NDArray]:
    """Measures from rows of summed terms; NaN where a draw has nothing to divide by."""
    with np.errstate(invalid="ignore"):
        shares = sums[:, [0, 2, 4]] / sums[:, [1, 3, 5]]
    return dict(zip(MEASURES, (_bleu(sums[:, 6:]), *shares.T)))


def _ends(draws: NDArray) -> tuple[float, float]:
    low, high = np.nanquantile(draws, [0.025, 0.975])
    return float(low), float(high)


def _bleu_counts(outputs: Sequence[str], targets: Sequence[str]) -> NDArray:
    """Rows of lengths of output and target, matching n-grams and n-grams of the output by order."""
    rows = []
    for output, target in zip(outputs, targets):
        words, wanted = output.split(), target.split()
        matching, written = [], []
        for order in range(1, ORDER + 1):
            own, right = _ngrams(words, order), _ngrams(wanted, order)
            matching.append((own & right).total())
            written.append(own.total())
        rows.append([len(words), len(wanted), *matching, *written])
    return np.array(rows)


def _ngrams(words: list[str], order: int) -> Counter:
    return Counter(zip(*(words[start:] for start in range(order))))


def _bleu(sums: NDArray) -> NDArray:
    """BLEU from rows of summed counts."""
    from sacrebleu.metrics.bleu import BLEU

    return np.array(
        [
            BLEU.compute_bleu(
                correct=row[2 : 2 + ORDER],
                total=row[2 + ORDER :],
                sys_len=row[0],
                ref_len=row[1],
                smooth_method="exp",
            ).score
            for row in np.rint(sums).astype(int).tolist()
        ]
    )
