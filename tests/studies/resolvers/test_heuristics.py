"""The rules of GAP's paper: on sentences worked by hand, with and without a parse."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.resolvers.heuristics import (
    Always,
    InTitle,
    Parallelism,
    TokenDistance,
)


def passage(text, pronoun, a, b, title="Nobody"):
    """A row of GAP; the pronoun's last occurrence as a word is meant."""
    at = {"Pronoun": text.rindex(f" {pronoun}") + 1, "A": text.index(a), "B": text.index(b)}
    row = {"Text": text, "Pronoun": pronoun, "A": a, "B": b}
    row |= {f"{name}-offset": start for name, start in at.items()}
    return row | {"URL": f"http://en.wikipedia.org/wiki/{title}"}


SUBJECTS = passage("Ann Lee met Eve Low before she left.", "she", "Ann Lee", "Eve Low")
OBJECTS = passage("Tom thanked Bob, and Al praised him.", "him", "Tom", "Bob")
THEIRS = passage("Ann met Eve at her house.", "her", "Ann", "Eve")


def frame(*rows):
    return pd.DataFrame(list(rows))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (TokenDistance(), [1, 1, 1]),  # Eve Low, Bob and Eve are nearer
        (Parallelism(), [0, 1, 1]),  # a subject, an object, and no role: the nearer
        (Always(1), [1, 1, 1]),
    ],
)
def test_decisions_worked_by_hand(rule, expected):
    assert rule.decide(frame(SUBJECTS, OBJECTS, THEIRS)).tolist() == expected


def test_the_title_decides_where_it_names_one_of_the_two():
    rows = [SUBJECTS | {"URL": f"http://en.wikipedia.org/wiki/{t}"} for t in ("Low_Tide", "X")]
    both = SUBJECTS | {"URL": "http://en.wikipedia.org/wiki/Lee_and_Low"}
    assert InTitle().decide(frame(*rows, both)).tolist() == [1, 0, 0]


def test_a_parse_decides_roles_and_nearness():
    def parser(text):  # Ann Lee met Eve Low before she left: met is the root, she hangs on left
        words = text.rstrip(".").split()
        starts = [text.index(word) for word in words]
        labels = ["compound", "nsubj", "root", "compound", "obj", "mark", "nsubj", "advcl"]
        return pd.DataFrame(
            {"start": starts, "head": [1, 2, 2, 4, 2, 7, 7, 2], "label": labels}, index=words
        )

    assert Parallelism(parser).decide(frame(SUBJECTS)).tolist() == [0]
    # "she" as an oblique has no role of the two: Ann and Eve are two arcs away, Eve has fewer words
    oblique = Parallelism(lambda text: parser(text).replace({"label": {"nsubj": "obl"}}))
    assert oblique.decide(frame(SUBJECTS)).tolist() == [1]
    # as part of the subject "Ann Lee" it is one arc away, whatever stands between
    inside = Parallelism(lambda text: parser(text).assign(head=[1, 2, 2, 4, 2, 7, 1, 2], label="x"))
    assert inside.decide(frame(SUBJECTS)).tolist() == [0]


def test_probabilities_are_the_shares_of_answers_by_decision():
    known = frame(SUBJECTS, SUBJECTS, OBJECTS, OBJECTS)  # decided A, A, B, B
    shares = Parallelism().probabilities(frame(OBJECTS, SUBJECTS), known, [0, 2, 1, 1])
    assert np.allclose(shares, [[1 / 5, 3 / 5, 1 / 5], [2 / 5, 1 / 5, 2 / 5]])


@given(
    st.lists(st.sampled_from(["Ann", "Eve", "ran", "Tom", "of"]), min_size=1, max_size=6),
    st.booleans(),
)
def test_the_names_of_the_two_do_not_matter_only_their_places(between, title):
    text = "Xi " + " ".join(between) + " Yo, then he left."
    row = passage(text, "he", "Xi", "Yo", "Yo" if title else "Nobody")
    swapped = {
        {"A": "B", "B": "A", "A-offset": "B-offset", "B-offset": "A-offset"}.get(name, name): value
        for name, value in row.items()
    }
    for rule in (TokenDistance(), Parallelism(), InTitle()):
        one, other = (rule.decide(frame(r))[0] for r in (row, swapped))
        assert one == 1 - other
