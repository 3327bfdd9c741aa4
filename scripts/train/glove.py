"""Train GloVe on the text of `scripts.train.sgns`, for equation 6 of RIPA in the chapter `ripa`.

python -m scripts.train.glove [--folder data/models/glove]     some 5 minutes on one core; needs the `sample` files

The words are those of all lists and all that occur a hundred times; rarer ones keep their places
in the text, so that windows are those of the skip-gram vectors. Kept are word vectors, and the
context vectors and biases that GloVe learns beside them, of the words of all lists; the weighted
counts of those words beside the words of the base pairs.
"""

import logging
import sys
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from lib.command import command
from lib.embeddings.glove import train_glove
from lib.lexicons import base_pairs
from lib.measures.cooccurrence import cooccurrences
from lib.paths import DATA
from scripts import commands
from scripts.train.sgns import PLAIN, measured_words, read_corpus, write_arrays

FOLDER = DATA / "models" / "glove"
SEEDS = 2
FLOOR = 100  # occurrences of a word that is on no list
SETTINGS = dict(dimensions=50, epochs=12, rate=0.5, x_max=10.0)

log = logging.getLogger("lib")


@command("the seeds that are trained are kept")
def main(arguments: Sequence[str] | None = None) -> None:
    """Read, count, train with each seed, and write one file."""
    parser = commands.parser("train.glove", __doc__, FOLDER)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = commands.read(parser, arguments)
    _, corpus = read_corpus()
    frequency = Counter(word for text in corpus for word in text)
    listed = {word for word in measured_words() if frequency[word] >= PLAIN["min_count"]}
    vocabulary = [word for word, n in frequency.most_common() if n >= FLOOR or word in listed]
    row = {word: number for number, word in enumerate(vocabulary)}
    gap = [-1] * PLAIN["window"]  # places without a word: no window reaches across them
    places = np.array(
        [
            place
            for text in corpus
            for place in [row.get(w, -1) for w in text if frequency[w] >= PLAIN["min_count"]] + gap
        ]
    )
    counts = cooccurrences([places], len(row), PLAIN["window"], weighted=True)
    log.info("counted %s cells of %s words", f"{counts.nnz:,}", f"{len(row):,}")
    kept = [word for word in measured_words() if word in row]
    columns = list(dict.fromkeys(w for pair in base_pairs("ethayarajh2019") for w in pair))
    columns = [word for word in columns if word in row]
    rows, beside = ([row[word] for word in words] for words in (kept, columns))
    arrays = {
        "words": np.array(kept),
        "columns": np.array(columns),
        "counts": counts[rows][:, beside].toarray().astype(np.float32),
        "totals": np.asarray(counts.sum(axis=1)).ravel()[rows].astype(np.float64),
    }
    for seed in range(given.seeds):
        arrays |= trained(counts, rows, beside, seed)
        write_arrays(given.folder / "glove.npz", arrays)


def trained(counts, rows: Sequence[int], beside: Sequence[int], seed: int) -> dict[str, np.ndarray]:
    """What one training leaves: vectors and biases of the words kept, float16 and float32."""
    begun = time.monotonic()
    fit = train_glove(counts, rng=seed, **SETTINGS)
    log.info("seed %s trained in %.0f s: %s", seed, time.monotonic() - begun, fit.objective)
    return {
        f"words_{seed}": fit.words[rows].astype(np.float16),
        f"contexts_{seed}": fit.contexts[beside].astype(np.float16),
        f"biases_{seed}": fit.context_biases[rows].astype(np.float32),
        f"word_biases_{seed}": fit.word_biases[rows].astype(np.float32),
        f"objective_{seed}": np.array(fit.objective),
    }


if __name__ == "__main__":
    sys.exit(main())
