"""SEAT effect sizes by template, of five models and of twenty lists of jobs: files of Delobelle et al. (2022)."""

import json

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

MODELS = ("BERT base", "BERT large", "RoBERTa base", "DistilBERT", "multilingual BERT")
# How a vector was taken -> whether the template has a part in it. The other files hold one column eleven times.
VECTORS = {
    "cls": True,
    "no_context": False,
    "no_context_pooled": False,
    "word_pooled": True,
    "word_first": True,
    "layers": False,
}


def read_effects(what: str, vectors: str) -> pd.DataFrame:
    """SEAT effect sizes, a row for each model or list of jobs and a column for each template.

    Parameters
    ----------
    what : {"models", "jobs"}
        Five models, or BERT base with twenty lists of female and male jobs.
    vectors : {"cls", "no_context", "no_context_pooled", "word_pooled", "word_first", "layers"}
        How a word's vector was taken: the sentence's first piece, the bare word (its first piece, or its pieces
        summed), the word's pieces in the sentence (summed, or the first), the mean of layers 1 to 4.

    Returns
    -------
    DataFrame
        Effect sizes from -2 to 2.

    Raises
    ------
    ValueError
        For another name.
    FetchError
        Where the file is not at hand.

    References
    ----------
    Delobelle, Tokpo, Calders and Berendt (2022).
    """
    one_of("what", what, ("models", "jobs"))
    one_of("vectors", vectors, VECTORS)
    by_template = json.loads(fetch(f"delobelle_seat_{what}_{vectors}").read_text(encoding="utf-8"))
    table = pd.DataFrame(by_template)
    table.index = table.index.astype(int)
    table = table.sort_index().rename_axis("list of jobs")
    if what == "models":
        table.index = pd.Index(MODELS, name="model")
    return table
