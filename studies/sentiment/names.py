"""Differences between phrases of the same gender: how large a mean difference is when it cannot be one of gender."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import vectors as checked_rows
from lib.text_classification.sentiment.templates import (
    CONTROL,
    FRAMES,
    fill,
    occupations_of_the_paper,
)

Positive = Callable[[Sequence[str]], NDArray[np.floating]]

# Given names in English by the gender they are usually given to, written down for this book.
FEMININE = [
    "Abigail",
    "Alice",
    "Amy",
    "Anna",
    "Audrey",
    "Barbara",
    "Beatrice",
    "Caroline",
    "Catherine",
    "Charlotte",
    "Clara",
    "Deborah",
    "Diana",
    "Dorothy",
    "Edith",
    "Eleanor",
    "Elizabeth",
    "Ellen",
    "Emily",
    "Emma",
    "Esther",
    "Eva",
    "Fiona",
    "Florence",
    "Frances",
    "Gwendolyn",
    "Hannah",
    "Harriet",
    "Helen",
    "Irene",
    "Isabel",
    "Jane",
    "Janet",
    "Joanna",
    "Josephine",
    "Judith",
    "Julia",
    "Karen",
    "Laura",
    "Linda",
    "Louise",
    "Lucy",
    "Margaret",
    "Maria",
    "Martha",
    "Mary",
    "Matilda",
    "Miriam",
    "Nancy",
    "Nora",
    "Olivia",
    "Pamela",
    "Patricia",
    "Rachel",
    "Rebecca",
    "Rosemary",
    "Ruth",
    "Sarah",
    "Sophie",
    "Susan",
    "Sylvia",
    "Teresa",
    "Ursula",
    "Virginia",
]
MASCULINE = [
    "Adam",
    "Albert",
    "Alfred",
    "Andrew",
    "Anthony",
    "Arthur",
    "Benjamin",
    "Bernard",
    "Brian",
    "Charles",
    "Christopher",
    "Colin",
    "Daniel",
    "David",
    "Dennis",
    "Donald",
    "Douglas",
    "Edmund",
    "Edward",
    "Eric",
    "Ernest",
    "Francis",
    "Frederick",
    "Geoffrey",
    "George",
    "Gerald",
    "Gilbert",
    "Gordon",
    "Graham",
    "Harold",
    "Henry",
    "Herbert",
    "Howard",
    "Hugh",
    "Ian",
    "James",
    "Jeremy",
    "John",
    "Joseph",
    "Keith",
    "Kenneth",
    "Lawrence",
    "Leonard",
    "Malcolm",
    "Martin",
    "Matthew",
    "Michael",
    "Neil",
    "Nicholas",
    "Oliver",
    "Patrick",
    "Paul",
    "Peter",
    "Philip",
    "Ralph",
    "Raymond",
    "Richard",
    "Robert",
    "Roger",
    "Simon",
    "Stephen",
    "Thomas",
    "Timothy",
    "Walter",
]


def own_names() -> pd.DataFrame:
    """Names written down for this book, 64 feminine and 64 masculine: columns phrase and group."""
    groups = ["feminine"] * len(FEMININE) + ["masculine"] * len(MASCULINE)
    return pd.DataFrame({"phrase": [*FEMININE, *MASCULINE], "group": groups})


def phrase_scores(
    positive: Positive,
    phrases: Sequence[str],
    occupations: Sequence[str] | None = None,
    *,
    adjective: str = "",
    frame: str = FRAMES[0],
) -> NDArray[np.float64]:
    """What a model says of each of m phrases with each occupation (m, occupations), in one frame.

    An adjective is put before the occupation: a valued one is a positive control, a plain one a negative. Occupations are by default
    the 20 of the paper.
    """
    if occupations is None:
        occupations = [name for name in occupations_of_the_paper() if name != CONTROL]
    jobs = [f"{adjective} {occupation}".strip() for occupation in occupations]
    texts = [fill(frame, phrase, job) for phrase in phrases for job in jobs]
    if not texts:
        raise ValueError(
            f"expected phrases and occupations, got {len(phrases)} and {len(jobs)}; give one of each at least"
        )
    return np.asarray(positive(texts), dtype=float).reshape(len(phrases), len(jobs))


def null_differences(
    scores: ArrayLike,
    groups: Sequence[str],
    pairs: int = 20,
    draws: int = 1000,
    *,
    rng: np.random.Generator | int | None = None,
) -> NDArray[np.float64]:
    """Mean differences (draws,) over random pairs of phrases of one group: the null of a difference between groups.

    `scores` (m, k) are as `phrase_scores` gives them, `groups` m labels. Each draw makes as many pairs in every group (one more in the
    first ones where they do not divide), no phrase twice, and takes the mean over pairs and columns of first less second, as the paper
    does with pairs of two genders. The order within a pair is random.
    """
    means = checked_rows("scores", scores).astype(float).mean(axis=1)
    labels = np.asarray(groups)
    if labels.shape != means.shape:
        raise ValueError(
            f"groups: expected a label for each of {len(means)} rows, got shape {labels.shape}"
        )
    if pairs < 1 or draws < 1:
        raise ValueError(f"pairs, draws: expected 1 or more, got {pairs} and {draws}")
    names = sorted(set(labels.tolist()))
    wanted = [pairs // len(names) + (place < pairs % len(names)) for place in range(len(names))]
    rng, totals = np.random.default_rng(rng), np.zeros(draws)
    for name, count in zip(names, wanted):
        members = means[labels == name]
        if 2 * count > len(members):
            raise ValueError(
                f"groups: expected {2 * count} phrases or more in {name!r} for {count} pairs, got {len(members)}; "
                "ask for fewer pairs"
            )
        drawn = rng.permuted(np.tile(members, (draws, 1)), axis=1)[:, : 2 * count]
        totals += drawn[:, :count].sum(axis=1) - drawn[:, count:].sum(axis=1)
    return totals / pairs
