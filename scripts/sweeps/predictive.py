"""The recorded grid of the chapter `predictive_validity`: scores and gaps of vectors of ten corpora, three seeds each.

python -m scripts.sweeps.predictive [--vectors .cache/predictive] [--out data/grids]

Trains vectors with the settings of the chapter `domains` (skip-gram, 64 dimensions, small letters), keeps
them in a folder that git does not see, and goes on where it stopped. About 15 minutes on one core; needs the `sample` files.
"""

import logging
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pandas as pd

from lib.command import command
from lib.embeddings import Embedding, load_embedding
from lib.files import write_whole
from lib.paths import DATA
from scripts import commands
from scripts.commands import GOES_ON
from scripts.train.domains.train import Settings, save, sentences, train
from studies.predictive_validity.forcing import NAME, grid_rows

# Corpora with 50 or more of the book's 251 occupations and 13 of 16 known nouns, five times or more each
CORPORA = (
    "gap",
    "news",
    "film",
    "social",
    "brown",
    "articles",
    "sentences",
    "mixed",
    "plots",
    "books",
)
SEEDS = 3

HEAD = """# Scores of word vectors and gaps of three systems that read them: ten corpora, three seeds, as trained and forced.
# Made by: python -m scripts.sweeps.predictive   (columns: studies.predictive_validity.forcing.grid_rows)
"""

log = logging.getLogger("lib")


def trained(folder: Path) -> Iterator[tuple[str, int, Embedding]]:
    """Corpus, seed and vectors, from the folder or trained now."""
    texts: dict[str, list[list[str]]] = {}
    for corpus, seed in product(CORPORA, range(SEEDS)):
        path = folder / f"{corpus}-{seed}.npz"
        if not path.is_file():
            if corpus not in texts:
                texts = {corpus: sentences(corpus, True)}
            path.parent.mkdir(parents=True, exist_ok=True)
            save(*train(Settings(corpus, seed=seed), texts[corpus]), path)
            log.info("trained %s, seed %s", corpus, seed)
        yield corpus, seed, load_embedding(path, ranked=True)


@command(GOES_ON)
def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, and write the table."""
    parser = commands.parser("sweeps.predictive", __doc__)
    parser.add_argument("--vectors", type=Path, default=Path(".cache/predictive"))
    parser.add_argument("--out", type=Path, default=DATA / "grids")
    options = commands.read(parser, arguments)
    rows = []
    for corpus, seed, e in trained(options.vectors):
        rows.append(grid_rows(e, corpus=corpus, seed=seed))
        log.info("measured %s, seed %s", corpus, seed)
    table = pd.concat(rows, ignore_index=True).to_csv(index=False, float_format="%.5f")
    write_whole(options.out / NAME, HEAD + table)


if __name__ == "__main__":
    sys.exit(main())
