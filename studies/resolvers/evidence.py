"""What is put beside the states: tags around the mentions and the word of other rules (Attree 2019: ProBERT and GREP), a
dependency parse (Xu and Yang 2019, "Look again at the syntax").
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import MENTIONS, Examples, Span, mention_spans
from lib.files import text_hash
from studies.resolvers.dependencies import rewired
from studies.resolvers.heuristics import InTitle, Parallelism, Random, Rule, TokenDistance
from studies.resolvers.networks import Dropout, Network, dense, layer_at
from studies.resolvers.parsers import LightParser, Parse, spacy_parses, word_states, words_of
from studies.resolvers.rows import kept_rows, span_rows

TAGS = ("<P>", "<A>", "<B>")
OTHERS = 2  # further occurrences of each name, those nearest to the pronoun
ANNOTATORS: dict[str, Rule] = {
    "parallelism": Parallelism(),
    "page title": InTitle(),
    "token distance": TokenDistance(),
    "random 1": Random(1),
    "random 2": Random(2),
    "random 3": Random(3),
}


@dataclass(frozen=True, kw_only=True)
class MentionTags(Network):
    """ProBERT on frozen states: one linear layer on the pronoun's state, with tags around the mentions or without.

    Differs from the paper: nothing is fine-tuned, so the encoder has never seen such tags; the layer is a middle one
    and not the last.
    """

    paper: ClassVar[str] = "attree2019_evidence_pooling"
    reads: ClassVar[str] = "tags"

    # whether the text reads "<P> his <P>" where the pronoun is, and likewise for A and B
    tagged: bool = True
    encoder: str = "minilm"
    depth: float = 2 / 3  # the layer, as a share of the depth
    weight_decay: float = 0.01
    batch_size: int = 16
    epochs: int = 40
    patience: int = 5

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """The pronoun's state, (n, d)."""
        layer = layer_at(self.depth, examples)
        if self.tagged:
            states = tagged_states(examples.passages, self.encoder)
            return (torch.from_numpy(states[:, layer, 0]),)
        return (torch.from_numpy(examples.states[:, layer, 0]),)

    def network(self, *inputs: Tensor) -> nn.Module:
        return dense(inputs[0].shape[-1], 3)


@dataclass(frozen=True, kw_only=True)
class EvidencePooling(Network):
    """GREP in a light form: the pronoun's state in a tagged text, and evidence pooled over what rules link to it.

    Each rule of GAP's paper is an annotator: its cluster is the name that it picks, with other occurrences of that
    name. Three times, with the pronoun, A and B as queries, the mentions of a cluster pass one layer of attention;
    they are then pooled by attention, as are the annotators. With the annotators "random 1" to "random 3" the same
    network reads clusters that know nothing: evidence has to beat them.

    Differs from the paper: nothing is fine-tuned; three neural resolvers are not at hand, rules take their place; the
    pieces of a mention are averaged, not pooled by attention; the pooling has `width` dimensions in place of the
    encoder's; its three layers share their weights, as in the author's code.
    """

    paper: ClassVar[str] = "attree2019_evidence_pooling"
    reads: ClassVar[str] = "tags"

    annotators: tuple[str, ...] = ("parallelism", "page title", "token distance")  # of ANNOTATORS
    width: int = 64
    attention_heads: int = 4
    dropout: float = 0.1
    encoder: str = "minilm"
    depth: float = 2 / 3
    weight_decay: float = 0.01
    epochs: int = 40
    patience: int = 5

    def __post_init__(self):
        for name in self.annotators:
            one_of("annotators", name, ANNOTATORS)
        if not self.annotators:
            raise ValueError("expected an annotator or more, got none; `MentionTags` does without")

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """The states of pronoun, A, B and further occurrences (n, 3 + 2 · OTHERS, d), and which of them is in each
        annotator's cluster (n, annotators, 3 + 2 · OTHERS).
        """
        states = tagged_states(examples.passages, self.encoder)
        picked = np.stack(
            [ANNOTATORS[name].decide(examples.passages) for name in self.annotators], axis=1
        )
        return torch.from_numpy(states[:, layer_at(self.depth, examples)]), torch.from_numpy(
            clusters(examples.passages, picked)
        )

    def network(self, *inputs: Tensor) -> nn.Module:
        return _EvidencePooling(self, inputs[0].shape[-1])


