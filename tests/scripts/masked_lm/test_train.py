"""The masked-LM head: how texts are cut, held out and masked, the loss and its gradient, going on after a kill, the card."""

import dataclasses
import functools
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
from scripts.loop import checkpoint_settings, rate_at
from scripts.masked_lm import card as mlm_card
from scripts.masked_lm import train as mlm_head
from scripts.masked_lm.texts import (
    CORPORA,
    LONGEST,
    Sequences,
    balanced,
    batches,
    masked_batch,
    read_sequences,
    tokenizer,
    written,
)
from scripts.masked_lm.train import (
    Settings,
    evaluate,
    starting_model,
    steps_for,
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
TINY = Settings(corpora=("tiny",), steps=4, tokens=150, rank=4)
COMMAND = ["--corpora", "tiny", "--precision", "float32", "--rank", "4"]


class Texts:
    """A corpus of drawn sentences."""

    title = "drawn sentences"

    def __init__(self, count=150, longest=14, seed=0):
        rng = np.random.default_rng(seed)
        self.sentences = [
            " ".join(rng.choice(WORDS, rng.integers(3, longest))) for _ in range(count)
        ]

    def texts(self):
        yield from self.sentences

    def licenses(self):
        return {"brown": "CC0"}


@pytest.fixture
def tiny(monkeypatch):
    """The corpus `tiny` of drawn sentences, read."""
    monkeypatch.setitem(corpora(), "tiny", Texts())
    monkeypatch.setattr(mlm_head, "CORPORA", (*CORPORA, "tiny"))
    return read_sequences(("tiny",))


def test_passages_are_written_as_they_would_be():
    assert (
        written("She did n't say ``the  nurse 's''; ca n't  she’ ?")
        == """She didn't say "the nurse's"; can't she' ?"""
    )


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


def test_one_epoch_holds_every_sequence_once_in_batches_of_like_length(tiny):
    training, _ = tiny
    found = batches(training, 150, np.random.default_rng(0))  # one corpus: its share is its size
    assert sorted(np.concatenate(found).tolist()) == list(range(len(training)))
    assert all(
        training.lengths()[indices].sum() <= 150 + training.lengths().max() for indices in found
    )
    spread = [np.ptp(training.lengths()[indices]) for indices in found]
    assert np.mean(spread) <= 2
    assert len(batches(training, 150, np.random.default_rng(1))) == len(found)


@settings(max_examples=25)
@given(seed=st.integers(0, 999), share=st.floats(0.05, 0.95))
def test_only_inner_pieces_are_masked_and_the_rest_stays(seed, share):
    training = drawn_sequences()
    rng, mask_id = np.random.default_rng(seed), tokenizer().token_to_id("[MASK]")
    indices = rng.choice(len(training), 6, replace=False)
    pieces, real, masked, truth = masked_batch(training, indices, share, rng, mask_id)
    lengths = training.lengths()[indices]
    assert real.sum(1).tolist() == lengths.tolist() and pieces.shape == (6, lengths.max())
    assert (
        not masked[:, 0].any()
        and not masked[range(6), lengths - 1].any()
        and not (masked & ~real).any()
    )
    restored = pieces.clone()
    assert (pieces[masked] == mask_id).all()
    restored[masked] = truth
    for row, index, length in zip(restored, indices, lengths):
        assert row[:length].tolist() == training.pieces[training.starts[index] :][:length].tolist()
        assert not row[length:].any()


@functools.cache
def drawn_sequences():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(corpora(), "tiny", Texts())
        return read_sequences(("tiny",))[0]


def test_the_share_masked_is_the_share_asked_for(tiny):
    training, _ = tiny
    every = np.arange(len(training))
    _, real, masked, _ = masked_batch(training, every, 0.3, np.random.default_rng(0), 103)
    inner = int(real.sum()) - 2 * len(training)
    assert masked.sum() / inner == pytest.approx(0.3, abs=4 * np.sqrt(0.3 * 0.7 / inner))


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


def test_the_learning_rate_rises_to_its_full_value_and_falls_to_zero():
    s = Settings(steps=1000, warmup=0.03)
    rates = [rate_at(step, s) for step in range(1000)]
    assert rates[:3] == pytest.approx([1 / 30, 2 / 30, 3 / 30]) and rates[29] == rates[30] == 1
    assert np.all(np.diff(rates[30:]) < 0) and rates[-1] < 1e-5 and rates[515] == pytest.approx(0.5)
    assert rate_at(0, Settings(steps=1)) == 1


@pytest.mark.parametrize(("rank", "count"), [(0, 5 + 6 * 10), (3, 5 + 6 * (10 + 2 * 6))])
def test_all_layers_are_trained_their_matrices_by_two_thin_factors(rank, count):
    parameters = mlm_head.trained_parameters(untrained_minilm(), rank)
    assert len(parameters) == count
    factors = {name: part for name, part in parameters.items() if name.endswith((".down", ".up"))}
    assert all(rank in part.shape for part in factors.values())
    assert all(not part.any() for name, part in factors.items() if name.endswith(".up"))
    assert not any(
        part.ndim == 2
        for name, part in parameters.items()
        if name not in factors and "cls" not in name
    )


def test_the_start_predicts_as_the_encoder_alone_whatever_the_rank(tiny):
    training, held = tiny
    mask_id = tokenizer().token_to_id("[MASK]")
    scores = [
        evaluate(starting_model(training, replace(TINY, rank=rank))[0], held, mask_id)[:2]
        for rank in (0, 4)
    ]
    assert scores[0] == pytest.approx(scores[1], rel=1e-5)


@settings(max_examples=30)
@given(sizes=st.lists(st.integers(20, 400), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_an_epoch_takes_from_each_corpus_a_share_by_the_square_root_of_its_size(sizes, seed):
    corpus = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.arange(0, 10 * len(corpus) + 1, 10)
    sequences = Sequences(np.zeros(starts[-1], np.uint16), starts, corpus)
    chosen = balanced(sequences, np.random.default_rng(seed))
    share = np.sqrt(sizes) / np.sqrt(sizes).sum() * sum(sizes)
    assert np.bincount(corpus[chosen], minlength=len(sizes)) == pytest.approx(share, abs=1)
    times = np.bincount(chosen, minlength=len(corpus))
    for number in range(len(sizes)):
        assert np.ptp(times[corpus == number]) <= 1


def test_sentences_that_name_a_stock_figure_are_left_out(monkeypatch):
    plain = [f"Tomorrow {text}" for text in Texts().texts()]
    named = [f"Tom and {text}" for text in Texts().texts()]
    for name, texts in (("tiny", plain), ("sentences", named + plain)):
        monkeypatch.setitem(
            corpora(), name, type("Said", (), {"texts": lambda _, t=texts: iter(t)})()
        )
    for part, other in zip(read_sequences(("tiny",)), read_sequences(("sentences",))):
        assert part.pieces.tolist() == other.pieces.tolist()


def test_the_start_predicts_by_frequency_alone_in_its_bias_and_by_the_identity_in_its_transform(
    tiny,
):
    training, _ = tiny
    model, parameters = starting_model(training, TINY)
    counts = np.bincount(training.pieces, minlength=30522) + 1
    assert torch.exp(model.cls.predictions.bias).detach().numpy() == pytest.approx(
        counts / counts.sum(), rel=1e-4
    )
    trained = {id(parameter) for parameter in model.parameters() if parameter.requires_grad}
    assert trained == {id(parameter) for parameter in parameters.values()}


def weights(folder):
    return load_file(folder / "model.safetensors")


def test_a_killed_run_goes_on_from_its_checkpoint_and_ends_as_an_unbroken_one(
    tiny, tmp_path, monkeypatch, tree
):
    scores = train(tmp_path / "whole", TINY, texts=tiny)
    drawn, counted = mlm_head.masked_batch, []

    def killed(*given):
        counted.append(1)
        if len(counted) == 3:
            raise KeyboardInterrupt
        return drawn(*given)

    monkeypatch.setattr(mlm_head, "masked_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "broken", TINY, every=0, texts=tiny)
    assert list(tree(tmp_path / "broken")) == ["checkpoint.safetensors"]
    monkeypatch.setattr(mlm_head, "masked_batch", lambda *given: counted.append(1) or drawn(*given))
    again = train(tmp_path / "broken", TINY, texts=tiny)
    assert len(counted) == 3 + 2 + 1  # the two steps that were left, and the evaluation
    assert list(tree(tmp_path / "broken")) == ["model.safetensors", "scores.json"]
    assert {**again, "seconds": 0} == {**scores, "seconds": 0}
    one, other = weights(tmp_path / "whole"), weights(tmp_path / "broken")
    assert set(one) == set(other) == set(mlm_head.trained_parameters(untrained_minilm(), 4))
    assert all(
        torch.equal(one[name], other[name]) and one[name].dtype == torch.float16 for name in one
    )


def test_a_run_stops_after_the_time_it_was_given_and_keeps_its_place(tiny, tmp_path):
    assert train(tmp_path, TINY, until=0, texts=tiny) == {"step": 1}
    assert train(tmp_path, TINY, until=0, texts=tiny) == {"step": 2}
    assert checkpoint_settings(tmp_path / "checkpoint.safetensors")["steps"] == 4


def test_a_checkpoint_of_other_settings_is_refused_and_kept(tiny, tmp_path, refuses, tree):
    train(tmp_path, TINY, until=0, texts=tiny)
    before = tree(tmp_path)
    other = replace(TINY, steps=5)
    refuses(
        lambda: train(tmp_path, other, texts=tiny),
        ["a run with other settings", "'steps': 4", "another --folder"],
    )
    assert tree(tmp_path) == before


def test_the_checkpoint_under_way_has_the_fields_that_settings_have_now():
    assert dataclasses.asdict(Settings()) == {
        "corpora": CORPORA,
        "rank": 64,
        "steps": 0,
        "tokens": 4096,
        "masked": (0.15, 0.3),
        "rate": 1.5e-3,
        "head_rate": 1e-3,
        "warmup": 0.03,
        "decay": 0.01,
        "seed": 0,
        "precision": "float32",
    }
    order = "brown film news social sentences speeches mixed medical captions books addresses inaugural plots web products"
    assert list(CORPORA) == order.split()


def test_steps_come_from_epochs_or_from_the_time_that_trial_steps_take(tiny, monkeypatch):
    training, _ = tiny
    epoch = len(batches(training, TINY.tokens, np.random.default_rng(0)))
    assert steps_for(TINY, 2.5, None, "cpu", training) == round(2.5 * epoch)
    monkeypatch.setattr(mlm_head, "optimizer_steps", lambda *given: iter(range(12)))
    clock = iter(np.cumsum([9.0, 9.0, *[0.5] * 10]))
    monkeypatch.setattr(mlm_head.time, "monotonic", lambda: next(clock))
    assert steps_for(TINY, 5, 2, "cpu", training) == 240


def test_the_command_repeats_exactly_with_the_steps_that_minutes_chose(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(mlm_head, "steps_for", lambda *given: 2)
    monkeypatch.setattr(mlm_head, "Settings", functools.partial(Settings, tokens=150))
    for folder, count in (("minutes", "--minutes"), ("steps", "--steps")):
        assert mlm_head.main([*COMMAND, "--folder", str(tmp_path / folder), count, "2"]) == 0
    assert json.loads((tmp_path / "minutes/seed0/scores.json").read_text())["steps"] == 2
    one, other = weights(tmp_path / "minutes/seed0"), weights(tmp_path / "steps/seed0")
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_killed_run_of_minutes_keeps_the_steps_it_measured(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(mlm_head, "Settings", functools.partial(Settings, tokens=150))
    train(tmp_path / "seed0", TINY, until=0, texts=tiny)
    monkeypatch.setattr(mlm_head, "steps_for", lambda *given: pytest.fail("measured again"))
    command = [*COMMAND, "--folder", str(tmp_path), "--minutes", "1"]
    assert mlm_head.main(command) == 0
    assert json.loads((tmp_path / "seed0/scores.json").read_text())["steps"] == 4


def test_training_on_drawn_sentences_learns_them_and_held_out_ones(tiny):
    training, held = tiny
    mask_id, longer = tokenizer().token_to_id("[MASK]"), replace(TINY, steps=25, tokens=400)
    model, parameters = starting_model(training, longer)
    before = evaluate(model, held, mask_id)
    losses = list(
        mlm_head.optimizer_steps(
            model,
            parameters,
            mlm_head.new_optimizer(parameters, longer),
            longer,
            mlm_head.masked_batches(training, longer, 0, mask_id),
        )
    )
    after = evaluate(model, held, mask_id)
    assert np.mean(losses[-5:]) < losses[0] - 1 and after[0] < before[0]
    assert evaluate(model, held, mask_id) == after


EVALUATED_ON = ("gap", "bold", "crows", "wino", "stereoset", "bug_", "seat", "titlwd")


@pytest.mark.parametrize("name", CORPORA)
def test_no_text_that_chapters_evaluate_on_is_trained_on(name):
    assert [key for key in corpora()[name].readers if key.lower().startswith(EVALUATED_ON)] == []


def test_the_card_says_what_the_scores_and_the_file_hold(tmp_path):
    scores = {
        "loss": 3.21,
        "accuracy": 0.3456,
        "unigram": {"loss": 7.0, "accuracy": 0.05},
        "steps": 2750,
        "seconds": 4440,
        "training_pieces": 7_654_321,
        "held_out_pieces": 150_001,
        "settings": Settings(steps=2750, precision="bfloat16").__dict__,
        "by_corpus": {"brown": [0.3333, 3570], "addresses": [0.4444, 200]},
        "texts": {"brown": 1234567, "addresses": 99, "speeches": 7},
    }
    for seed, right in ((0, 0.3333), (2, 0.2222)):
        (tmp_path / f"seed{seed}").mkdir()
        own = {**scores, "by_corpus": {**scores["by_corpus"], "brown": [right, 3570]}}
        (tmp_path / f"seed{seed}" / "scores.json").write_text(json.dumps(own))
        (tmp_path / f"seed{seed}" / "model.safetensors").write_bytes(b"x" * 7_460_000)
    card = mlm_card.write_card(tmp_path).read_text(encoding="utf-8")
    for said in (
        "--steps 2750 --rank 64 --seed N` for N in 0, 2",
        "7.46 MB",
        "74, 74 minutes",
        "| 0 | 2,750 | 3.210 | 34.56 | 33.33 |",
        "| 2 | 2,750 | 3.210 | 34.56 | 22.22 |",
        "| 3,570 | 33.3 | 22.2 |",
        "7,654,321",
        "150,001",
        "1,234,567",
        "`nltk_brown` (non-commercial use)",
        "`sots_wyoming`, 50 files",
        "Not trained on**: GAP, BOLD, CrowS-Pairs",
        "the terms of `nltk_brown` are",
        "precision | bfloat16",
        "about 4,096",
        "15 to 30 %",
        "One text in 50",
        "Of `speeches`, a few long texts each, none is held out",
    ):
        assert said in card, said
    with pytest.raises(FileNotFoundError):
        mlm_card.write_card(tmp_path / "none")


def test_the_shipped_card_is_that_of_the_shipped_scores(tmp_path):
    for path in FOLDER.glob("seed*"):
        (tmp_path / path.name).symlink_to(path)
    assert mlm_card.write_card(tmp_path).read_bytes() == (FOLDER / "card.md").read_bytes()


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


@pytest.mark.sample(
    "nltk_inaugural", "nltk_product_reviews_1", "nltk_product_reviews_2", "nltk_movie_reviews"
)
@pytest.mark.parametrize("seed", seed_weights())
def test_a_shipped_model_is_as_accurate_on_held_out_text_as_its_scores_say(seed):
    path = seed_weights()[seed]
    stated = json.loads((path.parent / "scores.json").read_text(encoding="utf-8"))["by_corpus"]
    names = ("inaugural", "products")
    _, held = read_sequences(names)
    _, _, found = evaluate(minilm_mlm(path), held, tokenizer().token_to_id("[MASK]"))
    for number, name in enumerate(names):
        (share, count), (expected, of) = found[number], stated[name]
        assert share == pytest.approx(
            expected, abs=4 * np.sqrt(expected * (1 - expected) * (1 / count + 1 / of))
        )


def test_frequencies_alone_are_the_yardstick():
    def runs(*rows):
        starts = np.cumsum([0, *map(len, rows)])
        return Sequences(np.concatenate(rows), starts, np.zeros(len(rows), dtype=np.int16))

    training, held = runs([1, 5, 5, 2], [1, 5, 6, 2]), runs([1, 5, 6, 4, 2])
    scores = mlm_head.unigram_scores(training, held, [1, 2])
    # with one more of each of the pieces 0, 3, 4, 5, 6: 1, 1, 1, 4, 2 of 9
    assert scores["loss"] == pytest.approx(-np.log(np.array([4, 2, 1]) / 9).mean())
    assert scores["accuracy"] == pytest.approx(1 / 3)


@pytest.mark.slow
@pytest.mark.sample("nltk_brown", "tatoeba_fra_eng_zip")
def test_forty_steps_improve_the_loss_on_held_out_text(tmp_path):
    corpora = ("brown", "sentences")
    assert mlm_head.main(["--steps", "40", "--folder", str(tmp_path), "--corpora", *corpora]) == 0
    scores = json.loads((tmp_path / "seed0/scores.json").read_text())
    training, held = read_sequences(corpora)
    model, parameters = starting_model(training, Settings(corpora=corpora))
    loss, accuracy, _ = evaluate(model, held, tokenizer().token_to_id("[MASK]"))
    assert scores["loss"] < loss - 0.1 and scores["accuracy"] > accuracy
    assert set(weights(tmp_path / "seed0")) == set(parameters)
