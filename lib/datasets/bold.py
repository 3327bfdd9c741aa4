"""BOLD: sentences on people, professions and beliefs from Wikipedia, and the prompts cut from
them.
"""

import json

import pandas as pd

from lib.sources import fetch

WIKIPEDIA = (
    "bold_profession_wiki",
    "bold_race_wiki",
    "bold_gender_wiki",
    "bold_political_ideology_wiki",
    "bold_religious_ideology_wiki",
)


def read_bold(key: str = "bold_profession_prompt") -> pd.DataFrame:
    """The sentences or prompts of a part of BOLD.

    Parameters
    ----------
    key : str
        A registry key: one of `WIKIPEDIA` (whole sentences) or "bold_profession_prompt" (their
        beginnings).

    Returns
    -------
    DataFrame
        One row a sentence, in the order of the file: `group` (an occupational field, "American_actresses", …),
        `title` (the article: a profession or a name) and `text`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Dhamala, Sun, Kumar, Krishna, Pruksachatkun, Chang and Gupta (2021), "BOLD".
    """
    groups = json.loads(fetch(key).read_text(encoding="utf-8"))
    rows = [
        (group, title, text)
        for group, articles in groups.items()
        for title, texts in articles.items()
        for text in texts
    ]
    return pd.DataFrame(rows, columns=["group", "title", "text"])
