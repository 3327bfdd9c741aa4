"""Intrinsic scores of a set of vectors: one number each, positive along the stereotype."""

from __future__ import annotations

import numpy as np

from lib.association import associations, effect_size
from lib.embeddings import Embedding
from lib.lexicons import base_pairs, load_lexicon
from lib.measures import (
    direct_bias,
    neighbourhood_bias,
    relative_norm_difference,
    ripa,
)
from lib.measures.geometry import absolute_cosine
from studies.predictive_validity.words import Jobs, gendered_words, job_halves

NEUTRAL = 2000  # most frequent words among which neighbours are sought
NEIGHBOURS = 100
FEWEST = 3  # words of a list
TESTS = {  # targets and attributes of `caliskan2017`, stereotype of men first
    "WEAT career, family": ("career", "family", "male_terms", "female_terms"),
    "WEAT maths, arts": ("math", "arts", "male_terms", "female_terms"),
    "WEAT science, arts": ("science", "arts_8", "male_terms_8", "female_terms_8"),
    "WEAT pleasant, women": ("female_terms", "male_terms", "pleasant", "unpleasant"),
}
JOB_SCORES = (
    "WEAT jobs",
    "direct bias",
    "RIPA",
    "neighbours",
    "norm difference",
    "mean |cosine|",
)
SCORES = (*JOB_SCORES, *TESTS)


def intrinsic_scores(e: Embedding, jobs: Jobs | None = None) -> dict[str, float]:
    """Scores of one set of vectors (words in small letters, the most frequent first) by the names of `SCORES`.

    "WEAT jobs" is the effect size of women's against men's occupations (by default the first of `job_halves`) with female and male
    words; "direct bias", "RIPA", "neighbours" and "norm difference" are means over women's occupations less those over men's, over the
    base pairs; "mean |cosine|" is that of occupations with the mean direction of the pairs, which has no sign. The others are WEAT of
    Caliskan et al., positive where men go with career, maths, science, and women with pleasant. NaN where fewer than three words of a
    list are held.
    """
    jobs = jobs or job_halves()[0]
    women, men = (e.rows(side, missing="drop") for side in (jobs.female, jobs.male))
    pairs = e.pairs(base_pairs(), missing="drop")
    if min(len(women.words), len(men.words), len(pairs.kept)) < FEWEST:
        scores = dict.fromkeys(JOB_SCORES, float("nan"))
    else:
        scores = _of_jobs(e, women.vectors, men.vectors, pairs)
    lists = load_lexicon("caliskan2017")
    for name, parts in TESTS.items():
        x, y, a, b = (e.rows(lists[part], missing="drop").vectors for part in parts)
        enough = min(map(len, (x, y, a, b))) >= FEWEST
        scores[name] = (
            effect_size(associations(x, a, b), associations(y, a, b)) if enough else float("nan")
        )
    return scores


def _of_jobs(e: Embedding, women: np.ndarray, men: np.ndarray, pairs) -> dict[str, float]:
    jobs = np.concatenate([women, men])
    count, listed = len(women), gendered_words()
    neutral = [word for word in e.words[: 2 * NEUTRAL] if word not in listed][:NEUTRAL]
    around = e.rows(neutral).vectors
    by_word = {
        "direct bias": direct_bias(jobs, pairs.female, pairs.male).mean(axis=1),
        "RIPA": ripa(jobs, pairs.female, pairs.male).mean(axis=1),
        "neighbours": neighbourhood_bias(
            jobs, pairs.female, pairs.male, around, k=min(NEIGHBOURS, len(around))
        ).mean(axis=1),
        "norm difference": relative_norm_difference(jobs, pairs.female, pairs.male),
    }
    lean = associations(jobs, pairs.female, pairs.male)
    direction = (pairs.female - pairs.male).mean(axis=0)
    return {
        "WEAT jobs": effect_size(lean[:count], lean[count:]),
        **{
            name: float(values[:count].mean() - values[count:].mean())
            for name, values in by_word.items()
        },
        "mean |cosine|": float(np.mean(absolute_cosine(jobs, direction[None]))),
    }
