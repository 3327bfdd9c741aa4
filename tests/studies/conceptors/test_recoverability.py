"""Recoverability with one word of each family: who is chosen, planted copies, random contrasts."""

import numpy as np

from studies.conceptors.recoverability import (
    extremes_by_family,
    pair_projection,
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


def test_a_contrast_in_one_coordinate_is_gone_and_one_in_many_is_not():
    methods = {"projected": pair_projection}
    for copies, least, most in ((1, 0, 0.75), (6, 0.9, 1)):
        words, rows = vocabulary(copies)
        value = recovered(words, rows, [0], [1], methods, k=40)["projected"].classifier
        assert least <= value <= most


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
