"""Models trained alike are named together; sentences get a capital where a model has capitals."""

import pytest

from lib.language_models.low_rank import minilm_mlm_weights
from lib.language_models.seeds import trained_alike
from lib.language_models.sentence_case import sentence_case


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


def test_a_cased_model_reads_a_capital_at_the_start_and_only_there(model):
    templates = ["last year {target} was the {attribute}.", "{target} is the {attribute}."]
    assert sentence_case(model("bert-cased"), templates) == ["L" + templates[0][1:], templates[1]]
    assert sentence_case(model("bert"), templates) == templates
