"""How often tests reject: against a full enumeration, and exact ends."""

from itertools import combinations

import numpy as np
import pytest

from lib.inference.permutation import partition_test
from studies.domains.rejections import rejection_rate, share_rejected, smallest_pvalue

SIDES = ("greater", "less", "two-sided")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("inclusive", [True, False])
def test_rejection_rates_equal_a_full_enumeration(n, side, strict, inclusive):
    scores, p_values = np.random.default_rng(n).standard_normal(2 * n), []
    for chosen in combinations(range(2 * n), n):
        found = partition_test(scores[list(chosen)], np.delete(scores, chosen), alternative=side)
        p_values.append(found.pvalue_strict if strict else found.pvalue)
    rejected = [p <= 0.05 + 1e-12 if inclusive else p < 0.05 - 1e-12 for p in p_values]
    assert rejection_rate(
        n, n, strict=strict, inclusive=inclusive, alternative=side
    ) == pytest.approx(np.mean(rejected))


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


def test_no_split_of_the_words_has_a_smaller_p():
    assert smallest_pvalue(3, 2) == partition_test([7, 8, 9], [1, 2]).pvalue == 0.1
