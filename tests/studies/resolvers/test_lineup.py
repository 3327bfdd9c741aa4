"""The machinery of the chapter on resolvers: scores by seed worked by hand, choices of systems, tables."""

import numpy as np
import pandas as pd
import pytest

from studies.resolvers.entries import entries
from studies.resolvers.lineup import (
    ALL_SEEDS,
    chosen,
    order_agreement,
    said_on_split,
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
    assert chosen(entries(), []) == []
    tuned = chosen(entries(), ["tuned"], encoder="other", device="cuda")
    assert {entry.resolver.encoder for entry in tuned} == {"other"}
    assert len(chosen(entries(), ["all"])) == len(entries()) - len(tuned)  # they take a card
    of_group = chosen(entries(), ["features"])  # a step of Yang's has the same name
    assert {entry.group for entry in of_group} == {"features"} and len(of_group) == 3
    with pytest.raises(ValueError, match="systems"):
        chosen(entries(), ["nobody"])


def test_an_order_that_comes_back_and_one_that_does_not():
    losses = pd.DataFrame({0: range(8), 1: range(8), ALL_SEEDS: range(8), "printed": range(8)})
    same = order_agreement(losses)
    assert same.value == same.low == same.between == 1 and same.value > same.null_high
    turned = order_agreement(losses.assign(printed=range(8, 0, -1)))
    assert turned.value == -1 and turned.between == 1
    assert order_agreement(losses.head(5)) is None


def test_systems_are_shown_once_on_the_passages_of_a_split():
    systems = [entry for entry in entries() if entry.group in ("systems", "splits")]
    said = [np.full((2, 1, 3), 1 / 3)] * len(systems)
    found = said_on_split(systems, said, "stage 1")
    assert len(found) == sum(entry.group == "systems" for entry in systems)
