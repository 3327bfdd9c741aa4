"""One vector for a whole sentence, from any encoder or masked language model."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.checks import one_of
from lib.language_models.batching import batched, encoded
from lib.language_models.pretrained import Transformer

POOLINGS = ("mean", "first")


def sentence_vectors(
    transformer: Transformer, sentences: Sequence[str], *, pooling: str = "mean"
) -> NDArray[np.float32]:
    """Vectors of sentences from the last layer.

    Parameters
    ----------
    transformer : Transformer
        Of a `ContextEncoder` or a `MaskedLanguageModel`.
    sentences : sequence of str
        n texts.
    pooling : {"mean", "first"}
        The mean over all pieces, special ones included, as all-MiniLM-L6-v2 was trained; or the
        first piece, [CLS], as May et al. take it of BERT.

    Returns
    -------
    ndarray, shape (n, d)

    Raises
    ------
    ValueError
        For another pooling, or a sentence that is too long for the model.

    References
    ----------
    May, Wang, Bordia, Bowman and Rudinger (2019), section 4.

    Examples
    --------
    >>> from lib.language_models import ContextEncoder
    >>> encoder = ContextEncoder("minilm", device="cpu")
    >>> sentence_vectors(encoder.transformer, ["This is a nurse.", "She is here."]).shape
    (2, 384)
    """
    import torch

    one_of("pooling", pooling, POOLINGS)
    rows = encoded(transformer, sentences)
    vectors = np.empty((len(rows), transformer.model.config.hidden_size), np.float32)
    with torch.inference_mode():
        for indices, ids, real in batched(transformer, rows):
            hidden = transformer.model.base_model(
                input_ids=ids, attention_mask=real
            ).last_hidden_state.float()
            if pooling == "first":
                pooled = hidden[:, 0]
            else:
                weights = real[..., None].float()
                pooled = (hidden * weights).sum(1) / weights.sum(1)
            vectors[indices] = pooled.cpu().numpy()
    return vectors
