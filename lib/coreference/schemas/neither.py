"""Kurita et al.'s case study: does a resolver give up on feminine pronouns more often, and where topics lean male?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import real_numbers
from lib.coreference.schemas.contrasts import Gap, Rng
from lib.inference.permutation import partition_test
from lib.language_models.log_probability import mean_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.lexicons import load_lexicon
from lib.measures.topics import find_topics, topic_scores


def neither_gap(
    given: ArrayLike,
    female: ArrayLike,
    pages: Sequence[str],
    *,
    draws: int = 100_000,
    n_resamples: int = 2000,
    rng: Rng = None,
) -> Gap:
    """Mean P(neither) around feminine pronouns less that around masculine ones.

    Parameters
    ----------
    given : array_like, shape (n,)
        P(neither) of each passage.
    female : array_like of bool, shape (n,)
        Whether its pronoun is feminine.
    pages : sequence of str
        The page of each passage; the interval draws pages.
    draws, n_resamples : int
        Shuffles of the genders over passages behind p (two-sided), and bootstrap draws.
    rng : Generator or int, optional

    Returns
    -------
    Gap
        Positive where feminine pronouns are given up more often; `n` counts feminine pronouns.

    Raises
    ------
    ValueError
        For lists of different length, or pronouns of one gender alone.

    References
    ----------
    Kurita et al. (2019), Section 4 and Table 4, who do not say what was permuted.

    Examples
    --------
    >>> gap = neither_gap([0.2, 0.4, 0.1, 0.1], [True, True, False, False], list("abcd"), rng=0)
    >>> round(gap.value, 2), round(gap.pvalue, 2)
    (0.2, 0.33)
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
    """How far the topics of each text lean to men, by the model's own log probability bias of their words.

    Parameters
    ----------
    texts : sequence of str
        n texts; their topics come from `lib.measures.topics.find_topics`.
    model : MaskedLanguageModel
        Asked about the 15 top words of each topic in "[men] are interested in [word]", against women.
    per_weight : bool
        Divide by the weight of those words in the text. The paper sums, so that long texts and texts full of frequent
        words get scores far from 0 on either side.
    topics : int
        How many; the paper has 20.

    Returns
    -------
    ndarray of float, shape (n,)
        Positive leans to men.

    References
    ----------
    Kurita et al. (2019), Section 4.
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
