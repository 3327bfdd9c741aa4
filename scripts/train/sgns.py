"""Train skip-gram vectors with negative sampling on public texts, and count these texts, for the chapter `ripa`.

python -m scripts.train.sgns [--folder data/models/sgns]     about 25 minutes on one core; needs the `sample` files

The settings are those under which the factorisation behind RIPA holds: noise words drawn in
proportion to their counts, no word skipped for being frequent, a window that does not shrink, so
that the pairs trained on are the pairs counted. One model has the usual settings instead. Whole
texts are dealt into two halves by a fixed draw; the halves share no sentence, so that noise in one
is independent of noise in the other.
"""

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from pathlib import Path

import numpy as np

from lib.command import command
from lib.datasets.corpora import corpora, tokens
from lib.embeddings.training import train_vectors
from lib.files import new_file, write_whole
from lib.lexicons import base_pairs, load_lexicon, pair_list, word_list
from lib.measures.cooccurrence import cooccurrences
from lib.paths import DATA
from scripts import commands

FOLDER = DATA / "models" / "sgns"
CORPORA = ("gap", "brown", "film", "news", "social", "articles", "sentences", "speeches", "mixed")
PLAIN = dict(
    sg=1,
    negative=5,
    vector_size=100,
    window=5,
    min_count=20,
    epochs=5,
    workers=1,
    ns_exponent=1.0,
    sample=0,
    shrink_windows=False,
)
USUAL = PLAIN | dict(ns_exponent=0.75, sample=1e-3, shrink_windows=True)
SEEDS = 5
SEEDS_OF_A_HALF = 3
FREQUENT = 3000  # commonest words whose vectors are kept beside those of the lists
NEUTRAL = 300  # random words kept as well
FLOOR = 200  # occurrences that such a word has
LONGEST = 10_000  # words in a row; gensim would cut longer texts off

log = logging.getLogger("lib")


def read_corpus() -> tuple[list[str], list[list[str]]]:
    """The corpus that each text belongs to, and the words of the texts in small letters."""
    names, corpus = [], []
    for name in CORPORA:
        for text in corpora()[name].texts():
            words = [token for token in tokens(text, lower=True) if token[0].isalpha()]
            pieces = [words[start : start + LONGEST] for start in range(0, len(words), LONGEST)]
            corpus += [piece for piece in pieces if len(piece) > 1]
            names += [name] * (len(corpus) - len(names))
    return names, corpus


def measured_words() -> list[str]:
    """The words of all lists that the chapter uses."""
    lists = [
        load_lexicon("zhao2018gnglove")["definition_pairs"],
        load_lexicon("zhao2018gnglove")["stereotype_pairs"],
        pair_list("occupations/occupations_gendered_pairs"),
        pair_list("controls/opposite_pairs"),
        base_pairs(),
        load_lexicon("ethayarajh2019")["target_pairs"],
        [("queen", "king")],
    ]
    lists += [
        attributes
        for name, attributes in load_lexicon("ethayarajh2019").lists.items()
        if "attribute" in name
    ]
    words = [word for rows in lists for pair in rows for word in pair]
    for name in (
        "gender_specific/female",
        "gender_specific/male",
        "occupations/occupations",
        "controls/nouns",
        "ethayarajh2019/examples_appropriate",
        "ethayarajh2019/examples_biased",
        "ethayarajh2019/examples_neutral",
    ):
        words += word_list(name)
    return list(dict.fromkeys(words))


def column_words() -> list[str]:
    """The words whose co-occurrences with all others are kept: base pairs, queen and king, and the
    control pairs.
    """
    pairs = [*base_pairs(), ("queen", "king"), *pair_list("controls/opposite_pairs")]
    return list(dict.fromkeys(word for pair in pairs for word in pair))


def train(
    corpus: Sequence[Sequence[str]], vocabulary: Sequence[str], seed: int, settings: dict = PLAIN
):
    """Word and context vectors of a corpus, two (n, d) arrays in the order of the vocabulary; zeros
    for words not in it.
    """
    begun = time.monotonic()
    trained = train_vectors(corpus, seed=seed, **settings)
    row = {word: number for number, word in enumerate(trained.words)}
    rows = np.array([row.get(word, -1) for word in vocabulary])
    known = (rows >= 0)[:, None]
    log.info("trained on %s texts in %.0f s", f"{len(corpus):,}", time.monotonic() - begun)
    return trained.vectors[rows] * known, trained.contexts[rows] * known


