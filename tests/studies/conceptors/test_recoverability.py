"""Recoverability with one word of each family: who is chosen, planted copies, random contrasts."""

import numpy as np

from studies.conceptors.recoverability import (
    extremes_by_family,
    pair_projection,
    random_pairs,
    recovered,
    recovered_beside_random,
)


def vocabulary(copies, n=400, d=12):
    """Words along one contrast, which shows in so many coordinates; rows 0 and 1 are its poles."""
    rows = np.random.default_rng(2).standard_normal((n, d))
    lean = np.random.default_rng(3).standard_normal(n)
    rows[:, :copies] += 3 * lean[:, None]
    rows[0], rows[1] = np.eye(d)[0] * 4, -np.eye(d)[0] * 4
    return [_name(number) for number in range(n)], rows


def _name(number):
    """A word of its own family: no two share a beginning or an end of three letters."""
    return "".join(chr(97 + (number // 26**place) % 26) * 2 for place in (0, 1, 2))


FORMS = ["aunt", "aunts", "wife", "wives", "river", "stone", "stones", "cloud"]
SCORES = [9, 8, 7, 6, 1, -9, -8, -7]


def test_one_word_of_a_family_stands_for_all():
    rows, labels = extremes_by_family(FORMS, SCORES, 2)
    assert [FORMS[row] for row in rows] == ["aunt", "wife", "stone", "cloud"]
    assert labels.tolist() == [True, True, False, False]


def test_all_forms_are_there_when_asked_for():
    rows, _ = extremes_by_family(FORMS, SCORES, 2, one_each=False)
    assert [FORMS[row] for row in rows] == ["aunt", "aunts", "stone", "stones"]


def test_words_left_out_are_never_taken():
    rows, _ = extremes_by_family(FORMS, SCORES, 2, leave_out=[0, 1])
    assert not {0, 1} & set(rows)


def test_both_sides_have_as_many_words_where_one_has_fewer_families():
    words = ["aunt", "aunts", "stepaunt", "grandaunt", "one", "river", "stone", "cloud"]
    rows, labels = extremes_by_family(words, [9, 8, 7, 6, -6, -7, -8, -9], 3)
    assert labels.sum() == (~labels).sum() == 1 and len(rows) == 2


def test_a_contrast_in_one_coordinate_is_gone_and_one_in_many_is_not():
    methods = {"projected": pair_projection}
    for copies, least, most in ((1, 0, 0.75), (6, 0.9, 1)):
        words, rows = vocabulary(copies)
        value = recovered(words, rows, [0], [1], methods, k=40)["projected"].classifier
        assert least <= value <= most


def test_a_planted_copy_is_found_again():
    words, rows = vocabulary(1)
    methods = {"projected": pair_projection}
    none, much = (
        recovered(words, rows, [0], [1], methods, k=40, planted=strength)["projected"]
        for strength in (0, 4)
    )
    assert much.classifier > 0.9 > none.classifier
    assert much.clusters > none.clusters


def test_beside_random_contrasts_each_treatment_and_measure_has_a_row():
    words, rows = vocabulary(1)
    table = recovered_beside_random(
        words,
        rows,
        [0],
        [1],
        {"projected": pair_projection},
        k=30,
        draws=30,
        specific=[5],
        planted=[0.25, 6],
    )
    assert table["measure"].tolist() == ["clusters", "classifier"]
    assert (table["null low"] <= table["null high"]).all()
    assert (table["beyond"] > 0.05).all()  # gone, as random contrasts are
    assert (table["noticed"] == 6).all()  # and a planted copy is noticed


def test_a_seed_gives_the_same_table():
    words, rows = vocabulary(2)
    about = dict(k=20, draws=5, planted=[1.0], rng=3)
    first, second = (
        recovered_beside_random(words, rows, [0], [1], {"p": pair_projection}, **about)
        for _ in range(2)
    )
    assert first.equals(second)


def test_random_pairs_differ_within_a_draw_and_leave_words_out():
    drawn = random_pairs(30, 50, 5, leave_out=range(10), rng=0)
    assert drawn.shape == (50, 2, 5)
    assert drawn.min() >= 10
    assert all(len(set(draw.ravel())) == 10 for draw in drawn)
    assert np.array_equal(drawn, random_pairs(30, 50, 5, leave_out=range(10), rng=0))
