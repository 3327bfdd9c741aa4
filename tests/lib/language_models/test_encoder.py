"""Vectors of words in their sentences: against the hidden states of a plain forward pass, and what is refused."""

import functools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models.encoder import ContextEncoder, whole_word
from tests.support.tiny_models import KINDS

pytestmark = pytest.mark.usefixtures("one_thread")
SENTENCES = [
    "she is a nurse.",
    "the Nurses of the new town works as nurse, and the nurse walks",
    "he was kind to the nurse",
]


@pytest.fixture(scope="module")
def encoder(tiny_model):
    return functools.cache(
        lambda kind="bert", layer=-1: ContextEncoder(str(tiny_model(kind)), layer, device="cpu")
    )


@pytest.fixture(scope="module")
def states(tiny_model):
    """A function from a kind and a sentence to (pieces, hidden states (layers + 1, t, d)), with transformers alone."""
    from transformers import AutoModel, AutoTokenizer

    @functools.cache
    def loaded(kind):
        return AutoTokenizer.from_pretrained(tiny_model(kind)), AutoModel.from_pretrained(
            tiny_model(kind)
        ).eval()

    def read(kind, sentence):
        tokenizer, network = loaded(kind)
        coded = tokenizer(sentence, return_tensors="pt")
        with torch.inference_mode():
            hidden = network(**coded, output_hidden_states=True).hidden_states
        return tokenizer.convert_ids_to_tokens(coded["input_ids"][0]), torch.stack(hidden)[
            :, 0
        ].numpy()

    return read


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_of_one_piece_is_the_hidden_state_at_its_place(kind, encoder, states):
    pieces, hidden = states(kind, "the nurse is kind")
    assert len(pieces) == 6
    assert encoder(kind).encode(["the nurse is kind"], ["nurse"])[0] == pytest.approx(
        hidden[-1, 2], abs=1e-5
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("word", "places"), [("nurses", [2, 3]), ("new town", [5, 6]), ("town", [6])]
)
def test_the_pieces_of_a_word_or_phrase_are_averaged(kind, word, places, encoder, states):
    pieces, hidden = states(kind, "the nurses of new town")
    assert len(pieces) == 8
    found = encoder(kind).encode(["the nurses of new town"], [word])[0]
    assert found == pytest.approx(hidden[-1, places].mean(0), abs=1e-5)


def test_layers_are_counted_from_the_input_or_from_the_end_and_several_are_averaged(
    encoder, states
):
    _, hidden = states("bert", "the nurse is kind")
    one = functools.partial(
        lambda layer: encoder("bert", layer).encode(["the nurse is kind"], ["nurse"])[0]
    )
    assert (encoder().layers, encoder().dimensions) == (3, 16)
    for layer in range(4):
        assert one(layer) == pytest.approx(hidden[layer, 2], abs=1e-5)
        assert np.array_equal(one(layer), one(layer - 4))
    assert one((-1, 0, 1)) == pytest.approx(hidden[[3, 0, 1], 2].mean(0), abs=1e-5)


def test_the_first_occurrence_as_a_whole_word_is_read_in_any_case(encoder, states):
    sentence = "the nurses works as Nurse, and the nurse walks"
    pieces, hidden = states("bert", sentence)
    assert pieces.index("nurse", 3) == 6
    assert encoder().encode([sentence], ["nurse"])[0] == pytest.approx(hidden[-1, 6], abs=1e-5)


def test_occurrences_are_all_whole_words_in_the_order_of_the_text(encoder, states):
    found = encoder().occurrences(
        [SENTENCES[1], "he walks", SENTENCES[2]], ["nurse", "kind", "town", "doctor"]
    )
    assert found.words == ["town", "nurse", "nurse", "kind", "nurse"]
    assert found.sentences.tolist() == [0, 0, 0, 2, 2] and found.vectors.shape == (5, 16)
    first = encoder().encode([SENTENCES[1], SENTENCES[1], SENTENCES[2]], ["town", "nurse", "kind"])
    assert np.allclose(found.vectors[[0, 1, 3]], first, atol=1e-6)
    assert not np.allclose(found.vectors[1], found.vectors[2])


def test_of_two_words_that_overlap_the_longer_is_found(encoder):
    found = encoder().occurrences(
        ["the new town is a new town", "a new nurse"], ["new", "new town"]
    )
    assert found.words == ["new town", "new town", "new"]


@settings(max_examples=25)
@given(
    order=st.permutations(range(6)),
    kind=st.sampled_from(KINDS),
    layer=st.sampled_from([-1, (0, 2)]),
)
def test_order_and_batching_change_nothing(order, kind, layer, encoder):
    sentences, words = SENTENCES * 2, ["nurse", "town", "kind", "she", "works", "he"]
    alone = np.concatenate(
        [encoder(kind, layer).encode([text], [word]) for text, word in zip(sentences, words)]
    )
    together = encoder(kind, layer).encode(
        [sentences[place] for place in order], [words[place] for place in order]
    )
    assert np.allclose(together, alone[list(order)], atol=1e-4)


def test_a_whole_word_is_not_a_part_of_one():
    found = whole_word(["he", "she", "don't", "C++"]).findall(
        "The sheep: he, SHE-wolf don't _he_ C++ hers (he)"
    )
    assert found == ["he", "SHE", "don't", "C++", "he"]


BAD_INPUT = {
    "a word that is not there": (
        lambda e: e.encode(["she is kind"], ["he"]),
        ["'he' does not occur", "she is kind"],
    ),
    "600 pieces": (
        lambda e: e.encode(["she " + "is " * 599], ["she"]),
        ["602 pieces", "the 64", "split it"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_is_refused_with_what_to_do(call, fragments, encoder, refuses):
    refuses(lambda: call(encoder()), fragments)


def test_a_layer_that_is_not_there_is_refused(tiny_model, refuses):
    refuses(
        lambda: ContextEncoder(str(tiny_model("bert")), 4),
        ["layers 0 (its input) to 3", "back to -4", "got 4"],
    )
