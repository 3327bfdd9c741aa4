"""What all models of sentiment share: a name, and a number in [0, 1] for each sentence."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class SentimentModel(Protocol):
    """A model of sentiment.

    Attributes
    ----------
    name : str
        What tables and figures call it.
    """

    name: str

    def positive(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """How positive each sentence is, in [0, 1]: a probability, or a score that the model maps there."""
        ...


def checked_sentences(sentences: Sequence[str]) -> list[str]:
    """Sentences that a model can read.

    Parameters
    ----------
    sentences : sequence of str

    Returns
    -------
    list of str
        The same.

    Raises
    ------
    ValueError
        For one string in place of a list, no sentence, an empty one, and one that is no text, such as a NaN of a table.

    Examples
    --------
    >>> checked_sentences(("She is a nurse.",))
    ['She is a nurse.']
    """
    if isinstance(sentences, str):
        raise ValueError(
            f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
        )
    listed = list(sentences)
    if not listed:
        raise ValueError("expected at least one sentence, got none; give a list of texts")
    for place, sentence in enumerate(listed):
        if not isinstance(sentence, str) or not sentence.strip():
            raise ValueError(
                f"expected a text at place {place}, got {sentence!r}; leave the row out"
            )
    return listed
