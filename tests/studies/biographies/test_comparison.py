"""Variants on planted texts: the fair answer is known."""

import pandas as pd
import pytest

from studies.biographies.comparison import (
    SIGNALS,
    Size,
    averages,
    compare,
)
from studies.biographies.variants import gender_lists

SMALL = Size(taught=500, asked=1500, seeds=2, draws=1, n_resamples=60)


@pytest.fixture(scope="module")
def results(few_occupations, vocabulary) -> pd.DataFrame:
    signals = {name: SIGNALS[name] for name in ("none", "explicit words")}
    return compare(*vocabulary, gender_lists(), few_occupations, signals=signals, size=SMALL)


def test_no_gap_where_none_is_planted_and_one_where_words_tell(results):
    table = averages(results).set_index(["signal", "variant", "measure"])
    gap = table["value"].xs("TPR gap", level="measure")
    fair = table["null high"].xs("TPR gap", level="measure")
    assert (gap["none"] < fair["none"] * 1.2).all()
    assert gap["explicit words", "plain"] > 2 * fair["explicit words", "plain"]
    for blind in ("scrubbed", "strongly debiased"):
        assert gap["explicit words", blind] < fair["explicit words", blind] * 1.2
    assert gap["explicit words", "random direction and sets"] > 2 * fair["explicit words", "plain"]
