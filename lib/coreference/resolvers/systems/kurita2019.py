"""The resolver whose bias Kurita et al. (2019) look into: a public baseline of the competition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.systems.networks import Network, layer_at, perceptron


@dataclass(frozen=True, kw_only=True)
class Baseline(Network):
    """One hidden layer on the states of pronoun, A and B in the encoder's last layer ("Taming the BERT").

    Differs from the paper: the encoder; the paper trains it on one file of GAP and does not say for how long. The
    public code stops early, too, after 100 epochs without a gain.

    Parameters
    ----------
    depth : float
        The layer, as a share of the encoder's depth.
    hidden : int
        Units of the hidden layer.
    dropout : float
        In the hidden layer.
    """

    paper: ClassVar[str] = "kurita2019_arxiv"

    depth: float = 1.0
    hidden: int = 31
    dropout: float = 0.6
    output_decay: float = 0.1

    def inputs(self, examples: Examples) -> tuple[Tensor, ...]:
        return (torch.from_numpy(examples.states[:, layer_at(self.depth, examples)]).flatten(1),)

    def network(self, states: Tensor) -> nn.Module:
        return perceptron(
            states.shape[1], [self.hidden], dropout=self.dropout, output_decay=self.output_decay
        )
