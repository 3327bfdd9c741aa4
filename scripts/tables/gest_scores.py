"""Make data/released/gest_scores.csv: mean and spread of GEST's released scores by model, template and stereotype.

python -m scripts.tables.gest_scores, with the files of profile `sample`.
"""

from __future__ import annotations

import sys

import pandas as pd

from lib.command import command
from lib.datasets.gest import read_sentences
from lib.files import write_whole
from studies.stereotypes.gest import SUMMARY, read_scores


def summary() -> pd.DataFrame:
    """The table, from the registered files."""
    scores = read_scores()
    stereotype = read_sentences()["stereotype"]
    turn = stereotype.groupby(stereotype).cumcount() % 2
    found = {
        "n": scores.groupby(stereotype).size(),
        "mean": scores.groupby(stereotype).mean(),
        "sd": scores.groupby(stereotype).std(),
        "first": scores[turn == 0].groupby(stereotype[turn == 0]).mean(),
        "second": scores[turn == 1].groupby(stereotype[turn == 1]).mean(),
    }
    parts = []
    for model, template in scores:
        of_one = {
            name: table if name == "n" else table[model, template].round(4)
            for name, table in found.items()
        }
        parts.append(pd.DataFrame({"model": model, "template": template} | of_one))
    table = pd.concat(parts).rename_axis("stereotype").reset_index()
    return table[["model", "template", "stereotype", *found]]


@command()
def main() -> int:
    """The command line. Returns the exit code."""
    write_whole(SUMMARY, summary().to_csv(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
