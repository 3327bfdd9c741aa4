"""Anonymized BERT (Liu 2019): two heads, and texts whose names give way to common ones, in training and at the test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.coreference.resolvers.examples import Examples, encode_examples, joined
from lib.coreference.resolvers.features import surface_features
from lib.coreference.resolvers.names import replace_names
from lib.coreference.resolvers.resolver import Fitted, Resolver
from lib.files import text_hash
from studies.resolvers.networks import (
    Network,
    dense,
    divided,
    layer_at,
    perceptron,
    word_distances,
)

BUCKETS = (1, 2, 3, 4, 5, 8, 16, 32, 64)


@dataclass(frozen=True, kw_only=True)
class End2end(Network):
    """Liu's first model: one scorer for both names, after Lee et al. (2017); neither scores 0.

    Its input for a name: the states of pronoun and name, their product, the embedded distance between them and
    features of the name.

    Differs from the paper: the encoder; features are ours, for its distances in a parse need one; distances
    count words. Sizes and learning rate, which the paper leaves out, are those of its code for training on two of the
    three files.
    """

    paper: ClassVar[str] = "liu2019_anonymized"

    # the layer, as a share of the depth (fifth from the last of 24 after the competition)
    depth: float = 20 / 24
    hidden: int = 150
    dropout: float = 0.2
    embedded: int = 20  # dimensions of the embedded distance
    features: bool = True
    learning_rate: float = 1e-4
    batch_size: int = 128
    epochs: int = 200

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        distances = np.searchsorted(
            BUCKETS, np.abs(word_distances(examples.passages)), side="right"
        )
        features = surface_features(examples.passages)
        return (
            torch.from_numpy(examples.states[:, layer_at(self.depth, examples)]),
            torch.from_numpy(distances),
            torch.from_numpy(features if self.features else features[..., :0]),
        )

    def network(self, states: Tensor, distances: Tensor, features: Tensor) -> nn.Module:
        inputs = 3 * states.shape[-1] + self.embedded + features.shape[-1]
        scorer = [
            dense(inputs, self.hidden),
            nn.ReLU(),
            nn.Dropout(self.dropout),
            dense(self.hidden, 1),
        ]
        return _End2end(nn.Embedding(len(BUCKETS) + 1, self.embedded), nn.Sequential(*scorer))


class _End2end(nn.Module):
    def __init__(self, distance: nn.Module, scorer: nn.Module):
        super().__init__()
        self.distance, self.scorer = distance, scorer

    def forward(self, states: Tensor, distances: Tensor, features: Tensor) -> Tensor:
        names, pronoun = states[:, 1:], states[:, :1].expand(-1, 2, -1)
        parts = [pronoun, names, pronoun * names, self.distance(distances), features]
        scores = self.scorer(torch.cat(parts, dim=-1)).squeeze(-1)
        return torch.cat([scores, torch.zeros_like(scores[:, :1])], dim=1)


@dataclass(frozen=True, kw_only=True)
class PureBert(Network):
    """Liu's second model: two hidden layers on the states of pronoun, A and B in two neighbouring layers of the encoder.

    Differs from the paper: the encoder. What the paper leaves out is as in its code.
    """

    paper: ClassVar[str] = "liu2019_anonymized"

    # the upper one of the two layers (fifth and sixth from the last of 24 after the competition)
    depth: float = 20 / 24
    hidden: tuple[int, ...] = (512, 32)
    dropout: float = 0.6
    output_decay: float = 0.1

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        upper = layer_at(self.depth, examples)
        return (torch.from_numpy(examples.states[:, [upper - 1, upper]]).flatten(1),)

    def network(self, states: Tensor) -> nn.Module:
        return perceptron(
            states.shape[1], self.hidden, dropout=self.dropout, output_decay=self.output_decay
        )


@dataclass(frozen=True)
class NamedExamples(Examples):
    """Examples with the same passages under other names, a version for each set of names."""

    versions: tuple[Examples, ...]  # of n rows each
    changed: NDArray[np.bool_]  # (n, versions): whether the names of a passage could give way

    def take(self, rows: Sequence[int] | NDArray) -> NamedExamples:
        """Some of the examples, in the order of `rows`, with their versions."""
        taken = super().take(rows)
        versions = tuple(version.take(rows) for version in self.versions)
        return NamedExamples(
            taken.passages, taken.states, taken.identity, versions, self.changed[rows]
        )

    @property
    def augmented(self) -> Examples:
        """The examples and, below, each version of those that changed."""
        others = [version.take(kept) for version, kept in zip(self.versions, self.changed.T)]
        return joined([self, *(other for other in others if len(other))])


def encode_versions(
    passages: pd.DataFrame,
    encoder: str = "minilm",
    *,
    sets: Sequence[int] = (1, 2, 3, 4),
    device: str = "auto",
) -> NamedExamples:
    """Passages as they are and with the names of some of Liu's four sets in place of theirs; only texts that change are encoded again."""
    plain = encode_examples(passages, encoder, device=device)
    versions, changed = [], []
    for number in sets:
        other = replace_names(passages, number)
        rows = (other["replaced"] != "").to_numpy()
        other = other[passages.columns].reset_index(drop=True)
        states, identity = plain.states.copy(), plain.identity
        if rows.any():
            encoded = encode_examples(other[rows], encoder, device=device)
            states[rows], identity = encoded.states, text_hash(f"{identity} {encoded.identity}")
        versions.append(Examples(other, states, identity))
        changed.append(rows)
    identity = text_hash(" ".join([plain.identity, *(version.identity for version in versions)]))
    return NamedExamples(
        plain.passages, plain.states, identity, tuple(versions), np.transpose(changed)
    )


