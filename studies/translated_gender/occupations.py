"""The feminine share of each occupation: by translators of 2019 and of 2025, and where one word of the English says the gender.

WinoMT's sentences name a second person whom the pronoun is not about; GENDEROUS has sentences with one person and no pronoun.
Both are read by the same reader, and set side by side for the occupations that both have. Own sentences, "The librarian lost
{her, his, their, the} keys.", ask whether the possessive decides: a translator that reads it gives the person its gender; one
that does not gives the gender of the occupation's usual form.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.datasets.genderous import SYSTEMS, read_translations
from lib.inference.sums import share_reaching
from lib.translation.person_gender import subject_gender
from studies.translated_gender.scores import other_people, read_genders
from studies.translated_gender.winomt import published_translations

FIRST = {"google": "Google 2019", "bing": "Bing 2019"}


def shared_occupations(language: str) -> pd.DataFrame:
    """The feminine share, in [0, 1] of the translations that are read as feminine or masculine, of each occupation that both
    benchmarks have: occupations by systems, those of 2019 first. language: "es" or "de", which both have and our reader reads.
    """
    shares = {}
    for system, name in FIRST.items():
        outputs = published_translations(system, language)
        others = other_people(outputs)
        read = read_genders(outputs.loc[others.index, "translation"].tolist(), language, others)
        shares[name] = _shares(others["person"], pd.Series(read, others.index))
    for system, name in SYSTEMS.items():
        table = read_translations(system, language)
        table = table[table["kind"] != "their"]
        read = table["translation"].map(lambda text: subject_gender(text, language))
        shares[name] = _shares(table["occupation"], read)
    return pd.DataFrame(shares).dropna()


def _shares(occupations: pd.Series, read: pd.Series) -> pd.Series:
    gendered = read.isin(["male", "female"])
    return (read == "female")[gendered].groupby(occupations[gendered]).mean()


def mean_shares(
    shares: pd.DataFrame, *, n_resamples: int = 1000, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Means over occupations with intervals, by system (value, low, high), and paired differences from the first system (less,
    less low, less high).
    """
    generator = np.random.default_rng(rng)
    chosen = generator.integers(0, len(shares), (n_resamples, len(shares)))
    drawn = shares.to_numpy()[chosen].mean(axis=1)
    paired = drawn - drawn[:, [0]]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    less_low, less_high = np.quantile(paired, [0.025, 0.975], axis=0)
    value = shares.mean()
    return pd.DataFrame(
        {
            "value": value,
            "low": low,
            "high": high,
            "less": value - value.iloc[0],
            "less low": less_low,
            "less high": less_high,
        }
    )


def feminine_by_possessive(
    sentences: pd.DataFrame,
    translations: Sequence[str],
    language: str = "es",
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How many of the persons become feminine, by what the English says of them.

    Rows "her", "his", "their", "the" and "her − his". Columns value, low, high: shares of feminine ones among those read as
    feminine or masculine, in [0, 1], or their difference, occupations drawn; n: those read; and for the difference p: how often
    swapping *her* and *his* within a random half of the occupations gives as much.
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
