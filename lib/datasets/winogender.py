"""What Winogender (Rudinger, Naradowsky, Leonard & Van Durme 2018) says of its sixty occupations."""

import pandas as pd

from lib.sources import fetch


def read_occupation_shares() -> pd.DataFrame:
    """The share of women in each of Winogender's occupations, in per cent.

    Returns
    -------
    DataFrame
        By occupation: `employed` (US labour statistics of 2015 or 2016) and `text` (Bergsma and Lin 2006, from how
        pronouns go with the noun in text).

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    table = pd.read_csv(fetch("winogender_occupations_stats"), sep="\t").set_index("occupation")
    names = {"bls_pct_female": "employed", "bergsma_pct_female": "text"}
    return table.rename(columns=names)[list(names.values())]
