"""The test of friends and occupations: its sentences, the three readings, accuracies."""

import pandas as pd
import pytest

from lib.translation.gender import GENDERS
from studies.equalizing.font2019 import read_occupations
from studies.equalizing.friends import (
    CONTEXTS,
    NO_CONTEXT,
    accuracies,
    counts_by_context,
    friend_gender,
    make_test,
    occupation_gender,
    occupations_in,
    occupations_of,
    own_occupations,
    read_outputs,
)

OCCUPATIONS = pd.DataFrame(
    {
        "english": ["refrigeration mechanic", "accounting clerk", "nurse"],
        "feminine": ["mecánica de refrigeración", "contable", "enfermera"],
        "masculine": ["mecánico de refrigeración", "contable", "enfermero"],
    }
)


def test_sentences_are_those_of_table_1():
    test = make_test(OCCUPATIONS)
    assert test["text"][test["english"] == "accounting clerk"].tolist() == [
        f"I've known {context} for a long time, my friend works as an accounting clerk."
        for context in ("her", "him", "Mary", "John")
    ]
    assert make_test(OCCUPATIONS, ["someone"])["says"].unique().tolist() == ["unmarked"]


@pytest.mark.parametrize(
    "line, friend, occupation",
    [  # Table 6, as printed
        ("La conozco, mi amigo trabaja como mecánico de refrigeración.", *["masculine"] * 2),
        ("La conozco, mi amiga trabaja como mecánico de refrigeración.", "feminine", "masculine"),
        ("La conozco, mi amiga trabaja como mecánica de refrigeración.", *["feminine"] * 2),
        ("La conozco, mi compañera trabaja en refrigeración.", *["unmarked"] * 2),
    ],
)
def test_readings(line, friend, occupation):
    assert friend_gender(line) == friend
    forms = OCCUPATIONS.loc[0, "feminine"], OCCUPATIONS.loc[0, "masculine"]
    assert occupation_gender(line, *forms) == occupation


def test_counts_and_accuracies_of_a_translator_that_ignores_the_context():
    test = make_test(OCCUPATIONS, [*CONTEXTS, NO_CONTEXT])
    read = read_outputs(test, ["Mi amigo trabaja como " + form for form in test["masculine"]])
    counts = counts_by_context(read)
    assert list(counts) == [*GENDERS] and (counts["masculine"] == 3).all()
    table = accuracies(read, rng=0)
    assert table["value"].to_dict() == {"her": 0, "him": 100, "Mary": 0, "John": 100}
    assert (table["low"] == table["high"]).all() and (table["share"] == 0).all()
    by_form = accuracies(read, "occupation", rng=0)
    assert by_form["right"].tolist() == [0, 2, 0, 2] and read["two forms"].sum() == 10


def test_occupations_of_one_s_own_in_a_list_or_a_file(tmp_path):
    rows = [
        ("nurse", "enfermera", " enfermero"),
        ("welder", "soldadora", "soldador"),
        ("artist", "artista", "artista"),
    ]
    chosen = occupations_of([*rows, rows[0]])
    assert list(chosen) == list(own_occupations()) and chosen["masculine"][0] == "enfermero"
    path = tmp_path / "mine.csv"
    chosen[["masculine", "english", "feminine"]].to_csv(path, index=False)
    assert occupations_in(path).equals(chosen)
    path.write_text("english,spanish\nnurse,enfermera\n")
    with pytest.raises(ValueError, match="expected the columns english, feminine, masculine"):
        occupations_in(path)


@pytest.mark.parametrize(
    "rows, said",
    [
        ([("nurse", "enfermera")], "its feminine and its masculine form, got"),
        ([("nurse", "", "enfermero")], "its feminine and its masculine form, got"),
        ([("nurse", "enfermera", "enfermero")] * 2, "three occupations or more, got 1"),
    ],
)
def test_lists_of_one_s_own_that_cannot_be_asked(rows, said):
    with pytest.raises(ValueError, match=said):
        occupations_of(rows)


@pytest.mark.sample
def test_the_released_occupations():
    occupations = read_occupations()
    assert len(occupations) == 1019 and occupations["english"].nunique() == 1006
    assert (occupations["feminine"] == occupations["masculine"]).sum() == 171
