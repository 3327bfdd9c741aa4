"""What Prates, Avelar & Lamb (2020) released: the gender of English pronouns for 1,019 occupations and 21 adjectives, put in
gender-neutral languages by Google Translate in 2018.

A cell is Female, Male, Neutral, or "?" where they found no pronoun, which is never counted as neutral. Bengali has
six pronouns (three distances, each familiar or polite), whose shares the paper averages.
"""

from __future__ import annotations

import csv
import io

import pandas as pd

from lib.sources import fetch

GENDERS = ("Female", "Male", "Neutral", "?")
TABLES = {"occupations": "prates_job_genders", "adjectives": "prates_adj_genders"}


def read_genders(table: str = "occupations") -> pd.DataFrame:
    """The released cells, one a row: category (occupations only), phrase, language, column, gender.

    column : the language, or the pronoun where it has several ("Bengali-HF"). Needs the `sample` files.
    Raises ValueError for another table or a cell that is none of Female, Male, Neutral and "?".
    """
    if table not in TABLES:
        raise ValueError(f"table must be one of {', '.join(TABLES)}; got {table!r}")
    wide = pd.read_csv(fetch(TABLES[table]), sep="\t").rename(
        columns={"Category": "category", "Occupation": "phrase", "Adjective": "phrase"}
    )
    kept = [name for name in ("category", "phrase") if name in wide]
    found = wide.melt(kept, var_name="column", value_name="gender")
    if strange := sorted(set(found.gender.astype(str)) - set(GENDERS)):
        raise ValueError(
            f"{TABLES[table]}: expected {', '.join(GENDERS)} in every cell, got {', '.join(strange)}"
        )
    return found.assign(language=found.column.str.partition("-")[0])[
        [*kept, "language", "column", "gender"]
    ]


def language_shares(genders: pd.DataFrame) -> pd.DataFrame:
    """Per cent of the phrases by gender of the pronoun, one row for each language in the order of the table.

    genders : as `read_genders`. Columns Female, Male, Neutral and "?", which add up to 100. Pronouns of a language average.
    """
    columns = pd.crosstab([genders.language, genders.column], genders.gender, normalize="index")
    shares = columns.reindex(columns=list(GENDERS), fill_value=0.0).groupby(level=0).mean() * 100
    return shares.loc[list(dict.fromkeys(genders.language))]


def published_shares() -> pd.DataFrame:
    """The table the authors printed, in per cent to three decimals: Female, Male and Neutral of twelve languages."""
    text = (
        fetch("prates_results_by_language_dat")
        .read_text(encoding="utf-8")
        .replace(r" \\ \hline", "")
    )
    table = pd.read_csv(
        io.StringIO(text), sep=r"\s*&\s*", engine="python", index_col=0, quoting=csv.QUOTE_NONE
    )
    return table.rename_axis("language").rename_axis(None, axis=1)


def us_shares_of_women() -> pd.Series:
    """Women among those employed in an occupation in the USA, in [0, 1], by its name in small letters.

    The 2017 table of the Bureau of Labor Statistics as the authors wrote it out, name by name; names without a share are
    left out, the few that stand twice get the mean. Needs the `sample` files.
    """
    table = pd.read_csv(fetch("prates_bls_occupations"), sep="\t", na_values="-")
    shares = (
        table["Women Participation (%)"].groupby(table["Expanded Occupation"].str.lower()).mean()
        / 100
    )
    return shares.dropna().rename("women").rename_axis("occupation")
