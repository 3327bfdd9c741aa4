"""How often tests reject: against a full enumeration, and exact ends."""

from itertools import combinations, product

import numpy as np
import pytest

from lib.inference.permutation import partition_test
from studies.domains.rejections import rejection_rate, share_rejected


@pytest.mark.parametrize("side", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("n", [3, 4])
def test_rejection_rates_equal_a_full_enumeration(n, side):
    scores = np.random.default_rng(n).standard_normal(2 * n)
    tests = [
        partition_test(scores[list(chosen)], np.delete(scores, chosen), alternative=side)
        for chosen in combinations(range(2 * n), n)
    ]
    for strict, inclusive in product([True, False], repeat=2):
        p = np.array([test.pvalue_strict if strict else test.pvalue for test in tests])
        rejected = p <= 0.05 + 1e-12 if inclusive else p < 0.05 - 1e-12
        rate = rejection_rate(n, n, strict=strict, inclusive=inclusive, alternative=side)
        assert rate == pytest.approx(rejected.mean())


def test_the_strict_rule_rejects_a_true_null_too_often_and_the_valid_one_does_not():
    assert rejection_rate(3, 3, strict=True) == 2 / 20
    assert rejection_rate(4, 4, strict=True) == 4 / 70
    assert rejection_rate(3, 3) == 1 / 20
    assert rejection_rate(4, 4) == 3 / 70
    assert all(
        rejection_rate(a, b, level) <= level
        for a in range(1, 9)
        for b in range(1, 9)
        for level in (0.01, 0.05, 0.1)
    )


def test_a_share_of_rejections_has_exact_ends():
    assert share_rejected([0.5] * 10) == (0.0, 0.0, pytest.approx(1 - 0.025**0.1))
    share, low, high = share_rejected([0.05, 0.051] * 500)
    assert share == 0.5 and low == pytest.approx(0.4686, abs=1e-3) and high < 0.5315