def joined_versions(parts: Sequence[NamedExamples]) -> NamedExamples:
    """Several sets of examples with as many versions each, one below the other, so that each file is encoded once."""
    plain = joined(parts)
    versions = tuple(joined(same) for same in zip(*(part.versions for part in parts), strict=True))
    changed = np.concatenate([part.changed for part in parts])
    return NamedExamples(plain.passages, plain.states, plain.identity, versions, changed)


@dataclass(frozen=True, kw_only=True)
class Anonymised(Resolver):
    """A resolver whose passages also come under other names: in training, at the test, or both.

    In training, versions stand beside the passages, and patience counts as many epochs fewer as there are versions. At
    the test, the mean of what it says of a passage and of its versions counts; passages that cannot change have one.
    """

    paper: ClassVar[str] = "liu2019_anonymized"

    resolver: Network = End2end()
    train: bool = True
    test: bool = True

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedAnonymised:
        named, rng = _named(examples), np.random.default_rng(rng)
        if validation is None and self.resolver.folds:
            named, validation = divided(named, self.resolver.folds, rng)
        resolver, read = self.resolver, named
        if self.train:
            patience = math.ceil(resolver.patience / (1 + len(named.versions)))
            resolver, read = replace(resolver, patience=patience), named.augmented
        return FittedAnonymised(resolver.fit(read, validation=validation, rng=rng), self.test)


@dataclass(frozen=True)
class FittedAnonymised:
    """A trained resolver, and whether it also reads the passages under other names."""

    resolver: Fitted
    test: bool

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        said = self.resolver.probabilities(examples)
        if not self.test:
            return said
        named = _named(examples)
        for version, changed in zip(named.versions, named.changed.T):
            said = said + changed[:, None] * self.resolver.probabilities(version)
        return said / (1 + named.changed.sum(axis=1, keepdims=True))


def _named(examples: Examples) -> NamedExamples:
    if not isinstance(examples, NamedExamples):
        raise ValueError(
            "expected examples with versions under other names; make them with encode_versions(passages)"
        )
    return examples
