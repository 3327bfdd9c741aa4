"""The ends of the authors' intervals: without draws, and what 1,000 draws can make of them."""

import numpy as np
import pandas as pd

from lib.datasets.gest import TEMPLATES
from studies.stereotypes import released
from studies.stereotypes.gest import MODELS
from studies.stereotypes.released import NOT_PRINTED, interval_ends, within_draws


def test_ends_are_normal_ends_of_a_mean_and_draws_lie_around_them():
    rng = np.random.default_rng(0)
    labels = pd.Series(np.repeat(np.arange(1, 17), 12))
    columns = [(m.name, t) for m in MODELS for t in range(len(TEMPLATES[m.kind]))]
    scores = pd.DataFrame(
        rng.normal(scale=0.2, size=(len(labels), len(columns))),
        columns=pd.MultiIndex.from_tuples(columns, names=["model", "template"]),
    )
    ends = interval_ends(scores, labels)
    assert len(ends) == 2 * 16 * (len(columns) - 2 * len(NOT_PRINTED)) and ends.notna().all(
        axis=None
    )
    first = scores["gpt2", 1][labels == 3].to_numpy()
    own = ends.query("system == 'gpt2' and template == 2 and stereotype == 3").set_index("end")
    middle, half = first.mean(), 1.959964 * first.std() / np.sqrt(12)
    assert np.allclose(own.loc[["low", "high"], "value"], np.exp([middle - half, middle + half]))
    # The authors' own way, many times: 99 of 100 lie between the ends
    drawn = []
    for _ in range(100):
        many = rng.choice(first, size=(released.DRAWS, 12)).mean(axis=1)
        drawn.append(np.exp(many.mean() + 1.959964 * many.std()))
    inside = np.mean(
        (np.array(drawn) > own.loc["high", "lowest"]) & (drawn < own.loc["high", "highest"])
    )
    assert inside >= 0.95


def test_a_stored_end_is_compared_as_it_is_shown():
    ends = pd.DataFrame(
        {"lowest": [1.014, 1.016], "highest": [1.024, 1.024], "printed": [1.01, 1.01]}
    )
    assert within_draws(ends).tolist() == [True, False]
