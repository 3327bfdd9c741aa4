"""What an encoder starts from: its own matrix, the arms and what each is made to do, the command."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.datasets import tatoeba as tatoeba_pairs
from lib.translation.translators import ModelTranslator
from scripts.translator import embedding_arms
from scripts.translator.embedding_arms import ArmSettings, name_of, runs, train_all
from scripts.translator.input_vectors import (
    MIN_COUNT,
    arm_vectors,
    contrast_left,
    contrast_pairs,
    glove_of_pieces,
    pieces_of,
    with_reserved_dimension,
)
from scripts.translator.model import new_model, put_vectors
from scripts.translator.split import split_pairs
from scripts.translator.tokenizer import encode, make_tokenizer
from scripts.translator.train import start
from studies.equalizing.embedding_arms import ARMS, missing_arms, read_arms
from tests.scripts.translator.pairs import sentences

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


def test_only_pieces_that_occur_often_enough_have_vectors(tokenizer, glove):
    counts = np.bincount(
        encode(tokenizer, [english for english, _ in pairs()]).flat, minlength=len(glove)
    )
    known = ~np.isnan(glove).any(axis=1)
    assert not known[:3].any() and (known[3:] == (counts[3:] >= MIN_COUNT)).all() and known.any()


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


def test_hard_debiasing_leaves_pairs_that_differ_in_nothing_else(tokenizer, glove):
    known = ~np.isnan(glove).any(axis=1)
    vectors = arm_vectors("hard-debiased", glove, tokenizer)
    doctor = tokenizer.token_to_id("▁doctor")
    for female, male in contrast_pairs(tokenizer, known):
        assert vectors[doctor] @ vectors[female] == pytest.approx(
            vectors[doctor] @ vectors[male], abs=1e-5
        )


@given(st.integers(2, 6), st.integers(0, 99))
def test_a_reserved_dimension_keeps_products_beside_the_direction(width, seed):
    rng = np.random.default_rng(seed)
    words, direction = rng.normal(size=(5, width)), rng.normal(size=width)
    made = with_reserved_dimension(words, direction, [], [])
    rest = words - np.outer(words @ direction, direction) / (direction @ direction)
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    np.testing.assert_allclose(made @ made.T, rest @ rest.T, atol=1e-9)


def test_a_word_counts_in_both_spellings(tokenizer):
    known = np.ones(tokenizer.get_vocab_size(), bool)
    found = {tokenizer.id_to_token(int(row)) for row in pieces_of(tokenizer, ["mary", "he"], known)}
    assert found == {"▁Mary", "▁he", "▁He"}


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda t, g: arm_vectors("glow", g, t), "arm"),
        (lambda t, g: contrast_pairs(t, np.zeros(len(g), bool)), "both words of a pair"),
        (lambda t, g: put_vectors(new_model(9, 48, 1, 1, 0), np.zeros((9, 48))), "tied=False"),
        (
            lambda t, g: put_vectors(new_model(9, 48, 1, 1, 0, tied=False), np.zeros((8, 48))),
            r"\(9, 48\), got \(8, 48\)",
        ),
    ],
)
def test_what_is_wrong_is_said(tokenizer, glove, call, message):
    with pytest.raises(ValueError, match=message):
        call(tokenizer, glove)


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


def test_runs_keep_their_scores_and_are_not_trained_twice(monkeypatch, tmp_path):
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", pairs)
    occupations = pd.DataFrame(
        {"english": ["doctor"], "feminine": ["médica"], "masculine": ["médico"]}
    )
    asked = []
    monkeypatch.setattr(embedding_arms, "read_occupations", lambda: occupations)
    monkeypatch.setattr(
        embedding_arms, "winomt_counts", lambda made: asked.append(made) or {"delta_g": 30}
    )
    planned = [replace(TINY, vectors=arm) for arm in ("random", "hard-debiased")]
    assert train_all(tmp_path / "kept", tmp_path / "work", planned) == 2
    assert train_all(tmp_path / "kept", tmp_path / "work", planned) == 0
    scores = json.loads((tmp_path / "kept/hard-debiased-seed0/scores.json").read_text())
    assert scores["settings"]["vectors"] == "hard-debiased" and scores["given_pieces"] > 0
    assert scores["contrast"]["start"]["occupations"] < 1e-6
    assert sum(scores["equalizing"]["two forms"]["friend"]["her"].values()) == 1
    table = read_arms(tmp_path / "kept")
    assert table["arm"].tolist() == ["random", "hard-debiased"]
    ends = ["low", "high", "control low", "control high"]
    known = table.drop(columns=ends)  # of one occupation there is no interval
    assert known.notna().all(axis=None)
    assert (table["pronouns"] == table["her"] - 100 + table["him"]).all() or table["him"].lt(
        100
    ).all()
    assert missing_arms(table, [0]) == [
        "GloVe, seed 0",
        "GloVe, contrast in a reserved dimension, seed 0",
        "GloVe without a random direction, seed 0",
    ]
    assert isinstance(asked[0], ModelTranslator)
    model = asked[0].transformer.model
    matrices = model.get_encoder().embed_tokens.weight, model.get_output_embeddings().weight
    assert not np.array_equal(*(matrix.detach().numpy() for matrix in matrices))


def test_every_arm_has_each_seed_once_and_whole_seeds_come_first():
    planned = list(runs(steps=5, seeds=2, precision="float32"))
    assert len({name_of(settings) for settings in planned}) == len(planned) == 2 * len(ARMS)
    assert [settings.seed for settings in planned] == [0] * len(ARMS) + [1] * len(ARMS)
