"""What Bhaskaran and Bhallamudi print about their three models, from the predictions they released."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from lib.text_classification.sentiment.contrasts import differences

# The nouns that the authors looked for in SST-2, one token each.
NOUNS = {
    "male": [
        "he",
        "boy",
        "man",
        "father",
        "son",
        "grandfather",
        "grandson",
        "uncle",
        "nephew",
        "brother",
        "boyfriend",
        "husband",
        "groom",
        "gentleman",
        "dad",
        "grandpa",
        "widower",
        "bachelor",
    ],
    "female": [
        "she",
        "girl",
        "woman",
        "mother",
        "daughter",
        "grandmother",
        "granddaughter",
        "aunt",
        "niece",
        "sister",
        "girlfriend",
        "wife",
        "bride",
        "lady",
        "mum",
        "grandma",
        "widow",
        "spinster",
    ],
}


class PairedTest(NamedTuple):
    """Result of `paired_test`."""

    difference: float
    statistic: float
    pvalue: float
    n: int


def paired_test(sentences: pd.DataFrame, said: ArrayLike) -> PairedTest:
    """The paper's test: a t-test over all twin sentences, each pair of twins counted as independent of the others.

    Parameters
    ----------
    sentences, said
        As in `lib.text_classification.sentiment.contrasts.differences`.

    Returns
    -------
    PairedTest
        Difference (female minus male), t, two-sided p, number of twins.

    Raises
    ------
    ValueError
        As `differences`.

    References
    ----------
    Bhaskaran and Bhallamudi (2019), Section 3 and Table 1.
    """
    table = differences(sentences, said).to_numpy().ravel()
    test = stats.ttest_1samp(table, 0)
    return PairedTest(float(table.mean()), float(test.statistic), float(test.pvalue), len(table))


def occupation_ranks(occupations: ArrayLike, said: ArrayLike, *, tie: float = 1e-9) -> pd.DataFrame:
    """Occupations from the most to the least positive, with ties.

    Parameters
    ----------
    occupations : array_like of str, shape (n,)
        The occupation of each sentence.
    said : array_like, shape (n,)
        How positive each was taken to be.
    tie : float
        Means nearer than this are tied with the next.

    Returns
    -------
    DataFrame
        By occupation, highest mean first: mean, top and bottom (ranks from each end; tied ones share the best), and
        tied: how many others have the same mean.

    Raises
    ------
    ValueError
        Where scores do not fit.

    Examples
    --------
    >>> ranks = occupation_ranks(["baker", "chef", "pilot"], [0.5, 0.5, 0.9])
    >>> ranks[["top", "bottom", "tied"]].to_dict("index")
    {'pilot': {'top': 1, 'bottom': 3, 'tied': 0}, 'baker': {'top': 2, 'bottom': 1, 'tied': 1}, 'chef': {'top': 2, 'bottom': 1, 'tied': 1}}
    """
    names, scores = np.asarray(occupations, str), np.asarray(said, float)
    if names.shape != scores.shape or names.ndim != 1 or not len(names):
        raise ValueError(
            f"said: expected a score for each sentence; got {scores.shape} for {names.shape}"
        )
    means = pd.Series(scores).groupby(names, sort=False).mean()
    means = means.sort_values(ascending=False, kind="stable")
    group = (means.diff().abs() > tie).cumsum()  # a new number where the mean falls
    ranks = pd.DataFrame(
        {
            "mean": means,
            "top": group.map(group.value_counts().sort_index().cumsum().shift(fill_value=0) + 1),
        }
    )
    ranks["tied"] = group.map(group.value_counts()) - 1
    ranks["bottom"] = len(ranks) - (ranks["top"] + ranks["tied"]) + 1
    return ranks[["mean", "top", "bottom", "tied"]]


def phrases_with_nouns(phrases: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The phrases that hold one of the nouns as a token between blanks.

    Parameters
    ----------
    phrases : DataFrame
        With a column text.

    Returns
    -------
    dict
        "male" and "female": the rows, once each, however many nouns they hold. A phrase may be in both.

    References
    ----------
    Bhaskaran and Bhallamudi (2019), Section 4.
    """
    tokens = phrases["text"].str.split(" ")
    return {
        side: phrases[[not wanted.isdisjoint(row) for row in tokens]]
        for side, wanted in ((side, set(nouns)) for side, nouns in NOUNS.items())
    }


def phrase_groups(texts: list[str]) -> list[int]:
    """A number for each phrase, the same for phrases that are pieces of one longer phrase in the list.

    Phrases of SST-2 are cut from sentences, so that one review counts many times. The longest phrase that contains a
    phrase names its group.

    Parameters
    ----------
    texts : list of str
        Phrases.

    Returns
    -------
    list of int
        Group of each, counted from 0.

    Examples
    --------
    >>> phrase_groups(["a woman", "a woman of wit", "the man"])
    [0, 0, 1]
    """
    longest: list[str] = []
    group = {}
    for text in sorted(set(texts), key=lambda text: (-len(text), text)):
        within = f" {text} "
        number = next((n for n, whole in enumerate(longest) if within in whole), len(longest))
        if number == len(longest):
            longest.append(within)
        group[text] = number
    order: dict[int, int] = {}
    return [order.setdefault(group[text], len(order)) for text in texts]
