"""One vector for a whole sentence, from any encoder or masked language model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lib.checks import one_of
from lib.language_models.batching import encoded
from lib.language_models.memory import computed
from lib.language_models.pretrained import Transformer

if TYPE_CHECKING:
    import torch

# all pieces, special ones included, as all-MiniLM-L6-v2 was trained; or [CLS], as May et al. take it of BERT
POOLINGS = ("mean", "first")


def sentence_vectors(
    transformer: Transformer, sentences: Sequence[str], *, pooling: str = "mean"
) -> NDArray[np.float32]:
    """Vectors of n sentences from the last layer, (n, d) (May et al. 2019, section 4)."""
    import torch

    one_of("pooling", pooling, POOLINGS)
    rows = encoded(transformer, sentences)
    vectors = np.empty((len(rows), transformer.model.config.hidden_size), np.float32)

    def pooled(
        indices: NDArray[np.intp], ids: "torch.Tensor", real: "torch.Tensor"
    ) -> NDArray[np.float32]:
        hidden = transformer.model.base_model(input_ids=ids, attention_mask=real)
        hidden = hidden.last_hidden_state.float()
        if pooling == "first":
            return hidden[:, 0].cpu().numpy()
        weights = real[..., None].float()
        return ((hidden * weights).sum(1) / weights.sum(1)).cpu().numpy()

    with torch.inference_mode():
        for indices, values in computed(transformer, rows, pooled):
            vectors[indices] = values
    return vectors
