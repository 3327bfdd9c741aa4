"""What each word of the vocabulary says: closed forms, and what negating numbers, intervals and unknowns do."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.report_card.predicates import (
    Number,
    between,
    equal,
    greater,
    largest,
    not_significant,
    order,
    ratio,
    share,
    sign,
    significant,
    smallest,
    trend,
)

UNKNOWN = Number(math.nan)


def numbers(*values):
    return [Number(value, p=(value, value)) for value in values]


@pytest.mark.parametrize(
    "outcome, holds",
    [
        (sign(numbers(1, 2), side="above"), True),
        (sign([Number(0.9, neutral=1)], side="below"), True),
        (sign([Number(1, -0.2, 2.2)], side="above"), None),
        (sign([Number(1, -0.2, 2.2), Number(-1)], side="above"), False),
        (share(numbers(1, 2, -1), side="above", at_least=0.6), True),
        (share(numbers(1, 2, -1), side="above", at_least=0.7), False),
        (share([*numbers(1, -1), UNKNOWN], side="above", at_least=0.5), None),
        (greater(numbers(3, 4), numbers(1, 2)), True),
        (greater(numbers(3, 4), numbers(1, 3)), False),
        (greater(numbers(3, 4), numbers(1, 3), pairing="in turn"), True),
        (greater(numbers(0.3), numbers(0.2), by=0.1), True),
        (greater([Number(3, 2.5, 3.5)], [Number(2, 1.5, 2.5)]), True),  # 1 ± 0.71
        (greater([Number(3, 2.5, 3.5)], [Number(2.5, 2.0, 3.0)]), None),  # 0.5 ± 0.71
        (greater([Number(2, 1.5, 2.5)], [Number(3, 2.5, 3.5)]), False),
        (order(numbers(3, 2, 1)), True),
        (order([*numbers(3, 2), UNKNOWN]), None),
        (significant(numbers(0.01, 0.049), alpha=0.05), True),
        (significant([Number(1.2)], alpha=0.05), None),
        (not_significant(numbers(0.05, 0.9), alpha=0.05), True),
        (not_significant([Number(1.2, p=(0.0, 0.01))], alpha=0.05), False),
        (equal(numbers(0.20, 0.22, 0.21), within=0.02), True),
        (equal([Number(1, 0.8, 1.2)], numbers(1), within=0.1), None),
        (between(numbers(0.5, 0.7), at_least=0.5, at_most=0.7), True),
        (between([Number(0.6, 0.4, 0.8)], at_least=0.5), None),
        (ratio(numbers(45), numbers(28), at_least=1.5), True),
        (ratio([Number(2, 1, 3)], numbers(1), at_least=1.5), None),
        (trend(numbers(1, 3, 2, 4), side="rising"), True),
        (trend(numbers(1, 3, 2, 4), side="rising", at_least=0.9), False),  # rho is 0.8
        (trend(numbers(1, 1, 1), side="rising"), False),
    ],
)
def test_closed_forms(outcome, holds):
    assert outcome.holds is holds
    assert (outcome.why == "") == (holds is True)


def test_the_largest_is_compared_with_all_others():
    table = numbers(3, 1, 2)
    assert largest(table[:1], table).holds and not largest(table[1:2], table).holds
    assert smallest(table[1:2], table).holds and not smallest(table[2:], table).holds
    assert largest([table[0], table[2]], table).holds


def test_a_size_is_the_distance_from_the_neutral_point():
    assert Number(-0.3, -0.4, -0.1).size.ends == pytest.approx((0.1, 0.4))
    assert Number(0.9, 0.8, 1.3, neutral=1).size.value == pytest.approx(0.1)
    assert Number(0.9, 0.8, 1.3, neutral=1).size.ends == pytest.approx((0.0, 0.3))
    assert math.isnan(UNKNOWN.size.value) and UNKNOWN.size.ends == (-math.inf, math.inf)


VALUES = st.lists(st.integers(-20, 20), min_size=2, max_size=8)


def negated(rows):
    return [Number(-row.value, -row.ends[1], -row.ends[0]) for row in rows]


@given(VALUES)
def test_negating_the_numbers_turns_a_sign(values):
    rows = numbers(*values)
    assert sign(rows, side="above").holds == sign(negated(rows), side="below").holds
    assert trend(rows, side="rising").holds == trend(negated(rows), side="falling").holds
    assert order(rows).holds == order(negated(rows)[::-1]).holds


@given(VALUES, VALUES)
def test_negating_the_numbers_turns_a_comparison(values, others):
    rows, those = numbers(*values), numbers(*others)
    assert greater(rows, those).holds == greater(negated(those), negated(rows)).holds
    assert [row.size.ends for row in rows] == [row.size.ends for row in negated(rows)]


@given(VALUES, st.floats(0, 5))
def test_an_interval_never_turns_a_verdict_round(values, half):
    wide = [Number(value, value - half, value + half) for value in values]
    for rule in (lambda rows: sign(rows, side="above"), order):
        assert rule(wide).holds in (rule(numbers(*values)).holds, None)


@given(VALUES)
def test_what_is_unknown_never_decides_for_a_rule(values):
    known = order(numbers(*values)).holds
    assert order([*numbers(*values), UNKNOWN]).holds is (None if known else False)
