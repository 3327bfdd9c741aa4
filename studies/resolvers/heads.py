"""Heads on the frozen states of the pronoun and the two names: Kurita et al., Abzaliev, Wang, Yang et al., Ionita et al., Bao and Qiao (all 2019)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import FEATURES, surface_features
from lib.coreference.resolvers.resolver import Resolver, page_folds
from studies.resolvers.networks import (
    Dropout,
    Network,
    dense,
    layer_at,
    penalised,
    perceptron,
    word_distances,
)


@dataclass(frozen=True, kw_only=True)
class Baseline(Network):
    """One hidden layer on the states of pronoun, A and B in the encoder's last layer: the public baseline ("Taming the BERT")
    whose bias Kurita et al. (2019) look into.

    Differs from the paper: the encoder; the paper trains it on one file of GAP and does not say for how long. The
    public code stops early, too, after 100 epochs without a gain.
    """

    paper: ClassVar[str] = "kurita2019_arxiv"

    depth: float = 1.0  # the layer, as a share of the depth
    hidden: int = 31
    dropout: float = 0.6
    output_decay: float = 0.1

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        return (torch.from_numpy(examples.states[:, layer_at(self.depth, examples)]).flatten(1),)

    def network(self, states: Tensor) -> nn.Module:
        return perceptron(
            states.shape[1], [self.hidden], dropout=self.dropout, output_decay=self.output_decay
        )


URL_FEATURES = ("title words", "title", "title elsewhere")


@dataclass(frozen=True, kw_only=True)
class ThirdPlace(Network):
    """The head of Abzaliev (2019) on one layer of frozen states: a convolution of width 1 projects them; pronoun, A and B,
    normalised over the batch, go through a hidden layer; the features join its output just before the scores.

    Differs from the paper: the encoder; no warm-up on other corpora (OntoNotes is licensed) and no tuned layer; the
    pieces of a name are weighted by `encode_examples(…, pooling=…)`, not by learned weights; the learning rate stays
    where its triangles peak; probabilities are not clipped; features are ours, which need no parse and leave out the
    pronoun's gender.
    """

    paper: ClassVar[str] = "abzaliev2019_third"

    # the layer, as a share of the depth (fifth or sixth from the last of 24)
    depth: float = 20 / 24
    channels: int = 64  # dimensions of the projection, and units of the hidden layer
    dropout: float = 0.6
    features: bool = True
    url: bool = True  # with those features that read the page's title
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


@dataclass(frozen=True, kw_only=True)
class MSNet(Network):
    """MSnet, the mention score network of Wang (2019), on frozen states.

    Of each of the top layers, pronoun, A, B and the products of the names with the pronoun give a similarity vector.
    These vectors, normalised over the batch, and the distances of both names give the three scores.

    Differs from the paper: the encoder; distances are counted in words, not in word pieces; the dropout of .4 on the
    tokens of a name is not there, for attention is worked out once, with the states. As in the author's code, a ReLU
    follows the batch normalisation. Take attention or mean with `encode_examples(…, pooling=…)`.
    """

    paper: ClassVar[str] = "wang2019_msnet"

    top: int = 4  # layers from the last one back (4 of 12, 8 of 24)
    similarity: int = 32  # length of a layer's similarity vector
    dropout: float = 0.6  # on what enters the similarity layers and on what leaves them
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


STEPS = ("plain", "dropout", "interaction", "projection", "features")
COMBINATIONS = ("sum", "concatenation")


@dataclass(frozen=True, kw_only=True)
class FillTheGap(Network):
    """The models of Yang et al. (2019), "Fill the GAP", on one layer of frozen states, step by step.

    - plain: the states of A, B and the pronoun go into a hidden layer and three scores;
    - dropout: most of their dimensions are dropped at random while it learns;
    - interaction: each name meets the pronoun in their difference and product, and one encoder reads both names;
    - projection: several heads first project the states, each with its own encoders;
    - features: surface features join the encoded names.

    Differs from the paper: the encoder; the features are ours, for theirs are not listed and need a parse; no
    ensemble. Interactions without projection are read as one head on the states themselves.
    """

    paper: ClassVar[str] = "yang2019_fill_the_gap"

    step: str = "projection"  # of STEPS; each holds those before it
    depth: float = 8 / 12  # the layer, as a share of the depth (8 of 12, 19 of 24)
    # share of dimensions kept at all, drawn once a training: the test of redundancy
    kept: float = 1.0
    heads: int = 6
    size: int = 37  # dimensions of what the encoders of a head give
    combine: str = "sum"
    input_dropout: float = 0.6
    combined_dropout: float = 0.85  # on the heads together
    hidden: int = 37
    dropout: float = 0.6
    output_decay: float = 0.1
    folds: int = 7

    def __post_init__(self) -> None:
        one_of("step", self.step, STEPS)
        one_of("combine", self.combine, COMBINATIONS)
        if not 0 < self.kept <= 1:
            raise ValueError(f"kept: expected a share above 0, up to 1; got {self.kept!r}")

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        states = torch.from_numpy(examples.states[:, layer_at(self.depth, examples)])
        if self.step != "features":
            return (states,)
        return states, torch.from_numpy(surface_features(examples.passages))

    def network(self, states: Tensor, features: Tensor | None = None) -> nn.Module:
        return _FillTheGap(self, states.shape[-1], 0 if features is None else features[0].numel())


class _FillTheGap(nn.Module):
    def __init__(self, settings: FillTheGap, dimensions: int, features: int):
        super().__init__()
        kept = max(1, round(settings.kept * dimensions))
        self.register_buffer("kept", torch.randperm(dimensions)[:kept])
        reached = STEPS.index(settings.step)
        input_dropout = settings.input_dropout if reached >= STEPS.index("dropout") else 0.0
        self.encoder: nn.Module
        if reached < STEPS.index("interaction"):
            self.encoder, width = nn.Sequential(Dropout(input_dropout), nn.Flatten()), 3 * kept
        else:
            heads = settings.heads if reached >= STEPS.index("projection") else 0
            self.encoder = _Heads(kept, heads, settings.size, input_dropout, settings.combine)
            joined = max(1, heads) if settings.combine == "concatenation" else 1
            width = 2 * settings.size * joined
            self.encoder = nn.Sequential(self.encoder, Dropout(settings.combined_dropout))
        self.features = None
        if features:
            self.features = nn.Sequential(nn.Flatten(), dense(features, settings.size), nn.SELU())
            width += settings.size
        self.scores = perceptron(
            width, [settings.hidden], dropout=settings.dropout, output_decay=settings.output_decay
        )

    def forward(self, states: Tensor, features: Tensor | None = None) -> Tensor:
        read = self.encoder(states[..., self.kept])
        if self.features is not None:
            read = torch.cat([read, self.features(features)], dim=1)
        return self.scores(read)


class _Heads(nn.Module):
    """Each head projects pronoun, A and B, lets each name meet the pronoun, and encodes what comes of it."""

    def __init__(self, dimensions: int, heads: int, size: int, dropout: float, combine: str):
        super().__init__()
        self.dropout, self.combine, self.heads = Dropout(dropout), combine, max(1, heads)
        self.projection = _PerHead(heads, dimensions, size) if heads else None
        self.encoder = _PerHead(self.heads, 4 * (size if heads else dimensions), size)

    def forward(self, states: Tensor) -> Tensor:
        words = self.dropout(states.expand(self.heads, *states.shape))
        if self.projection is not None:
            words = self.projection(words)
        pronoun, names = words[:, :, :1].expand(-1, -1, 2, -1), words[:, :, 1:]
        met = torch.cat([names, pronoun, names - pronoun, names * pronoun], dim=-1)
        encoded = self.encoder(met).flatten(2)
        return encoded.sum(0) if self.combine == "sum" else encoded.movedim(0, 1).flatten(1)


class _PerHead(nn.Module):
    """A dense layer with SELU for each head."""

    def __init__(self, heads: int, inputs: int, outputs: int):
        super().__init__()
        layers = [dense(inputs, outputs).weight for _ in range(heads)]
        self.weight = nn.Parameter(torch.stack([weight.detach().T for weight in layers]))
        self.bias = nn.Parameter(torch.zeros(heads, 1, outputs))

    def forward(self, words: Tensor) -> Tensor:
        heads, rows, mentions, _ = words.shape
        read = torch.baddbmm(self.bias, words.reshape(heads, rows * mentions, -1), self.weight)
        return nn.functional.selu(read).unflatten(1, (rows, mentions))


BRANCHES = ("mentions", "siamese", "features")


@dataclass(frozen=True, kw_only=True)
class Frozen(Network):
    """The perceptrons on frozen states that Ionita et al. (2019) blend with fine-tuned models.

    Branches, each of as many networks as there are layers:

    - mentions: a hidden layer on pronoun, A, B and the products A·P, B·P and A·B − P·P;
    - siamese: one hidden layer for the differences P − A and P − B;
    - features: a hidden layer on the surface features of both names (one network).

    One layer maps them all to the three scores.

    Differs from the paper: two layers of one encoder in place of a cased and an uncased one; our surface features in
    place of 69 which hold the answers of three other resolvers. Dropout, batch normalisation and decay are those of the
    authors' code; its learning rate falls by the step, ours is one that it passes on the way.

    `studies.pronoun_resolution.multiverse.blended(…, weights=[0.65, 0.35])` blends a fine-tuned model with it as the paper prints.
    """

    paper: ClassVar[str] = "ionita2019_resolving"

    layers: tuple[int, ...] = (-2, -3)  # negative ones from the last
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


Change = Callable[[NDArray[np.floating]], NDArray[np.floating]]

REDUCTIONS = ("none", "PCA", "PPA-PCA-PPA")


@dataclass(frozen=True, kw_only=True)
class SupportVectors(Resolver):
    """Support vectors on the reduced states of A, B and the pronoun, and the products of the names with the pronoun (Bao and
    Qiao 2019).

    PPA takes out the mean and the strongest principal components, which many vectors share whatever they mean; PCA
    keeps the strongest of the others.

    Differs from the paper: the encoder, and the size its vectors are reduced to (a quarter of 384, as 256 is of
    1,024); the reduction is worked out from the mentions, exactly, and not from all tokens by an autoencoder; each
    class against the rest becomes a probability by Platt's scaling, on folds that divide no page.
    """

    paper: ClassVar[str] = "bao2019_transfer"

    reduction: str = "PPA-PCA-PPA"
    share: float = 0.25  # of the dimensions, that PCA keeps
    removed: int = 4  # components that each PPA takes out
    layer: int = -2
    C: float = 5.0  # weight of what is on the wrong side
    folds: int = 5  # for Platt's scaling

    def __post_init__(self) -> None:
        one_of("reduction", self.reduction, REDUCTIONS)

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> FittedVectors:
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.svm import SVC

        mentions = examples.states[:, self.layer]
        steps = self._steps(mentions.reshape(-1, mentions.shape[-1]))
        out = page_folds(examples, self.folds, int(np.random.default_rng(rng).integers(2**31)))
        rows = np.arange(len(examples))
        splits = [(np.setdiff1d(rows, left), left) for left in out]
        classifier = CalibratedClassifierCV(SVC(C=self.C), ensemble=False, cv=splits)
        fitted = FittedVectors(self.layer, steps, classifier)
        classifier.fit(fitted.inputs(examples), examples.answers)
        return fitted

    def _steps(self, vectors: NDArray[np.floating]) -> list[Change]:
        kept = max(1, round(self.share * vectors.shape[1]))
        wanted: list[tuple[Callable[..., Change], int]] = {
            "none": [],
            "PCA": [(_strongest, kept)],
            "PPA-PCA-PPA": [
                (_uncommon, self.removed),
                (_strongest, kept),
                (_uncommon, self.removed),
            ],
        }[self.reduction]
        steps = []
        for step, components in wanted:
            steps.append(step(vectors, components))
            vectors = steps[-1](vectors)
        return steps


@dataclass(frozen=True)
class FittedVectors:
    """A trained classifier with what it reads."""

    layer: int
    steps: list[Change]
    classifier: Any

    def inputs(self, examples: Examples) -> NDArray[np.floating]:
        """Reduced A, B, pronoun and products, shape (n, 5 k)."""
        states = reduce(lambda read, step: step(read), self.steps, examples.states[:, self.layer])
        pronoun, a, b = np.moveaxis(states, 1, 0)
        return np.concatenate([a, b, pronoun, a * pronoun, b * pronoun], axis=1)

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        return self.classifier.predict_proba(self.inputs(examples))


def _strongest(vectors: NDArray[np.floating], components: int) -> Change:
    """PCA: the coordinates of vectors along the strongest components of these."""
    from sklearn.decomposition import PCA

    pca = PCA(components).fit(vectors)
    return lambda changed: (changed - pca.mean_) @ pca.components_.T


def _uncommon(vectors: NDArray[np.floating], components: int) -> Change:
    """PPA: vectors without the mean and the strongest components of these."""
    from sklearn.decomposition import PCA

    pca = PCA(components).fit(vectors)

    def change(changed: NDArray[np.floating]) -> NDArray[np.floating]:
        centred = changed - pca.mean_
        return centred - centred @ pca.components_.T @ pca.components_

    return change
