"""What a list takes in context: a contrast that it shares is seen, one that it does not is not, and what so few lists cannot show is said."""

import numpy as np
import pandas as pd
import pytest

from lib.debiasing.apertures import damped
from lib.embeddings import Embedding
from studies.conceptors_in_context.turned_down import (
    COLUMNS,
    TAKEN,
    distinct_lists,
    falls,
    goes,
    gone,
    left_of_pairs,
    smallest_p,
    there,
    told_apart,
    told_of_falls,
)

rng = np.random.default_rng(0)
SIDES = {n: [f"{n}{letter}" for letter in "abcdef"] for n in ("x", "y", "m", "f", "k", "l")}
LEAN = {"x": 1, "y": -1, "m": 1, "f": -1, "k": 1, "l": -1}  # k and l: a list that shares it
POOL = [a + b for a in "pqrst" for b in "abcdefghij"]
WORDS = [word for side in SIDES.values() for word in side]
MEANS = rng.standard_normal((len(WORDS) + len(POOL), 20))
MEANS[: len(WORDS), 0] = np.repeat([3 * LEAN[name] for name in SIDES], 6)
CLOUDS = {
    word: mean + 0.05 * rng.standard_normal((4, 20)) for word, mean in zip([*WORDS, *POOL], MEANS)
}
SPACE = Embedding([*CLOUDS], np.stack([cloud.mean(axis=0) for cloud in CLOUDS.values()]))
TESTS = {"lean": [SPACE.rows(SIDES[name]) for name in "xymf"]}
LISTS = {"shares": [*SIDES["k"], *SIDES["l"], *SIDES["m"]], "other": POOL[:10]}


@pytest.fixture(scope="module")
def fallen():
    return falls(CLOUDS, TESTS, LISTS, POOL[10:], aperture=13.0, draws=99, rng=0)


def test_a_list_that_shares_the_contrast_takes_more_than_random_lists(fallen):
    table, drawn = fallen
    assert list(table.columns) == COLUMNS and {*drawn} == {10, 12}
    table = table.set_index("list")
    assert (table["before"] > 1.5).all() and (table["p before"] < 0.01).all()
    assert table.loc["shares", "words"] == 12  # those of the test are off
    assert table.loc["shares", "p"] <= 0.05 < table.loc["other", "p"]


def test_the_planted_contrast_is_noticed_on_every_list(fallen):
    assert (fallen[0]["planted p"] <= 0.05).all() and (fallen[0]["planted before"] > 0.5).all()


def test_a_list_that_is_too_short_or_too_long_has_no_row():
    lists = {"one": ["pa"], "long": [*POOL[:20]], "absent": ["zz", "zy"]}
    table, drawn = falls(CLOUDS, TESTS, lists, POOL[20:40], aperture=13.0, draws=9)
    assert table.empty and not drawn


FALL = {"before": 1.0, "p before": 0.01, "p": 0.01, "draws": 99, "planted p": 0.01}


def test_only_effects_that_are_there_can_fall():
    table = pd.DataFrame([FALL, FALL | {"p before": 0.2}, FALL | {"before": -1.0}, FALL])
    rows = there(table)
    assert rows.index.tolist() == [0, 3] and np.allclose(rows["adjusted"], 0.01)
    assert np.allclose(rows["smallest"], 0.02) and there(table[:0]).empty


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([FALL, FALL], "2 of 2 falls are beyond random words"),
        ([FALL, FALL | {"p": 0.5}], "1 of 2 falls is beyond random words"),
        ([FALL | {"p": 0.5}], "the fall is not beyond random words"),
        (
            [FALL, FALL | {"p before": 0.2}],
            "1 of 2 falls could not have been shown: the model as trained shows no effect (1); the other is beyond random words",
        ),
        (
            [FALL | {"planted p": 0.3}],
            "the fall could not have been shown: the planted contrast is not noticed (1)",
        ),
        (
            [FALL | {"draws": 9, "p": 0.1}],
            "the fall could not have been shown: there are too few random lists (1)",
        ),
        ([], "no test or list could be measured"),
    ],
)
def test_what_could_not_have_been_shown_is_counted_apart(rows, said):
    assert told_of_falls(pd.DataFrame(rows, columns=[*FALL]))[0] == said


def test_the_smallest_p_of_one_question_is_adjusted_for_all():
    assert smallest_p(99) == 0.01 and smallest_p(99, 5) == 0.05 and smallest_p(3, 9) == 1


def test_lists_are_all_there_are_or_so_many_and_no_two_alike():
    assert len(distinct_lists("abcd", 2, 100)) == 6
    some = distinct_lists([*"abcdefgh"], 3, 40, rng=0)
    assert len({frozenset(words) for words in some}) == len(some) == 40


PLACES = {"she": (1, 1), "he": (-1, 1), "aunt": (2, 1), "uncle": (-2, 1)}
PLACES |= {"guest": (0, 2), "owner": (0, -2), "voter": (0.1, 1), "tenant": (0.1, -1)}
PEOPLE = {word: np.array([[*at, 0.1], [*at, -0.1]]) for word, at in PLACES.items()}
KINDS = {"women and men": [("aunt", "uncle")], "nouns": [("guest", "owner")], "none": []}


def test_what_a_list_has_no_part_in_stays():
    line = {"a": np.array([[1.0, 0], [1.0, 0]]), "b": np.array([[-1.0, 0], [-1.0, 0]])}
    line |= {"c": np.array([[3.0, 0], [3.0, 0]]), "d": np.array([[3.0, 4], [3.0, 4]])}
    takes, leaves = gone(line, ["a", "b"], [("c", "a")], [("c", "d")], aperture=1e4)
    assert np.isnan(takes) and leaves == pytest.approx(0)
    assert gone(line, ["b", "a"], [("c", "d")], [], aperture=1e4)[0] == pytest.approx(0)
    change = damped(np.concatenate([line["a"], line["b"]]), 1)  # halves the first direction
    assert left_of_pairs([(line["c"], [[0.0, 0], [0.0, 0]])], change) == pytest.approx(0.25)


def test_a_list_takes_its_own_kind_beyond_random_lists():
    def of(words, *kinds):
        return gone(PEOPLE, words, *kinds, aperture=3)

    table, null = goes(of, {"she, he": ["she", "he"]}, KINDS, {2: [("voter", "tenant")] * 3})
    assert list(table.columns) == TAKEN and table["pairs"].tolist() == ["women and men", "nouns"]
    women = table.set_index("pairs").loc["women and men"]
    assert women["value"] > 0.9 > 0.2 > women["median"]
    assert women["p"] == women["smallest"] == 0.25 and len(null["nouns", 2]) == 3
    assert goes(of, {}, KINDS, {})[0].empty and goes(of, {"a": ["she"]}, {"x": []}, {})[0].empty


def test_pairs_are_told_apart_by_the_side_they_are_on():
    rows = {name: SPACE.rows(SIDES[name]).vectors for name in "mfkl"}
    direction = rows["f"].mean(axis=0) - rows["m"].mean(axis=0)
    assert told_apart(rows["l"], rows["k"], direction) == (6, 6)
    assert told_apart(rows["k"], rows["l"], direction) == (0, 6)
    assert told_apart(rows["k"][:0], rows["l"][:0], direction) == (0, 0)
