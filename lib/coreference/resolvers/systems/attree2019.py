"""Tags around the mentions, and evidence from other resolvers (Attree 2019: ProBERT and GREP), on frozen states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples, Span, mention_spans
from lib.coreference.resolvers.heuristics import InTitle, Parallelism, Random, Rule, TokenDistance
from lib.coreference.resolvers.rows import span_rows
from lib.coreference.resolvers.systems.networks import Dropout, Network, dense, layer_at

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

    Parameters
    ----------
    tagged : bool
        Whether the text reads "<P> his <P>" where the pronoun is, and likewise for A and B.
    depth : float
        The layer that is read, as a share of the depth.

    Examples
    --------
    >>> str(MentionTags(tagged=False))
    'MentionTags(tagged=False)'
    """

    paper: ClassVar[str] = "attree2019_evidence_pooling"
    reads: ClassVar[str] = "tags"

    tagged: bool = True
    encoder: str = "minilm"
    depth: float = 2 / 3
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

    Parameters
    ----------
    annotators : tuple of str
        Of `ANNOTATORS`.
    width, attention_heads : int
        Of the pooling.
    dropout : float

    Examples
    --------
    >>> EvidencePooling().annotators
    ('parallelism', 'page title', 'token distance')
    """

    paper: ClassVar[str] = "attree2019_evidence_pooling"
    reads: ClassVar[str] = "tags"

    annotators: tuple[str, ...] = ("parallelism", "page title", "token distance")
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
    """A text with the tags of the paper around pronoun, A and B, and where everything is in it.

    Parameters
    ----------
    text : str
    mentions : sequence of (int, int)
        The characters [start, stop) of pronoun, A and B.
    others : sequence of (int, int)
        Further stretches; none of them overlaps with a mention.

    Returns
    -------
    text : str
    spans : list of (int, int)
        Of the mentions, then of the others.

    Raises
    ------
    ValueError
        Where mentions overlap.

    Examples
    --------
    >>> text, spans = tagged("Bob saw his dog.", [(8, 11), (0, 3), (12, 15)])
    >>> text, [text[a:b] for a, b in spans]
    ('<A> Bob <A> saw <P> his <P> <B> dog <B>.', ['his', 'Bob', 'dog'])
    """
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
    """Where else a passage has a name, or its first or last word: those nearest to the pronoun, `OTHERS` at most.

    Parameters
    ----------
    passage : mapping
        A row of GAP.
    mentions : sequence of (int, int)
        Pronoun, A and B.
    name : {"A", "B"}

    Examples
    --------
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
    """The states of the mentions of tagged texts in every layer, and of other occurrences of both names.

    Returns
    -------
    ndarray of float32, shape (n, layers + 1, 3 + 2 · OTHERS, d)
        Pronoun, A, B, others of A, others of B; where there are fewer, the name itself again.
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
    """Which of the mentions of `tagged_states` each annotator links to the pronoun.

    Parameters
    ----------
    passages : DataFrame
        n rows.
    picked : ndarray of int, shape (n, k)
        0 where an annotator says A, 1 where it says B.

    Returns
    -------
    ndarray of bool, shape (n, k, 3 + 2 · OTHERS)
        The name picked, and its other occurrences.
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
