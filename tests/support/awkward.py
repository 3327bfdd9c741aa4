"""Embeddings that a reader might bring and a chapter might not expect, as .npz files of a few thousand words.

All are made from the first words of all-MiniLM-L6-v2 and every word of the book's lists that it holds.
"""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numpy as np

from lib.embeddings import Embedding, load_embedding
from lib.lexicons import available, load_lexicon

FREQUENT = 3000  # of the model's first words, beside those of the word lists
THIRTY = [
    "she",
    "he",
    "her",
    "his",
    "woman",
    "man",
    "mother",
    "father",
    "daughter",
    "son",
    "queen",
    "king",
    "nurse",
    "doctor",
    "teacher",
    "engineer",
    "judge",
    "journalist",
    "home",
    "office",
    "music",
    "science",
    "pretty",
    "strong",
    "summer",
    "winter",
    "day",
    "house",
    "car",
    "tree",
]


def awkward_file(kind: str, folder: Path) -> Path:
    """Write the embedding of a kind named in AWKWARD to a folder, and return its file."""
    words, vectors = AWKWARD[kind]()
    path = folder / f"{kind}.npz"
    np.savez(path, words=np.array(words), vectors=np.asarray(vectors, np.float32))
    return path


@cache
def _usual() -> Embedding:
    """The first words of the model, then the words of the lists."""
    minilm = load_embedding("minilm")
    listed = (word for source in available() for word in _words(load_lexicon(source).lists))
    words = dict.fromkeys([*minilm.words[:FREQUENT], *listed, *THIRTY])
    rows = minilm.rows(words, missing="drop")
    return Embedding(rows.words, rows.vectors)


def _words(lists) -> set[str]:
    """The words in lists of words, or of rows of words."""
    items = [item for words in lists.values() for item in words]
    return {word for item in items for word in ([item] if isinstance(item, str) else item)}


def _kept(words: Iterable[str]) -> tuple[list[str], np.ndarray]:
    words = list(words)
    return words, _usual().rows(words).vectors


def _thirty_words():
    return _kept(THIRTY)


def _random_vectors():
    e = _usual()
    return e.words[:], np.random.default_rng(0).standard_normal(e.vectors.shape)


def _without_names():
    caliskan, karve = load_lexicon("caliskan2017").lists, load_lexicon("karve2019").lists
    names = {
        word for name, words in (caliskan | karve).items() if "names" in name for word in words
    }
    names = {word.lower() for item in names for word in ([item] if isinstance(item, str) else item)}
    return _kept(word for word in _usual().words if word not in names | {"mary", "john"})


def _with_capitals():
    """Every word a second time with a capital, and a third in capitals, near the first."""
    e, rng = _usual(), np.random.default_rng(0)
    forms = [e.words[:], [w.capitalize() for w in e.words], [w.upper() for w in e.words]]
    noise = rng.standard_normal((3, *e.vectors.shape)) * e.vectors.std() * [[[0]], [[0.5]], [[1]]]
    rows = {
        word: row for part, add in zip(forms, noise) for word, row in zip(part, e.vectors + add)
    }
    return list(rows), np.array(list(rows.values()))


def _without_capitals():
    """Only words in small letters a to z, as where a text was lower-cased and cleaned."""
    return _kept(word for word in _usual().words if word.isascii() and word.islower())


def _half_of_the_class_words():
    """Without every second gender word and every second class word of the multiclass scores."""
    classes = load_lexicon("lu2021").lists
    gendered = load_lexicon("gender_specific").lists
    pairs = load_lexicon("zhang2020").lists["base_pairs"]
    lost = {word for words in (*classes.values(), *gendered.values()) for word in words[1::2]}
    lost |= {word for pair in pairs[1::2] for word in pair}
    return _kept(word for word in _usual().words if word not in lost)


def _one_side():
    """Every word on the female side of every pair of gender words, so that kappa is undefined."""
    e = _usual()
    axis = e["she"] - e["he"]
    axis = axis / np.linalg.norm(axis)
    vectors = e.vectors - np.outer(e.vectors @ axis, axis) + axis
    lists = [pair for source in available() for pair in _pairs(load_lexicon(source).lists)]
    row = {word: number for number, word in enumerate(e.words)}
    for female, male in (pair for pair in lists if pair[0] in row and pair[1] in row):
        middle = vectors[[row[female], row[male]]].mean(axis=0)
        middle -= (middle @ axis) * axis
        vectors[row[female]], vectors[row[male]] = middle + axis, middle - axis
    return e.words[:], vectors


def _pairs(lists) -> list[tuple[str, str]]:
    """The pairs in lists whose name says that they hold female and male words."""
    return [pair for name in ("base_pairs", "definition_pairs") for pair in lists.get(name, ())]


def _of_dimensions(dimensions: int) -> Callable:
    def project():
        e, rng = _usual(), np.random.default_rng(0)
        turn = rng.standard_normal((e.vectors.shape[1], dimensions)) / np.sqrt(dimensions)
        return e.words[:], e.vectors @ turn

    return project


def _spelled(word: Callable[[str], str]) -> Callable:
    """Every word as another program spells it, so that no list finds one."""

    def spell():
        e = _usual()
        rows = dict(zip(map(word, e.words), e.vectors))
        return list(rows), np.array(list(rows.values()))

    return spell


# words that are there in another form only, and what finds them
SPELLED = {
    "capitals_only": ("case=either", _spelled(str.upper)),
    "conceptnet": ("prefix=/c/en/", _spelled("/c/en/{}".format)),
    "tagged": ("suffix=_NOUN", _spelled("{}_NOUN".format)),
}
AWKWARD: dict[str, Callable] = {
    "thirty_words": _thirty_words,
    "random_vectors": _random_vectors,
    "without_names": _without_names,
    "with_capitals": _with_capitals,
    "without_capitals": _without_capitals,
    "half_of_the_class_words": _half_of_the_class_words,
    "one_side": _one_side,
    "dimensions_25": _of_dimensions(25),
    "dimensions_1024": _of_dimensions(1024),
    **{kind: make for kind, (_, make) in SPELLED.items()},
}
