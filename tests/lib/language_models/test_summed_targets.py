"""Probabilities of the targets of one side are added before the logarithm."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.language_models.log_probability import log_probability_bias
from lib.language_models.summed_targets import summed_targets

pytestmark = pytest.mark.usefixtures("one_thread")
IS = "{target} is the {attribute}."


def test_one_pair_is_the_plain_score(model):
    pairs = [("he", "she")]
    table = log_probability_bias(model(), ["nurse", "doctors"], [IS], pairs)
    summed = summed_targets(table)
    assert summed["bias"].to_numpy() == pytest.approx(table["bias"].to_numpy(), abs=1e-9)


@given(st.lists(st.tuples(*[st.floats(-20, 0)] * 4), min_size=1, max_size=5))
def test_the_two_sides_are_sums_of_probabilities_and_turn_with_the_sides(rows):
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    table = pd.DataFrame(rows, columns=columns).assign(template="t", attribute="a")
    row = summed_targets(table).iloc[0]
    first, second, *_ = np.exp(table[columns]).sum()
    assert row["log_odds"] == pytest.approx(np.log(first / second), abs=1e-9)
    turned = table.rename(columns=dict(zip(columns, [columns[k] for k in (1, 0, 3, 2)])))
    assert summed_targets(turned)["bias"].item() == pytest.approx(-row["bias"], abs=1e-9)


def test_a_table_of_something_else_is_refused():
    with pytest.raises(ValueError, match="lacks template, log_p_first"):
        summed_targets(pd.DataFrame({"attribute": ["a"], "log_p_second": [0.0]}))
