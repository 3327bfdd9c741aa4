"""The log probability bias: by hand, its symmetries, targets of several pieces, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.inference.permutation import partition_test
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


def effect(table, first):
    x, y = (
        table[table.attribute.isin(first) == side].groupby("attribute").bias.mean()
        for side in (True, False)
    )
    return (x.mean() - y.mean()) / np.std([*x, *y], ddof=1), partition_test(
        x.to_numpy(), y.to_numpy()
    ).pvalue


def test_with_one_mask_for_each_attribute_effect_and_p_do_not_depend_on_the_place_of_the_prior(
    model,
):
    attributes = ["nurse", "doctors", "man", "new town", "engineer", "works", "kind", "white"]
    tables = [
        log_probability_bias(
            model(),
            attributes,
            TEMPLATES,
            [("he", "she"), ("man", "woman")],
            prior=prior,
            attribute_masks="one",
        )
        for prior in ("target", "published")
    ]
    assert not np.allclose(tables[0].bias, tables[1].bias)
    (d, p), (published_d, published_p) = (effect(table, attributes[:4]) for table in tables)
    assert (published_d, published_p) == (pytest.approx(d, abs=1e-5), p)


@settings(max_examples=20)
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


def test_other_attributes_templates_and_pairs_in_the_same_call_change_nothing(model):
    alone = log_probability_bias(model(), ["nurses"], TEMPLATES[1:2], [("she", "they")])
    among = log_probability_bias(
        model(), ["of", "nurses", "new doctor"], TEMPLATES, [("he", "she"), ("she", "they")]
    )
    same = among.query("attribute == 'nurses' and first == 'she' and template == @TEMPLATES[1]")
    assert same.bias.to_numpy() == pytest.approx(alone.bias.to_numpy(), abs=1e-5)
    assert len(among) == 3 * 3 * 2


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


def test_for_targets_of_one_piece_the_three_ways_are_one(model):
    tables = [
        log_probability_bias(model(), ["nurses", "kind"], TEMPLATES, [("he", "she")], pieces=pieces)
        for pieces in ("error", "mask", "marginalise")
    ]
    assert np.allclose(tables[0].bias, tables[1].bias, atol=1e-6) and np.allclose(
        tables[0].bias, tables[2].bias, atol=1e-6
    )


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
    "empty word": (lambda m: m.log_probabilities(["[MASK]"], [" "]), ["got an empty one"]),
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
    "no attributes": (lambda m: bias(m, attributes=[]), ["attributes", "at least one entry", "[]"]),
    "attributes in a string": (
        lambda m: bias(m, attributes="nurse"),
        ["expected a list", "'nurse'"],
    ),
    "no slots": (
        lambda m: bias(m, templates=["[MASK] is"]),
        ["one {target} and one {attribute}", "'[MASK] is'"],
    ),
    "a slot twice": (
        lambda m: bias(m, templates=["{target} {target} {attribute}"]),
        ["one {target} and one {attribute}"],
    ),
    "long template": (
        lambda m: bias(m, templates=["a " * 600 + "{target} {attribute}"]),
        ["pieces is longer", "split it"],
    ),
    "targets in one word": (lambda m: bias(m, targets=["he"]), ["expected pairs", "'he'"]),
    "a target against itself": (
        lambda m: bias(m, targets=[("he", "he")]),
        ["two different targets", "('he', 'he')"],
    ),
    "unknown way": (
        lambda m: bias(m, pieces="sum"),
        ["pieces: expected one of error, mask, marginalise", "'sum'"],
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
