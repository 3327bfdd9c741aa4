"""The log probability bias: by hand, its symmetries, targets of several pieces, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models import MaskedLanguageModel, log_probability_bias
from tests.support.tiny_models import KINDS

pytestmark = pytest.mark.usefixtures("one_thread")
TEMPLATES = [
    "{target} is a {attribute}.",
    "the {attribute} of the town is {target}.",
    "a {attribute} is what {target} is",
]


def association(plain, kind, shown, hidden, word, position, prior_position=None):
    """log p(word | shown) - log p(word | hidden) at given positions, by hand."""
    values = []
    for sentence, place in ((shown, position), (hidden, prior_position or position)):
        _, expected, tokenizer = plain(kind, sentence)
        values.append(expected[place, tokenizer.convert_tokens_to_ids(word)])
    return values[0] - values[1]


# template, attribute, the sentence, the sentence with the attribute masked, position of the target's mask, and where the
# authors' code reads the prior: one piece left of the last mask
BY_HAND = {
    "target first": (
        "{target} is a {attribute}.",
        "nurse",
        "[MASK] is a nurse.",
        "[MASK] is a [MASK].",
        1,
        3,
    ),
    "target last": (
        "a {attribute} is {target}.",
        "nurse",
        "a nurse is [MASK].",
        "a [MASK] is [MASK].",
        4,
        3,
    ),
    "two pieces": (
        "the {attribute} is {target}.",
        "nurses",
        "the nurses is [MASK].",
        "the [MASK] [MASK] is [MASK].",
        5,
        4,
    ),
    "two words": (
        "{target} is a {attribute}",
        "new town",
        "[MASK] is a new town",
        "[MASK] is a [MASK] [MASK]",
        1,
        4,
    ),
}


@pytest.mark.parametrize(
    ("template", "attribute", "shown", "hidden", "position", "left"), BY_HAND.values(), ids=BY_HAND
)
def test_the_bias_is_what_the_formula_says_with_the_prior_at_either_place(
    template, attribute, shown, hidden, position, left, model, plain
):
    for prior, place in (("target", position), ("published", left)):
        found = log_probability_bias(
            model(), [attribute], [template], [("he", "she")], prior=prior
        ).iloc[0]
        he, she = (
            association(plain, "bert", shown, hidden, word, position, place)
            for word in ("he", "she")
        )
        assert found.bias == pytest.approx(he - she, abs=1e-5)
        assert found.log_p_first - found.log_prior_first == pytest.approx(he, abs=1e-5)
        assert found.attribute_pieces == hidden.count("[MASK]") - 1


def test_one_mask_for_each_attribute_is_another_prior():
    m = MaskedLanguageModel("minilm-mlm", "cpu")
    given = (m, ["software engineer"], ["{target} is a {attribute}."], [("he", "she")])
    for masks, sentence in (
        ("one", "[MASK] is a [MASK]."),
        ("pieces", "[MASK] is a [MASK] [MASK]."),
    ):
        found = log_probability_bias(*given, attribute_masks=masks).iloc[0]
        expected = m.log_probabilities([sentence], ["he", "she"])[0]
        assert [found.log_prior_first, found.log_prior_second] == pytest.approx(expected, abs=1e-5)


@settings(max_examples=12)
@given(
    kind=st.sampled_from(KINDS),
    attributes=st.lists(
        st.sampled_from(["nurse", "doctors", "new town", "kind"]),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    templates=st.lists(st.sampled_from(TEMPLATES), min_size=1, unique=True),
    pair=st.permutations(["he", "she", "nurses", "man"]).map(lambda words: tuple(words[:2])),
    pieces=st.sampled_from(["mask", "marginalise"]),
)
def test_swapping_the_targets_flips_the_sign(kind, attributes, templates, pair, pieces, model):
    one = log_probability_bias(model(kind), attributes, templates, [pair], pieces=pieces)
    other = log_probability_bias(model(kind), attributes, templates, [pair[::-1]], pieces=pieces)
    assert np.allclose(one.bias, -other.bias, atol=1e-5)
    assert np.allclose(one.log_p_first, other.log_p_second, atol=1e-5)
    assert list(one.attribute) == [attribute for attribute in attributes for _ in templates]


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_targets_of_several_pieces_are_read_by_masks_or_by_the_chain_rule(kind, model, plain):
    m, template = model(kind), "the {attribute} is {target}"
    ids, _, tokenizer = plain(kind, "the kind is nurses")
    assert m.pieces("nurses") == tokenizer.convert_ids_to_tokens(ids[4:6])
    stem, ending = ids[4], ids[5]
    _, both, _ = plain(kind, "the kind is [MASK] [MASK]")
    _, after, _ = plain(
        kind, "the kind is nurse[MASK]" if kind == "roberta" else "the kind is nurse [MASK]"
    )
    by_masks, by_chain = both[4, stem] + both[5, ending], both[4, stem] + after[5, ending]
    for pieces, expected in (("mask", by_masks), ("marginalise", by_chain)):
        found = log_probability_bias(
            m, ["kind"], [template], [("nurses", "he")], pieces=pieces
        ).iloc[0]
        assert found.log_p_first == pytest.approx(expected, abs=1e-5)


def test_cased_models_read_an_opening_target_with_a_capital(model, plain):
    found = log_probability_bias(model("bert-cased"), ["nurse"], TEMPLATES[:2], [("he", "she")])
    _, opening, tokenizer = plain("bert-cased", "[MASK] is a nurse.")
    _, inner, _ = plain("bert-cased", "the nurse of the town is [MASK].")
    assert (model("bert-cased").cased, model("bert").cased) == (True, False)
    assert found.log_p_first[0] == pytest.approx(
        opening[1, tokenizer.convert_tokens_to_ids("He")], abs=1e-5
    )
    assert found.log_p_first[1] == pytest.approx(
        inner[7, tokenizer.convert_tokens_to_ids("he")], abs=1e-5
    )
    assert list(found["first"]) == ["he", "he"]


def bias(m, attributes=("nurse",), templates=(TEMPLATES[0],), targets=(("he", "she"),), **named):
    return log_probability_bias(m, attributes, templates, targets, **named)


BAD_INPUT = {
    "target of several pieces": (
        lambda m: bias(m, targets=[("he", "nurses")]),
        ["'nurses' is 2 pieces", "pieces='mask'"],
    ),
    "unknown target": (
        lambda m: bias(m, targets=[("он", "she")], pieces="mask"),
        ["'он' holds letters", "another word"],
    ),
    "empty attribute": (
        lambda m: bias(m, attributes=["nurse", ""]),
        ["attributes", "got an empty one", "leave it out"],
    ),
    "no slots": (
        lambda m: bias(m, templates=["[MASK] is"]),
        ["one {target} and one {attribute}", "'[MASK] is'"],
    ),
    "a target against itself": (
        lambda m: bias(m, targets=[("he", "he")]),
        ["two different targets", "('he', 'he')"],
    ),
    "unknown prior": (
        lambda m: bias(m, prior="wrong"),
        ["prior: expected one of target, published", "'wrong'"],
    ),
    "published prior of several": (
        lambda m: bias(m, pieces="mask", prior="published"),
        ["use prior='target'"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_refused_with_what_to_do(call, fragments, model, refuses):
    refuses(lambda: call(model()), fragments)
