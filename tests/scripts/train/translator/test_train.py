"""The translator: its loss, going on after a stop, what is saved, the command, a series of trainings."""

import json
import re
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from lib.datasets import tatoeba as tatoeba_pairs
from lib.datasets.tatoeba import letters
from lib.translation import load_translator
from scripts.train.translator import doses, series
from scripts.train.translator import train as translator
from scripts.train.translator.card import write_card
from scripts.train.translator.model import (
    Gradients,
    batch_loss,
    new_model,
    smoothed_loss,
)
from scripts.train.translator.scores import quality
from scripts.train.translator.split import split_pairs
from scripts.train.translator.train import Settings, prepare, train
from tests.scripts.train.translator.pairs import sentences

pytestmark = pytest.mark.usefixtures("one_thread")

TINY = Settings(
    speech=0.2, vocabulary=300, width=48, encoder_layers=1, decoder_layers=1, steps=3, tokens=600
)


@pytest.fixture
def tatoeba(monkeypatch):
    """The pairs of `sentences` in the place of Tatoeba's."""
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", lambda language="es": sentences())


def test_the_loss_is_the_smoothed_cross_entropy_in_value_and_gradient():
    torch.manual_seed(0)
    features, matrix = (
        torch.randn(1100, 8, requires_grad=True),
        torch.randn(50, 8, requires_grad=True),
    )
    truth = torch.randint(50, (1100,))
    ours = smoothed_loss(features, matrix, truth, 0.1)
    plain = torch.nn.functional.cross_entropy(features @ matrix.T, truth, label_smoothing=0.1)
    assert ours.item() == pytest.approx(plain.item(), rel=1e-5)
    for one, other in zip(
        torch.autograd.grad(3 * ours, (features, matrix)),
        torch.autograd.grad(3 * plain, (features, matrix)),
    ):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)


def test_the_gradients_of_two_threads_are_those_of_the_whole_batch():
    model = new_model(60, 48, 2, 1, 0)
    names = dict(model.named_parameters())
    parameters = [p for p in names.values() if p.requires_grad]
    source, target = torch.randint(3, 60, (2, 7, 6))
    source[::3, 4:], target[::2, 3:] = 0, 0
    expected = torch.autograd.grad(
        loss := batch_loss(model, source, target, 0.1, "float32"), parameters
    )
    assert Gradients(model, parameters, 0.0, 0.1, "float32").put(
        source, target, [0]
    ) == pytest.approx(loss.item(), rel=1e-5)
    for parameter, gradient in zip(parameters, expected):
        torch.testing.assert_close(parameter.grad, gradient, rtol=1e-3, atol=1e-6)


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_as_one_that_was_not(tatoeba, tmp_path, refuses):
    split = split_pairs()
    work = prepare(split, TINY)
    scores = train(tmp_path / "whole", split, work)
    assert train(tmp_path / "halves", split, work, until=0)["step"] == 1
    assert train(tmp_path / "halves", split, work, every=0)["steps"] == 3
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "halves"))
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert not (tmp_path / "halves" / "checkpoint.safetensors").exists()
    train(tmp_path / "halves", split, work, until=0)
    refuses(
        lambda: train(tmp_path / "halves", split, replace(work, settings=replace(TINY, seed=1))),
        ["other settings", "delete"],
    )
    assert scores["heard"]["She"]["sentences"] == scores["heard"]["none"]["sentences"] > 0


@pytest.mark.slow
def test_a_saved_folder_loads_and_translates_and_its_card_tells_its_scores(tatoeba, tmp_path):
    split = split_pairs()
    scores = train(tmp_path, split, prepare(split, replace(TINY, steps=150, rate=1e-2, width=96)))
    loaded = load_translator(str(tmp_path), device="cpu", cache=False)
    assert next(iter(load_file(tmp_path / "model.safetensors").values())).dtype == torch.float16
    given = [english for english, _ in split.training[:20]]
    outputs = loaded.translate(given)
    known = [[spanish for source, spanish in sentences() if source == english] for english in given]
    right, wrong = (
        quality(outputs, found)["all references"]["chrF2"]["score"]
        for found in (known, known[7:] + known[:7])
    )
    assert right > wrong + 10
    assert (
        sum(one == loaded.translate([text])[0] for one, text in zip(outputs, given)) >= 18
    )  # ties may fall otherwise
    assert json.loads((tmp_path / "held_out.json").read_text()) == split.held_out
    card = write_card(tmp_path).read_text()
    bleu = scores["test"]["all references"]["BLEU"]
    assert (
        bleu["signature"] in card
        and f"{bleu['score']:.1f}" in card
        and "CC-BY" in card
        and "She said:" in card
    )


def test_the_command_line_trains_and_goes_on_and_refuses_what_makes_no_sense(
    tatoeba, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(translator, "Settings", lambda **given: replace(TINY, **given))
    assert translator.main(["--folder", str(tmp_path), "--steps", "2", "--direction", "es-en"]) == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["settings"]["speech"] == 0 and "heard" not in scores and scores["steps"] == 2
    assert (
        translator.main(["--folder", str(tmp_path), "--card"]) == 0
        and "Spanish to English" in (tmp_path / "card.md").read_text()
    )
    for wrong, told in [
        (["--speech", "1.5"], "share from 0"),
        (["--minutes", "-1"], "positive"),
        (["--arm", "left"], "shuffled"),
        (["--direction", "en-de"], "es-en"),
        (["--direction", "en-fr", "--speech", "0.1"], "expected 0 for French"),
    ]:
        with pytest.raises(SystemExit):
            translator.main(wrong)
        assert told in capsys.readouterr().err


@pytest.mark.sample("tatoeba_fra_eng_zip")
def test_no_english_source_is_shared_between_the_parts_of_french():
    split = split_pairs("en-fr")
    training, validation, test = (
        {letters(english) for english, _ in part}
        for part in (split.training, split.validation, split.test)
    )
    assert not training & validation and not training & test and not validation & test
    assert len(split.training) > 130_000 and len(split.test) > 2500
    assert not split.speech and not split.held_out
    assert not any(re.search("[\u00a0\u202f’]", text) for pair in split.training for text in pair)


def test_of_a_series_what_has_scores_is_not_trained_again(tmp_path, monkeypatch):
    monkeypatch.setattr(series, "split_pairs", lambda: None)
    planned = [replace(TINY, arm=arm, seed=seed) for seed in (0, 1) for arm in ("right", "plain")]
    kept, work, trained = tmp_path / "kept", tmp_path / "work", []

    def train_one(split, settings):
        trained.append(settings)
        for folder in (kept, work):
            (folder / doses.name_of(settings)).mkdir(parents=True)
        (kept / doses.name_of(settings) / "scores.json").touch()

    for part in (planned[:1], planned, planned):
        series.train_missing(kept, work, part, doses.name_of, train_one)
    assert trained == planned and not any(work.iterdir())
