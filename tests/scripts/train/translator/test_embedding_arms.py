"""What an encoder starts from: the arms, and what each is made to do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.datasets import tatoeba as tatoeba_pairs
from scripts.train.translator import embedding_arms
from scripts.train.translator.embedding_arms import ArmSettings
from scripts.train.translator.input_vectors import (
    arm_vectors,
    contrast_left,
    contrast_pairs,
    glove_of_pieces,
    with_reserved_dimension,
)
from scripts.train.translator.split import split_pairs
from scripts.train.translator.tokenizer import encode, make_tokenizer
from scripts.train.translator.train import start
from studies.equalizing.embedding_arms import ARMS
from tests.scripts.train.translator.pairs import sentences

pytestmark = pytest.mark.usefixtures("one_thread")

WORDS = [
    "she",
    "he",
    "her",
    "his",
    "Mary",
    "John",
    "woman",
    "man",
    "mother",
    "father",
    "doctor",
    "teacher",
    "soldier",
    "judge",
    "red",
]
TINY = ArmSettings(
    vocabulary=300, width=48, encoder_layers=1, decoder_layers=1, steps=2, tokens=600
)


def pairs():
    """Those of `sentences`, and some with the words of a contrast and occupations."""
    told = [
        (f"{a} met the {b} again.", f"{b} {a}.")
        for a in WORDS
        for b in WORDS[10:]
        for _ in range(9)
    ]
    return [*sentences(), *told]


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer(pairs(), 500)


@pytest.fixture(scope="module")
def glove(tokenizer):
    source = encode(tokenizer, [english for english, _ in pairs()])
    return glove_of_pieces(source, tokenizer.get_vocab_size(), 24, rng=0)


def test_each_arm_does_what_its_name_says(tokenizer, glove):
    known = ~np.isnan(glove).any(axis=1)
    made = {arm: arm_vectors(arm, glove, tokenizer, rng=0) for arm in ARMS}
    assert np.isnan(made["random"]).all()
    for arm in ARMS[1:]:
        assert np.isnan(made[arm][~known]).all()
        np.testing.assert_allclose(np.linalg.norm(made[arm][known], axis=1), 1, rtol=1e-5)
    left = {arm: contrast_left(np.nan_to_num(made[arm]), tokenizer, known) for arm in ARMS[1:]}
    assert left["glove"]["occupations"] > 0.01 and left["hard-debiased"]["occupations"] < 1e-6
    assert left["random-projection"]["occupations"] > 0.01
    she, he, doctor = (tokenizer.token_to_id(f"▁{word}") for word in ("she", "he", "doctor"))
    last = made["reserved"][:, -1]
    assert last[she] == pytest.approx(0.5**0.5) == -last[he] and last[doctor] == 0
    changed = np.abs(made["random-projection"] - made["glove"]).max(axis=1) > 1e-6
    assert changed[doctor] and not changed[she] and not changed[he]
    products = made["hard-debiased"] @ made["hard-debiased"][doctor]
    for female, male in contrast_pairs(tokenizer, known):  # they differ in nothing else
        assert products[female] == pytest.approx(products[male], abs=1e-5)


@settings(max_examples=20)
@given(st.integers(2, 6), st.integers(0, 99))
def test_a_reserved_dimension_keeps_products_beside_the_direction(width, seed):
    rng = np.random.default_rng(seed)
    words, direction = rng.normal(size=(5, width)), rng.normal(size=width)
    made = with_reserved_dimension(words, direction, [], [])
    rest = words - np.outer(words @ direction, direction) / (direction @ direction)
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    np.testing.assert_allclose(made @ made.T, rest @ rest.T, atol=1e-9)


def test_arms_of_a_seed_differ_in_the_given_vectors_alone(monkeypatch):
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", pairs)
    work = embedding_arms.prepare(split_pairs(), TINY)
    given = np.full((work.tokenizer.get_vocab_size(), TINY.width), np.nan)
    given[7] = 1.0
    random, started = (
        dict(start(replace(work, vectors=vectors), "cpu")[0].named_parameters())
        for vectors in (given * np.nan, given)
    )
    assert set(random) == set(started)
    for name, values in random.items():
        differs = (values != started[name]).reshape(len(values), -1).any(1).nonzero().ravel()
        own = name == "model.encoder.embed_tokens.weight"
        assert differs.tolist() == ([7] if own else [])
