"""Tables over a made grid and the recorded one."""

import numpy as np
import pandas as pd
import pytest

from studies.predictive_validity.forcing import (
    ARMS,
    AS_TRAINED,
    REMOVED,
    STRENGTHS,
    recorded_grid,
)
from studies.predictive_validity.scores import SCORES
from studies.predictive_validity.summary import (
    GAPS,
    SPREADS,
    largest_by_chance,
    natural_correlations,
)


def made_grid(slope=0.0, seed=0, corpora=12):
    """Scores and gaps of noise, where "WEAT jobs" moves the resolver's gap by `slope`."""
    rng = np.random.default_rng(seed)
    rows = []
    for corpus in range(corpora):
        for number in range(3):
            noise = dict(zip(SCORES, rng.standard_normal(len(SCORES))))
            gaps = {f"{gap} gap": rng.standard_normal() for gap in GAPS}
            gaps["coreference gap"] += slope * noise["WEAT jobs"]
            about = {"corpus": f"c{corpus}", "seed": number, "arm": AS_TRAINED, "strength": 0.0}
            rows.append(about | noise | gaps)
    return pd.DataFrame(rows)


def test_a_dependence_is_found_in_both_spreads_and_only_there():
    table = natural_correlations(made_grid(5.0), rng=0, n_resamples=999)
    assert len(table) == len(SCORES) * len(GAPS) * 2
    found = table[table["p"] < 0.01]
    planted = found[(found["score"] == "WEAT jobs") & (found["gap"] == "coreference")]
    assert set(planted["spread"]) == set(SPREADS) and (planted["r"] > 0.9).all()
    assert len(found) <= 5
    worth = table.groupby("spread")["n"].median()
    assert worth[SPREADS[0]] == 12 and 18 <= worth[SPREADS[1]] <= 27  # 36 sets in 12 corpora: 25


def test_the_largest_of_many_is_large_only_where_something_is_planted():
    assert largest_by_chance(made_grid(20.0), rng=0, n_resamples=199)[2] < 0.02
    p = [largest_by_chance(made_grid(seed=seed), rng=0, n_resamples=99)[2] for seed in range(20)]
    assert np.mean(p) == pytest.approx(0.5, abs=0.25)


def test_the_recorded_grid_is_whole():
    grid = recorded_grid()
    assert not grid.duplicated(["corpus", "seed", "arm", "strength"]).any()
    sizes = grid["arm"].value_counts().to_dict()
    assert sizes == {AS_TRAINED: 30, REMOVED: 30} | dict.fromkeys(ARMS, 30 * len(STRENGTHS))
    assert grid.groupby("corpus")["seed"].nunique().eq(3).all()
    assert grid[[f"{gap} gap" for gap in GAPS]].abs().max(axis=None) <= 1
