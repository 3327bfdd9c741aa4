"""Systems that do not contain one another: who counts, chance, two sets of passages, and a table of answers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.scores import by_gender
from lib.ledger import Ledger
from studies.pronoun_resolution import families
from studies.pronoun_resolution.released import System

TABLES = st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(lambda cells: sum(cells) > 1)


def shown(name, kind, keys=("a released file",)):
    """A system that is right about everything, or as good as one answer."""
    system = System(name, kind, "gap_test", np.eye(3), keys)
    object.__setattr__(system, "__class__", Working)
    return system


class Working(System):
    """A system that is better than one answer."""

    failed = False


def test_an_ensemble_its_members_names_and_a_file_of_one_s_own_are_no_more_systems():
    systems = [
        shown("fine-tuned", "Ionita et al."),
        shown("frozen", "Ionita et al."),
        shown("blend", "Ionita et al."),
        shown("classifier 12802", "Ionita et al., one classifier"),
        shown("place 5, original", "place 5, trained again"),
        shown("place 5, names 1", "place 5, trained again"),
        shown("SVM 1", "Bao and Qiao, SVM"),
        shown("SVM 2", "Bao and Qiao, SVM"),
        shown("mine (yours)", "yours", ()),
    ]
    found = {one.name: len(one.members) for one in families.families(systems)}
    assert found == {"fine-tuned": 1, "frozen": 1, "place 5, again": 1, "SVM, early": 2}


@given(TABLES, TABLES)
def test_a_table_of_answers_comes_back(feminine, masculine):
    given = {"feminine": np.reshape(feminine, (3, 3)), "masculine": np.reshape(masculine, (3, 3))}
    shares, answers, female = families.from_counts(given)
    for side, table in given.items():
        of_side = female == (side == "feminine")
        cells = np.bincount(
            3 * answers[of_side] + shares[of_side].argmax(axis=1), minlength=9
        ).reshape(3, 3)
        assert (cells == table).all()


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"feminine": np.eye(3)}, "feminine and masculine, got feminine"),
        ({"feminine": np.eye(2), "masculine": np.eye(3)}, "feminine: expected three rows"),
        ({"feminine": -np.eye(3), "masculine": np.eye(3)}, "whole numbers"),
        ({"feminine": np.eye(3) / 2, "masculine": np.eye(3)}, "whole numbers"),
        ({"feminine": [["a"] * 3] * 3, "masculine": np.eye(3)}, "whole numbers"),
        ({"feminine": 1e6 * np.eye(3), "masculine": np.eye(3)}, "200,000 passages"),
    ],
)
def test_a_table_that_is_none_is_refused(counts, said):
    with pytest.raises(ValueError, match=said):
        families.from_counts(counts)


def made(feminine, masculine, n=400):
    """Answers of which a share is right, by gender."""
    rng = np.random.default_rng(1)
    answers, female = rng.integers(0, 2, 2 * n), np.arange(2 * n) < n
    right = rng.random(2 * n) < np.where(female, feminine, masculine)
    return np.eye(3)[np.where(right, answers, 1 - answers)], answers, female


def test_a_gap_is_beyond_shuffled_genders_and_its_absence_is_not():
    gap, none = (
        families.judged(*made(feminine, 0.9), n_resamples=400, rng=0).loc["F1"]
        for feminine in (0.75, 0.9)
    )
    assert gap["high"] < 1 and gap["p"] == gap["smallest p"] == 1 / 401
    assert none["low"] < 1 < none["high"] and none["p"] > 0.05
    assert gap["null low"] < 1 < gap["null high"] and gap["value"] < gap["null low"]
    assert gap["value"] == pytest.approx(by_gender(*made(0.75, 0.9)).loc["F1", "ratio"])


def test_two_sets_of_passages_differ_by_the_ratio_of_their_ratios():
    rng = np.random.default_rng(0)
    values = np.log([[0.7, 0.9, 0.97], [1.4, 0.9, 0.98]])
    draws = [value + rng.normal(0, 0.02, (999, 3)) for value in values]
    found = families.between_parts(*values, draws)
    assert found["value"].to_numpy() == pytest.approx([2, 1, 0.98 / 0.97])
    assert found.loc["log loss", "p"] == found.loc["log loss", "smallest p"] == 2 / 1000
    assert found.loc["accuracy", "p"] > 0.5


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (made(0.9, 0.9, n=10), "20 passages of each gender"),
        (made(0.0, 0.9), "no name is found"),
        (made(0.3, 0.3), "one and the same answer"),
        (made(0.9, 0.9), ""),
    ],
)
def test_answers_that_are_worth_no_test_say_why(answers, said):
    found = families.why_not(*answers)
    assert found.startswith(said) if not said else said in found


def test_what_is_kept_comes_back_beside_its_null_and_p(monkeypatch):
    ledger = Ledger("pronoun_resolution", parameters={"draws": 7})
    table = families.judged(*made(0.8, 0.9), n_resamples=50, rng=0)
    families.keep(ledger, table, "a ratio of this test", system="mine", n=800)
    found = families.kept(ledger, "a ratio of this test").set_index("score")
    pd.testing.assert_frame_equal(
        found.loc[table.index, families.COLUMNS], table, check_names=False, check_dtype=False
    )
    assert not len(families.kept(ledger, "another ratio"))
