"""A causal model is asked how texts go on: arrays of log probabilities of words by beginnings by endings."""

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.language_models.causal_scores import CausalLanguageModel

Floats = NDArray[np.float64]


def filled(text: str, **words: str) -> str:
    """A beginning with its slots filled, {word} for one, and its first letter a capital."""
    for slot, word in words.items():
        text = text.replace(f"{{{slot}}}", word)
    return text[:1].upper() + text[1:]


def after(model: CausalLanguageModel, contexts: Sequence[str], endings: Sequence[str]) -> Floats:
    """Log probability of each ending behind each context, (contexts, endings), in nats; all in one call, so that what contexts share is read once."""
    texts = [f"{context} {ending}" for context in contexts for ending in endings]
    given = [context for context in contexts for _ in endings]
    return model.log_probabilities(texts, given).reshape(len(contexts), len(endings))


def of_words(
    model: CausalLanguageModel,
    words: Sequence[str],
    beginnings: Sequence[str],
    endings: Sequence[str],
) -> Floats:
    """The same behind every word in every beginning: (words, beginnings, endings)."""
    contexts = [filled(text, word=word) for word in words for text in beginnings]
    shape = len(words), len(beginnings), len(endings)
    return after(model, contexts, endings).reshape(shape)


def of_subjects(
    model: CausalLanguageModel,
    words: Sequence[str],
    openings: Sequence[str],
    pairs: Sequence[tuple[str, str]],
) -> tuple[Floats, Floats]:
    """The other direction: log odds of a word behind the first subject of a pair against the second.

    Returns
    -------
    odds : ndarray, shape (words, openings, pairs)
        How much likelier the word is behind the first subject.
    start : ndarray, shape (openings, pairs)
        How much likelier the first subject's opening is by itself, from the start of a text. The log odds of two whole
        texts are the sum of both.
    """
    begun = [
        filled(text, subject=subject) for text in openings for pair in pairs for subject in pair
    ]
    texts = [*(f"{text} {word}" for text in begun for word in words), *begun]
    given = [*(text for text in begun for _ in words), *("" for _ in begun)]
    values = model.log_probabilities(texts, given)
    behind = values[: -len(begun)].reshape(len(openings), len(pairs), 2, len(words))
    alone = values[-len(begun) :].reshape(len(openings), len(pairs), 2)
    odds = np.moveaxis(behind[:, :, 0] - behind[:, :, 1], -1, 0)
    return odds, alone[..., 0] - alone[..., 1]


def other_start(model: CausalLanguageModel) -> str | None:
    """The tokenizer's own mark that a text could also be begun after, such as a chat model's mark of a turn; None without one."""
    tokenizer = model.transformer.tokenizer
    for piece in (tokenizer.bos_token, tokenizer.eos_token):
        if piece and piece != model.start:
            return str(piece)
    return None


def begun_after(model: CausalLanguageModel, start: str) -> CausalLanguageModel:
    """The same weights, read after another start."""
    other = copy.copy(model)
    other.start = start
    other.start_id = int(model.transformer.tokenizer.get_vocab()[start])
    other.source = f"{model.transformer.source} after {start}"
    return other
