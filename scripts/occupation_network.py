"""Networks in the form of Prost et al. on synthetic biographies, five seeds of each variant.

python -m scripts.occupation_network       # some minutes; writes data/models/occupation-network
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.checks import unit_rows
from lib.command import command
from lib.debiasing.projection import principal_directions
from lib.embeddings import load_embedding
from lib.files import write_whole
from lib.paths import DATA
from lib.text_classification.occupations.printed import biographies_by_gender
from scripts import commands
from studies.biographies.comparison import Size, compare_networks
from studies.biographies.variants import gender_lists

FOLDER = DATA / "models" / "occupation-network"
SIZE = Size(taught=2000, asked=3000)
DIMENSIONS = 50


@command("what is measured is written, and the same command begins again")
def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure and write after every network."""
    commands.read(commands.parser("occupation_network", __doc__), arguments)
    embedding = load_embedding("minilm")
    unit = unit_rows("vectors", np.asarray(embedding.vectors))
    vectors = unit @ principal_directions(unit, DIMENSIONS).T
    lists, counts = gender_lists(), biographies_by_gender()
    parts = []
    for part in compare_networks(embedding.words, vectors, lists, counts, size=SIZE):
        parts.append(part)
        table = pd.concat(parts).to_csv(index=False, float_format="%.5g")
        write_whole(FOLDER / "runs.csv", table)


if __name__ == "__main__":
    sys.exit(main())
