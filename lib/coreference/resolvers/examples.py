"""Passages as an encoder sees them: the states of the pronoun and of the two names in every layer, computed once."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.coreference.predictions import codes
from lib.files import text_hash
from lib.kept import kept, path_of
from lib.language_models.batching import batched, encoded
from lib.language_models.pretrained import Transformer, load_transformer

if TYPE_CHECKING:
    import torch
    from transformers.utils import ModelOutput

MENTIONS = ("pronoun", "A", "B")
POOLINGS = ("mean", "attention")
# Texts in one file of the cache: what an interruption can cost.
CHUNK = 256

Span = tuple[int, int]
Progress = Callable[[int, int], None]  # texts done, texts in all
log = logging.getLogger("lib")


@dataclass(frozen=True)
class Examples:
    """Passages with the states of their mentions.

    Attributes
    ----------
    passages : DataFrame
        n rows with the columns of `lib.datasets.gap.read_gap`.
    states : ndarray of float, shape (n, layers + 1, 3, d)
        Of the pronoun, A and B (`MENTIONS`); layer 0 is the input to the first.
    identity : str
        A hash of the encoder, the texts, the spans and the answers.
    """

    passages: pd.DataFrame
    states: NDArray[np.float32]
    identity: str

    def __len__(self) -> int:
        return len(self.passages)

    @property
    def answers(self) -> NDArray[np.intp]:
        """0 for A, 1 for B, 2 for NEITHER."""
        return codes(self.passages["answer"])

    @property
    def female(self) -> NDArray[np.bool_]:
        """Whether the pronoun is feminine."""
        return (self.passages["gender"] == "female").to_numpy()

    @property
    def pages(self) -> NDArray[np.object_]:
        """The Wikipedia page of each passage."""
        return self.passages["URL"].to_numpy(dtype=object)

    def take(self, rows: Sequence[int] | NDArray) -> "Examples":
        """Some of the examples, in the order of `rows` (places, or a mask of n booleans)."""
        places = np.arange(len(self))[np.asarray(rows)]
        identity = text_hash(f"{self.identity} {places.tolist()}")
        return Examples(
            self.passages.iloc[places].reset_index(drop=True), self.states[places], identity
        )

    def swapped(self) -> "Examples":
        """The same with A and B exchanged, answers too."""
        names = {"A": "B", "B": "A"}
        passages = self.passages.rename(
            columns=lambda c: names.get(c[0], c[0]) + c[1:] if c in _PAIRED else c
        )
        passages["answer"] = self.passages["answer"].replace(names)
        identity = text_hash(f"{self.identity} swapped")
        return Examples(passages[self.passages.columns], self.states[:, :, [0, 2, 1]], identity)


_PAIRED = ("A", "B", "A-offset", "B-offset", "A-coref", "B-coref")


def joined(parts: Sequence[Examples]) -> Examples:
    """Several sets of examples of one encoder, one below the other.

    Parameters
    ----------
    parts : sequence of Examples

    Returns
    -------
    Examples

    Raises
    ------
    ValueError
        For no parts, or states of different shapes.
    """
    if not parts or len({part.states.shape[1:] for part in parts}) > 1:
        raise ValueError(
            f"expected examples of one encoder, got states of {[part.states.shape[1:] for part in parts]}"
        )
    return Examples(
        pd.concat([part.passages for part in parts], ignore_index=True),
        np.concatenate([part.states for part in parts]),
        text_hash(" ".join(part.identity for part in parts)),
    )


def mention_spans(passages: pd.DataFrame) -> list[list[Span]]:
    """Where pronoun, A and B are in each text, as characters [start, stop).

    Parameters
    ----------
    passages : DataFrame
        As from `lib.datasets.gap.read_gap`.

    Returns
    -------
    list of list of (int, int)
        Three for each passage.

    Raises
    ------
    ValueError
        For missing columns, or an offset at which the word is not found.
    """
    names = ("Pronoun", "A", "B")
    needed = ["Text", *(c for name in names for c in (name, f"{name}-offset"))]
    if missing := [column for column in needed if column not in passages]:
        raise ValueError(
            f"expected passages with the columns {', '.join(needed)}, got none called {', '.join(missing)}"
        )
    spans = []
    for text, *places in passages[needed].itertuples(index=False, name=None):
        for name, word, start in zip(names, places[::2], places[1::2]):
            if start < 0 or not text.startswith(word, start):
                raise ValueError(
                    f"expected {name} {word!r} at character {start} of {text[:40]!r}…, got "
                    f"{text[max(start, 0) : max(start, 0) + len(word)]!r}; check the column {name}-offset"
                )
        spans.append([(start, start + len(word)) for word, start in zip(places[::2], places[1::2])])
    return spans


def encode_examples(
    passages: pd.DataFrame,
    encoder: str = "minilm",
    *,
    pooling: str = "mean",
    device: str = "auto",
    progress: Progress | None = None,
) -> Examples:
    """Passages with the states of their mentions, from any encoder.

    Parameters
    ----------
    passages : DataFrame
        n rows: `Text`, `Pronoun`, `A`, `B`, their offsets in characters, `answer`, `gender`, `URL`.
    encoder, device : str
        As in `lib.language_models.pretrained.load_transformer`.
    pooling : {"mean", "attention"}
        As in `encode_spans`.
    progress : callable, optional
        Told how many texts are done, and of how many.

    Returns
    -------
    Examples
        States are kept in the book's cache.

    Raises
    ------
    ValueError, FetchError
        As `encode_spans`.

    Examples
    --------
    >>> from lib.coreference.resolvers.examples import encode_examples
    >>> passages = pd.DataFrame([{"Text": "Ann met Eve after she won.", "Pronoun": "she", "Pronoun-offset": 18,
    ...     "A": "Ann", "A-offset": 0, "B": "Eve", "B-offset": 8, "answer": "A", "gender": "female", "URL": "x"}])
    >>> encode_examples(passages, device="cpu").states.shape
    (1, 7, 3, 384)
    """
    spans = mention_spans(passages)
    states, source = encode_spans(
        passages["Text"].tolist(), spans, encoder, pooling=pooling, device=device, progress=progress
    )
    known = [source, pooling, passages["Text"].tolist(), spans, passages["answer"].tolist()]
    return Examples(passages.reset_index(drop=True), states, text_hash(json.dumps(known)))


def encode_spans(
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    encoder: str = "minilm",
    *,
    pooling: str = "mean",
    device: str = "auto",
    keep: bool = True,
    progress: Progress | None = None,
) -> tuple[NDArray[np.float32], str]:
    """States of stretches of texts in every layer of an encoder.

    Parameters
    ----------
    texts : sequence of str
        n texts.
    spans : sequence of sequences of (int, int)
        For each text k stretches of characters [start, stop); the first is the pronoun.
    encoder, device : str
        As in `lib.language_models.pretrained.load_transformer`.
    pooling : {"mean", "attention"}
        The mean over the pieces of a stretch, or Wang's parameter-free attention: pieces are weighted by the softmax
        of their product with the pronoun's state, each piece centred and scaled first, by layer.
    keep : bool
        Whether the states go into the book's cache.
    progress : callable, optional
        Told how many texts are done, and of how many.

    Returns
    -------
    states : ndarray of float32, shape (n, layers + 1, k, d)
        Rounded to half precision, as they are kept in the cache. Layer 0 is the input to the first layer.
    source : str
        The encoder with its commit or hash.

    Raises
    ------
    ValueError
        For spans that do not fit the texts, or a text that is too long for the encoder.
    FetchError
        Where a hub model is not at hand.
    """
    one_of("pooling", pooling, POOLINGS)
    counts = {len(held) for held in spans}
    if len(texts) != len(spans) or len(counts) != 1:
        raise ValueError(
            f"expected as many lists of spans as texts, all of one length; got {len(texts)} and {len(spans)}, "
            f"of lengths {sorted(counts)}"
        )
    for text, held in zip(texts, spans):
        for start, stop in held:
            if not 0 <= start < stop <= len(text):
                raise ValueError(
                    f"expected a span within the {len(text)} characters of {text[:40]!r}…, got {start} to {stop}"
                )
    transformer = load_transformer(encoder, device=device)
    states: NDArray[np.float32] | None = None
    done = 0
    for places in chunks(texts):
        held = Chunk(transformer, [texts[i] for i in places], [spans[i] for i in places])
        part = held.kept(pooling) if keep else held.encoded(pooling)
        if states is None:
            states = np.empty((len(texts), *part.shape[1:]), dtype=np.float32)
        states[places] = part
        done += len(places)
        log.info("encoded %d of %d texts with %s", done, len(texts), transformer.name)
        if progress:
            progress(done, len(texts))
    assert states is not None
    return states, transformer.source


def encode_tokens(
    texts: Sequence[str], layer: int, encoder: str = "minilm", *, device: str = "auto"
) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.float32]]]:
    """The states of all pieces of texts at one layer, text by text, short texts first.

    Parameters
    ----------
    texts : sequence of str
    layer : int
        0 is the input to the first layer, -1 the last.
    encoder, device : str
        As in `lib.language_models.pretrained.load_transformer`.

    Yields
    ------
    place : int
        Of the text.
    offsets : ndarray of int, shape (t, 2)
        The characters of each piece; (0, 0) for special pieces.
    vectors : ndarray of float32, shape (t, d)
    """
    transformer = load_transformer(encoder, device=device)
    layers = getattr(getattr(transformer.model, "encoder", None), "layer", None)
    if layers is not None and 0 <= layer < len(layers):  # those above would be computed in vain
        transformer.model.encoder.layer = layers[:layer]
    for indices, offsets, output in passes(transformer, texts):
        hidden = output.hidden_states[layer].float().cpu().numpy()
        for place, index in enumerate(indices):
            held = np.array(offsets[place], dtype=np.intp)
            yield int(index), held, hidden[place, : len(held)]


def chunks(texts: Sequence[str]) -> Iterator[NDArray[np.intp]]:
    """Places of texts that are read and kept together: short ones first."""
    order = np.argsort([len(text) for text in texts], kind="stable")
    for start in range(0, len(order), CHUNK):
        yield order[start : start + CHUNK]


@dataclass(frozen=True)
class Chunk:
    """A few texts, and the stretches of each whose states are wanted."""

    transformer: Transformer
    texts: list[str]
    spans: list[Sequence[Span]]

    def kept(self, pooling: str) -> NDArray[np.float16]:
        """The states, from the cache or computed and kept there."""
        return kept("states", self._key(pooling), lambda: self.encoded(pooling))

    def path(self, pooling: str) -> Path:
        """Where the cache has them."""
        return path_of("states", self._key(pooling), self.encoded)

    def encoded(self, pooling: str) -> NDArray[np.float16]:
        """The states, computed."""
        from lib.threads import one_thread

        states = self.empty()
        with one_thread():
            for indices, offsets, output in passes(self.transformer, self.texts):
                hidden = layers_of(output)
                for place, index in enumerate(indices):
                    held = offsets[place], self.spans[index]
                    states[index] = mention_states(hidden[place], *held, pooling)
        return states

    def empty(self) -> NDArray[np.float16]:
        """Room for the states."""
        config = self.transformer.model.config
        layers, spans = config.num_hidden_layers + 1, len(self.spans[0])
        return np.empty((len(self.texts), layers, spans, config.hidden_size), dtype=np.float16)

    def _key(self, pooling: str) -> str:
        return json.dumps([self.transformer.source, pooling, self.texts, self.spans])


def passes(
    transformer: Transformer, texts: Sequence[str], **wanted: bool
) -> Iterator[tuple[NDArray[np.intp], list[list[Span]], "ModelOutput"]]:
    """Texts through an encoder, in batches of like length. What is kept is read on one thread: the last digits depend on how many there are.

    Yields
    ------
    indices : ndarray of int
        Places of the texts.
    offsets : list of list of (int, int)
        For each text the characters of its pieces.
    output : ModelOutput
        With the hidden states, and what else is wanted.
    """
    import torch

    rows = encoded(transformer, texts)
    offsets = _offsets(transformer, texts)
    for indices, ids, real in batched(transformer, rows):
        with torch.inference_mode():
            output = transformer.model(
                input_ids=ids, attention_mask=real, output_hidden_states=True, **wanted
            )
            yield indices, [offsets[index] for index in indices], output


def layers_of(output: "ModelOutput") -> "torch.Tensor":
    """The hidden states of a batch, (texts, layers, pieces, d)."""
    import torch

    return torch.stack(output.hidden_states, dim=1).float().cpu()


def mention_states(
    hidden: "torch.Tensor", offsets: Sequence[Span], spans: Sequence[Span], pooling: str
) -> NDArray[np.float32]:
    """States (layers, k, d) of stretches of one text from those of its pieces (layers, t, d)."""
    pieces = [_pieces(offsets, *span) for span in spans]
    pronoun = hidden[:, pieces[0]].mean(dim=1)
    pooled = [_pooled(hidden[:, inside], pronoun, pooling).numpy() for inside in pieces]
    return np.stack(pooled, axis=1)


def _pooled(held: "torch.Tensor", pronoun: "torch.Tensor", pooling: str) -> "torch.Tensor":
    """One vector for each layer of pieces of shape (layers, t, d)."""
    import torch

    if pooling == "mean" or held.shape[1] == 1:
        return held.mean(dim=1)
    normed = torch.nn.functional.layer_norm(held, held.shape[-1:])
    scores = torch.einsum("ltd,ld->lt", normed, pronoun) / held.shape[-1] ** 0.5
    return torch.einsum("lt,ltd->ld", scores.softmax(dim=1), held)


def _offsets(transformer: Transformer, texts: Sequence[str]) -> list[list[Span]]:
    return transformer.tokenizer(list(texts), return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]


def _pieces(offsets: Sequence[Span], start: int, stop: int) -> list[int]:
    inside = [k for k, (a, b) in enumerate(offsets) if a < stop and b > start]
    if not inside:
        raise ValueError(
            f"no piece of the text covers characters {start} to {stop}; check the offsets"
        )
    return inside
