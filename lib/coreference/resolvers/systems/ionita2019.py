"""The frozen branch of Ionita et al. (2019): perceptrons, Siamese networks and features under one layer of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import surface_features
from lib.coreference.resolvers.systems.networks import Network, dense, penalised

BRANCHES = ("mentions", "siamese", "features")


@dataclass(frozen=True, kw_only=True)
class Frozen(Network):
    """The perceptrons on frozen states that Ionita et al. blend with fine-tuned models.

    Branches, each of as many networks as there are layers:

    - mentions: a hidden layer on pronoun, A, B and the products A·P, B·P and A·B − P·P;
    - siamese: one hidden layer for the differences P − A and P − B;
    - features: a hidden layer on the surface features of both names (one network).

    One layer maps them all to the three scores.

    Differs from the paper: two layers of one encoder in place of a cased and an uncased one; our surface features in
    place of 69 which hold the answers of three other resolvers. Dropout, batch normalisation and decay are those of the
    authors' code; its learning rate falls by the step, ours is one that it passes on the way.

    `lib.coreference.predictions.blended(…, weights=[0.65, 0.35])` blends a fine-tuned model with it as the paper prints.

    Parameters
    ----------
    layers : tuple of int
        Layers of the encoder, negative ones from the last.
    branches : tuple of str
        Some of `BRANCHES`.
    hidden, feature_hidden : int
        Units of the hidden layers on states and on features.
    dropout, feature_dropout : float
        In these hidden layers.
    """

    paper: ClassVar[str] = "ionita2019_resolving"

    layers: tuple[int, ...] = (-2, -3)
    branches: tuple[str, ...] = BRANCHES
    hidden: int = 112
    dropout: float = 0.9
    feature_hidden: int = 128
    feature_dropout: float = 0.8
    learning_rate: float = 5e-3
    output_decay: float = 0.02
    batch_size: int = 64

    def __post_init__(self) -> None:
        for branch in self.branches:
            one_of("branches", branch, BRANCHES)

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        states = torch.from_numpy(examples.states[:, list(self.layers)])
        return states, torch.from_numpy(surface_features(examples.passages)).flatten(1)

    def network(self, states: Tensor, features: Tensor) -> nn.Module:
        return _Frozen(self, states.shape[-1], features.shape[-1])


class _Frozen(nn.Module):
    def __init__(self, settings: Frozen, dimensions: int, features: int):
        super().__init__()

        def hidden(inputs: int) -> nn.Module:
            layers = [dense(inputs, settings.hidden), nn.BatchNorm1d(settings.hidden), nn.ReLU()]
            return nn.Sequential(*layers, nn.Dropout(settings.dropout))

        def one_each(branch: str, inputs: int) -> nn.ModuleList:
            return nn.ModuleList(
                hidden(inputs) for _ in settings.layers if branch in settings.branches
            )

        self.mentions = one_each("mentions", 6 * dimensions)
        self.siamese = one_each("siamese", dimensions)
        width = settings.hidden * (len(self.mentions) + 2 * len(self.siamese))
        self.features = None
        if "features" in settings.branches:
            layers = [dense(features, settings.feature_hidden), nn.ReLU()]
            self.features = nn.Sequential(*layers, nn.Dropout(settings.feature_dropout))
            width += settings.feature_hidden
        self.scores = nn.Sequential(
            penalised(dense(width, 3), settings.output_decay), nn.BatchNorm1d(3)
        )

    def forward(self, states: Tensor, features: Tensor) -> Tensor:
        pronoun, a, b = states.unbind(2)
        products = [a * pronoun, b * pronoun, a * b - pronoun * pronoun]
        mentions = torch.cat([pronoun, a, b, *products], dim=-1)
        read = [network(mentions[:, i]) for i, network in enumerate(self.mentions)]
        for i, network in enumerate(self.siamese):
            read += [network((pronoun - a)[:, i]), network((pronoun - b)[:, i])]
        if self.features is not None:
            read.append(self.features(features))
        return self.scores(torch.cat(read, dim=1))
