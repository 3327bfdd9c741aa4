"""The masked-LM head: how texts are held out and masked, the loss and its gradient, a killed run, what is shipped."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from lib.datasets.corpora import corpora
from lib.language_models.low_rank import FOLDER, minilm_mlm, seed_weights
from lib.language_models.minilm import untrained_minilm
from scripts.train.masked_lm import card as mlm_card
from scripts.train.masked_lm import train as mlm_head
from scripts.train.masked_lm.texts import (
    CORPORA,
    LONGEST,
    Sequences,
    masked_batch,
    read_sequences,
    tokenizer,
)
from scripts.train.masked_lm.train import (
    Settings,
    evaluate,
    starting_model,
    tied_loss,
    train,
)

pytestmark = pytest.mark.usefixtures("one_thread")
WORDS = [
    "the",
    "nurse",
    "doctor",
    "she",
    "he",
    "works",
    "walks",
    "in",
    "town",
    "house",
    "car",
    "red",
    "big",
    "tree",
]
TINY = Settings(corpora=("tiny",), steps=2, tokens=150, rank=4)


class Texts:
    """A corpus of drawn sentences."""

    def __init__(self, count=150, longest=14, seed=0):
        rng = np.random.default_rng(seed)
        self.sentences = [
            " ".join(rng.choice(WORDS, rng.integers(3, longest))) for _ in range(count)
        ]

    def texts(self):
        yield from self.sentences


@pytest.fixture(scope="module")
def drawn():
    """Training and held-out sequences of a corpus `tiny` of drawn sentences."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(corpora(), "tiny", Texts())
        patch.setattr(mlm_head, "CORPORA", (*CORPORA, "tiny"))
        yield read_sequences(("tiny",))


def test_texts_are_cut_between_the_special_pieces_and_held_out_by_what_they_say(monkeypatch):
    long = " ".join(["tree"] * 300)
    monkeypatch.setitem(corpora(), "one", Texts())
    monkeypatch.setitem(corpora(), "two", Texts())
    monkeypatch.setitem(
        corpora(),
        "long",
        type("Long", (), {"texts": lambda self: iter([long, "a", long])})(),
    )
    (training, held), (alone, _) = read_sequences(("one", "two", "long")), read_sequences(("one",))
    begin, end = (tokenizer().token_to_id(piece) for piece in ("[CLS]", "[SEP]"))
    for part in (training, held):
        assert (part.pieces[part.starts[:-1]] == begin).all() and (
            part.pieces[part.starts[1:] - 1] == end
        ).all()
    said = [
        {tuple(part.pieces[a:b]) for a, b in zip(part.starts, part.starts[1:])}
        for part in (training, held)
    ]
    assert not said[0] & said[1] and len(held) > 0
    assert (
        len(alone) == (training.corpus == 0).sum() == (training.corpus == 1).sum()
    )  # whichever corpora are read with it
    cut = (training.corpus == 2) | np.zeros(len(training), bool)
    assert training.lengths()[cut].tolist() == [
        LONGEST + 2,
        LONGEST + 2,
        300 - 2 * LONGEST + 2,
    ]  # a repeated text once


@settings(max_examples=10)
@given(seed=st.integers(0, 999), share=st.floats(0.05, 0.95))
def test_only_inner_pieces_are_masked_and_the_rest_stays(drawn, seed, share):
    training, _ = drawn
    rng, mask_id = np.random.default_rng(seed), tokenizer().token_to_id("[MASK]")
    indices = rng.choice(len(training), 6, replace=False)
    pieces, real, masked, truth = masked_batch(training, indices, share, rng, mask_id)
    lengths = training.lengths()[indices]
    assert real.sum(1).tolist() == lengths.tolist() and pieces.shape == (6, lengths.max())
    ends = masked[:, 0] | masked[range(6), lengths - 1]
    assert not ends.any() and not (masked & ~real).any()
    restored = pieces.clone()
    assert (pieces[masked] == mask_id).all()
    restored[masked] = truth
    for row, index, length in zip(restored, indices, lengths):
        assert row[:length].tolist() == training.pieces[training.starts[index] :][:length].tolist()
        assert not row[length:].any()


def test_the_loss_of_the_tied_decoder_is_the_cross_entropy_in_value_and_gradient():
    torch.manual_seed(0)
    features, decoder, bias = (torch.randn(size) for size in ((700, 8), (50, 8), (50,)))
    truth = torch.randint(50, (700,))
    features.requires_grad_(True)
    bias.requires_grad_(True)
    ours = tied_loss(features, decoder, bias, truth)
    grads = torch.autograd.grad(3 * ours, (features, bias))
    plain = torch.nn.functional.cross_entropy(features @ decoder.T + bias, truth)
    expected = torch.autograd.grad(3 * plain, (features, bias))
    assert ours.item() == pytest.approx(plain.item(), rel=1e-5)
    for one, other in zip(grads, expected):
        assert torch.allclose(one, other, atol=1e-6)


