"""The index over labels of people: closed forms, both rules for errors, GENDEROUS, bad input."""

import pandas as pd
import pytest

from lib.datasets import genderous
from studies.translation_index.labelled_index import labelled_index

GROUPS = ("feminine", "masculine", "neutral")
KEYS = [f"genderous_{system}_{kind}" for system in genderous.SYSTEMS for kind in genderous.KINDS]


def crossed(label):
    """Two occupations and two adjectives of each stereotype; label : a function of both."""
    rows = [
        (f"{job} {n}", adjective and f"{adjective} {m}", job, adjective, label(job, adjective))
        for job in GROUPS
        for n in range(2)
        for adjective in (*GROUPS, "")
        for m in range(2 if adjective else 1)
    ]
    columns = ["occupation", "adjective", "stereotype", "adjective_stereotype", "person"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize(("label", "index"), [("feminine", 0), ("incorrect", 1)])
def test_one_gender_alone_scores_zero_and_neutral_forms_one(label, index):
    found = labelled_index(crossed(lambda *_: label), resamples=50, rng=0)
    assert (found.index, found.low, found.high) == (index, index, index)
    assert len(found.sets) == 7 and found.n == 42


def test_a_stereotype_scores_zero_by_occupation_and_the_root_of_its_shares_by_adjective():
    found = labelled_index(crossed(lambda job, _: "feminine" if job == "feminine" else "masculine"))
    scores = {name: score.score for name, score in found.sets.items()}
    by_adjective = [score for name, score in scores.items() if "adjective" in name]
    assert by_adjective == pytest.approx([(2 / 9) ** 0.5] * 4)
    assert [scores[f"{job} occupation"] for job in GROUPS] == [0, 0, 0]


@pytest.mark.sample(*KEYS, "genderous_adjectives")
def test_the_grammar_of_dutch_gives_every_system_its_highest_index():
    for system in genderous.SYSTEMS:
        indices = {}
        for language in genderous.LANGUAGES:
            table = genderous.read_translations(system, language)
            found = labelled_index(table[table["kind"] != "their"], resamples=20, rng=0)
            assert found.n == 480 and found.low <= found.high
            indices[language] = found.index
        assert max(indices, key=indices.get) == "nl"
