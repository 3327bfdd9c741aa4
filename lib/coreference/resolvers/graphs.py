"""The dependency graph around the mentions of a passage, with the states of its words."""

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of
from lib.coreference.resolvers.dependencies import rewired
from lib.coreference.resolvers.examples import MENTIONS, mention_spans
from lib.coreference.resolvers.parsers import (
    LightParser,
    Parse,
    spacy_parses,
    word_states,
    words_of,
)
from lib.coreference.resolvers.rows import kept_rows
from lib.files import text_hash

RELATIONS = ("itself", "its head", "a dependent")
PARSERS = ("light", "spacy")
# Arcs that end in the mentions of a passage, 25 at most in GAP; any more are left out.
ARCS = 32


def mention_graphs(
    passages: pd.DataFrame, parser: str = "light", layer: int = 4, encoder: str = "minilm"
) -> NDArray[np.float16]:
    """The arcs that end in the mentions of each passage: one layer of a graph convolution needs no others.

    Parameters
    ----------
    passages : DataFrame
        n rows, as from `lib.datasets.gap.read_gap`.
    parser : {"light", "spacy"}
    layer, encoder
        Whose states.

    Returns
    -------
    ndarray of float16, shape (n, 2, e, d + 2)
        Of the parse and of its random rewiring: the state of the word at an arc's other end, then the place of the
        mention in `MENTIONS` and of the relation in `RELATIONS`; both −1 where a passage has fewer arcs. Kept in
        the book's cache.
    """
    one_of("parser", parser, PARSERS)
    texts, mentions = passages["Text"].tolist(), mention_spans(passages)

    def compute(places: list[int]) -> NDArray[np.float16]:
        return _graphs(
            [texts[i] for i in places], [mentions[i] for i in places], parser, layer, encoder
        )

    about = json.dumps([parser, layer, encoder])
    names = [json.dumps(row) for row in zip(texts, mentions)]
    return kept_rows("graphs", about, names, compute)


def _graphs(
    texts: Sequence[str], mentions: Sequence[ArrayLike], parser: str, layer: int, encoder: str
) -> NDArray[np.float16]:
    if parser == "spacy":
        parses = spacy_parses(texts)
        words = [parse.spans for parse in parses]
    else:
        words = [words_of(text) for text in texts]
    spans = [np.concatenate([held, np.asarray(three)]) for held, three in zip(words, mentions)]
    states = word_states(texts, spans, layer, encoder)
    if parser == "light":
        inner = [held[: len(own)] for held, own in zip(states, words)]
        parses = LightParser(encoder, layer).parses_of_states(texts, words, inner)
    found = np.full((len(texts), 2, ARCS, states[0].shape[1] + 2), -1, dtype=np.float16)
    for row, (text, parse) in enumerate(zip(texts, parses)):
        arcs, sentences = contracted(parse, np.asarray(mentions[row]))
        rng = np.random.default_rng(int(text_hash(text)[:12], 16))
        moved = arcs.copy()
        for sentence in np.unique(sentences):
            moved[sentences == sentence] = rewired(arcs[sentences == sentence], rng=rng)
        for kind, graph in enumerate((arcs, moved)):
            ends = ends_at_mentions(graph, len(words[row]))[:ARCS]
            found[row, kind, : len(ends), :-2] = states[row][ends[:, 0]]
            found[row, kind, : len(ends), -2:] = ends[:, 1:]
    return found


def contracted(
    parse: Parse, mentions: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The arcs of a parse in which each mention is one node, and the sentence of each arc.

    Parameters
    ----------
    parse : Parse
        Of n words.
    mentions : ndarray of int, shape (k, 2)
        Their characters [start, stop).

    Returns
    -------
    arcs : ndarray of int, shape (m, 2)
        Head and dependent, each once: words are 0 to n − 1, mentions n to n + k − 1.
    sentences : ndarray of int, shape (m,)
        The place of the root of each arc's sentence.

    Examples
    --------
    >>> spans = [[0, 3], [4, 7], [8, 12], [13, 16]]
    >>> parse = Parse(np.array(spans), np.array([1, 2, -1, 2]))  # Ann Lee saw her
    >>> arcs, _ = contracted(parse, np.array([[13, 16], [0, 7]]))
    >>> arcs.tolist()
    [[2, 4], [2, 5]]
    """
    nodes = np.arange(len(parse.heads))
    for k, (start, stop) in enumerate(mentions):
        nodes[(parse.spans[:, 0] < stop) & (parse.spans[:, 1] > start)] = len(nodes) + k
    roots = np.where(parse.heads < 0, np.arange(len(nodes)), parse.heads)
    for _ in range(len(nodes).bit_length()):  # each step doubles how far a word has looked
        roots = roots[roots]
    words = np.flatnonzero(parse.heads >= 0)
    arcs = np.stack([nodes[parse.heads[words]], nodes[words]], axis=1)
    outside = arcs[:, 0] != arcs[:, 1]
    found, first = np.unique(arcs[outside], axis=0, return_index=True)
    return found, roots[words[outside][first]]


def ends_at_mentions(
    arcs: NDArray[np.intp], words: int, mentions: int = len(MENTIONS)
) -> NDArray[np.intp]:
    """What reaches each mention in one step.

    Parameters
    ----------
    arcs : ndarray of int, shape (m, 2)
        Head and dependent; nodes from `words` on are mentions.
    words, mentions : int
        How many of each there are.

    Returns
    -------
    ndarray of int, shape (e, 3)
        The node at the other end, the mention, and its place in `RELATIONS`; each mention reaches itself first.

    Examples
    --------
    >>> ends_at_mentions(np.array([[2, 4], [2, 5]]), 4, 2).tolist()
    [[4, 0, 0], [5, 1, 0], [2, 0, 1], [2, 1, 1]]
    """
    own = np.arange(mentions)
    heads, dependents = arcs.T
    below, above = dependents >= words, heads >= words
    return np.concatenate(
        [
            np.stack([own + words, own, np.zeros_like(own)], axis=1),
            np.stack([heads[below], dependents[below] - words, np.full(below.sum(), 1)], axis=1),
            np.stack([dependents[above], heads[above] - words, np.full(above.sum(), 2)], axis=1),
        ]
    )
