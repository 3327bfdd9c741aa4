"""GAP: Wikipedia passages around an ambiguous pronoun, as many of women as of men."""

import csv

import pandas as pd

from lib.sources import fetch

KEYS = ("gap_development", "gap_test", "gap_validation")
FEMININE = ("she", "her", "hers")


def read_gap(key: str = "gap_development") -> pd.DataFrame:
    """The passages of a part of GAP, with what the annotators say of the pronoun.

    Parameters
    ----------
    key : str
        One of `KEYS`: 2,000 passages for development, 2,000 for testing, 454 for validation.

    Returns
    -------
    DataFrame
        One row a passage, in the order of the file: its columns (`ID`, `Text`, `Pronoun`, `A`, `B`, offsets in
        characters, `A-coref` and `B-coref` as booleans, `URL`), the `gender` of the pronoun ("female" or
        "male"), and `neither`, whether it refers to neither of the two names.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Webster, Recasens, Axelrod and Baldridge (2018), "Mind the GAP".
    """
    passages = pd.read_csv(fetch(key), sep="\t", quoting=csv.QUOTE_NONE)
    female = passages["Pronoun"].str.lower().isin(FEMININE)
    gender = female.map({True: "female", False: "male"})
    return passages.assign(gender=gender, neither=~(passages["A-coref"] | passages["B-coref"]))
