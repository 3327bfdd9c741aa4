"""Which of two beginnings a translator finds more probable, where its best output is always the same.

The best output changes only when one word overtakes another; the probabilities behind it change
before.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.language_models.batching import batched, encoded
from lib.translation.translators import CachedTranslator, ModelTranslator, Translator


def log_odds(
    translator: Translator, sources: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> NDArray[np.float64]:
    """How much more probable one beginning of a translation is than another: log P(first | source) − log P(second | source),
    natural logarithm, shape (n,). The translator is a model; a service or a function has no probabilities to read.
    """
    if not len(sources) == len(first) == len(second):
        raise ValueError(
            "expected two beginnings for each source, "
            f"got {len(sources)} sources, {len(first)} and {len(second)} beginnings"
        )
    scores = _log_probabilities(translator, [*sources, *sources], [*first, *second])
    return scores[: len(sources)] - scores[len(sources) :]


def has_probabilities(translator: Translator) -> bool:
    """Whether `log_odds` can read a translator: a model is at hand, not a service or a function."""
    return isinstance(_model_of(translator), ModelTranslator)


def _model_of(translator: Translator) -> Translator:
    return translator.translator if isinstance(translator, CachedTranslator) else translator


def _log_probabilities(
    translator: Translator, sources: Sequence[str], targets: Sequence[str]
) -> NDArray[np.float64]:
    """Log probability of the pieces of each target, after its source."""
    import torch

    model = _model_of(translator)
    if not isinstance(model, ModelTranslator):
        raise ValueError(
            f"{translator.name}: expected a model whose probabilities can be read, got a service or "
            "a function; give the name of one of ours, a folder or '<model>@<commit>'"
        )
    transformer = model.transformer
    tokenizer = transformer.tokenizer
    start = [transformer.model.generation_config.decoder_start_token_id]
    start += [] if model.first_token is None else [model.first_token]
    pieces = tokenizer(text_target=list(targets), add_special_tokens=False)["input_ids"]
    rows = encoded(transformer, [model.language_tag + source for source in sources])
    scores = np.zeros(len(rows))
    with torch.inference_mode():
        for indices, ids, real in batched(transformer, rows):
            longest = max(len(pieces[index]) for index in indices)
            given = torch.zeros(len(indices), len(start) + longest, dtype=torch.long)
            wanted = torch.zeros(len(indices), longest, dtype=torch.bool)
            for row, index in enumerate(indices):
                known = [*start, *pieces[index]]
                given[row, : len(known)] = torch.tensor(known)
                wanted[row, : len(pieces[index])] = True
            given, wanted = given.to(ids.device), wanted.to(ids.device)
            logits = transformer.model(
                input_ids=ids, attention_mask=real, decoder_input_ids=given[:, :-1]
            ).logits[:, len(start) - 1 :]
            found = logits.float().log_softmax(-1)
            found = found.gather(2, given[:, len(start) :, None])[..., 0] * wanted
            scores[indices] = found.sum(1).cpu().numpy()
    return scores
