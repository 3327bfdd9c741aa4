"""Variants on planted texts: the fair answer is known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies.biographies.comparison import (
    SIGNALS,
    VARIANTS,
    Size,
    averages,
    compare,
    differences,
)
from studies.biographies.variants import gender_lists

SMALL = Size(taught=500, asked=1500, seeds=2, draws=1, n_resamples=60)


@pytest.fixture(scope="module")
def results(few_occupations, vocabulary) -> pd.DataFrame:
    signals = {name: SIGNALS[name] for name in ("none", "explicit words")}
    return compare(*vocabulary, gender_lists(), few_occupations, signals=signals, size=SMALL)


def test_every_signal_variant_and_measure_is_there(results):
    assert len(results) == 2 * len(VARIANTS) * 2 * 4
    assert set(results["measure"]) == {"accuracy", "TPR gap", "TNR gap", "probe"}
    assert set(results["variant"]) == set(VARIANTS)
    assert results["value"].between(0, 1).all()


def test_no_gap_where_none_is_planted_and_one_where_words_tell(results):
    table = averages(results).set_index(["signal", "variant", "measure"])
    gap = table["value"].xs("TPR gap", level="measure")
    fair = table["null high"].xs("TPR gap", level="measure")
    assert (gap["none"] < fair["none"] * 1.2).all()
    assert gap["explicit words", "plain"] > 2 * fair["explicit words", "plain"]
    for blind in ("scrubbed", "strongly debiased"):
        assert gap["explicit words", blind] < fair["explicit words", blind] * 1.2
    assert gap["explicit words", "random direction and sets"] > 2 * fair["explicit words", "plain"]


def test_a_difference_is_paired_by_seed(results):
    row = differences(results, "scrubbed").set_index(["signal", "measure"])
    here = results[(results["signal"] == "explicit words") & (results["measure"] == "probe")]
    values = here.pivot(index="seed", columns=["variant", "draw"], values="value")
    change = values["scrubbed", 0] - values["plain", 0]
    low, high = stats.ttest_1samp(change, 0).confidence_interval()
    got = row.loc[("explicit words", "probe")]
    np.testing.assert_allclose(
        got[["value", "low", "high"]].astype(float), [change.mean(), low, high]
    )
