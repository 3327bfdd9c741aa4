"""Job titles, traits and skills from the repository of a paper."""

import pandas as pd

from lib.sources import fetch

KEYS = ("kurita_positive_traits", "kurita_negative_traits", "kurita_tech_skills")


def read_job_titles() -> pd.Series:
    """The job title of each record of salaries, in small letters; missing where a record has none.

    The file names people; of it only this column is read.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    """
    path = fetch("kurita_employee_salaries")
    titles = pd.read_csv(path, usecols=["Job Title"])["Job Title"]
    return titles.str.strip().str.lower().str.replace(r"\s+", " ", regex=True)


def read_words(key: str) -> list[str]:
    """The words and phrases of a list of traits or skills, in small letters, each once.

    Parameters
    ----------
    key : str
        One of `KEYS`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Kurita, Vyas, Pareek, Black and Tsvetkov (2019), section 5.
    """
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(line.strip().lower() for line in lines if line.strip()))
