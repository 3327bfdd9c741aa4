"""Made points of a score and a gap, as those that Goldfarb-Tarrant et al. (2021) released."""

import numpy as np
import pandas as pd


def points(slope, *, systems=7, seed=0, vectors=("a", "b")):
    """Points of two tests and metrics: the gap of a system is one number in all tests."""
    rng = np.random.default_rng(seed)
    rows = []
    for kind in vectors:
        for metric in ("Precision", "Recall"):
            lean, noise = rng.standard_normal((2, systems))
            for test in ("6", "7"):
                for number in range(systems):
                    x = lean[number] + 0.1 * rng.standard_normal()
                    y = slope * lean[number] + noise[number]
                    rows.append((kind, number, test, metric, x, y))
    columns = ["vectors", "number", "test", "metric", "effect", "gap"]
    return pd.DataFrame(rows, columns=columns).assign(method=None, copied=False)
