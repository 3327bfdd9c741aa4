"""Treatments: the changes that lists make, tests after each, and the same with the tested words off the lists."""

from typing import NamedTuple

import numpy as np
import pytest

from lib.association import weat
from lib.debiasing import apply, conceptor, disjunction, negation, project_out
from lib.debiasing.projection import hard_debias, pair_direction, principal_directions
from lib.debiasing.treatments import (
    UNTREATED,
    conceptor_negation,
    frobenius_form,
    hard_changes,
    linear_changes,
    run_tests,
    stacked_tokens,
    treated,
)

D = 12


class Rows(NamedTuple):
    words: tuple[str, ...]
    vectors: np.ndarray


class Pairs(NamedTuple):
    female: np.ndarray
    male: np.ndarray
    kept: tuple[tuple[str, str], ...]


VECTORS = {f"w{n}": row for n, row in enumerate(np.random.default_rng(0).normal(size=(60, D)))}


def rows(*numbers):
    words = tuple(f"w{n}" for n in numbers)
    return Rows(words, np.array([VECTORS[word] for word in words]))


def vectors_of(words):
    held = [VECTORS[word] for word in words if word in VECTORS]
    return np.array(held).reshape(-1, D)


def pairs(*numbers):
    female, male = rows(*numbers[::2]), rows(*numbers[1::2])
    return Pairs(female.vectors, male.vectors, tuple(zip(female.words, male.words)))


SETS = [rows(*range(start, start + 5)) for start in (0, 5, 10, 15)]
LISTS = {
    "own": [f"w{n}" for n in range(10, 20)],
    "other": [f"W{n}".lower() for n in range(30, 40)],
    "short": ["w40", "nowhere"],
}
PAIRS = pairs(20, 21, 22, 23, 10, 24), pairs(25, 26, 0, 27)


def results(**more):
    how = dict(aperture=2, joined={"own": 2, "other": 3}) | more
    return run_tests({"test": SETS}, LISTS, vectors_of, **how)


def effect(table, method, listed, column="d"):
    return table.set_index(["method", "list"]).loc[(method, listed), column]


def test_each_linear_change_is_the_one_its_name_says():
    lists = {name: vectors_of(words) for name, words in LISTS.items()}
    changes = linear_changes(lists, 2, {"own": 2, "other": 3})
    words = SETS[0].vectors
    assert list(changes) == [
        ("Mu et al.", "own"),
        ("Mu et al.", "other"),
        ("Conceptor Negation", "own"),
        ("Conceptor Negation", "other"),
        ("Conceptor Negation", "OR"),
    ]
    first = project_out(words, principal_directions(lists["own"]))
    assert changes["Mu et al.", "own"](words) == pytest.approx(first)
    negated = words @ negation(conceptor(lists["other"], 2))
    assert changes["Conceptor Negation", "other"](words) == pytest.approx(negated)
    either = disjunction(conceptor(lists["own"], 2), conceptor(lists["other"], 3))
    joined = apply(negation(either), words)
    assert changes["Conceptor Negation", "OR"](words) == pytest.approx(joined)


def test_hard_changes_spare_the_list_and_set_pairs_level_together_with_the_tested_words():
    words = rows(0, 1, 20)
    change = hard_changes(words.words, {"list": ["w1"]}, *PAIRS)["Bolukbasi et al.", "list"]
    together = rows(0, 1, 20, 25, 26, 27)
    expected = hard_debias(
        together.vectors,
        pair_direction(PAIRS[0].female, PAIRS[0].male),
        spared=[False, True, False, False, False, False],
        equal=[[3, 4], [0, 5]],
    )
    assert change(words.vectors) == pytest.approx(expected[:3])


def test_a_row_holds_the_test_after_the_change():
    table, lists = results(), vectors_of(LISTS["other"])
    expected = weat(*treated(SETS, conceptor_negation(lists, 2)), ddof=0)
    assert effect(table, "Conceptor Negation", "other") == expected.effect_size
    assert effect(table, "Conceptor Negation", "other", "p") == expected.pvalue
    assert effect(table, *UNTREATED) == weat(*(part.vectors for part in SETS), ddof=0).effect_size
    assert table["treatment"].tolist()[0] == "as trained"


def test_words_of_the_test_are_off_the_lists_when_held_out():
    table = results(pairs=PAIRS)
    lone = effect(table, "Conceptor Negation", "other", ["d", "d held out"])
    assert lone.iloc[0] == lone.iloc[1]  # that list holds no tested word
    assert np.isnan(effect(table, "Conceptor Negation", "own", "d held out"))  # all are tested
    untreated = effect(table, *UNTREATED, ["d", "d held out"])
    assert untreated.iloc[0] == untreated.iloc[1]
    without = hard_changes(
        [word for part in SETS for word in part.words],
        {"own": []},
        pairs(20, 21, 22, 23),
        pairs(25, 26),
    )["Bolukbasi et al.", "own"]
    expected = weat(*treated(SETS, without), ddof=0).effect_size
    assert effect(table, "Bolukbasi et al.", "own", "d held out") == pytest.approx(expected)


def test_the_frobenius_form_bounds_weat_and_depends_on_the_order_of_the_words():
    X, Y, A, B = (part.vectors for part in SETS)
    form, turned = frobenius_form(X, Y, A, B), frobenius_form(X, Y[::-1], A, B)
    assert form.weat == pytest.approx(turned.weat)
    assert form.norm != pytest.approx(turned.norm)
    assert abs(form.weat) <= form.norm
    associations = weat(X, Y, A, B, method="sampled", n_resamples=1)
    difference = associations.x_associations.sum() - associations.y_associations.sum()
    assert form.weat == pytest.approx(difference * len(A) / len(X))


def test_tokens_are_stacked_in_the_order_of_the_words_whatever_their_case():
    tokens = {"she": np.ones((2, 3)), "he": np.zeros((1, 3))}
    assert stacked_tokens(tokens, ["He", "it", "she", "HE"])[:, 0].tolist() == [0, 1, 1]
    assert stacked_tokens(tokens, ["it"]).shape == (0, 3)
