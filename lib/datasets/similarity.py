"""Word pairs whose similarity people have judged, as the published sets hold them."""

import csv
import io
from collections.abc import Container

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

SETS = {  # name in Karve, Ungar & Sedoc (2019), Table 8 -> registry key
    "RG65": "vecto_rg_65",
    "WS": "bench_wordsim353",
    "RW": "vecto_rw",
    "MEN": "vecto_men",
    "MTurk": "vecto_mturk_287",
    "SimLex": "bench_simlex_999",
    "SimVerb": "vecto_simverb_3500",
}


def read_similarity(name: str) -> pd.DataFrame:
    """The judged pairs of a set.

    Parameters
    ----------
    name : str
        One of `SETS`.

    Returns
    -------
    DataFrame
        One row a pair, each once: `first` and `second`, the words without the tags of word class
        that MEN gives them ("sun-n"); `score`, on the set's own scale, higher for more alike.

    Raises
    ------
    ValueError
        For another name, and naming the line that is not two words and a number.
    FetchError
        Where the file is not at hand.
    """
    one_of("similarity set", name, SETS)
    path = fetch(SETS[name])
    text = path.read_text(encoding="utf-8-sig")
    columns = ["first", "second", "score"]
    if "\t" in text:
        pairs = pd.read_csv(
            io.StringIO(text), sep="\t", names=columns, quoting=csv.QUOTE_NONE, dtype=str
        )
        pairs = pairs[~pairs["first"].str.startswith("#")]
    else:
        pairs = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
        pairs = pairs[["word1", "word2", "similarity"]].set_axis(columns, axis="columns")
        pairs.index += 1  # the first line names the columns
    pairs["score"] = pd.to_numeric(pairs["score"], errors="coerce")
    flawed = pairs[pairs.isna().any(axis="columns")]
    if len(flawed):
        raise ValueError(
            f"{path}: expected two words and a number in line {flawed.index[0] + 1}, "
            f"got {flawed.iloc[0].tolist()}"
        )
    words = pairs[["first", "second"]]
    if words.apply(lambda column: column.str.fullmatch(r".+-[a-z]")).all(axis=None):
        pairs[["first", "second"]] = words.apply(lambda column: column.str[:-2])
    return pairs.drop_duplicates(ignore_index=True)


def held_pairs(pairs: pd.DataFrame, vocabulary: Container[str]) -> pd.DataFrame:
    """The judged pairs of which a vocabulary holds both words.

    Parameters
    ----------
    pairs : DataFrame
        As `read_similarity` returns it.
    vocabulary : container of str
        An `Embedding`, or its words.

    Returns
    -------
    DataFrame
        Of the same columns and index, less the pairs that lack a word; each word as the vocabulary
        holds it, as written or in small letters.

    Examples
    --------
    >>> pairs = pd.DataFrame({"first": ["Tea", "tea"], "second": ["cup", "Ur"], "score": [5, 1]})
    >>> held_pairs(pairs, {"tea", "cup"}).to_numpy().tolist()
    [['tea', 'cup', 5]]
    """

    def held_form(word: str) -> str | None:
        return next((form for form in (word, word.lower()) if form in vocabulary), None)

    forms = pairs.assign(first=pairs["first"].map(held_form), second=pairs["second"].map(held_form))
    return forms.dropna(subset=["first", "second"])
