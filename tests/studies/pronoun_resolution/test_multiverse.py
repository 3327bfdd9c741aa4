"""Settings between released predictions and a bias ratio: floors, blends, and every combination of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from studies.pronoun_resolution.multiverse import floored, multiverse

RNG = np.random.default_rng(0)
CLASSIFIERS = list(RNG.dirichlet([0.2] * 3, size=(3, 40)))
OTHER = RNG.dirichlet([2] * 3, size=40)
ANSWERS = RNG.integers(3, size=40)
FEMALE = np.arange(40) % 2 == 0


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.floats(0, 1 / 3))
def test_a_floor_lifts_what_is_below_it_and_nothing_else(row, floor):
    lifted = floored([row], floor)[0]
    assert (lifted >= floor).all()
    assert all(new == old for new, old in zip(lifted, row) if old >= floor)


def test_every_combination_is_there_once():
    table = multiverse(CLASSIFIERS, OTHER, {"one": ANSWERS, "two": 2 - ANSWERS}, FEMALE)
    universes = table.groupby("system").size() / 3 / 2
    assert universes.to_dict() == {"blend": 10, "fine-tuned": 5, "frozen": 1}
    assert not table.drop(columns=["overall", "masculine", "feminine", "ratio"]).duplicated().any()
