"""Vectors of words in their sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.language_models.pretrained import batched, encoded, load_transformer


@dataclass(frozen=True)
class Occurrences:
    """Words where they occur: the word (m,), the index of its sentence (m,), and its vector there (m, d)."""

    words: list[str]
    sentences: NDArray[np.integer]
    vectors: NDArray[np.float32]


class ContextEncoder:
    """Vectors of words in their sentences, from any encoder.

    name, device, dtype : see `lib.language_models.pretrained.load_transformer`. layer : which layer is read, 0 being the input to the first
    and -1 the last, or several, which are averaged (Karve et al. take the last four).
    `.dimensions` of a vector, `.layers` the model has, `.source` for the ledger.
    """

    def __init__(
        self,
        name: str = "minilm",
        layer: int | Sequence[int] = -1,
        *,
        device: str = "auto",
        dtype: str = "float32",
    ):
        self._transformer = load_transformer(name, device=device, dtype=dtype)
        config = self._transformer.model.config
        self.name, self.source, self.device = (
            self._transformer.name,
            self._transformer.source,
            self._transformer.device,
        )
        self.dimensions, self.layers = config.hidden_size, config.num_hidden_layers
        self.layer = (layer,) if isinstance(layer, (int, np.integer)) else tuple(layer)
        wrong = [number for number in self.layer if not -self.layers - 1 <= number <= self.layers]
        if wrong or not self.layer:
            raise ValueError(
                f"{self.name} has layers 0 (its input) to {self.layers}, or -1 back to {-self.layers - 1}; got {layer!r}"
            )

    def __repr__(self) -> str:
        return f"ContextEncoder({self.name!r}, layer={self.layer}, {self.dimensions} dimensions, {self.device})"

    def encode(self, sentences: Sequence[str], words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word in its sentence, where it first occurs as a whole word, in any case; pieces are averaged.

        sentences, words : n of each; a word may be a phrase. Returns (n, d).
        Raises ValueError when a word does not occur in its sentence, or a sentence is too long for the model.
        """
        if len(sentences) != len(words):
            raise ValueError(
                f"expected as many words as sentences, got {len(words)} and {len(sentences)}"
            )
        spans = []
        for sentence, word in zip(sentences, words):
            match = whole_word([word]).search(sentence)
            if match is None:
                raise ValueError(
                    f"the word {word!r} does not occur in its sentence {sentence[:80]!r}; give each word a sentence with it"
                )
            spans.append([match.span()])
        return self._read(list(sentences), spans)

    def occurrences(self, sentences: Sequence[str], words: Sequence[str]) -> Occurrences:
        """Every occurrence of any of the words as a whole word, in any case, in the order of the text.

        Sentences without one are not encoded; a word without an occurrence is not in the result's `words`.
        Raises ValueError when a sentence that holds one is too long for the model.
        """
        pattern, known = whole_word(words), {word.casefold(): word for word in words}
        found = [[match.span() for match in pattern.finditer(sentence)] for sentence in sentences]
        places = np.array([index for index, spans in enumerate(found) if spans], dtype=int)
        vectors = self._read(
            [sentences[index] for index in places], [found[index] for index in places]
        )
        names = [
            known[sentences[index][slice(*span)].casefold()]
            for index in places
            for span in found[index]
        ]
        return Occurrences(
            names, np.repeat(places, [len(found[index]) for index in places]), vectors
        )

    def _read(
        self, sentences: list[str], spans: list[list[tuple[int, int]]]
    ) -> NDArray[np.float32]:
        """The vectors of the given stretches of characters of each sentence, stacked in order."""
        import torch

        rows = encoded(self._transformer, sentences)
        ends = np.concatenate([[0], np.cumsum([len(row) for row in spans], dtype=int)])
        vectors = np.empty((ends[-1], self.dimensions), dtype=np.float32)
        offsets = (
            self._transformer.tokenizer(sentences, return_offsets_mapping=True)["offset_mapping"]
            if sentences
            else []
        )
        with torch.inference_mode():
            for indices, ids, real in batched(self._transformer, rows):
                hidden = self._transformer.model(
                    input_ids=ids, attention_mask=real, output_hidden_states=True
                ).hidden_states
                layers = sum(hidden[number].float() for number in self.layer) / len(self.layer)
                layers = layers.cpu().numpy()
                for place, index in enumerate(indices):
                    for row, (start, stop) in enumerate(spans[index], ends[index]):
                        inside = [
                            k for k, (a, b) in enumerate(offsets[index]) if a < stop and b > start
                        ]
                        vectors[row] = layers[place, inside].mean(0)
        return vectors


def whole_word(words: Sequence[str]) -> re.Pattern:
    """A pattern for any of the words as a whole word, in any case, the longest that fits. No word may be empty."""
    if not len(words) or not all(word.strip() for word in words):
        raise ValueError("expected words, got an empty one; leave it out")
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)
