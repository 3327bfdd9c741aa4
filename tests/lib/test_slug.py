"""File names of sets of parameters: readable, short, and never the same for two sets."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.slug import USUAL, slug

WORDS = st.text("abz019 =,/|-_é", max_size=12)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-99, 99)
    | st.floats(allow_nan=False)
    | WORDS
    | st.lists(WORDS, max_size=3)
)
PARAMETERS = st.dictionaries(
    st.sampled_from(["k", "seed", "embedding", "lists"]), VALUES, max_size=4
)


def test_a_slug_names_parameters_in_order_and_leaves_out_where_a_run_happens():
    assert (
        slug({"seed": 0, "embedding": "minilm", "profile": "full", "device": "cuda"})
        == "embedding=minilm,seed=0"
    )
    assert slug({"profile": "full"}) == "default"


def test_a_model_s_usual_prompt_is_no_part_of_a_name_and_another_is():
    usual = {"prompt": "", "temperature": "0", "timeout": 120.0, "workers": 4}
    assert slug(usual | {"seed": 0}) == slug({"seed": 0})
    others = [{"prompt": "Say"}, {"temperature": "0.5"}, {"timeout": 9.0}, {"workers": 9}]
    assert len({slug(usual | other) for other in others} | {"default"}) == 5


@given(PARAMETERS, PARAMETERS)
def test_distinct_parameters_have_distinct_slugs(one, other):
    as_text = [json.dumps(parameters, sort_keys=True) for parameters in (one, other)]
    assert (slug(one) == slug(other)) == (as_text[0] == as_text[1])


@given(PARAMETERS)
def test_a_slug_is_a_safe_and_short_file_name(parameters):
    assert re.fullmatch(r"[A-Za-z0-9._=,+-]{1,200}", slug(parameters))
    assert slug(dict(reversed(parameters.items()))) == slug(parameters)


@pytest.mark.parametrize(
    "one, other",
    [
        ({"k": 1}, {"k": "1"}),
        ({"k": 1}, {"k": 1.0}),
        ({"a": "1,b=2"}, {"a": 1, "b": 2}),
        ({"k": "x" * 100}, {"k": "x" * 101}),
    ],
)
def test_slugs_tell_look_alikes_apart(one, other):
    assert slug(one) != slug(other)


def test_what_a_masked_model_is_asked_is_named_where_it_is_not_as_before():
    before = {"model": "minilm-mlm"}
    assert slug(before | USUAL) == slug(before) == "model=minilm-mlm"
    for name, value in {"targets": ["he/she", "man/woman"], "pieces": "mask"}.items():
        assert slug(before | USUAL | {name: value}) != slug(before)
