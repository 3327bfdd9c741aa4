"""Networks in the form of Prost et al. on synthetic biographies: every variant of the vectors, five seeds, for each kind of planted words.

python -m scripts.train.occupation_network       # a quarter of an hour of one core; writes data/models/occupation-network
python -m scripts.train.occupation_network --card                                                writes card.md from runs.csv
python -m scripts.train.occupation_network --vectors glove-wiki-gigaword-300 --dimensions 100 --folder …   100 dimensions, as the paper's

Decided after the networks with explicit words were trained and seen, and before any other was:

- The statistic is the mean TPR gap with strong debiasing less that with the control that loses as much of something else ("random
  direction and sets"), on the same people, texts and first weights, the mean over the seeds. Its 95 % interval is by t over the
  seeds, each of which has people, texts and weights of its own, so it covers all three. It is asked for three kinds of words. Below
  zero with p < .05 after Holm's correction for the three, strong debiasing takes out gender that is in such words.
- It is asked only where there is something to take out: the gap with plain vectors less that of a fair classifier (genders
  shuffled within each occupation) has an interval above zero. Where nothing is planted it should not be.
- No setting is chosen again: those of the explicit words are taken over. All else (other variants, probe, TNR gap) is beside it.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from lib import wording
from lib.checks import unit_rows
from lib.command import command
from lib.debiasing.projection import principal_directions
from lib.embeddings import load_embedding
from lib.files import write_whole
from lib.paths import DATA
from lib.text_classification.occupations.printed import biographies_by_gender
from scripts import commands
from scripts.train import cards
from scripts.train.cards import table
from studies.biographies.comparison import (
    CONTROLS,
    VARIANTS,
    Size,
    compare_networks,
    differences,
    over_seeds,
)
from studies.biographies.variants import gender_lists

FOLDER = DATA / "models" / "occupation-network"
SIZE = Size(taught=2000, asked=3000)
KINDS = ("explicit words", "stereotyped attributes", "correlated topics", "none")
SEEDS = (1, 2, 3, 4, 5)

log = logging.getLogger("lib")


def train(folder: Path, vectors: str, dimensions: int) -> None:
    """Train and measure what `runs.csv` does not hold yet, and write after every seed of a kind of words."""
    path = folder / "runs.csv"
    runs = pd.read_csv(path) if path.is_file() else pd.DataFrame()
    embedding = load_embedding(vectors)
    unit = unit_rows("vectors", np.asarray(embedding.vectors))
    reduced = unit @ principal_directions(unit, dimensions).T
    lists, counts = gender_lists(), biographies_by_gender()
    for seed in SEEDS:
        for kind in KINDS:
            if _is_whole(runs, kind, seed):
                continue
            log.info("seed %d, %s", seed, kind)
            asked = dict(signal=kind, seeds=[seed], size=SIZE)
            parts = compare_networks(embedding.words, reduced, lists, counts, **asked)
            runs = pd.concat([runs, *parts])
            place = runs["signal"].map(KINDS.index) * len(SEEDS) + runs["seed"]
            runs = runs.iloc[np.argsort(place, kind="stable")]
            write_whole(path, runs.to_csv(index=False, float_format="%.5g"))


def _is_whole(runs: pd.DataFrame, kind: str, seed: int) -> bool:
    """Whether all variants of a seed are there."""
    if runs.empty:
        return False
    there = runs[(runs["signal"] == kind) & (runs["seed"] == seed)]
    return set(VARIANTS) <= {*there["variant"]}


def write_card(folder: Path) -> Path:
    """Write card.md from runs.csv."""
    runs = pd.read_csv(folder / "runs.csv")
    seeds, kinds = runs["seed"].nunique(), [kind for kind in KINDS if kind in {*runs["signal"]}]
    found = over_seeds(runs)
    gaps = found[found["measure"] == "TPR gap"].set_index(["signal", "variant"])
    change = differences(runs, "strongly debiased", CONTROLS[1])
    change = change[change["measure"] == "TPR gap"].set_index("signal")
    planted = [kind for kind in kinds if kind != "none"]
    holm = dict(zip(planted, multipletests(change.loc[planted, "p"], method="holm")[1]))
    rows = [
        [variant, *(_with_ends(gaps.loc[(kind, variant)]) for kind in kinds)]
        for variant in VARIANTS
    ]
    rows.append(
        ["a fair classifier, up to"]
        + [f"{gaps.loc[kind, 'null high'].max():.3f}" for kind in kinds]
    )
    decided = []
    for kind in kinds:
        row, plain = change.loc[kind], gaps.loc[(kind, "plain")]
        excess = wording.interval(plain["excess low"], plain["excess high"], 3, sign=True)
        p = wording.p_text(holm[kind]) if kind in holm else "–"
        decided.append(
            [
                kind,
                f"{wording.signed(plain['excess'], 3)} ({excess})",
                _with_ends(row, sign=True),
                p,
            ]
        )
    head = ["planted", "plain less a fair one", "strong debiasing less the control", "p, Holm"]
    text = f"""# Networks that name the occupation of synthetic biographies

`runs.csv` holds what networks in the form of Prost et al. (2019) show on synthetic biographies in which nothing of gender is planted, explicit
words, stereotyped attributes, or topics (a word of these agrees with gender nine times in ten): accuracy, TPR gap, TNR
gap and gender probe of six variants of the word vectors and two random controls, {seeds} seeds each (people, texts and weights). The networks are
not kept. `python -m scripts.train.occupation_network` makes the table again; machines that round differently end in other digits.

| what | setting |
| --- | --- |
| vectors | minilm's input embeddings at length 1, their first 50 principal components, not trained |
| network | bidirectional GRU (24 units each way), attention, dense layer of 48 with ReLU, logits of 28 occupations |
| training | {SIZE.taught:,} texts, 6 epochs of Adam at 0.005, batches of 64, one thread |
| asked | {SIZE.asked:,} other texts of the same seed |
| chosen on | explicit words, seed 0, plain and strongly debiased vectors at 4, 8 and 12 epochs; seed 0 is not reported |

The paper prints no sizes. Its network read real biographies; these are synthetic, and nothing here is a result about people.

## Decided after the networks with explicit words had been seen and before any other was trained

The mean TPR gap with strong debiasing less that with the control that loses as much of something else (a random direction, and as many merged
words), over seeds, with p after Holm's correction for three kinds of words. It is asked where plain vectors show more than a fair classifier
(genders shuffled within each occupation); with nothing planted they should not.

{table(head, decided)}

Intervals are of 95 %, by t over the seeds.

## TPR gaps

{table(["", *kinds], rows)}"""
    return cards.write(folder, text)


def _with_ends(row: pd.Series, *, sign: bool = False) -> str:
    value = wording.signed(row["value"], 3) if sign else wording.number(row["value"], 3)
    return f"{value} ({wording.interval(row['low'], row['high'], 3, sign=sign)})"


def _parser() -> argparse.ArgumentParser:
    parser = commands.parser("train.occupation_network", __doc__, FOLDER)
    parser.add_argument("--vectors", default="minilm", help="an embedding (default: %(default)s)")
    parser.add_argument("--dimensions", type=int, default=50, help="default: %(default)s")
    commands.add_card(parser)
    return parser


@command("each seed that is done is written, and the same command goes on behind it")
def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure and write."""
    options = commands.read(_parser(), arguments)
    if not options.card:
        train(options.folder, options.vectors, options.dimensions)
    if options.folder == FOLDER or options.card:
        write_card(options.folder)


if __name__ == "__main__":
    sys.exit(main())
