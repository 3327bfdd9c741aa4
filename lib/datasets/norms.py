"""Ratings of words by people: fetched from their authors, not kept here."""

import pandas as pd

from lib.sources import fetch


def warriner_norms() -> pd.DataFrame:
    """Mean valence, arousal and dominance of 13,915 English lemmas.

    Returns
    -------
    DataFrame
        Lemmas × (`valence`, `arousal`, `dominance`), from 1 to 9, midpoint 5.

    Raises
    ------
    FetchError
        Where the file cannot be had.

    References
    ----------
    Warriner, Kuperman and Brysbaert (2013), "Norms of valence, arousal, and dominance for 13,915 English
    lemmas".
    """
    columns = {"V.Mean.Sum": "valence", "A.Mean.Sum": "arousal", "D.Mean.Sum": "dominance"}
    table = pd.read_csv(
        fetch("warriner_vad"), usecols=["Word", *columns], index_col="Word", keep_default_na=False
    )
    return table.rename(columns=columns).rename_axis("word").astype(float)[[*columns.values()]]
