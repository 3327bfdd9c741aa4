"""Draw the figure on the cover: RIPA of eight occupations with ten base pairs on minilm.

python -m scripts.cover      writes into _static: cover.svg, the numbers behind it (cover.csv)
                                  and the palette of the style sheet (palette.css)
"""

from __future__ import annotations

import pandas as pd

from lib import plots
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs
from lib.measures import ripa
from lib.paths import ROOT
from lib.plots.style import css_variables

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
STATIC = ROOT / "_static"


def cover_scores() -> pd.DataFrame:
    """RIPA of each occupation (row) with each base pair (column); positive leans female."""
    e = load_embedding("minilm")
    pairs = e.pairs(base_pairs())
    scores = ripa(e.rows(OCCUPATIONS).vectors, pairs.female, pairs.male)
    return pd.DataFrame(scores, index=OCCUPATIONS, columns=pairs.labels)


def main() -> None:
    """Write the figure, its numbers and the palette."""
    scores = cover_scores()
    scores.to_csv(STATIC / "cover.csv", float_format="%.5f", index_label="word")
    pairs = [column.split("-") for column in scores.columns]
    fig = plots.scores_by_pair(scores.to_numpy(), list(scores.index), pairs, measure="RIPA")
    (STATIC / "cover.svg").write_bytes(plots.render(fig))
    (STATIC / "palette.css").write_text(css_variables())


if __name__ == "__main__":
    main()
