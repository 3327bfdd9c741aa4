"""Rated professions, words that name a gender by definition, and pairs that differ in it."""

import json

import pandas as pd

from lib.sources import fetch


def read_professions() -> pd.DataFrame:
    """The 320 professions, in the order of the file.

    Returns
    -------
    DataFrame
        `profession` (words parted by spaces), and from -1 (female) to 1 (male) `definition`, how much it is so by
        definition, and `stereotype`, how much by stereotype.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Bolukbasi, Chang, Zou, Saligrama and Kalai (2016).
    """
    rows = json.loads(fetch("bolukbasi_professions").read_text(encoding="utf-8"))
    table = pd.DataFrame(rows, columns=["profession", "definition", "stereotype"])
    return table.assign(profession=table["profession"].str.replace("_", " "))


def read_gender_specific_words() -> list[str]:
    """The 1,441 words that hard debiasing spares, as published.

    Raises
    ------
    FetchError
        Where the registered file is not at hand.
    """
    words: list[str] = json.loads(
        fetch("bolukbasi_gender_specific_full").read_text(encoding="utf-8")
    )
    return words


def read_equalize_pairs() -> list[tuple[str, str]]:
    """The 52 pairs of words that differ in gender alone, in the order of the file.

    Raises
    ------
    FetchError
        Where the registered file is not at hand.
    """
    pairs = json.loads(fetch("bolukbasi_equalize_pairs").read_text(encoding="utf-8"))
    return [(first, second) for first, second in pairs]
