"""Five occupations with very different shares of women, and vectors that tell all words apart."""

import numpy as np
import pandas as pd
import pytest

from lib.text_classification.occupations.classifiers import words_in
from lib.text_classification.occupations.synthetic import Planted, biographies


@pytest.fixture(scope="session")
def few_occupations() -> pd.DataFrame:
    shares = {"nurse": 90, "surgeon": 15, "dentist": 35, "dietitian": 93, "physician": 50}
    return pd.DataFrame(
        {"female": shares.values(), "male": [100 - share for share in shares.values()]},
        list(shares),
    )


@pytest.fixture(scope="session")
def vocabulary(few_occupations) -> tuple[list[str], np.ndarray]:
    texts = biographies(3000, Planted(), few_occupations, rng=0)["text"]
    known = sorted({word for text in texts for word in text.lower().replace(".", " ").split()})
    words = words_in(texts, [word for word in known if word.isalpha()] + ["girl", "boy"])
    words += ["girl", "boy", "herself", "himself", "male", "female"]
    return words, np.random.default_rng(0).normal(size=(len(words), 40))