def weights(folder):
    return load_file(folder / "model.safetensors")


@pytest.mark.slow
def test_a_killed_run_goes_on_from_its_checkpoint_and_ends_as_an_unbroken_one(
    drawn, tmp_path, monkeypatch, refuses, tree
):
    scores = train(tmp_path / "whole", TINY, texts=drawn)
    masked, counted = mlm_head.masked_batch, []

    def killed(*given):
        counted.append(1)
        if len(counted) == 2:
            raise KeyboardInterrupt
        return masked(*given)

    broken = tmp_path / "broken"
    monkeypatch.setattr(mlm_head, "masked_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        train(broken, TINY, every=0, texts=drawn)
    before = tree(broken)
    assert list(before) == ["checkpoint.safetensors"]
    refuses(
        lambda: train(broken, replace(TINY, steps=5), texts=drawn),
        ["a run with other settings", "'steps': 2", "another --folder"],
    )
    assert tree(broken) == before
    again = train(broken, TINY, texts=drawn)
    assert len(counted) == 2 + 1 + 1  # the step that was left, and the evaluation
    assert list(tree(broken)) == ["model.safetensors", "scores.json"]
    assert {**again, "seconds": 0} == {**scores, "seconds": 0}
    one, other = weights(tmp_path / "whole"), weights(broken)
    assert set(one) == set(other) == set(mlm_head.trained_parameters(untrained_minilm(), 4))
    assert all(
        torch.equal(one[name], other[name]) and one[name].dtype == torch.float16 for name in one
    )


@pytest.mark.slow
def test_training_on_drawn_sentences_learns_them_and_held_out_ones(drawn):
    training, held = drawn
    mask_id, longer = tokenizer().token_to_id("[MASK]"), replace(TINY, steps=15, tokens=200)
    model, parameters = starting_model(training, longer)
    before, _, _ = evaluate(model, held, mask_id)
    losses = list(
        mlm_head.optimizer_steps(
            model,
            parameters,
            mlm_head.new_optimizer(parameters, longer),
            longer,
            mlm_head.masked_batches(training, longer, 0, mask_id),
        )
    )
    after, _, _ = evaluate(model, held, mask_id)
    assert np.mean(losses[-5:]) < losses[0] - 1 and after < before


EVALUATED_ON = ("gap", "bold", "crows", "wino", "stereoset", "bug_", "seat", "titlwd")


def test_no_text_that_chapters_evaluate_on_is_trained_on():
    keys = [key for name in CORPORA for key in corpora()[name].readers]
    assert keys and [key for key in keys if key.lower().startswith(EVALUATED_ON)] == []


def test_the_shipped_card_is_that_of_the_shipped_scores(tmp_path):
    for path in FOLDER.glob("seed*"):
        (tmp_path / path.name).symlink_to(path)
    assert mlm_card.write_card(tmp_path).read_bytes() == (FOLDER / "card.md").read_bytes()


@pytest.mark.slow
def test_the_shipped_models_are_small_and_change_every_matrix_of_the_encoder():
    package = untrained_minilm().state_dict()
    for path in seed_weights().values():
        stored = load_file(path)
        assert path.stat().st_size < 9e6
        assert {tensor.dtype for tensor in stored.values()} == {torch.float16}
        model = minilm_mlm(path).state_dict()
        changed = {name for name in package if not torch.equal(package[name], model[name])}
        assert {name for name in package if "encoder.layer" in name} <= changed
        assert {name for name in changed if "embeddings" in name} == set()


@pytest.mark.slow
@pytest.mark.sample("nltk_inaugural")
def test_shipped_models_are_as_accurate_on_held_out_text_as_their_scores_say():
    _, held = read_sequences(("inaugural",))
    for path in seed_weights().values():
        scores = json.loads((path.parent / "scores.json").read_text(encoding="utf-8"))
        expected, of = scores["by_corpus"]["inaugural"]
        _, _, found = evaluate(minilm_mlm(path), held, tokenizer().token_to_id("[MASK]"))
        share, count = found[0]
        error = np.sqrt(expected * (1 - expected) * (1 / count + 1 / of))
        assert share == pytest.approx(expected, abs=4 * error), path


def test_frequencies_alone_are_the_yardstick():
    def runs(*rows):
        starts = np.cumsum([0, *map(len, rows)])
        return Sequences(np.concatenate(rows), starts, np.zeros(len(rows), dtype=np.int16))

    training, held = runs([1, 5, 5, 2], [1, 5, 6, 2]), runs([1, 5, 6, 4, 2])
    scores = mlm_head.unigram_scores(training, held, [1, 2])
    # with one more of each of the pieces 0, 3, 4, 5, 6: 1, 1, 1, 4, 2 of 9
    assert scores["loss"] == pytest.approx(-np.log(np.array([4, 2, 1]) / 9).mean())
    assert scores["accuracy"] == pytest.approx(1 / 3)
