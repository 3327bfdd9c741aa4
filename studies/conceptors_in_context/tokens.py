"""Words in their sentences: in frames of ours, or where they occur in a corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lib.datasets.corpora import brown_sentences
from lib.debiasing.rows import Array
from lib.language_models.encoder import ContextEncoder

LONGEST = 100  # words of a sentence of the corpus that is read


@dataclass(frozen=True)
class Texts:
    """Sentences of a corpus, and in which of them each word, in small letters, occurs."""

    sentences: Sequence[str]
    occurs: Mapping[str, Sequence[int]]


def texts_of(sentences: Iterable[Sequence[str]]) -> Texts:
    """The sentences, lists of words, that are no longer than a model reads."""
    kept, occurs = [], defaultdict(list)
    for words in sentences:
        if len(words) <= LONGEST:
            for word in dict.fromkeys(words):
                occurs[word.lower()].append(len(kept))
            kept.append(" ".join(words))
    return Texts(kept, occurs)


def read_texts(contexts: str) -> Texts:
    """The sentences of the Brown corpus for "brown", none for "book"."""
    return texts_of(brown_sentences() if contexts == "brown" else ())


def token_vectors(
    reader: ContextEncoder,
    words: Iterable[str],
    frames: Sequence[str],
    texts: Texts,
    *,
    most: int = 0,
    rng: int = 0,
) -> dict[str, Array]:
    """Word in small letters -> (t, d) vectors of its tokens: in the frames, or where there are texts in at most so many sentences of theirs (0: all)."""
    lines = {}
    for word in dict.fromkeys(word.lower() for word in words):
        if texts.sentences:
            places = np.random.default_rng(rng).permutation(texts.occurs.get(word, []))
            lines[word] = [texts.sentences[place] for place in sorted(places[: most or None])]
        else:
            lines[word] = [frame.format(word) for frame in frames]
    lines = {word: sentences for word, sentences in lines.items() if sentences}
    if not lines:
        return {}
    owners = [word for word, sentences in lines.items() for _ in sentences]
    vectors = reader.encode([line for part in lines.values() for line in part], owners)
    ends = np.cumsum([len(sentences) for sentences in lines.values()])
    return dict(zip(lines, np.split(vectors, ends[:-1])))
