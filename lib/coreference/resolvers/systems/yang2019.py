"""Fill the GAP (Yang et al. 2019): one well-chosen layer, strong dropout on it, and heads that let each name and the
pronoun interact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from lib.checks import one_of
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import surface_features
from lib.coreference.resolvers.systems.networks import Dropout, Network, dense, layer_at, perceptron

STEPS = ("plain", "dropout", "interaction", "projection", "features")
COMBINATIONS = ("sum", "concatenation")


@dataclass(frozen=True, kw_only=True)
class FillTheGap(Network):
    """The models of Yang et al. on one layer of frozen states, step by step.

    - plain: the states of A, B and the pronoun go into a hidden layer and three scores;
    - dropout: most of their dimensions are dropped at random while it learns;
    - interaction: each name meets the pronoun in their difference and product, and one encoder reads both names;
    - projection: several heads first project the states, each with its own encoders;
    - features: surface features join the encoded names.

    Differs from the paper: the encoder; the features are ours, for theirs are not listed and need a parse; no
    ensemble. Interactions without projection are read as one head on the states
    themselves.

    Parameters
    ----------
    step : str
        One of `STEPS`; each holds those before it.
    depth : float
        The layer, as a share of the encoder's depth (8 of 12, 19 of 24).
    kept : float
        Share of dimensions that are kept at all, drawn once for a training: the test of redundancy.
    heads, size : int
        Heads, and dimensions of what their encoders give.
    combine : str
        Heads are put together by "sum" or "concatenation".
    input_dropout, combined_dropout, dropout : float
        On the states, on the heads together, in the hidden layer.
    hidden : int
        Units of the hidden layer.
    """

    paper: ClassVar[str] = "yang2019_fill_the_gap"

    step: str = "projection"
    depth: float = 8 / 12
    kept: float = 1.0
    heads: int = 6
    size: int = 37
    combine: str = "sum"
    input_dropout: float = 0.6
    combined_dropout: float = 0.85
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