def counted(
    corpus: Iterable[Sequence[str]], row: Mapping[str, int], columns: Sequence[str], window: int
) -> tuple[np.ndarray, np.ndarray]:
    """Co-occurrences of every word with the columns, (n, c), and the row totals, (n,)."""
    numbers = ([row[word] for word in text if word in row] for text in corpus)
    counts = cooccurrences(numbers, len(row), window)
    beside = counts[:, [row[word] for word in columns]].toarray()
    return beside, np.asarray(counts.sum(axis=1)).ravel()


@command()
def main(arguments: Sequence[str] | None = None) -> None:
    """Read, count, train, and write the two files and what the card needs."""
    folder = commands.read(commands.parser("train.sgns", __doc__, FOLDER), arguments).folder
    names, corpus = read_corpus()
    frequency = Counter(word for text in corpus for word in text)
    vocabulary = [word for word, count in frequency.most_common() if count >= PLAIN["min_count"]]
    row = {word: number for number, word in enumerate(vocabulary)}
    corpus = [[word for word in text if word in row] for text in corpus]
    rng = np.random.default_rng(0)
    in_a = rng.random(len(corpus)) < 0.5
    parts = {
        "whole": corpus,
        "a": list(compress(corpus, in_a)),
        "b": list(compress(corpus, ~in_a)),
    }
    listed = {word for word in measured_words() if word in row}
    others = [
        word
        for word in vocabulary
        if frequency[word] >= FLOOR and word not in listed and len(word) > 2 and "'" not in word
    ]
    neutral = sorted(rng.choice(others, NEUTRAL, replace=False))
    kept = sorted({*listed, *neutral, *vocabulary[:FREQUENT]}, key=row.get)
    few = sorted({*listed, *neutral}, key=row.get)
    counts = count_parts(parts, row, kept)
    counts["neutral"] = np.array(neutral)
    counts["frequency"] = np.array([frequency[word] for word in kept])
    write_arrays(folder / "counts.npz", counts)
    write_arrays(folder / "vectors.npz", train_parts(parts, kept, few))
    tokens_of = Counter(name for name, text in zip(names, corpus) for _ in text)
    about = {
        "tokens": dict(tokens_of),
        "texts": Counter(names),
        "all_tokens": sum(tokens_of.values()),
        "types": len(vocabulary),
        "settings": PLAIN,
        "usual": USUAL,
    }
    write_whole(folder / "corpora.json", json.dumps(about, indent=1, sort_keys=True) + "\n")


def count_parts(
    parts: Mapping[str, list], row: Mapping[str, int], kept: Sequence[str]
) -> dict[str, np.ndarray]:
    """The counts of the whole and of both halves: rows are the words kept, columns the words of
    pairs.
    """
    columns = [word for word in column_words() if word in row]
    rows = [row[word] for word in kept]
    arrays = {"words": np.array(kept), "columns": np.array(columns)}
    for name, corpus in parts.items():
        table, totals = counted(corpus, row, columns, PLAIN["window"])
        arrays[f"{name}_with"] = table[rows].astype(np.int32)
        arrays[f"{name}_of"] = totals[rows]
        arrays[f"{name}_all"] = totals.sum()
        log.info("counted %s: %s pairs", name, f"{totals.sum():,}")
    return arrays


def train_parts(
    parts: Mapping[str, list], kept: Sequence[str], few: Sequence[str]
) -> dict[str, np.ndarray]:
    """Vectors of every seed, float16: seed 0 of the whole with its contexts for all words kept, the
    others for the lists.
    """
    arrays = {"words": np.array(kept), "few": np.array(few)}
    arrays["vectors"], arrays["contexts"] = train(parts["whole"], kept, 0)
    arrays["whole_usual"] = train(parts["whole"], few, 0, USUAL)[0]
    arrays["whole_0"] = arrays["vectors"][[kept.index(word) for word in few]]
    seeds = {"whole": range(1, SEEDS), "a": range(SEEDS_OF_A_HALF), "b": range(SEEDS_OF_A_HALF)}
    for name, numbers in seeds.items():
        for seed in numbers:
            arrays[f"{name}_{seed}"] = train(parts[name], few, seed)[0]
    return {
        name: array.astype(np.float16) if array.dtype.kind == "f" else array
        for name, array in arrays.items()
    }


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Arrays as an .npz that is there whole or not at all."""
    with new_file(path) as part:
        np.savez_compressed(part, **arrays)


if __name__ == "__main__":
    sys.exit(main())
