"""Train the head that makes all-MiniLM-L6-v2 a classifier of sentiment, on SST-2's phrases.

python -m scripts.train.sentiment_head [--folder data/models/sentiment-head]     ten minutes on one core; needs the `sample` files
python -m scripts.train.sentiment_head --card                                    writes card.md from scores.json

No setting was chosen by a score: the development part is scored once the weights are written, and decides nothing.
"""

import json
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from lib.command import command
from lib.language_models.pretrained import load_transformer
from lib.text_classification.sentiment.encoders import (
    SHIPPED,
    C,
    LinearHead,
    fit_head,
    resampled_heads,
    sentence_vectors,
)
from scripts import commands
from scripts.train import cards
from scripts.train.cards import table
from scripts.train.loop import write_tensors
from studies.sentiment.bhaskaran2019 import read_development, read_phrases

TRAIN, DEV = "glue_sst2_train", "gsent_dev"
RESAMPLES = 10
SUBSETS = 5
SIZES = (100, 1_000, 10_000)

log = logging.getLogger("lib")


def train(folder: Path) -> None:
    """Train on all phrases and on resamples, write the weights, and score what was written."""
    begin = time.perf_counter()
    transformer = load_transformer("minilm", device="cpu")
    phrases, dev = read_phrases(), read_development()
    vectors = sentence_vectors(transformer, phrases["text"])
    log.info("%d phrases encoded", len(vectors))
    labels = phrases["label"].to_numpy()
    heads = [
        fit_head(vectors, labels),
        *resampled_heads(vectors, labels, RESAMPLES, rng=0),
    ]
    settings = {"encoder": transformer.source, "C": C, "phrases": len(labels)}
    write_heads(folder / SHIPPED.name, heads, settings)
    log.info("%d heads written", len(heads))
    held_out, right = sentence_vectors(transformer, dev["text"]), dev["label"].to_numpy()
    by_size = {
        size: _accuracies(
            resampled_heads(vectors, labels, SUBSETS, size, rng=size), held_out, right
        )
        for size in SIZES
    }
    scores = {
        "settings": settings,
        "seconds": round(time.perf_counter() - begin),
        "dev": _accuracies(heads[:1], held_out, right)[0],
        "resamples": _accuracies(heads[1:], held_out, right),
        "by size": by_size,
        "positive": {"train": round(labels.mean(), 4), "dev": round(right.mean(), 4)},
    }
    cards.write_scores(folder, scores)


def write_heads(path: Path, heads: list[LinearHead], settings: dict) -> None:
    """A file of heads, that of all phrases first."""
    weights = torch.from_numpy(np.array([head.weights for head in heads], dtype=np.float32))
    constants = torch.tensor([head.constant for head in heads])
    tensors = {"weights": weights, "constants": constants}
    write_tensors(path, tensors, {"settings": json.dumps(settings)})


def _accuracies(
    heads: list[LinearHead], vectors: NDArray[np.float32], labels: NDArray[np.intp]
) -> list[float]:
    return [round(float(((head.positive(vectors) > 0.5) == labels).mean()), 4) for head in heads]


def write_card(folder: Path) -> Path:
    """Write card.md from what lies in a folder."""
    scores = cards.scores_in(folder)
    settings, positive = scores["settings"], scores["positive"]
    kilobytes = (folder / SHIPPED.name).stat().st_size / 1e3
    resamples = scores["resamples"]
    sizes = {int(size): found for size, found in scores["by size"].items()}
    rows = [[f"{size:,}", len(found), *_spread(found)] for size, found in sizes.items()]
    rows.append(["all, resampled", len(resamples), *_spread(resamples)])
    text = f"""# sentiment-head: all-MiniLM-L6-v2 as a classifier of sentiment

A logistic regression on sentence vectors, trained for this book: 384 weights and a constant. Nothing in the encoder is
trained for it. A sentence's vector is the mean over its pieces in the last layer, divided by its length.
`lib.text_classification.sentiment.encoders.load_head()` loads it; it runs live on any text.

`model.safetensors` ({kilobytes:,.0f} kB) holds {len(resamples) + 1} heads. The first learned from all {settings["phrases"]:,} phrases and is the
classifier. The others learned from as many phrases drawn with replacement, with everything else the same. Their spread is
what a difference between two kinds of sentence has to be set against. It is too small a spread where phrases are parts of
one sentence, as they are here.

Made by `python -m scripts.train.sentiment_head` in {scores["seconds"]:,} seconds on a shared core, seed 0; penalty C = {settings["C"]:g}, not
tuned. The same command gives the same weights on the same kind of processor; others round differently.

## Data and terms

Trained on `{TRAIN}`: the phrases of the Stanford Sentiment Treebank (Socher et al. 2013) as GLUE labels them, pieces of
English film reviews, {100 * positive["train"]:.0f} % of them positive. The file states no licence; no phrase ships, and weights are
statistics of text. The encoder is Apache-2.0.

## What it reached on `{DEV}`, 872 sentences of which {100 * positive["dev"]:.0f} % are positive

Accuracy of the head that ships: {scores["dev"]:.3f}. Of heads trained on other phrases:

{table(["phrases", "heads", "mean", "lowest", "highest"], rows)}

## What it cannot do

It learned from film reviews. What it says of a plain sentence about a person with a job is an extrapolation: neither the
sentences nor their kind were in the training text. It is there to show how a difference between sentences is measured, not
to rate sentiment in earnest. A difference in this model is not evidence about another."""
    return cards.write(folder, text)


def _spread(found: list[float]) -> list[str]:
    return [f"{value:.3f}" for value in (np.mean(found), min(found), max(found))]


@command()
def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = commands.parser("train.sentiment_head", __doc__, SHIPPED.parent)
    commands.add_card(parser)
    options = commands.read(parser, arguments)
    if not options.card:
        train(options.folder)
    write_card(options.folder)


if __name__ == "__main__":
    sys.exit(main())
