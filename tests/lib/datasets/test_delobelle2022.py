"""SEAT by template: five models, twenty lists, and files in which the template has no part."""

import pytest

from lib.datasets.delobelle2022 import MODELS, VECTORS, read_effects

KEYS = [f"delobelle_seat_{what}_{vectors}" for what in ("models", "jobs") for vectors in VECTORS]


@pytest.mark.parametrize(("what", "vectors"), [("model", "cls"), ("models", "CLS")])
def test_another_name_is_refused(what, vectors):
    with pytest.raises(ValueError, match="expected"):
        read_effects(what, vectors)


@pytest.mark.sample(*KEYS)
@pytest.mark.parametrize("vectors", VECTORS)
def test_the_template_has_a_part_where_it_is_said_to(vectors):
    models, jobs = read_effects("models", vectors), read_effects("jobs", vectors)
    assert (models.shape, jobs.shape) == ((5, 11), (20, 11))
    assert tuple(models.index) == MODELS and jobs.index.tolist() == list(range(20))
    for table in (models, jobs):
        assert (table.abs() <= 2).all(axis=None)
        assert (table.nunique(axis=1) > 1).all() == VECTORS[vectors]
