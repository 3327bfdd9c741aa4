"""A small network in the form of Prost et al. (2019): fixed vectors, a bidirectional GRU, attention, a dense layer.

Unlike the mean of vectors it may use order, and may make much of few words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.text_classification.occupations.classifiers import TOKEN
from lib.threads import one_thread

PADDING = -1
BATCH = 64

Floats = NDArray[np.floating]


class Named(NamedTuple):
    """The likeliest class of all n texts, and the last layer before the logits, (n, h)."""

    labels: NDArray[Any]
    representation: Floats


def word_rows(
    texts: Iterable[str], words: Sequence[str], *, without: Collection[str] = ()
) -> NDArray[np.int64]:
    """The rows of the known words of each text, in their order, (n, longest); -1 after its end."""
    row_of = {word: row for row, word in enumerate(words) if word not in without}
    found = [
        [row_of[word] for word in re.findall(TOKEN, text.lower()) if word in row_of]
        for text in texts
    ]
    table = np.full((len(found), max(1, *map(len, found))), PADDING, np.int64)
    for place, rows in enumerate(found):
        table[place, : len(rows)] = rows
    return table


def train_network(
    rows: ArrayLike,
    vectors: ArrayLike,
    labels: ArrayLike,
    taught: ArrayLike,
    *,
    hidden: int = 24,
    epochs: int = 6,
    rate: float = 5e-3,
    rng: int = 0,
) -> Named:
    """Train a network on the texts that are `taught`, in one thread, and ask it about all; `rows` as from `word_rows`, `vectors` (V, d).

    Prost et al. (2019), Section 5.1, which prints no sizes. The GRU has `hidden` units in each direction, the dense layer twice as many.
    """
    import torch
    from torch import nn

    ids, classes = np.asarray(rows), np.asarray(labels)
    chosen = np.asarray(taught, bool)
    if not len(ids) == len(classes) == len(chosen):
        raise ValueError(
            f"expected rows, a label and true or false for each text; got {len(ids)}, {len(classes)} "
            f"and {len(chosen)}"
        )
    known, codes = np.unique(classes, return_inverse=True)
    if len(np.unique(codes[chosen])) < 2:
        raise ValueError("labels: expected two classes or more among the texts to train on")
    table = np.asarray(vectors, np.float32)
    table = np.concatenate([table / table.std(), np.zeros((1, table.shape[1]), np.float32)])

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding.from_pretrained(torch.from_numpy(table), freeze=True)
            self.gru = nn.GRU(table.shape[1], hidden, batch_first=True, bidirectional=True)
            self.attention = nn.Linear(2 * hidden, 1)
            self.dense = nn.Linear(2 * hidden, 2 * hidden)
            self.logits = nn.Linear(2 * hidden, len(known))

        def forward(self, ids):
            there = ids != PADDING
            states, _ = self.gru(self.words(torch.where(there, ids, len(table) - 1)))
            weights = self.attention(states)[..., 0].masked_fill(~there, -1e9).softmax(-1)
            last = self.dense((weights[..., None] * states).sum(1)).relu()
            return self.logits(last), last

    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(rng)
        network = Network()
        optimizer = torch.optim.Adam(network.parameters(), lr=rate)
        where, target = torch.from_numpy(np.flatnonzero(chosen)), torch.from_numpy(codes)
        ids_ = torch.from_numpy(ids)
        for _ in range(epochs):
            for batch in where[torch.randperm(len(where))].split(BATCH):
                loss = nn.functional.cross_entropy(network(ids_[batch])[0], target[batch])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        with torch.inference_mode():
            parts = [network(part) for part in ids_.split(512)]
    logits, last = (torch.cat(one).numpy() for one in zip(*parts))
    return Named(known[logits.argmax(1)], last)
