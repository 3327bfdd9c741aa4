"""Outside facts about occupations: women's share among those employed, and what people say.

Positive and high stand for women, as in the measures. Both come from the United States and know two
sexes.
"""

import pandas as pd

from lib.paths import DATA
from lib.sources import fetch

FOLDER = DATA / "occupations"


def occupation_shares() -> pd.DataFrame:
    """Women's share of the employed in the United States by occupation.

    Returns
    -------
    DataFrame
        By occupation, a noun in small letters: `women`, from 0 to 1; `source` ("Winogender",
        "WinoBias", "BLS" or "ACS", the first that has it); `year`. data/occupations/README.md says
        where they are from. Some occupations share a row of the statistics and so a number.

    References
    ----------
    US Bureau of Labor Statistics, Current Population Survey 2015 to 2017, as published by Rudinger
    et al. (2018), Zhao et al. (2018) and Prates et al. (2020); American Community Survey 2012.

    Examples
    --------
    >>> occupation_shares().loc[["nurse", "dentist", "carpenter"], "women"].tolist()
    [0.8958, 0.358, 0.0207]
    """
    return pd.read_csv(FOLDER / "shares.csv", index_col="occupation")


def occupation_ratings() -> pd.Series:
    """How people rate 320 occupations and roles, from male to female stereotype.

    Returns
    -------
    Series
        Mean rating by occupation, from 0 (stereotypically men's) to 4 (women's), midpoint 2; about
        ten people each. Some are roles or no nouns ("citizen", "confesses"), as released.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Bolukbasi et al. (2016) asked for them; Garg et al. (2018), "Word embeddings quantify 100 years of
    gender and ethnic stereotypes", released the file.
    """
    table = pd.read_csv(fetch("garg_mturk_stereotypes_csv"), index_col="occupation")
    ratings = table["stereotype_score"].rename("rating")
    return ratings.rename(lambda name: name.replace("_", " ")).astype(float)
