"""Masked language models: agreement with a plain forward pass, the log probability bias by hand, and what is refused."""

import functools
import shutil

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.inference.permutation import partition_test
from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.language_models.pretrained import batched
from tests.support.tiny_models import KINDS

pytestmark = pytest.mark.usefixtures("one_thread")
WORDS = ["he", "she", "they"]
SENTENCES = [
    "[MASK] is a nurse.",
    "the engineer is [MASK].",
    "in the town the nurse and the doctor was kind to [MASK], and [MASK] was new.",
    "the [MASK] of [MASK] town works as the nurses of the new town and the old towns.",
    "a nurse, [MASK]",
]
MASKS = [0, 0, 1, 0, 0]
TEMPLATES = [
    "{target} is a {attribute}.",
    "the {attribute} of the town is {target}.",
    "a {attribute} is what {target} is",
]


@pytest.fixture(scope="module")
def model(tiny_model):
    return functools.cache(
        lambda kind="bert", **named: MaskedLanguageModel(str(tiny_model(kind)), "cpu", **named)
    )


@pytest.fixture(scope="module")
def plain(tiny_model):
    """A function from a kind and a sentence to (ids, log probabilities (t, v), tokenizer), with transformers alone."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    @functools.cache
    def loaded(kind):
        folder = tiny_model(kind)
        return AutoTokenizer.from_pretrained(folder), AutoModelForMaskedLM.from_pretrained(
            folder
        ).eval()

    def read(kind, sentence):
        tokenizer, network = loaded(kind)
        coded = tokenizer(sentence.replace("[MASK]", tokenizer.mask_token), return_tensors="pt")
        with torch.inference_mode():
            logits = network(**coded).logits[0]
        return (
            coded["input_ids"][0].tolist(),
            torch.log_softmax(logits, -1).double().numpy(),
            tokenizer,
        )

    return read


def test_a_model_that_knows_nothing_gives_all_pieces_the_same_probability_and_no_bias(tiny_model):
    m = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    for parameter in m._transformer.model.parameters():
        parameter.data.zero_()
    size = m._transformer.model.config.vocab_size
    assert np.allclose(m.log_probabilities(SENTENCES, WORDS, MASKS), -np.log(size))
    assert np.allclose(
        log_probability_bias(m, ["nurse", "doctors"], TEMPLATES, [("he", "she")]).bias, 0
    )


def test_a_model_that_does_not_read_gives_its_own_frequencies_and_no_bias(tiny_model):
    m = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    for name, parameter in m._transformer.model.named_parameters():
        parameter.data.mul_(name == "cls.predictions.bias")
    bias = m._transformer.model.cls.predictions.bias.detach().double()
    place = [m._one_piece(word, False) for word in WORDS]
    assert np.allclose(
        m.log_probabilities(SENTENCES, WORDS), torch.log_softmax(bias, 0).numpy()[place], atol=1e-6
    )
    assert np.allclose(
        log_probability_bias(m, ["nurse"], TEMPLATES, [("he", "she")]).bias, 0, atol=1e-6
    )


@pytest.mark.parametrize("kind", KINDS)
def test_log_probabilities_equal_those_of_a_plain_forward_pass(kind, model, plain):
    found = model(kind).log_probabilities(SENTENCES, WORDS, MASKS)
    for row, sentence, number in zip(found, SENTENCES, MASKS):
        ids, expected, tokenizer = plain(kind, sentence)
        position = [place for place, piece in enumerate(ids) if piece == tokenizer.mask_token_id][
            number
        ]
        space = "" if position == 1 or kind != "roberta" else " "
        words = [
            tokenizer(space + word, add_special_tokens=False)["input_ids"][0] for word in WORDS
        ]
        assert row == pytest.approx(expected[position, words], abs=1e-5)


def test_the_shipped_model_equals_a_plain_forward_pass():
    from lib.language_models.pretrained import minilm_with_head

    m, sentence = MaskedLanguageModel("minilm-mlm", "cpu"), "She drove the [MASK] to work."
    ids = m._transformer.tokenizer(sentence, return_tensors="pt")
    with torch.inference_mode():
        logits = minilm_with_head()(**ids).logits[0, 4]
    words = ["car", "truck", "house"]
    expected = torch.log_softmax(logits, -1)[m._transformer.tokenizer.convert_tokens_to_ids(words)]
    assert m.log_probabilities([sentence], words)[0] == pytest.approx(expected.numpy(), abs=1e-5)
    assert (m.name, m.mask_token, m.cased) == ("minilm-mlm", "[MASK]", False)
    assert m.source.startswith("minilm-mlm@sha256:")


@pytest.mark.parametrize("kind", KINDS)
def test_the_probabilities_of_all_pieces_sum_to_one(kind, model):
    m = model(kind)
    rows = m._masked(SENTENCES)
    every = np.arange(m._transformer.model.config.vocab_size)
    found = m._read(rows, [row.index(m._mask_id) for row in rows], [every] * len(rows))
    assert np.exp(found).sum(1) == pytest.approx(np.ones(len(rows)), abs=1e-5)
    assert found.max() <= 0


@settings(max_examples=30, deadline=None)
@given(
    order=st.permutations(range(len(SENTENCES) * 3)),
    kind=st.sampled_from(KINDS),
    room=st.sampled_from([1, 40, 10**6]),
)
def test_batching_padding_and_order_change_nothing(order, kind, room, model):
    m, sentences, masks = model(kind), SENTENCES * 3, np.array(MASKS * 3)
    alone = np.concatenate(
        [m.log_probabilities([text], WORDS, mask) for text, mask in zip(SENTENCES, MASKS)]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lib.language_models.masked.batched", functools.partial(batched, pieces=room))
        together = m.log_probabilities(
            [sentences[place] for place in order], WORDS, masks[list(order)]
        )
    assert np.allclose(together, np.tile(alone, (3, 1))[list(order)], atol=1e-4)


def test_batching_padding_and_order_change_nothing_in_the_shipped_model():
    m = MaskedLanguageModel("minilm-mlm", "cpu")
    together = m.log_probabilities(SENTENCES[::-1], WORDS, MASKS[::-1])[::-1]
    alone = [m.log_probabilities([text], WORDS, mask)[0] for text, mask in zip(SENTENCES, MASKS)]
    assert np.allclose(together, alone, atol=1e-4)


def test_no_sentences_give_no_rows(model):
    assert model().log_probabilities([], WORDS).shape == (0, 3)
    assert model().pseudo_log_likelihood([]).shape == (0,)


def test_bfloat16_agrees_to_about_two_decimals():
    exact, coarse = (
        MaskedLanguageModel("minilm-mlm", "cpu", dtype=dtype).log_probabilities(
            SENTENCES, WORDS, MASKS
        )
        for dtype in ("float32", "bfloat16")
    )
    assert 0 < np.abs(exact - coarse).max() < 0.1


def test_byte_level_vocabularies_tell_a_word_after_a_space_from_one_that_opens_the_sentence(
    model, plain
):
    m = model("roberta")
    assert (m.pieces("she"), m.pieces("she", start=True), m.mask_token) == (
        ["Ġshe"],
        ["she"],
        "<mask>",
    )
    ids, expected, tokenizer = plain("roberta", "[MASK] is a nurse.")
    opening, inner = tokenizer.convert_tokens_to_ids(["she", "Ġshe"])
    assert m.log_probabilities(["[MASK] is a nurse."], ["she"]) == pytest.approx(
        expected[1, opening], abs=1e-5
    )
    ids, expected, _ = plain("roberta", "a nurse is [MASK]")
    assert m.log_probabilities(["a nurse is [MASK]"], ["she"]) == pytest.approx(
        expected[4, inner], abs=1e-5
    )
    assert ids[4] == tokenizer.mask_token_id


@pytest.mark.parametrize("kind", KINDS)
def test_the_space_before_a_mask_is_no_piece_even_where_the_saved_tokenizer_forgot_that(
    kind, tiny_model, tmp_path
):
    folder = shutil.copytree(tiny_model(kind), tmp_path / "copy")
    file = folder / "tokenizer.json"
    file.write_text(
        file.read_text(encoding="utf-8").replace('"lstrip": true', '"lstrip": false'),
        encoding="utf-8",
    )
    m, whole = (
        MaskedLanguageModel(str(folder), "cpu"),
        MaskedLanguageModel(str(tiny_model(kind)), "cpu"),
    )
    assert m._masked(SENTENCES) == whole._masked(SENTENCES)
    assert np.array_equal(
        m.log_probabilities(SENTENCES, WORDS, MASKS),
        whole.log_probabilities(SENTENCES, WORDS, MASKS),
    )


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


@settings(max_examples=20, deadline=None)
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


def masked_by_hand(plain, kind, sentence, places):
    ids, _, tokenizer = plain(kind, sentence)
    pieces = tokenizer.convert_ids_to_tokens(ids)
    total = 0
    for place in places:
        text = tokenizer.convert_tokens_to_string(
            [*pieces[1:place], "[MASK]", *pieces[place + 1 : -1]]
        )
        again, expected, _ = plain(kind, text.replace("[MASK]", " [MASK] "))
        assert len(again) == len(ids) and again[place] == tokenizer.mask_token_id
        total += expected[place, ids[place]]
    return total


@pytest.mark.parametrize("kind", ["bert", "distilbert"])
def test_the_pseudo_log_likelihood_masks_each_piece_in_turn(kind, model, plain):
    sentences = [
        "she is a kind nurse.",
        "he works",
        "the doctor was new to the town, and to the man.",
    ]
    expected = [
        masked_by_hand(plain, kind, text, range(1, len(plain(kind, text)[0]) - 1))
        for text in sentences
    ]
    assert model(kind).pseudo_log_likelihood(sentences) == pytest.approx(expected, abs=1e-4)


def test_beside_another_sentence_only_the_pieces_they_share_are_masked(model, plain):
    one, other = "she is a kind nurse", "the man is a kind doctor"
    found = model().pseudo_log_likelihood([one, other], [other, one])
    assert found[0] == pytest.approx(masked_by_hand(plain, "bert", one, [2, 3, 4]), abs=1e-4)
    assert found[1] == pytest.approx(masked_by_hand(plain, "bert", other, [3, 4, 5]), abs=1e-4)


def bias(m, attributes=("nurse",), templates=(TEMPLATES[0],), targets=(("he", "she"),), **named):
    return log_probability_bias(m, attributes, templates, targets, **named)


BAD_INPUT = {
    "one string": (
        lambda m: m.log_probabilities("[MASK] is", ["he"]),
        ["expected a list", "put it in a list"],
    ),
    "no mask": (
        lambda m: m.log_probabilities(["he is kind"], ["he"]),
        ["expected a sentence with [MASK]", "he is kind"],
    ),
    "second mask of one": (
        lambda m: m.log_probabilities(["[MASK] is"], ["he"], 1),
        ["mask 1", "it has 1, counted from 0"],
    ),
    "mask below zero": (
        lambda m: m.log_probabilities(["[MASK] is"], ["he"], -1),
        ["mask -1", "it has 1"],
    ),
    "600 pieces": (
        lambda m: m.log_probabilities(["[MASK] " + "a " * 600], ["he"]),
        ["603 pieces", "the 64", "split it"],
    ),
    "unknown letters": (
        lambda m: m.log_probabilities(["[MASK]"], ["она"]),
        ["'она'", "letters that", "another word"],
    ),
    "several pieces": (
        lambda m: m.log_probabilities(["[MASK]"], ["nurses"]),
        ["2 pieces", "nurse ##s", "marginalise"],
    ),
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
        ["pieces must be one of error, mask, marginalise", "'sum'"],
    ),
    "unknown prior": (
        lambda m: bias(m, prior="wrong"),
        ["prior must be one of target, published", "'wrong'"],
    ),
    "published prior of several": (
        lambda m: bias(m, pieces="mask", prior="published"),
        ["use prior='target'"],
    ),
    "nothing to mask": (
        lambda m: m.pseudo_log_likelihood(["he is", ""]),
        ["expected a sentence", "got ''"],
    ),
    "nothing shared": (
        lambda m: m.pseudo_log_likelihood(["he is"], ["the town"]),
        ["shares no piece", "minimal pair"],
    ),
    "fewer others": (
        lambda m: m.pseudo_log_likelihood(["he", "she"], ["he"]),
        ["one of `others` for each", "1 for 2"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_refused_with_what_to_do(call, fragments, model, refuses):
    refuses(lambda: call(model()), fragments)


def test_the_shipped_model_refuses_a_sentence_of_600_pieces(refuses):
    m = MaskedLanguageModel("minilm-mlm", "cpu")
    refuses(
        lambda: m.log_probabilities(["[MASK] " + "word " * 597], ["he"]),
        ["600 pieces", "512", "split it"],
    )


def test_importing_the_module_loads_neither_torch_nor_transformers(loaded_by):
    assert loaded_by("lib.language_models", ["torch", "transformers", "huggingface_hub"]) == []
