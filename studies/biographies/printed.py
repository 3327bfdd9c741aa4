"""What Prost et al. (2019) print of each variant, and what a probe finds that has read nothing."""

from __future__ import annotations

import pandas as pd

from lib.ledger import claims
from lib.text_classification.occupations.printed import PAPER

MEASURES = {"accuracy": "accuracy", "tpr_gap": "TPR gap", "tnr_gap": "TNR gap"}
VARIANTS = {
    "GloVe": "plain",
    "Scrubbed": "scrubbed",
    "Debiased": "debiased",
    "Strongly debiased": "strongly debiased",
    "Project only": "project only",
    "Equalize only": "equalise only",
}


def results_by_variant() -> pd.DataFrame:
    """Accuracy, TPR gap, TNR gap, and accuracy of the gender probe (NaN where none is printed); indexed by variant."""
    places = ("Table 2", "Table 4")
    table = pd.concat(claims.table(paper=PAPER, location=place) for place in places)
    table = table.drop_duplicates(["system", "metric"])  # Table 4 repeats two rows of Table 2
    wide = table.pivot(index="system", columns="metric", values="printed").rename(columns=MEASURES)
    probe = claims.table(paper=PAPER, location="Table 3").set_index("system")["printed"]
    wide = wide.assign(probe=probe).loc[list(VARIANTS), [*MEASURES.values(), "probe"]]
    return wide.rename(index=VARIANTS).rename_axis(index="variant", columns=None)


def probe_floors(counts: pd.DataFrame) -> pd.Series:
    """How often a probe is right about gender that names the larger gender always, or that of each occupation. `counts` has columns female and male.

    The second is what a representation gives away that tells occupations perfectly and nothing else.
    """
    total = counts[["female", "male"]].to_numpy().sum()
    largest = counts[["female", "male"]].max(axis=1).sum()
    floors = [counts[["female", "male"]].sum().max() / total, largest / total]
    return pd.Series(floors, ["always the larger gender", "knows the occupation"])
