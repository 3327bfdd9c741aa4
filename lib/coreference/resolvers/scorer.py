"""The book's own resolver: one scorer for both names, on attention in a frozen encoder and on the surface of the text."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lib.coreference.resolvers.attention import attention_between
from lib.coreference.resolvers.examples import Examples
from lib.coreference.resolvers.features import FEATURES, surface_features
from lib.coreference.resolvers.fitting import fit_network, probabilities_of
from lib.coreference.resolvers.resolver import Resolver

# Who attends to whom: the pronoun, a name, its other mentions (more) and the other name, as places in GROUPS for A and
# for B.
RELATIONS = {
    "pronoun to name": ((0, 1), (0, 2)),
    "name to pronoun": ((1, 0), (2, 0)),
    "pronoun to more": ((0, 3), (0, 4)),
    "more to pronoun": ((3, 0), (4, 0)),
    "name to other": ((1, 2), (2, 1)),
    "more to name": ((3, 1), (4, 2)),
}
LEAST_SPREAD = 0.2  # inputs that vary less are divided by this
FAINT = 1e-3  # added to attention before its logarithm


@dataclass(frozen=True, kw_only=True)
class CandidateScorer(Resolver):
    """A score for each name from what the pronoun has to do with it; neither is scored from both names together.

    A and B go through the same weights, and neither through their mean: exchanging the names exchanges their
    probabilities exactly, so that no training on swapped copies is needed.

    Parameters
    ----------
    encoder : str
        As in `lib.language_models.pretrained.load_transformer`.
    attention : bool
        Logarithms of the attention between pronoun, names and their other mentions (`RELATIONS`), in every head of
        every layer.
    features : bool
        `lib.coreference.resolvers.features.FEATURES`.
    heads, surface, hidden : int
        Units that read attention, features, and both together.
    input_dropout, dropout : float
        On attention, and in the hidden layers.
    titles_hidden : float
        Share of the passages of a batch whose page title is hidden in training, so that the scorer can do without.
    epochs, batch_size : int
    learning_rate, weight_decay, label_smoothing : float
        See `lib.coreference.resolvers.fitting.fit_network`.
    """

    encoder: str = "minilm"
    attention: bool = True
    features: bool = True
    heads: int = 64
    surface: int = 32
    hidden: int = 64
    input_dropout: float = 0.5
    dropout: float = 0.5
    titles_hidden: float = 0.0
    epochs: int = 20
    batch_size: int = 64
    learning_rate: float = 2e-3
    weight_decay: float = 0.01
    label_smoothing: float = 0.0

    def __post_init__(self) -> None:
        if not (self.attention or self.features):
            raise ValueError("expected attention, features or both to score names by, got neither")

    def fit(
        self,
        examples: Examples,
        *,
        validation: Examples | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> "FittedScorer":
        """Train; `validation` is watched, and the best epoch on it kept."""
        watched = None
        if validation is not None:
            watched = self.inputs(validation.passages), validation.answers
        return self.fit_inputs(
            self.inputs(examples.passages), examples.answers, validation=watched, rng=rng
        )

    def fit_inputs(
        self,
        inputs: Tensor,
        answers: NDArray[np.intp],
        *,
        validation: tuple[Tensor, NDArray[np.intp]] | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> "FittedScorer":
        """Train on what `inputs` gave, which many trainings may share."""
        network = fit_network(
            lambda: self.network(inputs),
            (inputs,),
            answers,
            validation=None if validation is None else (validation[:1], validation[1]),
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            weight_decay=self.weight_decay,
            label_smoothing=self.label_smoothing,
            augment=self.hide_titles if self.features and self.titles_hidden else None,
            rng=rng,
        )
        return FittedScorer(self, network)

    def hide_titles(
        self, inputs: tuple[Tensor, ...], answers: Tensor, generator: torch.Generator
    ) -> tuple[tuple[Tensor, ...], Tensor]:
        """A batch in which some passages have no page title."""
        hidden = torch.rand(len(answers), 1, generator=generator) < self.titles_hidden
        changed = inputs[0].clone()
        for place, name in enumerate(FEATURES):
            if name.startswith("title"):
                changed[..., place].masked_fill_(hidden, 0)
        return (changed,), answers

    def inputs(self, passages: pd.DataFrame, *, device: str = "auto") -> Tensor:
        """What is known of each name, shape (n, 2, f): features first, then logarithms of attention.

        Parameters
        ----------
        passages : DataFrame
            n rows with the columns of GAP; neither answers nor the pronoun's gender are read.
        device : str
            Where the encoder runs.
        """
        parts = []
        if self.features:
            parts.append(surface_features(passages))
        if self.attention:
            between = attention_between(passages, self.encoder, device=device)
            of_names = np.stack(
                [[between[..., i, j] for i, j in pair] for pair in RELATIONS.values()], axis=-1
            )
            logs = np.log(of_names.astype(np.float32) + FAINT)
            parts.append(logs.swapaxes(0, 1).reshape(len(passages), 2, -1))
        return torch.from_numpy(np.concatenate(parts, axis=2))

    def network(self, inputs: Tensor) -> "ScoringNetwork":
        """An untrained network for such inputs, which it will centre and scale."""
        return ScoringNetwork(self, inputs.flatten(0, 1))


class ScoringNetwork(nn.Module):
    """Logits of A, B and NEITHER from what is known of each name.

    Parameters
    ----------
    settings : CandidateScorer
    rows : Tensor, shape (m, f)
        What is known of names, to be centred and scaled by.
    """

    def __init__(self, settings: CandidateScorer, rows: Tensor):
        super().__init__()
        self.register_buffer("centre", rows.mean(dim=0))
        self.register_buffer("scale", rows.std(dim=0).clamp(min=LEAST_SPREAD))
        self.known = len(FEATURES) if settings.features else 0
        self.surface = nn.Linear(self.known, settings.surface) if settings.features else None
        self.heads = (
            nn.Linear(rows.shape[1] - self.known, settings.heads) if settings.attention else None
        )
        read = settings.surface * settings.features + settings.heads * settings.attention
        self.input_dropout, self.dropout = (
            nn.Dropout(settings.input_dropout),
            nn.Dropout(settings.dropout),
        )
        self.normed = nn.BatchNorm1d(read)
        self.of_name, self.of_both = (
            nn.Linear(read, settings.hidden),
            nn.Linear(read, settings.hidden),
        )
        self.name, self.neither = nn.Linear(settings.hidden, 1), nn.Linear(settings.hidden, 1)

    def forward(self, inputs: Tensor) -> Tensor:
        inputs = (inputs - self.centre) / self.scale
        read = []
        if self.surface:
            read.append(self.surface(inputs[..., : self.known]))
        if self.heads:
            read.append(self.heads(self.input_dropout(inputs[..., self.known :])))
        names = torch.cat(read, dim=-1).relu()
        names = self.dropout(self.normed(names.flatten(0, 1)).view_as(names))
        scores = self.name(self.dropout(self.of_name(names).relu())).squeeze(-1)
        neither = self.neither(self.dropout(self.of_both(names.mean(dim=1)).relu()))
        return torch.cat([scores, neither], dim=1)


@dataclass(frozen=True)
class FittedScorer:
    """A trained scorer with the settings that say what enters it."""

    settings: CandidateScorer
    network: ScoringNetwork

    def probabilities(self, examples: Examples) -> NDArray[np.float64]:
        """Of A, B and NEITHER, shape (n, 3)."""
        return probabilities_of(self.network, (self.settings.inputs(examples.passages),))


def fitted_from(settings: dict, tensors: dict[str, Tensor]) -> FittedScorer:
    """A trained scorer from its settings and the tensors of its network.

    Parameters
    ----------
    settings : dict
        Fields of `CandidateScorer`.
    tensors : dict of Tensor
        Its network's `state_dict`, in any precision.

    Returns
    -------
    FittedScorer

    Raises
    ------
    KeyError, RuntimeError
        For tensors of another network.
    """
    scorer = CandidateScorer(**settings)
    network = scorer.network(torch.zeros(1, 2, len(tensors["centre"])))
    network.load_state_dict(
        {name: tensor.to(network.state_dict()[name].dtype) for name, tensor in tensors.items()}
    )
    return FittedScorer(scorer, network.eval())
