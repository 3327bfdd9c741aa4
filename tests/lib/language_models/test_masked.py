"""Masked language models: agreement with a plain forward pass, and what is refused."""

import shutil

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models import MaskedLanguageModel, log_probability_bias
from lib.language_models.batching import batched
from lib.language_models.low_rank import minilm_mlm, seed_weights
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
TEMPLATES = ["{target} is a {attribute}.", "the {attribute} of the town is {target}."]


def test_a_model_that_does_not_read_gives_its_own_frequencies_and_no_bias(tiny_model):
    m = MaskedLanguageModel(str(tiny_model("bert")), "cpu")
    for name, parameter in m.transformer.model.named_parameters():
        parameter.data.mul_(name == "cls.predictions.bias")
    bias = m.transformer.model.cls.predictions.bias.detach().double()
    place = [m.single_piece_id(word, False) for word in WORDS]
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
    m, sentence = MaskedLanguageModel("minilm-mlm", "cpu"), "She drove the [MASK] to work."
    ids = m.transformer.tokenizer(sentence, return_tensors="pt")
    with torch.inference_mode():
        logits = minilm_mlm(seed_weights()[0])(**ids).logits[0, 4]
    words = ["car", "truck", "house"]
    expected = torch.log_softmax(logits, -1)[m.transformer.tokenizer.convert_tokens_to_ids(words)]
    assert m.log_probabilities([sentence], words)[0] == pytest.approx(expected.numpy(), abs=1e-5)
    assert (m.name, m.mask_token, m.cased) == ("minilm-mlm", "[MASK]", False)
    assert m.source.startswith("minilm-mlm@sha256:")


@settings(max_examples=30)
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
        patch.setattr(
            "lib.language_models.memory.batched",
            lambda transformer, rows, pieces: batched(transformer, rows, room),
        )
        together = m.log_probabilities(
            [sentences[place] for place in order], WORDS, masks[list(order)]
        )
    assert np.allclose(together, np.tile(alone, (3, 1))[list(order)], atol=1e-4)


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
    assert m.encode(SENTENCES) == whole.encode(SENTENCES)
    assert np.array_equal(
        m.log_probabilities(SENTENCES, WORDS, MASKS),
        whole.log_probabilities(SENTENCES, WORDS, MASKS),
    )


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


BAD_INPUT = {
    "no mask": (
        lambda m: m.log_probabilities(["he is kind"], ["he"]),
        ["expected a sentence with [MASK]", "he is kind"],
    ),
    "second mask of one": (
        lambda m: m.log_probabilities(["[MASK] is"], ["he"], 1),
        ["mask 1", "it has 1, counted from 0"],
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
    "nothing shared": (
        lambda m: m.pseudo_log_likelihood(["he is"], ["the town"]),
        ["shares no piece", "minimal pair"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_refused_with_what_to_do(call, fragments, model, refuses):
    refuses(lambda: call(model()), fragments)
