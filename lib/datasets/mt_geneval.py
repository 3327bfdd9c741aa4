"""MT-GenEval (Currey et al. 2022): sentences of Wikipedia whose English says a gender.

They come in pairs that differ in the gender only, 300 test pairs a language, with a reference for
each.
"""

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

LANGUAGES = ("ar", "de", "es", "fr", "it", "pt", "ru")


def read_counterparts(language: str) -> pd.DataFrame:
    """The test sentences of a language. Needs the `sample` files.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.

    Returns
    -------
    DataFrame
        A row for each pair: feminine_english, masculine_english, and their references feminine
        and masculine.

    Raises
    ------
    ValueError
        For another language, and where the four files are not line by line of each other.
    """
    one_of("language", language, LANGUAGES)
    columns = {
        f"{gender}{suffix}": fetch(f"mtge_sentences_{gender}_test_en_{language}_{written}")
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
        for written, suffix in (("en", "_english"), (language, ""))
        for gender in ("feminine", "masculine")
    }
    sizes = [len(lines) for lines in columns.values()]
    if len(set(sizes)) != 1:
        raise ValueError(
            f"MT-GenEval, {language}: expected four files of equal length, got {sizes} lines; "
            "fetch them again"
        )
    return pd.DataFrame(columns)
