"""MSnet (Wang 2019): a short similarity vector for each of the top layers, two distances, one linear layer of scores."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.systems.networks import Dropout, Network


@dataclass(frozen=True, kw_only=True)
class MSNet(Network):
    """Wang's mention score network on frozen states.

    Of each of the top layers, pronoun, A, B and the products of the names with the pronoun give a similarity vector.
    These vectors, normalised over the batch, and the distances of both names give the three scores.

    Differs from the paper: the encoder; distances are counted in words, not in word pieces; the dropout of .4 on the
    tokens of a name is not there, for attention is worked out once, with the states. As in the author's code, a ReLU
    follows the batch normalisation. Take attention or mean with `encode_examples(…, pooling=…)`.

    Parameters
    ----------
    top : int
        Layers from the last one back (4 of 12, 8 of 24).
    similarity : int
        Length of a layer's similarity vector.
    dropout : float
        On what enters the similarity layers and on what leaves them.
    distance : bool
        With the two distances.
    """

    paper: ClassVar[str] = "wang2019_msnet"

    top: int = 4
    similarity: int = 32
    dropout: float = 0.6
    distance: bool = True
    epochs: int = 30
    learning_rate: float = 3e-4
    weight_decay: float = 1e-5
    patience: int = 4

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        layers = examples.states.shape[1]
        if not 1 <= self.top <= layers:
            raise ValueError(f"top: expected 1 to {layers} layers, got {self.top!r}")
        states = torch.from_numpy(examples.states[:, -self.top :])
        distances = (
            word_distances(examples.passages) if self.distance else np.zeros((len(states), 2))
        )
        return states, torch.from_numpy(distances.astype(np.float32))

    def network(self, states: Tensor, distances: Tensor) -> nn.Module:
        return _MSNet(self.top, states.shape[-1], self.similarity, self.dropout)


def word_distances(passages: pd.DataFrame) -> NDArray[np.float64]:
    """Words from the start of the pronoun to the start of A and of B; negative where the name comes first.

    Parameters
    ----------
    passages : DataFrame
        n passages.

    Returns
    -------
    ndarray, shape (n, 2)

    Examples
    --------
    >>> word_distances(pd.DataFrame({
    ...     "Text": ["Ann Lee saw her when Mary left."],
    ...     "Pronoun-offset": [12], "A-offset": [0], "B-offset": [21],
    ... })).tolist()
    [[-3.0, 2.0]]
    """
    columns = ["Text", "Pronoun-offset", "A-offset", "B-offset"]
    found = []
    for text, *offsets in passages[columns].itertuples(index=False):
        starts = np.array([match.start() for match in re.finditer(r"\w+|[^\w\s]", text)])
        pronoun, a, b = np.searchsorted(starts, offsets)
        found.append([a - pronoun, b - pronoun])
    return np.array(found, dtype=float).reshape(-1, 2)


class _MSNet(nn.Module):
    def __init__(self, layers: int, dimensions: int, similarity: int, dropout: float):
        super().__init__()
        weights = [torch.empty(similarity, 5 * dimensions) for _ in range(layers)]
        self.weights = nn.Parameter(torch.stack([nn.init.kaiming_normal_(w) for w in weights]))
        self.bias = nn.Parameter(torch.zeros(layers, similarity))
        self.norm = nn.BatchNorm1d(layers * similarity)
        self.dropout = Dropout(dropout)
        self.distance = nn.Linear(1, 1)
        self.scores = nn.Linear(layers * similarity + 2, 3)

    def forward(self, states: Tensor, distances: Tensor) -> Tensor:
        pronoun, a, b = states.unbind(2)
        joined = self.dropout(torch.cat([pronoun, a, b, a * pronoun, b * pronoun], dim=-1))
        similar = torch.einsum("nld,lsd->nls", joined, self.weights) + self.bias
        similar = self.dropout(torch.relu(self.norm(similar.flatten(1))))
        distances = torch.tanh(self.distance(distances.unsqueeze(2))).squeeze(2)
        return self.scores(torch.cat([similar, distances], dim=1))
