"""The head of Abzaliev (2019): a narrow projection of the states, a hidden layer, and features beside its output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import FEATURES, surface_features
from lib.coreference.resolvers.systems.networks import Network, layer_at

URL_FEATURES = ("title words", "title", "title elsewhere")


@dataclass(frozen=True, kw_only=True)
class ThirdPlace(Network):
    """Abzaliev's head on one layer of frozen states.

    A convolution of width 1 projects the states; pronoun, A and B, normalised over the batch, go through a hidden
    layer; the features join its output just before the scores.

    Differs from the paper: the encoder; no warm-up on other corpora (OntoNotes is licensed) and no tuned layer; the
    pieces of a name are weighted by `encode_examples(…, pooling=…)`, not by learned weights; the learning rate stays
    where its triangles peak; probabilities are not clipped; features are ours, which need no parse and leave out the
    pronoun's gender.

    Parameters
    ----------
    depth : float
        The layer, as a share of the encoder's depth (fifth or sixth from the last of 24).
    channels : int
        Dimensions of the projection, and units of the hidden layer.
    dropout : float
        In the hidden layer.
    features : bool
        With features of both names.
    url : bool
        With those features that read the page's title.
    """

    paper: ClassVar[str] = "abzaliev2019_third"

    depth: float = 20 / 24
    channels: int = 64
    dropout: float = 0.6
    features: bool = True
    url: bool = True
    learning_rate: float = 2e-3
    batch_size: int = 20
    folds: int = 10

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        states = torch.from_numpy(examples.states[:, layer_at(self.depth, examples)])
        features = surface_features(examples.passages)
        read = [self.features and (self.url or name not in URL_FEATURES) for name in FEATURES]
        return states, torch.from_numpy(features[..., read]).flatten(1)

    def network(self, states: Tensor, features: Tensor) -> nn.Module:
        return _Head(states.shape[-1], self.channels, features.shape[-1], self.dropout)


class _Head(nn.Module):
    def __init__(self, dimensions: int, channels: int, features: int, dropout: float):
        super().__init__()
        self.projection = nn.Linear(dimensions, channels)
        self.hidden = nn.Sequential(
            nn.BatchNorm1d(3 * channels),
            nn.Linear(3 * channels, channels),
            nn.ReLU(),
            nn.BatchNorm1d(channels),
            nn.Dropout(dropout),
        )
        self.scores = nn.Linear(channels + features, 3)

    def forward(self, states: Tensor, features: Tensor) -> Tensor:
        hidden = self.hidden(self.projection(states).flatten(1))
        return self.scores(torch.cat([hidden, features], dim=1))
