"""What the trained systems share: the layers most of them were made of, and a resolver that is a network on inputs."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.fitting import fit_network, probabilities_of
from lib.coreference.resolvers.resolver import Resolver, page_folds


def layer_at(depth: float, examples: Examples) -> int:
    """The layer at a share of an encoder's depth, 1 being the last: papers name layers of encoders of 12 or 24 layers.

    >>> from types import SimpleNamespace
    >>> six_layers = SimpleNamespace(states=np.zeros((1, 7, 3, 8)))
    >>> layer_at(8 / 12, six_layers), layer_at(1, six_layers)
    (4, 6)
    """
    return round(depth * (examples.states.shape[1] - 1))


def dense(inputs: int, outputs: int) -> nn.Linear:
    """A linear layer with the start of Keras, which most systems were written in: Glorot's uniform weights, zeros for the bias."""
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class Dropout(nn.Module):
    """`torch.nn.Dropout` of a share of the values, with masks from uniform numbers, which PyTorch draws four times as fast on a processor."""

    def __init__(self, share: float):
        super().__init__()
        if not 0 <= share < 1:
            raise ValueError(
                f"dropout: expected a share from 0 up to but not including 1, got {share}"
            )
        self.share = share

    def forward(self, values: Tensor) -> Tensor:
        if not self.training or not self.share:
            return values
        return values * (torch.rand_like(values) >= self.share) / (1 - self.share)


def perceptron(
    inputs: int, hidden: Sequence[int], *, dropout: float, output_decay: float
) -> nn.Sequential:
    """Hidden layers with batch normalisation, ReLU and dropout, and a penalised score for each of the three answers."""
    layers: list[nn.Module] = []
    for size in hidden:
        layers += [dense(inputs, size), nn.BatchNorm1d(size), nn.ReLU(), Dropout(dropout)]
        inputs = size
    return nn.Sequential(*layers, penalised(dense(inputs, 3), output_decay))


def penalised(layer: nn.Linear, share: float) -> nn.Linear:
    """A layer whose squared weights, times a share, are part of the loss (Keras's `regularizers.l2`)."""
    weight = layer.weight
    weight.register_hook(lambda gradient: gradient + 2 * share * weight.detach())
    return layer


@dataclass(frozen=True, kw_only=True)
class Network(Resolver):
    """A resolver that is a network trained by Adam on cross-entropy. Subclasses say what enters it and build it."""

    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    batch_size: int = 32
    epochs: int = 60  # at most
    # Epochs without a lower loss on the passages that are watched. Papers wait for 20 and more; 5 keep a
    # training to seconds.
    patience: int = 5
    # Where `fit` is given no passages to watch, it watches one of so many parts of the training passages and
    # does not train on it; 0 trains on all of them for all the epochs.
    folds: int = 5

    def read(self, examples: Examples) -> None:
        self.inputs(examples)

    @abstractmethod
    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        """What enters the network: tensors of n rows."""

    @abstractmethod
    def network(self, *inputs: Tensor) -> nn.Module:
        """A network for such inputs, which gives three logits a row."""

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedNetwork:
        rng = np.random.default_rng(rng)
        if validation is None and self.folds:
            examples, validation = divided(examples, self.folds, rng)
        inputs = self.inputs(examples)
        network = fit_network(
            lambda: self.network(*inputs),
            inputs,
            examples.answers,
            validation=None
            if validation is None
            else (self.inputs(validation), validation.answers),
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            weight_decay=self.weight_decay,
            patience=None if validation is None else self.patience,
            rng=rng,
        )
        return FittedNetwork(self, network)


@dataclass(frozen=True)
class FittedNetwork:
    """A trained network with the settings that say what enters it."""

    settings: Network
    network: nn.Module

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        return probabilities_of(self.network, self.settings.inputs(examples))


def divided(examples: Examples, folds: int, rng: np.random.Generator) -> tuple[Examples, Examples]:
    """Passages to train on, and one part of so many to watch; no page is in both."""
    parts = page_folds(examples, folds, int(rng.integers(2**31)))
    watched = parts[rng.integers(folds)]
    return examples.take(np.setdiff1d(np.arange(len(examples)), watched)), examples.take(watched)


def word_distances(passages: pd.DataFrame) -> NDArray[np.float64]:
    """Words from the start of the pronoun to the start of A and of B, shape (n, 2); negative where the name comes first."""
    columns = ["Text", "Pronoun-offset", "A-offset", "B-offset"]
    found = []
    for text, *offsets in passages[columns].itertuples(index=False):
        starts = np.array([match.start() for match in re.finditer(r"\w+|[^\w\s]", text)])
        pronoun, a, b = np.searchsorted(starts, offsets)
        found.append([a - pronoun, b - pronoun])
    return np.array(found, dtype=float).reshape(-1, 2)
