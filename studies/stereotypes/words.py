"""What the words of a sentence say alone: the mean lean of their static vectors, without order, template or model."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd

from lib.embeddings import Embedding
from lib.lexicons import base_pairs
from lib.measures import direct_bias

_WORD = re.compile(r"[a-z']+")


def word_leans(sentences: Iterable[str], embedding: Embedding) -> pd.Series:
    """Mean direct bias of the words of each sentence, masculine positive as in the scores; NaN where no word has a vector."""
    words = [
        [word for word in _WORD.findall(sentence.lower()) if word in embedding]
        for sentence in sentences
    ]
    known = sorted({word for each in words for word in each})
    pairs = [pair for pair in base_pairs() if all(word in embedding for word in pair)]
    if not known or not pairs:
        return pd.Series(np.nan, index=range(len(words)))
    female, male = (embedding.rows([pair[side] for pair in pairs]).vectors for side in (0, 1))
    bias = direct_bias(embedding.rows(known).vectors, female, male).mean(axis=1)
    lean = pd.Series(-bias, index=known)
    return pd.Series([lean[each].mean() if each else np.nan for each in words])
