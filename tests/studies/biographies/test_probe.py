"""The probe of gender and its two floors."""

import numpy as np
import pytest

from lib.text_classification.occupations import classifiers
from studies.biographies.probe import probe_gender


def test_the_fair_value_of_the_probe_is_the_expected_one():
    rng = np.random.default_rng(3)
    jobs, female = rng.integers(3, size=900), rng.random(900) < 0.4
    features = rng.normal(size=(900, 2)) + female[:, None]
    taught = np.arange(900) < 400
    probed = probe_gender(features, female, jobs, taught, n_resamples=4000, rng=0)
    named = classifiers.fit(features[taught], female[taught]).predict(features[~taught])
    women, job = female[~taught], jobs[~taught]
    expected = sum(
        (
            women[job == j].mean() * named[job == j].mean()
            + (~women[job == j]).mean() * (~named[job == j]).mean()
        )
        * (job == j).mean()
        for j in range(3)
    )
    assert probed.fair == pytest.approx(expected, abs=0.002)
    assert probed.low < probed.value < probed.high and probed.pvalue < 0.001
