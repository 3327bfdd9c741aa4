"""Draw the figure on the cover: RIPA of eight occupations with ten base pairs on minilm.

python -m lib.training.cover      writes _static/cover.svg and the numbers behind it, _static/cover.csv
"""

from __future__ import annotations

import pandas as pd

from lib import plots
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs
from lib.measures import ripa
from lib.paths import ROOT

OCCUPATIONS = (
    "nurse",
    "teacher",
    "judge",
    "journalist",
    "doctor",
    "surgeon",
    "engineer",
    "carpenter",
)
FIGURE, NUMBERS = ROOT / "_static" / "cover.svg", ROOT / "_static" / "cover.csv"


def cover_scores() -> pd.DataFrame:
    """RIPA of each occupation (row) with each base pair (column); positive leans female."""
    e = load_embedding("minilm")
    pairs = e.pairs(base_pairs())
    scores = ripa(e.rows(OCCUPATIONS).vectors, pairs.female, pairs.male)
    return pd.DataFrame(scores, index=OCCUPATIONS, columns=["-".join(pair) for pair in pairs.kept])


def main() -> None:
    """Write the figure and its numbers."""
    scores = cover_scores()
    scores.to_csv(NUMBERS, float_format="%.5f", index_label="word")
    pairs = [column.split("-") for column in scores.columns]
    fig = plots.scores_by_pair(scores.to_numpy(), list(scores.index), pairs, measure="RIPA")
    FIGURE.write_bytes(plots.render(fig))


if __name__ == "__main__":
    main()
