"""Speeches by place and by year: governors, members of the United Nations, presidents."""

import re
import warnings

import pandas as pd

from lib.checks import one_of
from lib.datasets.corpora import zipped_texts
from lib.datasets.statistics import statistics_table
from lib.sources import fetch

COLLECTIONS = ("governors_2019", "general_debate_2017")


def read_speeches(name: str) -> pd.DataFrame:
    """Speeches by the code of their place.

    Parameters
    ----------
    name : str
        "governors_2019", State of the State addresses of 50 governors, or "general_debate_2017", General Debate
        of the United Nations.

    Returns
    -------
    DataFrame
        One row a place, by its code: `name`, `group` (census region and the governor's party, or region of the
        world), `tokens` (number of words) and `text`. Speakers of no country of ISO 3166-1 are left out.

    Raises
    ------
    ValueError
        For another name.
    FetchError
        Where a file is not at hand.
    """
    one_of("name", name, COLLECTIONS)
    table = _governors() if name == "governors_2019" else _general_debate()
    tokens = [len(re.findall(r"\w+", text)) for text in table["text"]]
    return table.assign(tokens=tokens)[["name", "group", "tokens", "text"]]


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


def _governors() -> pd.DataFrame:
    states = statistics_table("us_states")
    index = pd.read_csv(fetch("sots_index"), dtype=str, keep_default_na=False)
    code_of = {name: code for code, name in states["name"].items()}
    codes = pd.Index(index["state"].map(code_of), name="code")
    keys = "sots_" + index["state"].str.lower().str.replace(" ", "")
    texts = [fetch(key).read_text(encoding="utf-8") for key in keys]
    groups = states.loc[codes, "region"].to_numpy() + ", " + index["party"].to_numpy()
    return pd.DataFrame({"name": index["state"].to_numpy(), "group": groups, "text": texts}, codes)


def _general_debate() -> pd.DataFrame:
    import rdata

    def corpus(texts, attributes):
        return pd.DataFrame(
            {"text": texts, "code": attributes["docvars"]["country_iso"].to_numpy()}
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes that rdata does not know and we do not need
        classes = {**rdata.conversion.DEFAULT_CLASS_MAP, "corpus": corpus}
        path = fetch("un_general_debate_2017")
        (table,) = rdata.read_rda(path, default_encoding="utf8", constructor_dict=classes).values()
    countries = statistics_table("countries")[["name", "region"]]
    speeches = table.set_index("code").join(countries, how="inner").sort_index()
    return speeches.rename(columns={"region": "group"})
