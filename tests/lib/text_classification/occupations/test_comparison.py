"""Variants on planted texts: the fair answer is known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.text_classification.occupations.comparison import (
    MEASURES,
    SIGNALS,
    VARIANTS,
    Size,
    averages,
    compare,
    differences,
)
from lib.text_classification.occupations.variants import gender_lists

SMALL = Size(taught=500, asked=1500, seeds=2, draws=1, n_resamples=60)


@pytest.fixture(scope="module")
def results(few_occupations, vocabulary) -> pd.DataFrame:
    signals = {name: SIGNALS[name] for name in ("none", "explicit words")}
    return compare(*vocabulary, gender_lists(), few_occupations, signals=signals, size=SMALL)


def test_every_signal_variant_and_measure_is_there(results):
    assert len(results) == 2 * len(VARIANTS) * 2 * len(MEASURES)
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


@pytest.mark.parametrize(
    "size", [Size(taught=0), Size(asked=0), Size(seeds=0), Size(draws=-1), Size(n_resamples=0)]
)
def test_bad_sizes(size, few_occupations, vocabulary):
    with pytest.raises(ValueError, match="size: expected numbers"):
        compare(*vocabulary, gender_lists(), few_occupations, size=size)


def test_an_unknown_variant_is_named(results):
    with pytest.raises(ValueError, match="Did you mean 'scrubbed'"):
        differences(results, "scrubed")
