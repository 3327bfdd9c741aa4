"""A bidirectional LSTM on frozen word vectors, several seeds of it: a small stand-in for the paper's second model, or one of its size.

The paper says that its own has 300-dimensional GloVe vectors, and prints neither size nor training. The authors' code (src/bilstm.py
in their repository) has both: `AS_RELEASED`. What a network says is set beside the paper's number and is no replication of it: first
weights and gates are those of torch, and words are split in this book's way.
"""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import threadpool_limits

from lib.embeddings import load_embedding
from lib.files import text_hash
from lib.kept import kept
from lib.language_models.pretrained import best_device
from lib.text_classification.sentiment.classifier import checked_sentences
from lib.text_classification.sentiment.encoders import checked_labels
from lib.text_classification.sentiment.lexicons import words_of
from lib.threads import one_thread

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class LstmSettings:
    """How a network is made and trained."""

    vectors: str = "glove_6b_50d_5k"  # not trained; a word that it lacks is a vector of zeros
    units: int = 24  # of each of the two directions
    phrases: int = 16_000  # that a seed draws to learn from; 0: all, as they come
    epochs: int = 3
    batch_size: int = 64
    learning_rate: float = 3e-3  # of Adam
    dropout: float = 0.2  # of the last states
    word_dropout: float = 0.2  # of the words' vectors
    scaled: bool = True  # vectors divided by their standard deviation
    shuffled: bool = (
        True  # whether phrases of like length share a batch, else those that follow each other
    )
    padded: int = 0  # so many words are read, zeros in front of the phrase; 0: the phrase alone


# Of the authors' code, where the paper prints nothing. A seed decides first weights and dropout.
AS_RELEASED = LstmSettings(
    vectors="glove-wiki-gigaword-300",
    units=128,
    phrases=0,
    batch_size=32,
    learning_rate=1e-3,
    dropout=0.25,
    word_dropout=0,
    scaled=False,
    shuffled=False,
    padded=80,
)
SIZES = {"small": LstmSettings(), "as released": AS_RELEASED}


