"""The list from which the gender-specific words of Bolukbasi et al. (2016) were grown."""

import json

from lib.sources import fetch


def read_gender_specific_seed() -> list[str]:
    """The 218 words that the authors began with, as published.

    Raises
    ------
    FetchError
        Where the registered file is not at hand.

    References
    ----------
    Bolukbasi, Chang, Zou, Saligrama and Kalai (2016).
    """
    words: list[str] = json.loads(
        fetch("bolukbasi_gender_specific_seed").read_text(encoding="utf-8")
    )
    return words
