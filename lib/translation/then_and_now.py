"""Translators of 2019 and of 2025 on persons of whom nothing says the gender.

WinoMT's sentences name a second person whom the pronoun is not about; GENDEROUS has sentences with
one person and no pronoun. Both are read by the same reader, and set side by side for the
occupations that both have.
"""

import numpy as np
import pandas as pd

from lib.datasets.genderous import SYSTEMS, read_translations
from lib.datasets.winomt import published_translations, read_sentences
from lib.translation.person_gender import subject_gender
from lib.translation.winomt import other_people, read_genders

FIRST = {"google": "Google 2019", "bing": "Bing 2019"}


def shared_occupations(language: str) -> pd.DataFrame:
    """The feminine share of each occupation that both benchmarks have, by system.

    Parameters
    ----------
    language : str
        "es" or "de", which both benchmarks have and our reader reads.

    Returns
    -------
    DataFrame
        Occupations by systems, those of 2019 first; shares of feminine ones among the translations
        that are read as feminine or masculine, in [0, 1].
    """
    others = other_people(read_sentences())
    shares = {}
    for system, name in FIRST.items():
        outputs = published_translations(system, language)
        read = read_genders([outputs[number] for number in others.index], language, others)
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
    """Means over occupations with intervals, and paired differences from the first system.

    Parameters
    ----------
    shares : DataFrame
        Occupations by systems, as `shared_occupations`.
    n_resamples : int
        Draws of occupations.

    Returns
    -------
    DataFrame
        Indexed by system. Columns value, low, high, and less, less low, less high: that system less
        the first one.

    Examples
    --------
    >>> shares = pd.DataFrame({"then": [0.0, 1.0, 0.5], "now": [0.5, 1.0, 1.0]})
    >>> mean_shares(shares, rng=0)["less"].round(2).to_dict()
    {'then': 0.0, 'now': 0.33}
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
