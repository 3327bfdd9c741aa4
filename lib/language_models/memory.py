"""Batches that get smaller when a device runs out of memory."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from lib.language_models.batching import batched

if TYPE_CHECKING:
    import torch

    from lib.language_models.pretrained import Transformer

Result = TypeVar("Result")
log = logging.getLogger("lib")


def computed(
    transformer: "Transformer",
    rows: Sequence[Sequence[int]],
    compute: "Callable[[NDArray[np.intp], torch.Tensor, torch.Tensor], Result]",
    pieces: int | None = None,
) -> Iterator[tuple[NDArray[np.intp], Result]]:
    """What a function makes of each batch of rows; when the device is full, half a batch and so on.

    Parameters
    ----------
    transformer : Transformer
    rows : sequence of sequences of int
        n rows, as `lib.language_models.batching.encoded` gives them.
    compute : callable
        From the places in `rows`, shape (b,), input ids and attention mask, shape (b, t), to a result. It is called
        again with fewer rows after a `torch.OutOfMemoryError`, and so must change nothing outside.
    pieces : int, optional
        How many pieces a batch may hold at first, as in `lib.language_models.batching.batched`.

    Yields
    ------
    indices : ndarray of int, shape (b,)
        Places in `rows`; each comes once.
    result
        What `compute` returned for them.

    Raises
    ------
    MemoryError
        Where a single row is too much for the device.

    Examples
    --------
    >>> from lib.language_models import MaskedLanguageModel
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> rows = model.encode(["[MASK] is a nurse.", "[MASK] was here."])
    >>> batches = computed(model.transformer, rows, lambda places, ids, real: real.sum(1).tolist())
    >>> [(places.tolist(), lengths) for places, lengths in batches]
    [([1, 0], [6, 7])]
    """
    import torch

    waiting = np.arange(len(rows))
    while len(waiting):
        for indices, ids, real in batched(transformer, [rows[place] for place in waiting], pieces):
            try:
                result = compute(waiting[indices], ids, real)
            except torch.OutOfMemoryError as error:
                if len(indices) == 1:
                    raise MemoryError(
                        f"a sentence of {ids.shape[1]} pieces does not fit on {transformer.device} beside {transformer.name}; "
                        "give dtype='bfloat16', a smaller model, or device='cpu'"
                    ) from error
                pieces = ids.numel() // 2
                log.info(
                    "%s is full: batches of %s pieces from here on", transformer.device, pieces
                )
                break
            yield waiting[indices], result
            waiting[indices] = -1
        waiting = waiting[waiting >= 0]
        if pieces and torch.cuda.is_available():
            torch.cuda.empty_cache()
