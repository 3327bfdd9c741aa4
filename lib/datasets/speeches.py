"""Speeches by year: addresses of presidents."""

import re

import pandas as pd

from lib.datasets.corpora import zipped_texts


def read_presidents(key: str = "nltk_state_union") -> pd.DataFrame:
    """Addresses of U.S. presidents.

    Parameters
    ----------
    key : str
        "nltk_state_union", State of the Union 1945 to 2006, or "nltk_inaugural", from 1789 on.

    Returns
    -------
    DataFrame
        One row a speech, by year: `year`, `president`, `text`.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    rows = []
    for name, text in zipped_texts(key, r".*/\d{4}-.*\.txt"):
        year, president = re.search(r"(\d{4})-([A-Za-z]+)", name).groups()
        rows.append((int(year), president, text))
    return pd.DataFrame(rows, columns=["year", "president", "text"])