@dataclass(frozen=True)
class SentimentLstm:
    """One trained network. In `words` the first row of the vectors is 1; 0 is for words without one."""

    settings: LstmSettings
    words: dict[str, int] = field(repr=False)
    network: "torch.nn.Module" = field(repr=False)
    seed: int

    @property
    def name(self) -> str:
        return f"BiLSTM on {self.settings.vectors}, seed {self.seed}"

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities of positive (n,)."""
        import torch

        rows = rows_of(self.words, checked_sentences(sentences))
        order = np.argsort([len(row) for row in rows], kind="stable")
        found = np.empty(len(rows))
        with torch.inference_mode(), threadpool_limits(limits=1):
            for start in range(0, len(order), 256):
                places = order[start : start + 256]
                batch = _padded([rows[k] for k in places], self.settings.padded)
                found[places] = self.network(*batch).sigmoid().cpu().numpy()
        return found

    def unknown(self, sentences: Sequence[str]) -> list[str]:
        """The words of some sentences that have no vector, in alphabetical order."""
        words = {word for text in checked_sentences(sentences) for word in words_of(text)}
        return sorted(words - set(self.words))


def rows_of(words: dict[str, int], sentences: Sequence[str]) -> list[list[int]]:
    """The row of each word of each sentence, 0 for one without a vector."""
    return [[words.get(word, 0) for word in words_of(text)] or [0] for text in sentences]


@dataclass(frozen=True)
class Phrases:
    """Phrases to learn from, with labels: 1 for positive, 0 for negative."""

    texts: list[str] = field(repr=False)
    labels: NDArray[np.intp] = field(repr=False)

    @cached_property
    def hash(self) -> str:
        """Of all texts and labels."""
        return text_hash(json.dumps([self.texts, self.labels.tolist()]))


def train_lstms(
    sentences: Sequence[str],
    labels: ArrayLike,
    seeds: Sequence[int] = range(5),
    settings: LstmSettings = LstmSettings(),
    *,
    device: str = "cpu",
) -> list[SentimentLstm]:
    """One network a seed, trained on one core or a card, from the book's cache where it was trained before.

    A seed decides which phrases are learned from, the first weights, the order and dropout. Numbers are in double precision, so that
    machines that round differently end close to each other.
    """
    import torch

    phrases = Phrases(checked_sentences(sentences), checked_labels(labels))
    if len(phrases.texts) != len(phrases.labels):
        raise ValueError(
            f"expected a label for each phrase, got {len(phrases.labels)} labels and {len(phrases.texts)} phrases"
        )
    if len(phrases.texts) < settings.phrases:
        raise ValueError(
            f"phrases: expected {settings.phrases:,} or more to draw from, got {len(phrases.texts):,}; "
            "ask for fewer with LstmSettings(phrases=…)"
        )
    if not len(seeds):
        raise ValueError("seeds: expected one or more, got none")
    embedding = load_embedding(settings.vectors)
    words = {word: place for place, word in enumerate(embedding.words, 1)}
    device = best_device(device)
    vectors = torch.from_numpy(np.asarray(embedding.vectors[:]))
    scale = vectors.double().std() if settings.scaled else torch.ones(1).double()
    table = torch.cat([torch.zeros(1, vectors.shape[1], dtype=vectors.dtype), vectors])
    given = table.to(device), scale.to(device), settings
    about = [dataclasses.asdict(settings), embedding.source, phrases.hash]
    about += [] if device == "cpu" else [device.partition(":")[0]]
    found = []
    for seed in seeds:
        key = json.dumps([*about, int(seed)])
        weights = kept(
            "sentiment-lstm", key, lambda seed=seed: _trained(phrases, words, given, seed)
        )
        with torch.random.fork_rng():
            network = _network(*given)
        row = torch.from_numpy(weights).to(device)
        torch.nn.utils.vector_to_parameters(row, network.parameters())
        found.append(SentimentLstm(settings, words, network.eval(), int(seed)))
    return found


def _trained(
    phrases: Phrases,
    words: dict[str, int],
    given: "tuple[torch.Tensor, torch.Tensor, LstmSettings]",
    seed: int,
) -> NDArray[np.float64]:
    """All weights of a network that one seed trained, as one row."""
    import torch

    rng, (table, _, settings) = np.random.default_rng(seed), given
    drawn = np.arange(len(phrases.texts))
    if settings.phrases:
        drawn = rng.choice(len(phrases.texts), settings.phrases, replace=False)
    rows = rows_of(words, [phrases.texts[place] for place in drawn])
    lengths = np.array([len(row) for row in rows])
    answers = torch.from_numpy(phrases.labels[drawn]).double().to(table.device)
    with one_thread(), torch.random.fork_rng():
        torch.manual_seed(seed)
        network = _network(*given).train()
        optimiser = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
        for _ in range(settings.epochs):
            order = np.arange(len(rows))
            if settings.shuffled:  # in an order that changes with every epoch
                order = np.argsort(lengths + rng.uniform(0, 3, len(lengths)))
            batches = [
                order[start : start + settings.batch_size]
                for start in range(0, len(order), settings.batch_size)
            ]
            places = np.arange(len(batches))
            for place in rng.permutation(places) if settings.shuffled else places:
                batch = batches[place]
                optimiser.zero_grad()
                logits = network(*_padded([rows[k] for k in batch], settings.padded))
                torch.nn.functional.binary_cross_entropy_with_logits(
                    logits, answers[batch]
                ).backward()
                optimiser.step()
    return torch.nn.utils.parameters_to_vector(network.parameters()).detach().cpu().numpy()


def _padded(rows: list[list[int]], words: int) -> tuple["torch.Tensor", "torch.Tensor"]:
    """Rows of equal length, with 0 behind the shorter ones, and the lengths; of so many `words`, with 0 in front, where it says some."""
    import torch

    if words:
        rows = [[0] * (words - len(row)) + row[-words:] for row in rows]
    padded = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], True)
    return padded, torch.tensor([len(row) for row in rows])


def _network(
    table: "torch.Tensor", scale: "torch.Tensor", settings: LstmSettings
) -> "torch.nn.Module":
    """The untrained network: vectors, an LSTM in both directions, its last states, one logit."""
    import torch
    from torch import nn

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(
                table.shape[1], settings.units, bidirectional=True, batch_first=True
            )
            self.word_dropout = nn.Dropout(settings.word_dropout)
            self.dropout = nn.Dropout(settings.dropout)
            self.out = nn.Linear(2 * settings.units, 1)
            self.double().to(table.device)

        def forward(self, rows: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
            vectors = self.word_dropout(table[rows.to(table.device)].double() / scale)
            packed = nn.utils.rnn.pack_padded_sequence(
                vectors, lengths, batch_first=True, enforce_sorted=False
            )
            _, (last, _) = self.lstm(packed)
            return self.out(self.dropout(torch.cat([last[0], last[1]], dim=1)))[:, 0]

    return Network()
