"""Train the pronoun resolver that ships with the book, on GAP's development and validation parts.

python -m scripts.train.resolver [--folder data/models/resolver]     minutes on one core; needs the `sample` files
python -m scripts.train.resolver --tried     cross-validates what was tried and writes tried.csv; trains nothing to keep
python -m scripts.train.resolver --card      writes card.md from scores.json, tried.csv and the size of the model

Settings were chosen by cross-validation within the training passages, pages undivided. GAP's test part is scored once
the weights are written, and decides nothing.
"""

import dataclasses
import json
import logging
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray

from lib.command import command
from lib.coreference.predictions import codes
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import FEATURES
from lib.coreference.resolvers.fitting import probabilities_of
from lib.coreference.resolvers.resolver import page_folds
from lib.coreference.resolvers.scorer import CandidateScorer
from lib.coreference.resolvers.shipped import SHIPPED, load_resolver
from lib.coreference.scores import accuracy, by_gender, log_loss
from lib.datasets.gap import read_gap
from lib.datasets.gap_corrections import corrected_answers
from lib.files import write_whole
from scripts import commands
from scripts.train import cards
from scripts.train.cards import table
from scripts.train.loop import write_tensors

TRAINED_ON = ("gap_development", "gap_validation")
TESTED_ON = "gap_test"
SEEDS = 5
FOLDS = 5
SCORER = CandidateScorer(titles_hidden=0.25)

log = logging.getLogger("lib")


def training_passages(keys: Iterable[str] = TRAINED_ON) -> pd.DataFrame:
    """The passages that the shipped resolver learns from."""
    return pd.concat([read_gap(key) for key in keys], ignore_index=True)


def train(folder: Path, seeds: int = SEEDS) -> None:
    """Train with every seed, write the weights in half precision, and score what was written."""
    begin = time.perf_counter()
    passages = training_passages()
    answers, inputs = codes(passages["answer"]), SCORER.inputs(passages)
    tensors = {}
    for seed in range(seeds):
        state = SCORER.fit_inputs(inputs, answers, rng=seed).network.state_dict()
        tensors |= {
            f"{seed}.{name}": tensor.half() if tensor.is_floating_point() else tensor
            for name, tensor in state.items()
        }
        log.info("seed %d of %d", seed + 1, seeds)
    settings = dataclasses.asdict(SCORER)
    write_tensors(folder / SHIPPED.name, tensors, {"settings": json.dumps(settings)})
    seconds = round(time.perf_counter() - begin)
    scores = {"settings": settings, "seconds": seconds, **scored(folder / SHIPPED.name)}
    cards.write_scores(folder, scores)


def scored(path: Path) -> dict:
    """What a resolver in a file reaches on GAP's test part: by seed, together, and without page titles."""
    passages = read_gap(TESTED_ON)
    answers, female = codes(passages["answer"]), (passages["gender"] == "female").to_numpy()
    resolver = load_resolver(path=path)
    by_seed = resolver.by_seed(passages)
    untitled = resolver.probabilities(passages.drop(columns="URL"))
    return {
        "by seed": [round(log_loss(rows, answers), 4) for rows in by_seed],
        "test": by_gender(by_seed.mean(axis=0), answers, female).round(4).to_dict("index"),
        "untitled": by_gender(untitled, answers, female).round(4).to_dict("index"),
    }


def left_out(
    scorer: CandidateScorer,
    inputs: torch.Tensor,
    passages: pd.DataFrame,
    answers: NDArray[np.intp],
    seed: int,
) -> NDArray[np.float64]:
    """Probabilities for each training passage from a scorer that saw no passage of its fold."""
    examples = Examples(passages, np.empty((len(passages), 0, 3, 0), dtype=np.float32), "")
    found = np.empty((len(passages), 3))
    for fold, out in enumerate(page_folds(examples, FOLDS)):
        inside = np.setdiff1d(np.arange(len(passages)), out)
        fitted = scorer.fit_inputs(inputs[inside], answers[inside], rng=seed * FOLDS + fold)
        found[out] = probabilities_of(fitted.network, (inputs[out],))
    return found


def variants() -> dict[str, CandidateScorer]:
    """What was tried, each beside the shipped settings and differing from them in one thing."""
    change = dataclasses.replace
    return {
        "as shipped": SCORER,
        "surface features alone": change(SCORER, attention=False),
        "attention alone": change(SCORER, features=False),
        "titles never hidden": change(SCORER, titles_hidden=0.0),
        "32 units for attention": change(SCORER, heads=32),
        "35 epochs": change(SCORER, epochs=35),
        "dropout .3": change(SCORER, dropout=0.3),
        "input dropout .7": change(SCORER, input_dropout=0.7),
        "label smoothing .05": change(SCORER, label_smoothing=0.05),
    }


