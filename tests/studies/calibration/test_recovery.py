"""Signs and rates, counted by hand."""

import numpy as np
import pytest

from studies.calibration.recovery import rejection_rate, sign_accuracy


def test_rates_and_signs():
    assert sign_accuracy([1.0, -1.0, 0.0], [2.0, -3.0, 1.0]) == pytest.approx(2 / 3)
    assert np.isnan(sign_accuracy([1.0], [0.0]))
    rate = rejection_rate(np.arange(1, 101) / 100)  # golden: Clopper-Pearson for 5 of 100
    assert (rate.value, rate.n) == (0.05, 100)
    assert (rate.low, rate.high) == pytest.approx((0.01643, 0.11284), abs=1e-4)
