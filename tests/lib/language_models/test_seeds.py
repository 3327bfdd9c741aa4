"""Models trained alike are named together."""

import pytest

from lib.language_models.low_rank import minilm_mlm_weights
from lib.language_models.seeds import trained_alike


def test_a_model_of_this_book_comes_with_every_seed_that_is_there():
    there = list(minilm_mlm_weights())
    assert trained_alike("minilm-mlm") == there
    assert (
        sorted(trained_alike(there[-1])) == sorted(there)
        and trained_alike(there[-1])[0] == there[-1]
    )


@pytest.mark.parametrize(
    "seeds, names",
    [
        ("all", ["mine"]),
        ("none", ["mine"]),
        ("other", ["mine", "other"]),
        (["mine", "other"], ["mine", "other"]),
    ],
)
def test_another_model_stands_alone_unless_its_kin_are_named(seeds, names):
    assert trained_alike("mine", seeds) == names
