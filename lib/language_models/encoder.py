"""Vectors of words in their sentences."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.language_models.batching import encoded
from lib.language_models.memory import computed
from lib.language_models.pretrained import load_transformer
from lib.language_models.templates import fits

Span = tuple[int, int]


@dataclass(frozen=True)
class Occurrences:
    """Words where they occur.

    Attributes
    ----------
    words : list of str
        m words.
    sentences : ndarray of int, shape (m,)
        The place of each one's sentence.
    vectors : ndarray, shape (m, d)
        Its vector there.
    """

    words: list[str]
    sentences: NDArray[np.integer]
    vectors: NDArray[np.float32]


class ContextEncoder:
    """Vectors of words in their sentences, from any encoder.

    Parameters
    ----------
    name, device, dtype : str
        See `lib.language_models.pretrained.load_transformer`.
    layer : int or sequence of int
        Which layer is read, 0 being the input to the first and -1 the last; several are averaged (Karve et al. take
        the last four).

    Attributes
    ----------
    name, source, device : str
        The model, its name with commit or hash for the ledger, and where it runs.
    dimensions, layers : int
        Of a vector, and how many the model has.
    layer : tuple of int
        May be set anew.

    Raises
    ------
    ValueError
        For a layer that is not there, or as `load_transformer`.
    FetchError
        Where a hub model is not at hand.

    Examples
    --------
    >>> encoder = ContextEncoder("minilm", device="cpu")
    >>> encoder.encode(["She is a nurse.", "He is a nurse."], ["nurse", "nurse"]).shape
    (2, 384)
    """

    def __init__(
        self,
        name: str = "minilm",
        layer: int | Sequence[int] = -1,
        *,
        device: str = "auto",
        dtype: str = "float32",
    ):
        self.transformer = load_transformer(name, device=device, dtype=dtype)
        self.name = self.transformer.name
        self.source = self.transformer.source
        self.device = self.transformer.device
        self.dimensions = self.transformer.model.config.hidden_size
        self.layers = self.transformer.model.config.num_hidden_layers
        self.layer = (layer,) if isinstance(layer, (int, np.integer)) else tuple(layer)
        within = all(-self.layers - 1 <= number <= self.layers for number in self.layer)
        if not self.layer or not within:
            raise ValueError(
                f"{self.name} has layers 0 (its input) to {self.layers}, or -1 back to {-self.layers - 1}; got {layer!r}"
            )

    def __repr__(self) -> str:
        return f"ContextEncoder({self.name!r}, layer={self.layer}, {self.dimensions} dimensions, {self.device})"

    def encode(self, sentences: Sequence[str], words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word in its sentence, where it first occurs as a whole word, in any
        case.

        Parameters
        ----------
        sentences, words : sequence of str
            n of each; a word may be a phrase. The vectors of its pieces are averaged.

        Returns
        -------
        ndarray, shape (n, d)

        Raises
        ------
        ValueError
            Where a word does not occur in its sentence, or a sentence is too long for the model.
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
        return self._read(sentences, spans)

    def occurrences(self, sentences: Sequence[str], words: Sequence[str]) -> Occurrences:
        """Every occurrence of any of the words as a whole word, in any case, in the order of the
        text.

        Parameters
        ----------
        sentences : sequence of str
            Those without one of the words are not encoded.
        words : sequence of str

        Returns
        -------
        Occurrences
            A word that does not occur is not in its `words`.

        Raises
        ------
        ValueError
            Where a sentence that holds a word is too long for the model.
        """
        pattern, known = whole_word(words), {word.casefold(): word for word in words}
        spans = [[match.span() for match in pattern.finditer(sentence)] for sentence in sentences]
        counts = np.array([len(held) for held in spans], dtype=int)
        places = np.repeat(np.arange(len(sentences)), counts)
        holding = list(dict.fromkeys(places.tolist()))
        vectors = self._read([sentences[index] for index in holding], [spans[i] for i in holding])
        names = [
            known[sentences[index][start:stop].casefold()]
            for index in holding
            for start, stop in spans[index]
        ]
        return Occurrences(names, places, vectors)

    def in_templates(
        self, words: Sequence[str], templates: Sequence[str], slot: str
    ) -> NDArray[np.float32]:
        """The mean vector of each word in one slot of the templates that it fits, the other slot
        masked.

        Parameters
        ----------
        words : sequence of str
            n words.
        templates : sequence of str
            Texts with {target} and {attribute}.
        slot : {"target", "attribute"}
            Where the words stand; a target enters only templates whose verb has its number.

        Returns
        -------
        ndarray, shape (n, d)

        Examples
        --------
        >>> encoder = ContextEncoder("minilm", device="cpu")
        >>> encoder.in_templates(["he", "she"], ["{target} is {attribute}"], "target").shape
        (2, 384)
        """
        one_of("slot", slot, ("target", "attribute"))
        mask = self.transformer.tokenizer.mask_token
        other = "{attribute}" if slot == "target" else "{target}"
        cases = [
            (word, template.replace(other, mask).replace(f"{{{slot}}}", word))
            for word in words
            for template in templates
            if slot == "attribute" or fits(template, word)
        ]
        names = [word for word, _ in cases]
        vectors = pd.DataFrame(self.encode([sentence for _, sentence in cases], names))
        return vectors.groupby(names, sort=False).mean().loc[list(words)].to_numpy()

    def _read(self, sentences: Sequence[str], spans: list[list[Span]]) -> NDArray[np.float32]:
        """The vectors of the given stretches of characters of each sentence, stacked in order."""
        import torch

        rows = encoded(self.transformer, sentences)
        ends = np.concatenate([[0], np.cumsum([len(held) for held in spans], dtype=int)])
        vectors = np.empty((ends[-1], self.dimensions), dtype=np.float32)
        if not rows:
            return vectors
        offsets = self.transformer.tokenizer(
            list(sentences), return_offsets_mapping=True, verbose=False
        )["offset_mapping"]

        def mean_layer(indices, ids, real):
            hidden = self.transformer.model(
                input_ids=ids, attention_mask=real, output_hidden_states=True
            ).hidden_states
            mean = sum(hidden[number].float() for number in self.layer) / len(self.layer)
            return mean.cpu().numpy()

        with torch.inference_mode():
            for indices, layers in computed(self.transformer, rows, mean_layer):
                for place, index in enumerate(indices):
                    for row, (start, stop) in enumerate(spans[index], ends[index]):
                        inside = [
                            k for k, (a, b) in enumerate(offsets[index]) if a < stop and b > start
                        ]
                        vectors[row] = layers[place, inside].mean(0)
        return vectors


def whole_word(words: Sequence[str]) -> re.Pattern[str]:
    """A pattern for any of the words as a whole word, in any case, the longest that fits.

    Raises
    ------
    ValueError
        For no words, or an empty one.

    Examples
    --------
    >>> whole_word(["he", "the man"]).findall("The man said he met the mother.")
    ['The man', 'he']
    """
    if not len(words) or not all(word.strip() for word in words):
        raise ValueError("expected words, got an empty one; leave it out")
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)
