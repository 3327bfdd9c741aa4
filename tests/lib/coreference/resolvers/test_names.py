"""Liu's replacement of names: what is replaced, why a passage is left alone, and the shares that his paper prints."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.resolvers.names import (
    NAME_REASONS,
    ROW_REASONS,
    SETS,
    placeholders,
    replace_names,
)
from lib.datasets.gap import KEYS, read_gap

NAMES = ["Ann Lee", "Bea", "Cal", "Lee Dorn", "Zoë", "Ed de Vries"]


def passage(text, pronoun, a, b):
    """A passage that marks the first place of each name and the last of the pronoun."""
    starts = {"A": text.index(a), "B": text.index(b), "Pronoun": text.rindex(pronoun)}
    row = {"Text": text, "Pronoun": pronoun, "A": a, "B": b}
    return pd.DataFrame([row | {f"{name}-offset": start for name, start in starts.items()}])


def marked(row):
    """The texts at the three offsets."""
    return [
        row["Text"][row[f"{name}-offset"] :][: len(row[name])] for name in ("Pronoun", "A", "B")
    ]


def test_every_occurrence_is_replaced_and_the_offsets_move_along():
    found = replace_names(passage("Bo Ray saw Cy; Cy and Bo Ray like her.", "her", "Cy", "Bo Ray"))
    row = found.iloc[0]
    assert row["Text"] == "Kate saw Alice; Alice and Kate like her."
    assert marked(row) == ["her", "Alice", "Kate"]
    assert (row["replaced"], row["left_alone"]) == ("AB", "")


@pytest.mark.parametrize(
    "text, a, b, reason",
    [
        ("Ann Lee met Ann when she came.", "Ann Lee", "Ann", ROW_REASONS[0]),
        ("Bea and Cleo went to Aliceville, she said.", "Bea", "Cleo", ROW_REASONS[1]),
        ("Al met Bea when she came.", "Al", "Bea", ROW_REASONS[2]),
        (
            "Ed de Vries met Ann Lee. Lee said she would.",
            "Ed de Vries",
            "Ann Lee",
            " | ".join(NAME_REASONS),
        ),
    ],
)
def test_why_a_passage_is_left_alone(text, a, b, reason):
    row = replace_names(passage(text, "she", a, b)).iloc[0]
    assert (row["left_alone"], row["replaced"], row["Text"]) == (reason, "", text)


def test_hers_gets_masculine_names_as_in_the_code_and_other_choices_are_open():
    mine = passage("Bea told Cleo that it was hers.", "hers", "Bea", "Cleo")
    names = {
        choice: tuple(replace_names(mine, 2, choice)[["A", "B"]].iloc[0])
        for choice in ("pronoun", "other", "female", "male")
    }
    male, female = placeholders(2, "male"), placeholders(2, "female")
    assert names == {"pronoun": male, "other": female, "female": female, "male": male}


@given(
    st.lists(st.sampled_from([*NAMES, "and", "so", "(then)"]), max_size=6),
    st.permutations(NAMES),
    st.sampled_from(SETS),
)
def test_the_offsets_point_at_the_mentions_and_the_pronoun_stays(words, names, number):
    text = " ".join([names[0], *words, names[1], "when she", *words])
    before = passage(text, "she", names[0], names[1])
    row = replace_names(before, number).iloc[0]
    assert marked(row) == ["she", row["A"], row["B"]]
    for name in row["replaced"]:
        assert row[name] in placeholders(number, "female")
        assert before[name].iloc[0] not in row["Text"]
    assert (row["Text"] == text) == (row["replaced"] == "")


@pytest.mark.sample(*KEYS)
def test_shares_of_gap_come_out_as_printed():
    passages = pd.concat([read_gap(key) for key in KEYS], ignore_index=True)
    of_sets = [replace_names(passages, number)["left_alone"] for number in SETS]
    alone = pd.concat(of_sets)
    assert round(100 * (alone == "").mean()) == 88
    assert round(100 * (alone == ROW_REASONS[1]).mean()) == 8
    assert round(100 * (alone == ROW_REASONS[0]).mean()) == 1
