"""Predictions of systems: put in order, and refused where they cannot be scored."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.coreference.predictions import aligned

IDS = ["x-1", "x-2", "x-3"]
FRAME = pd.DataFrame(
    {"ID": IDS, "A": [0.7, 0.2, 0.1], "B": [0.2, 0.5, 0.1], "NEITHER": [0.1, 0.3, 0.8]}
)


@given(st.permutations(range(3)))
def test_the_order_of_the_file_does_not_matter(order):
    np.testing.assert_array_equal(aligned(FRAME.iloc[list(order)], IDS), FRAME.iloc[:, 1:])


def changed(row, column, value):
    frame = FRAME.astype(object)
    frame.loc[row, column] = value
    return frame


@pytest.mark.parametrize(
    "frame, fragments",
    [
        (FRAME.drop(columns="B"), ("B missing", "got ID, A, NEITHER")),
        (changed(1, "ID", "x-1"), ("x-1 has several",)),
        (FRAME.iloc[:2], ("1 of 3", "x-3")),
        (changed(1, "A", 0.4), ("x-2", "divide each row by its sum")),
    ],
)
def test_what_cannot_be_scored_is_refused(refuses, frame, fragments):
    refuses(lambda: aligned(frame, IDS), fragments)


def test_rows_are_divided_by_their_sums_only_when_asked():
    np.testing.assert_allclose(aligned(changed(1, "A", 0.7), IDS, rescale=True).sum(axis=1), 1)
