"""Effects after a list beside random lists: a contrast that the list shares is seen, one that it does not is not."""

import numpy as np
import pandas as pd
import pytest

from lib.embeddings import Embedding
from studies.conceptors.falls import COLUMNS, falls, there, three_ways, told_apart
from studies.conceptors.lists import list_rows

rng = np.random.default_rng(0)
OTHERS = [a + b + c for a in "abcdefghijklmnop" for b in "abcdefghijklmnop" for c in "abcdefghij"]
SIDES = {
    name: [f"{name}{letter}" for letter in "abcdef"] for name in ("x", "y", "m", "f", "k", "l")
}
LEAN = {
    "x": 1,
    "y": -1,
    "m": 1,
    "f": -1,
    "k": 1,
    "l": -1,
}  # k and l: a list that shares the contrast
WORDS = [word for side in SIDES.values() for word in side]
VECTORS = rng.standard_normal((len(WORDS) + len(OTHERS), 20))
VECTORS[: len(WORDS), 0] = np.repeat([3 * LEAN[name] for name in SIDES], 6)
SPACE = Embedding([w.replace("x", "qx") for w in WORDS] + ["zz" + w for w in OTHERS], VECTORS)
SIDES["x"] = [w.replace("x", "qx") for w in SIDES["x"]]
TESTS = {"lean": [SPACE.rows(SIDES[name]) for name in "xymf"]}
LISTS = {
    "shares": [*SIDES["k"], *SIDES["l"], *SIDES["m"]],
    "other": ["zz" + w for w in OTHERS[:12]],
}
NEVER = {word for side in SIDES.values() for word in side} | {*LISTS["other"]}


@pytest.fixture(scope="module")
def fallen():
    return falls(SPACE, TESTS, LISTS, never=NEVER, aperture=13.0, draws=99, rng=0)


def test_a_list_that_shares_the_contrast_takes_more_than_random_lists(fallen):
    table, drawn = fallen
    assert list(table.columns) == COLUMNS and set(drawn) == {*LISTS}
    table = table.set_index("list")
    assert (table["before"] > 1.5).all() and (table["p before"] < 0.01).all()
    assert table.loc["shares", "words"] == 12  # those of the test are off
    assert table.loc["shares", "p"] <= 0.05 < table.loc["other", "p"]


def test_the_planted_contrast_is_noticed_on_every_list(fallen):
    assert (fallen[0]["planted p"] <= 0.05).all() and (fallen[0]["planted before"] > 0.5).all()


def test_only_effects_that_are_there_can_fall():
    table = pd.DataFrame(
        {
            "before": [1.0, 1.0, -1.0, 1.2],
            "p before": [0.01, 0.2, 0.99, 0.04],
            "p": [0.01, 0.01, 0.01, 0.9],
        }
    )
    rows = there(table)
    assert rows.index.tolist() == [0, 3] and np.allclose(rows["adjusted"], [0.02, 0.9])
    assert there(table[:0]).empty


def test_three_ways_are_deviations_whose_means_lie_d_apart(fallen):
    table, drawn = fallen
    sides = three_ways(TESTS["lean"], list_rows(SPACE, LISTS["shares"]), drawn["shares"], 13.0)
    apart = [x.mean() - y.mean() for x, y in sides]
    of_list = table.set_index("list").loc["shares"]
    assert np.allclose(apart[:2], of_list[["before", "d"]].astype(float))
    assert abs(apart[2] - of_list["median"]) < 0.2


def test_pairs_are_told_apart_by_the_side_they_are_on():
    rows = {name: SPACE.rows(SIDES[name]).vectors for name in "mfkl"}
    assert told_apart(rows["l"], rows["k"], rows["m"], rows["f"]) == (6, 6)
    assert told_apart(rows["k"], rows["l"], rows["m"], rows["f"]) == (0, 6)
    assert told_apart(rows["k"][:0], rows["l"][:0], rows["m"], rows["f"]) == (0, 0)