class _EvidencePooling(nn.Module):
    def __init__(self, settings: EvidencePooling, size: int):
        super().__init__()
        width = settings.width
        self.narrow = dense(size, width)
        self.attention = nn.MultiheadAttention(
            width, settings.attention_heads, settings.dropout, batch_first=True
        )
        self.norm = nn.LayerNorm(width)
        self.forward_layer = nn.Sequential(dense(width, width), nn.Tanh())
        self.over_mentions = _AttentionPool(width)
        self.over_annotators = _AttentionPool(width)
        self.dropout = Dropout(settings.dropout)
        self.answer = dense(size + width, 3)

    def forward(self, states: Tensor, member: Tensor) -> Tensor:
        n, annotators, places = member.shape
        narrow = self.narrow(self.dropout(states))
        # every annotator's cluster is a row of its own
        cluster = narrow[:, None].expand(-1, annotators, -1, -1).reshape(n * annotators, places, -1)
        outside = ~member.reshape(n * annotators, places)
        for query in range(3):
            asked = narrow[:, query : query + 1].repeat_interleave(annotators, dim=0)
            read = self.attention(
                asked, cluster, cluster, key_padding_mask=outside, need_weights=False
            )[0]
            cluster = self.forward_layer(self.norm(cluster + self.dropout(read)))
        pooled = self.over_mentions(cluster, ~outside).reshape(n, annotators, -1)
        evidence = self.over_annotators(pooled, member.any(dim=2))
        return self.answer(self.dropout(torch.cat([states[:, 0], evidence], dim=1)))


class _AttentionPool(nn.Module):
    """AttnPool (equations 1 to 3): rows weighted by the softmax of one score each."""

    def __init__(self, width: int):
        super().__init__()
        self.score = nn.Sequential(dense(width, 1), nn.Tanh())

    def forward(self, rows: Tensor, real: Tensor) -> Tensor:
        scores = self.score(rows).squeeze(-1).masked_fill(~real, -torch.inf)
        return (scores.softmax(dim=1)[..., None] * rows).sum(dim=1)


def tagged(
    text: str, mentions: Sequence[Span], others: Sequence[Span] = ()
) -> tuple[str, list[Span]]:
    """A text with the tags of the paper around pronoun, A and B, and where these, then other stretches that overlap with none of them, are in it."""
    ordered = sorted(zip(mentions, TAGS))
    for ((_, stop), _), ((start, _), _) in pairwise(ordered):
        if start < stop:
            raise ValueError(
                f"mentions overlap in {text[:60]!r}…: one ends at {stop}, the next starts at {start}; check the offsets"
            )
    parts, last, added = [], 0, []
    for (start, stop), tag in ordered:
        parts += [text[last:start], f"{tag} {text[start:stop]} {tag}"]
        added += [(start, len(tag) + 1), (stop, len(tag) + 1)]
        last = stop
    spans = []
    for start, stop in (*mentions, *others):
        # The tag that closes at `start` comes before it, as does its own.
        before = sum(length for place, length in added if place <= start)
        spans.append((start + before, stop + before))
    return "".join([*parts, text[last:]]), spans


