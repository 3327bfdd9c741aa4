"""SEAT by template: five models, twenty lists, and files in which the template has no part; and how orders change."""

import pytest

from studies.agreement_of_measures.seat_by_template import (
    MODELS,
    VECTORS,
    order_changes,
    read_effects,
)

KEYS = [f"delobelle_seat_{what}_{vectors}" for what in ("models", "jobs") for vectors in VECTORS]


@pytest.mark.sample(*KEYS)
@pytest.mark.parametrize("vectors", VECTORS)
def test_the_template_has_a_part_where_it_is_said_to(vectors):
    models, jobs = read_effects("models", vectors), read_effects("jobs", vectors)
    assert (models.shape, jobs.shape) == ((5, 11), (20, 11))
    assert tuple(models.index) == MODELS and jobs.index.tolist() == list(range(20))
    for table in (models, jobs):
        assert (table.abs() <= 2).all(axis=None)
        assert (table.nunique(axis=1) > 1).all() == VECTORS[vectors]


def test_orders_that_all_differ_and_orders_that_agree():
    assert order_changes([[1, 10], [2, 20], [3, 30]]) == (0.0, 1.0)
    differ, tau = order_changes([[1, 3], [2, 2], [3, 1]])
    assert (differ, tau) == (1.0, -1.0)