def write_tried(folder: Path) -> None:
    """Cross-validate the `variants` with one seed, and the shipped settings on corrected answers.

    The file grows by a row at a time.
    """
    passages = training_passages()
    answers = codes(passages["answer"])
    corrected = pd.concat([corrected_answers("ionita", key) for key in TRAINED_ON])
    trials = [(name, scorer, answers) for name, scorer in variants().items()]
    trials.append(("taught Ionita's corrected answers", SCORER, codes(corrected)))
    all_inputs, rows = {}, []
    for name, scorer, taught in trials:
        reads = scorer.attention, scorer.features
        if reads not in all_inputs:
            all_inputs[reads] = scorer.inputs(passages)
        inputs = all_inputs[reads]
        found = left_out(scorer, inputs, passages, taught, seed=0)
        rows.append([name, log_loss(found, answers), accuracy(found, answers)])
        log.info("%s: %.4f", name, rows[-1][1])
        table_so_far = pd.DataFrame(rows, columns=["variant", "log loss", "accuracy"])
        write_whole(folder / "tried.csv", table_so_far.to_csv(index=False, float_format="%.4f"))


def write_card(folder: Path) -> Path:
    """Write card.md from what lies in a folder."""
    scores = cards.scores_in(folder)
    seeds, hidden = len(scores["by seed"]), scores["settings"]["titles_hidden"]
    kilobytes = (folder / SHIPPED.name).stat().st_size / 1e3
    test, untitled = (_score_table(scores[name]) for name in ("test", "untitled"))
    low, high = min(scores["by seed"]), max(scores["by seed"])
    parts = [
        f"""# resolver: whom *he* or *she* means, by attention in all-MiniLM-L6-v2

A scorer of two names for a pronoun, trained for this book. Nothing in the encoder is trained for it. For each name it
reads, in every head of every layer, how much the pronoun, the name and the name's other mentions attend to each other,
and {len(FEATURES)} features of the surface (`lib.coreference.resolvers.features`). One set of weights serves A and B, so that
exchanging the names exchanges their probabilities. NEITHER is scored from both names together.
`lib.coreference.resolvers.load_resolver()` loads it; it runs live on any text.

`model.safetensors` ({kilobytes:,.0f} kB, half precision) has {seeds} seeds; their mean is the resolver. It goes with `minilm` and with
no other encoder: `lib.coreference.resolvers.scorer.CandidateScorer(encoder=…)` trains one for another.

Made by `python -m scripts.train.resolver` in {scores["seconds"]:,} seconds on a shared core, seeds 0 to {seeds - 1}. In training the page
title is hidden from {100 * hidden:.0f} % of the passages, so that the resolver can do without. The same command gives the same
weights on the same kind of processor; others round differently.

## Data and terms

Trained on {" and ".join(f"`{key}`" for key in TRAINED_ON)} of GAP (Webster et al. 2018; Apache-2.0, passages from Wikipedia
under CC-BY-SA): 2,454 passages, answers as released. No text of GAP ships; weights are statistics of text. The encoder is
Apache-2.0.

## What it reached on GAP's test part, 2,000 passages

{test}

A ratio is feminine over masculine, for log loss masculine over feminine: below 1 is worse on feminine pronouns. Log loss
of single seeds: {low:.3f} to {high:.3f}. The same without page titles, as in texts of one's own:

{untitled}""",
    ]
    if (folder / "tried.csv").is_file():
        parts.append(_tried_section(folder))
    parts.append(_LIMITS)
    return cards.write(folder, *parts)


def _score_table(scores: dict) -> str:
    frame = pd.DataFrame(scores).T
    return table(["", *frame.columns], _three_decimals(frame.reset_index()))


def _tried_section(folder: Path) -> str:
    tried, explored = (pd.read_csv(folder / name) for name in ("tried.csv", "explored.csv"))
    columns = ["", "log loss", "accuracy"]
    return f"""## What was tried

Cross-validation in {FOLDS} folds within the training passages, pages undivided, one seed; two seeds of one setting differ by
up to about 0.01. The test part decided nothing. Each variant differs from the shipped settings in one thing (`tried.csv`,
made by `--tried`):

{table(columns, _three_decimals(tried))}

Tried on the way there, with other folds of the same kind and code that was not kept (`explored.csv`):

{table(columns, _three_decimals(explored))}"""


def _three_decimals(frame: pd.DataFrame) -> list[list[str]]:
    return [
        [name, *(f"{value:.3f}" for value in values)]
        for name, *values in frame.itertuples(index=False, name=None)
    ]


_LIMITS = """## What it cannot do

It needs to be told where the pronoun and the two names are. It learned from Wikipedia, from names of people of one gender
in each passage, and from *he* and *she* alone: what it says of *they*, of neopronouns and of occupations is beyond what it
was taught. It is there to show how a gap between genders is measured, not to resolve pronouns in earnest."""


@command()
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = commands.parser("train.resolver", __doc__, SHIPPED.parent)
    parser.add_argument("--tried", action="store_true", help="cross-validate what was tried")
    commands.add_card(parser)
    options = commands.read(parser, arguments)
    if options.tried:
        write_tried(options.folder)
    elif not options.card:
        train(options.folder)
    write_card(options.folder)


if __name__ == "__main__":
    sys.exit(main())
