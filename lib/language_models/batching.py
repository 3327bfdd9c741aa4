"""Sentences as pieces, in batches of like length."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

    from lib.language_models.pretrained import Transformer

# Pieces in a batch, padding included; the caches of a processor are small.
CPU_BATCH = 2048
GPU_BATCH = 32768


def encoded(transformer: "Transformer", sentences: Sequence[str]) -> list[list[int]]:
    """Sentences as ids of pieces, special ones included.

    Parameters
    ----------
    transformer : Transformer
    sentences : sequence of str
        n texts.

    Returns
    -------
    list of list of int
        n rows, none of them cut.

    Raises
    ------
    ValueError
        Where a sentence is longer than the model can read, or one string is given in place of a
        list.
    """
    if isinstance(sentences, str):
        raise ValueError(
            f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
        )
    if not len(sentences):
        return []
    rows = transformer.tokenizer(list(sentences), truncation=False, verbose=False)["input_ids"]
    for sentence, row in zip(sentences, rows):
        if len(row) > transformer.longest:
            raise ValueError(
                f"a sentence of {len(row)} pieces is longer than the {transformer.longest} that {transformer.name} reads: "
                f"{sentence[:60]!r}…; split it"
            )
    return rows


def batched(
    transformer: "Transformer", rows: Sequence[Sequence[int]], pieces: int | None = None
) -> Iterator[tuple[NDArray[np.intp], "torch.Tensor", "torch.Tensor"]]:
    """Rows of pieces by length, padded to the longest of their batch.

    Parameters
    ----------
    transformer : Transformer
    rows : sequence of sequences of int
        As `encoded` gives them.
    pieces : int, optional
        How many pieces a batch may hold, padding included; a longer row is a batch of its own.

    Yields
    ------
    indices : ndarray of int, shape (b,)
        Places in `rows`.
    ids, real : Tensor, shape (b, t)
        Input ids and attention mask, on the device.
    """
    import torch

    pieces = pieces or (CPU_BATCH if transformer.device == "cpu" else GPU_BATCH)
    padding = transformer.tokenizer.pad_token_id or 0
    lengths = np.array([len(row) for row in rows], dtype=int)
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= pieces:
            stop += 1
        indices = order[start:stop]
        ids = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(rows[index]) for index in indices], True, padding
        )
        real = torch.arange(ids.shape[1]) < torch.from_numpy(lengths[indices])[:, None]
        yield indices, ids.to(transformer.device), real.long().to(transformer.device)
        start = stop