def other_occurrences(passage: dict, mentions: Sequence[Span], name: str) -> list[Span]:
    """Where else a row of GAP has a name, or its first or last word: those nearest to the pronoun, `OTHERS` at most.

    >>> passage = {"Text": "Ann Lee met Eve. Lee fled, Ann said; she won.", "A": "Ann Lee"}
    >>> [passage["Text"][a:b] for a, b in other_occurrences(passage, [(37, 40), (0, 7), (12, 15)], "A")]
    ['Ann', 'Lee']
    """
    words = passage[name].split()
    ways = {passage[name], *(word for word in (words[0], words[-1]) if len(word) > 2)}
    pattern = "|".join(re.escape(way) for way in sorted(ways, key=len, reverse=True))
    found = [match.span() for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", passage["Text"])]
    apart = [
        (start, stop) for start, stop in found if all(stop <= a or start >= b for a, b in mentions)
    ]
    return sorted(apart, key=lambda span: abs(span[0] - mentions[0][0]))[:OTHERS]


def tagged_states(passages: pd.DataFrame, encoder: str = "minilm") -> NDArray[np.float32]:
    """The states in every layer of the mentions of tagged texts (pronoun, A, B), then of others of A, of B, shape
    (n, layers + 1, 3 + 2 · OTHERS, d); where there are fewer, the name itself again.
    """
    texts, spans = [], []
    for passage, mentions in zip(passages.to_dict("records"), mention_spans(passages)):
        others = []
        for place, name in ((1, "A"), (2, "B")):
            held = other_occurrences(passage, mentions, name)
            others += held + [mentions[place]] * (OTHERS - len(held))
        text, found = tagged(passage["Text"], mentions, others)
        texts.append(text)
        spans.append(found)
    return span_rows(texts, spans, encoder)


def clusters(passages: pd.DataFrame, picked: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Which of the mentions of `tagged_states` each of k annotators links to the pronoun, shape (n, k, 3 + 2 · OTHERS): the name
    that it picked (0 for A, 1 for B), and its other occurrences.
    """
    member = np.zeros((*picked.shape, 3 + 2 * OTHERS), dtype=bool)
    for row, (passage, mentions) in enumerate(
        zip(passages.to_dict("records"), mention_spans(passages))
    ):
        for code, name in enumerate(("A", "B")):
            annotators = picked[row] == code
            count = len(other_occurrences(passage, mentions, name))
            first = 3 + code * OTHERS
            member[row, annotators, 1 + code] = True
            member[row, annotators, first : first + count] = True
    return member


RELATIONS = ("itself", "its head", "a dependent")
PARSERS = ("light", "spacy")
# Arcs that end in the mentions of a passage, 25 at most in GAP; any more are left out.
ARCS = 32


def mention_graphs(
    passages: pd.DataFrame, parser: str = "light", layer: int = 4, encoder: str = "minilm"
) -> NDArray[np.float16]:
    """The arcs that end in the mentions of each passage, of the parse and of its random rewiring, shape (n, 2, e, d + 2): one
    layer of a graph convolution needs no others.

    Of each: the state of the word at the arc's other end, the place of the mention in `MENTIONS` and of the relation in
    `RELATIONS`; both −1 where a passage has fewer arcs. Kept in the book's cache.
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
    """The arcs of a parse of n words in which each of k mentions, given by their characters, is one node; and for each arc the
    place of the root of its sentence.

    An arc is head and dependent, each pair once: words are 0 to n − 1, mentions n to n + k − 1.
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
    """What reaches each mention in one step, shape (e, 3): the node at the other end, the mention, its place in `RELATIONS`.

    Nodes from `words` on are mentions; each reaches itself first.
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


GRAPHS = ("none", "parse", "rewired")


class RelationalGraphConvolution(nn.Module):
    """One layer of a gated relational graph convolution (equation 4): each node is the sum, over relations, of the
    mean of its neighbours, weighted by their gates and mapped by the relation's matrix, behind a ReLU.

    A gate is a number between 0 and 1 that depends on the neighbour's vector and the relation.
    """

    def __init__(self, size: int, width: int, gate: bool = True, relations: int = len(RELATIONS)):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(relations, size, width))
        nn.init.xavier_uniform_(self.weight, gain=nn.init.calculate_gain("relu"))
        self.gate = nn.Parameter(torch.zeros(relations, size)) if gate else None

    def forward(
        self, vectors: Tensor, sources: Tensor, targets: Tensor, relations: Tensor, nodes: int
    ) -> Tensor:
        """New vectors (nodes, width) from vectors (m, size) and arcs from `sources` to `targets`, each of shape (e,)."""
        kinds = len(self.weight)
        cells = targets * kinds + relations
        held = vectors[sources]
        count = torch.bincount(cells, minlength=nodes * kinds).to(held)
        share = 1 / count[cells]
        if self.gate is not None:
            share = share * torch.sigmoid((held * self.gate[relations]).sum(dim=1))
        # The matrices are linear: neighbours are summed first, and each sum is mapped once.
        sums = held.new_zeros(nodes * kinds, held.shape[1])
        sums = sums.index_add(0, cells, held * share[:, None])
        sums = sums.reshape(nodes, kinds, -1)
        return torch.relu(torch.einsum("nrd,rdw->nw", sums, self.weight))


@dataclass(frozen=True, kw_only=True)
class LookAgain(Network):
    """The four settings of Xu and Yang's Table 1, and two controls.

    Setting 1: graph="none". 2: concatenated=False. 3: gate=False. 4: as it is. With graph="rewired" every word keeps
    its number of heads and dependents, and which words those are is random: where this does as well, it is not syntax
    that helps.

    Differs from the paper: the encoder; the layer is not named there and a middle one here; unlabelled arcs from the
    light parser in place of spaCy's; a node has a quarter of the width of a state and the compact vector half of
    what it reads, as in the authors' code; a rate of .001 that stays, with early stopping, in place of 100 epochs
    at .0001 and less; decoupled weight decay in place of a sum of norms. A mention of several words is one node.
    Their code divides by a word's heads and dependents together, the paper's equation by each apart, as here.
    """

    paper: ClassVar[str] = "xu2019_rgcn"
    reads: ClassVar[str] = "graphs"

    graph: str = "parse"
    gate: bool = True
    # whether the compact vector of the frozen states goes into the last layers beside the graph's
    concatenated: bool = True
    parser: str = "light"
    encoder: str = "minilm"
    depth: float = 2 / 3  # the layer, as a share of the depth; the light parser reads the same one
    width: int = 96  # of a node behind the convolution
    hidden: int = 256
    dropout: float = 0.5  # in the fully connected layers, as in the paper
    # Of the words' states before the convolution: not in the paper. It and the rate were chosen on gap-
    # validation, which is part of what stage 1 trains on. They were looked for because the settings with a
    # graph had done worse than without one on the test part, so its scores there are not those of settings
    # that nobody had seen tested.
    graph_dropout: float = 0.5
    weight_decay: float = 0.01
    epochs: int = 40
    patience: int = 5

    def __post_init__(self):
        one_of("graph", self.graph, GRAPHS)
        one_of("parser", self.parser, PARSERS)

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """The mentions' states (n, 3, d), and the arcs that end in them: vectors (n, e, d), mention and relation."""
        layer = layer_at(self.depth, examples)
        mentions = torch.from_numpy(examples.states[:, layer])
        if self.graph == "none":
            return (mentions,)
        graphs = mention_graphs(examples.passages, self.parser, layer, self.encoder)
        held = torch.from_numpy(graphs[:, GRAPHS.index(self.graph) - 1])
        return mentions, held[..., :-2], held[..., -2:].long()

    def network(self, *inputs: Tensor) -> nn.Module:
        return _LookAgain(self, inputs[0].shape[-1])


class _LookAgain(nn.Module):
    def __init__(self, settings: LookAgain, size: int):
        super().__init__()
        compact = 3 * size // 2 if settings.concatenated or settings.graph == "none" else 0
        if compact:
            self.compact = nn.Sequential(
                nn.BatchNorm1d(3 * size),
                Dropout(settings.dropout),
                dense(3 * size, compact),
                nn.ReLU(),
            )
        graph = 0 if settings.graph == "none" else 3 * settings.width
        if graph:
            self.graph_dropout = Dropout(settings.graph_dropout)
            self.graph = RelationalGraphConvolution(size, settings.width, settings.gate)
        self.head = nn.Sequential(
            nn.BatchNorm1d(compact + graph),
            Dropout(settings.dropout),
            dense(compact + graph, settings.hidden),
            nn.ReLU(),
            nn.BatchNorm1d(settings.hidden),
            Dropout(settings.dropout),
            dense(settings.hidden, 3),
        )

    def forward(
        self, mentions: Tensor, vectors: Tensor | None = None, arcs: Tensor | None = None
    ) -> Tensor:
        n = len(mentions)
        parts = [self.compact(mentions.flatten(1))] if hasattr(self, "compact") else []
        if vectors is not None:
            rows, places = torch.nonzero(arcs[..., 1] >= 0, as_tuple=True)
            mention, relation = arcs[rows, places].T
            held = self.graph_dropout(vectors[rows, places].float())
            sources = torch.arange(len(held))
            nodes = self.graph(held, sources, rows * 3 + mention, relation, 3 * n)
            parts.append(nodes.reshape(n, -1))
        return self.head(torch.cat(parts, dim=1))
