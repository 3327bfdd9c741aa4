"""Does *her* make the person a woman? Own sentences in which one word says the gender, or none.

"The librarian lost {her, his, their, the} keys." A translator that reads the possessive gives the
person its gender; one that does not gives the gender of the occupation's usual form.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.inference.sums import share_reaching
from lib.lexicons import pair_list, word_list
from lib.translation.person_gender import subject_gender
from lib.translation.then_and_now import mean_shares


def possessive_sentences() -> pd.DataFrame:
    """The English sentences: 24 occupations, four frames, four determiners.

    Returns
    -------
    DataFrame
        Columns text, occupation, frame, says: "her", "his", "their" or "the".

    Examples
    --------
    >>> possessive_sentences()["text"].iloc[0]
    'The nurse lost her keys.'
    """
    rows = [
        (frame.format(occupation=occupation, says=says), occupation, frame, says)
        for occupation, _ in pair_list("two_people/occupations")
        for frame in word_list("person_gender/frames")
        for says in word_list("person_gender/says")
    ]
    return pd.DataFrame(rows, columns=["text", "occupation", "frame", "says"])


def feminine_by_possessive(
    sentences: pd.DataFrame,
    translations: Sequence[str],
    language: str = "es",
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How many of the persons become feminine, by what the English says of them.

    Parameters
    ----------
    sentences : DataFrame
        As `possessive_sentences`.
    translations : sequence of str
        One for each of them.
    language : str
        As `lib.translation.person_gender.subject_gender`.
    n_resamples : int
        Draws of occupations, and swaps for the null.

    Returns
    -------
    DataFrame
        Rows "her", "his", "their", "the" and "her − his". Columns value, low, high: shares of
        feminine ones among those read as feminine or masculine, in [0, 1], or their difference; n:
        those read; and for the difference p: how often swapping *her* and *his* within a random
        half of the occupations gives as much.
    """
    if len(translations) != len(sentences):
        raise ValueError(
            f"expected {len(sentences)} translations, one for each sentence, got {len(translations)}"
        )
    read = pd.Series([subject_gender(text, language) for text in translations], sentences.index)
    gendered = sentences.assign(feminine=(read == "female").astype(float))[
        read.isin(["female", "male"])
    ]
    shares = gendered.groupby(["occupation", "says"])["feminine"].mean().unstack()
    shares = shares.reindex(columns=["her", "his", "their", "the"]).dropna()
    shares["her − his"] = shares["her"] - shares["his"]
    generator = np.random.default_rng(rng)
    found = mean_shares(shares, n_resamples=n_resamples, rng=generator)[["value", "low", "high"]]
    found["n"] = [
        len(gendered) if "−" in says else (gendered["says"] == says).sum() for says in found.index
    ]
    signs = generator.choice([-1, 1], (n_resamples, len(shares)))
    swapped = np.abs(signs @ shares["her − his"].to_numpy())
    observed = np.abs(shares["her − his"].sum())
    found.loc["her − his", "p"] = float(share_reaching(observed, swapped))
    return found
