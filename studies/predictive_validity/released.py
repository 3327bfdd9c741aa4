"""Released points of Goldfarb-Tarrant et al. (2021), bias of vectors beside the gap of a system built on them: cell by cell and pooled."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lib.checks import one_of
from lib.inference.correlation import correlation
from lib.inference.grouped import FEWEST
from lib.inference.grouped import (
    pooled_correlation as pooled_correlation,  # the chapter asks this module for it
)
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
    """Effect sizes and gaps, a row for each set of vectors, test and metric; `task` is one of `FILES`.

    `vectors` ("fastText" or "word2vec"), `number` (which of the sets of vectors of that kind, from 0, the same in all tests and
    metrics), `name`, `method` ("Preprocess", "Postprocess" or none), `test` (of WEAT), `metric` ("Precision" or "Recall"), `effect`
    (-2 to 2), `gap` (points: pro-stereotypical minus anti-stereotypical on WinoBias, or the male minus the female group), and
    `copied`: whether the effect of word2vec vectors is, to all digits, that of the fastText vectors in the same place.

    Rows that the file holds twice are given once. Vectors that a treatment did not aim at keep the effect of the untreated: equal
    effects are no measurements of their own. The Spanish file is marked preliminary by its authors.
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


CELL = ["vectors", "method", "test", "metric"]
SAME = 3  # decimals to which effects are one


def cell_correlations(
    points: pd.DataFrame, *, bound: float = 0.5, rng: np.random.Generator | int | None = None
) -> pd.DataFrame:
    """Every correlation of effect and gap over points (as from `read_points`), with what its points can say.

    A row for each cell of vectors, method ("" where none is given), test and metric with four points or more and effects and gaps that
    differ: `r`, `low`, `high`, `p`, `smallest p` (that the points could have given), `without low` and `without high` (r without any one point; NaN where that leaves a constant),
    `equivalence p` (against `bound`), `verdict`, `n`, `heap` (how many points share one effect to three decimals) and `copied` (points
    whose effect is a copy).
    """
    rows = []
    filled = points.assign(method=points["method"].fillna(""))
    for labels, cell in filled.groupby(CELL, sort=False):
        if len(cell) < FEWEST or min(np.ptp(cell["effect"]), np.ptp(cell["gap"])) == 0:
            continue
        c = correlation(cell["effect"], cell["gap"], bound=bound, rng=rng)
        rows.append(
            dict(zip(CELL, labels))
            | {
                "r": c.r,
                "low": c.low,
                "high": c.high,
                "p": c.pvalue,
                "smallest p": c.smallest_pvalue,
                "without low": c.without_one[0],
                "without high": c.without_one[1],
                "equivalence p": c.equivalence_pvalue,
                "verdict": c.verdict,
                "n": c.n,
                "heap": int(cell["effect"].round(SAME).value_counts().max()),
                "copied": int(cell["copied"].sum()),
            }
        )
    return pd.DataFrame(rows)


def without_copies(points: pd.DataFrame) -> pd.DataFrame:
    """The points without every column (kind of vectors and test) in which two effects or more are copies, the rest of that column included."""
    copies = points.groupby(["vectors", "test"])["copied"].transform("sum")
    return points[copies < 2]
