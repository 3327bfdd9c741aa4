"""The machinery of the chapter on resolvers: scores by seed worked by hand, choices of systems, tables."""

import numpy as np
import pytest

from studies.resolvers.entries import entries
from studies.resolvers.lineup import (
    ALL_SEEDS,
    chosen,
    scores_by_seed,
)

SURE, EVEN = [0.98, 0.01, 0.01], [1 / 3] * 3


def test_the_mean_of_seeds_is_scored_and_not_the_mean_of_scores():
    scores = scores_by_seed([[SURE, SURE], [EVEN, EVEN]], [0, 0], [True, False])
    assert np.allclose(scores.loc[[0, 1], "log loss"].astype(float), [-np.log(0.98), np.log(3)])
    assert np.isclose(scores.loc[ALL_SEEDS, "log loss"], -np.log((0.98 + 1 / 3) / 2))


def test_systems_and_groups_are_chosen_and_set():
    names = chosen(entries(), ["names"], encoder="other", device="cpu")
    assert len(names) == 3 and {entry.reads for entry in names} == {"names"}
    (own,) = chosen(entries(), ["Our own: attention and surface"], encoder="other", device="cpu")
    assert own.resolver.encoder == "other"
    assert chosen(entries(), []) == [] and len(chosen(entries(), ["all"])) == len(entries())
    of_group = chosen(entries(), ["features"])  # a step of Yang's has the same name
    assert {entry.group for entry in of_group} == {"features"} and len(of_group) == 3
    with pytest.raises(ValueError, match="systems"):
        chosen(entries(), ["nobody"])
