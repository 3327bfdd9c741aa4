"""Bias of word vectors beside the gap of a system built on them: points of Goldfarb-Tarrant et al. (2021)."""

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

FILES = {
    "coreference": "goldfarb_tarrant_coref_points",
    "hate speech, English": "goldfarb_tarrant_hate_points_en",
    "hate speech, Spanish": "goldfarb_tarrant_hate_points_es",
}
COLUMNS = {
    "WEAT": "effect",
    "Performance Gap": "gap",
    "Metric": "metric",
    "Test": "test",
    "Embedding": "vectors",
    "Name": "name",
    "Method": "method",
}
PER_FRACTION = 100  # points in a gap that a file gives as a fraction


def read_points(task: str) -> pd.DataFrame:
    """Effect sizes and gaps, a row for each set of vectors, test and metric.

    Parameters
    ----------
    task : {"coreference", "hate speech, English", "hate speech, Spanish"}
        The Spanish file is marked preliminary by its authors.

    Returns
    -------
    DataFrame
        `vectors` ("fastText" or "word2vec"), `number` (which of the sets of vectors of that kind, from 0, the
        same in all tests and metrics), `name`, `method` ("Preprocess", "Postprocess" or none), `test` (of WEAT), `metric`
        ("Precision" or "Recall"), `effect` (-2 to 2), `gap` (points: pro-stereotypical minus
        anti-stereotypical on WinoBias, or the male minus the female group), and `copied`: whether the effect
        of word2vec vectors is, to all digits, that of the fastText vectors in the same place.

    Raises
    ------
    ValueError
        For another task.
    FetchError
        Where the file is not at hand.

    Notes
    -----
    Rows that the file holds twice are given once. Vectors that a treatment did not aim at keep the effect of the
    untreated: equal effects are no measurements of their own.

    References
    ----------
    Goldfarb-Tarrant, Marchant, Muñoz Sánchez, Pandya and Lopez (2021).
    """
    one_of("task", task, FILES)
    table = pd.read_csv(fetch(FILES[task])).rename(columns=COLUMNS)
    table = table.reindex(columns=list(COLUMNS.values())).drop_duplicates(ignore_index=True)
    table["test"] = table["test"].astype(str)
    if task.endswith("Spanish"):
        table["gap"] *= PER_FRACTION
    table["number"] = table.groupby(["vectors", "test", "metric"]).cumcount()
    if table["name"].notna().all():
        known = {name: place for place, name in enumerate(dict.fromkeys(table["name"]))}
        table["number"] = table["name"].map(known)
    fasttext = set(table.loc[table["vectors"] == "fastText", "effect"])
    table["copied"] = (table["vectors"] == "word2vec") & table["effect"].isin(fasttext)
    first = ["vectors", "number", "name", "method", "test", "metric"]
    return table[[*first, "effect", "gap", "copied"]]
