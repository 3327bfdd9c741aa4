"""The pictures of pairs of nouns: drawn alike, legible, with their numbers; and small numbers in words."""

import pandas as pd
import pytest

from studies.sentiment.figures import beside_exchanged, pairs_of_nouns
from studies.sentiment.small_numbers import signed, with_ends
from tests.support import drawn

POLES = "← male noun higher   difference   female noun higher →"
PAIRS = pd.DataFrame(
    {
        "row": ["BERT"] * 3 + ["mine"] * 2,
        "pair": ["aunt–uncle", "widow–widower", "spinster–bachelor", "aunt–uncle", "niece–nephew"],
        "value": [-0.02, 0.32, -0.4, 0.1, 0.2],
    }
)
ROWS = pd.DataFrame(
    {"value": [0.1, -0.2], "null low": -0.15, "null high": 0.15, "second": [0.1, -0.1]},
    ["the BiLSTM of a paper", "mine"],
)
DRAWN = {
    "pairs": lambda: pairs_of_nouns(PAIRS, label=POLES, named=["widow–widower"]),
    "one pair": lambda: pairs_of_nouns(PAIRS[:1], label=POLES),
    "beside exchanged nouns": lambda: beside_exchanged(
        ROWS, label="mean", band="exchanged", second="all"
    ),
}


@pytest.mark.parametrize("figure", DRAWN)
def test_figures_are_drawn_alike_and_hold_their_numbers(figure):
    drawn.check(DRAWN[figure])


def test_only_odd_pairs_at_an_end_of_their_row_are_named():
    named = ["widow–widower", "aunt–uncle"]
    fig = pairs_of_nouns(PAIRS, label=POLES, named=named)
    texts = {text.get_text() for text in fig.axes[0].texts}
    assert {"widow", "aunt"} <= texts and "spinster" not in texts
    assert len([text for text in fig.axes[0].texts if text.get_text() == "aunt"]) == 1


def test_a_number_too_small_for_its_digits_gets_two_that_count():
    assert [signed(x) for x in (0, -0.00001234, 0.02)] == ["0.000", "−0.000012", "+0.020"]
    row = pd.Series({"value": 0.02, "low": -0.01, "high": 0.00004})
    assert with_ends(row) == "+0.020 (−0.010 to +0.000040)"
