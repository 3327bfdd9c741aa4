"""A made-up system on made-up passages, for tests that need no files."""

import numpy as np


def system(n=600, sharpness=2.0, seed=0):
    """Probabilities (n, 3), answers (n,), female (n,) and pages (n,)."""
    rng = np.random.default_rng(seed)
    answers = rng.choice(3, size=n, p=[0.45, 0.45, 0.1])
    logits = rng.normal(size=(n, 3))
    logits[np.arange(n), answers] += sharpness
    weights = np.exp(logits)
    female = np.arange(n) % 2 == 0
    return weights / weights.sum(axis=1, keepdims=True), answers, female, rng.integers(n, size=n)
