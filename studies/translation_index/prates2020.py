"""What Prates, Avelar & Lamb (2020) released: pronouns of Google Translate in 2018.

The gender of English pronouns for 1,019 occupations and 21 adjectives of gender-neutral languages.
A cell is Female, Male, Neutral, or "?" where they found no pronoun, which is never counted as
neutral. Bengali has six pronouns (three distances, each familiar or polite), whose shares the paper
averages.
"""

import csv
import io

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

GENDERS = ("Female", "Male", "Neutral", "?")
TABLES = {"occupations": "prates_job_genders", "adjectives": "prates_adj_genders"}


def read_genders(table: str = "occupations") -> pd.DataFrame:
    """The released cells of "occupations" or "adjectives", one a row.

    Columns category (occupations only), phrase, language; column: the language, or the pronoun where it has several ("Bengali-
    HF"); gender: one of `GENDERS`.
    """
    one_of("table", table, TABLES)
    wide = pd.read_csv(fetch(TABLES[table]), sep="\t").rename(
        columns={"Category": "category", "Occupation": "phrase", "Adjective": "phrase"}
    )
    labels = [name for name in ("category", "phrase") if name in wide]
    cells = wide.melt(labels, var_name="column", value_name="gender")
    if strange := sorted(set(cells.gender.astype(str)) - set(GENDERS)):
        raise ValueError(
            f"{TABLES[table]}: expected {', '.join(GENDERS)} in every cell, "
            f"got {', '.join(strange)}"
        )
    cells["language"] = cells["column"].str.partition("-")[0]
    return cells[[*labels, "language", "column", "gender"]]


def language_shares(genders: pd.DataFrame) -> pd.DataFrame:
    """Per cent of the phrases by gender of the pronoun; pronouns of a language average.

    A row for each language in the order of the table; columns `GENDERS`, which add up to 100.
    """
    columns = pd.crosstab([genders.language, genders.column], genders.gender, normalize="index")
    shares = columns.reindex(columns=list(GENDERS), fill_value=0.0).groupby(level=0).mean() * 100
    return shares.loc[list(dict.fromkeys(genders.language))]


def published_shares() -> pd.DataFrame:
    """The table that the authors printed, in per cent to three decimals: a row for each of twelve languages; columns Female, Male
    and Neutral.
    """
    text = fetch("prates_results_by_language_dat").read_text(encoding="utf-8")
    table = pd.read_csv(
        io.StringIO(text.replace(r" \\ \hline", "")),
        sep=r"\s*&\s*",
        engine="python",
        index_col=0,
        quoting=csv.QUOTE_NONE,
    )
    return table.rename_axis("language").rename_axis(None, axis=1)


def us_shares_of_women() -> pd.Series:
    """Women among those employed in an occupation in the USA: name in small letters -> share in [0, 1].

    The 2017 table of the Bureau of Labor Statistics as the authors wrote it out, name by name. Names without a share are left
    out, the few that stand twice get the mean.
    """
    table = pd.read_csv(fetch("prates_bls_occupations"), sep="\t", na_values="-")
    names = table["Expanded Occupation"].str.lower()
    shares = table["Women Participation (%)"].groupby(names).mean() / 100
    return shares.dropna().rename("women").rename_axis("occupation")
