"""The translator: its pieces and loss, going on after a kill, what is saved, the command."""

import hashlib
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load_file

from lib.datasets import tatoeba as tatoeba_pairs
from lib.datasets.tatoeba import letters
from lib.translation import load_translator
from lib.translation.evaluation_sets import first_person_set_french
from scripts.translator import doses, series
from scripts.translator import scores as training_scores
from scripts.translator import train as translator
from scripts.translator.card import write_card
from scripts.translator.model import (
    Gradients,
    batch_loss,
    new_model,
    put_dropout,
    smoothed_loss,
)
from scripts.translator.scores import quality, references
from scripts.translator.split import split_pairs
from scripts.translator.tokenizer import Pieces, batches, encode, make_tokenizer
from scripts.translator.train import Settings, prepare, steps_in, train
from tests.scripts.translator.pairs import sentences

pytestmark = pytest.mark.usefixtures("one_thread")

TINY = Settings(
    speech=0.2, vocabulary=300, width=48, encoder_layers=1, decoder_layers=1, steps=6, tokens=600
)


@pytest.fixture
def tatoeba(monkeypatch):
    """The pairs of `sentences` in the place of Tatoeba's."""
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", lambda language="es": sentences())


def test_pieces_give_the_text_back():
    tokenizer = make_tokenizer(sentences(), 300)
    texts = [spanish for _, spanish in sentences()]
    pieces = encode(tokenizer, texts)
    ends = np.cumsum(pieces.lengths)
    assert [tokenizer.decode(pieces.flat[a:b].tolist()) for a, b in zip([0, *ends], ends)] == texts
    assert (pieces.flat[ends - 1] == 2).all()


def test_one_epoch_holds_every_row_once_in_batches_of_like_length():
    rng = np.random.default_rng(0)
    source, target = (Pieces(np.zeros(0), rng.integers(2, 30, 500)) for _ in range(2))
    found = batches(source, target, 400, rng)
    assert sorted(np.concatenate(found).tolist()) == list(range(500))
    assert all(source.lengths[rows].sum() + target.lengths[rows].sum() <= 460 for rows in found)
    assert np.mean([np.ptp(target.lengths[rows]) for rows in found]) <= 2


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_the_smoothed_cross_entropy_in_value_and_gradient(smoothing):
    torch.manual_seed(0)
    features, matrix = (
        torch.randn(1100, 8, requires_grad=True),
        torch.randn(50, 8, requires_grad=True),
    )
    truth = torch.randint(50, (1100,))
    ours = smoothed_loss(features, matrix, truth, smoothing)
    plain = torch.nn.functional.cross_entropy(features @ matrix.T, truth, label_smoothing=smoothing)
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


def test_dropout_drops_its_share_in_training_only_and_keeps_the_mean():
    layer = torch.nn.Module()
    layer.fc2 = torch.nn.Identity()
    model = torch.nn.Module()
    model.layer = layer
    put_dropout(model, 0.1, SimpleNamespace(rng=np.random.default_rng(0)))
    out = layer.fc2(torch.ones(300, 300))
    assert (out == 0).float().mean().item() == pytest.approx(
        0.1, abs=0.01
    ) and out.mean().item() == pytest.approx(1, abs=0.02)
    model.eval()
    assert (layer.fc2(torch.ones(30)) == 1).all()


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tatoeba, tmp_path, refuses):
    split = split_pairs()
    work = prepare(split, TINY)
    scores = train(tmp_path / "whole", split, work)
    assert train(tmp_path / "halves", split, work, until=0)["step"] == 1
    assert train(tmp_path / "halves", split, work, every=0)["steps"] == 6
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "halves"))
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert not (tmp_path / "halves" / "checkpoint.safetensors").exists()
    train(tmp_path / "halves", split, work, until=0)
    refuses(
        lambda: train(tmp_path / "halves", split, replace(work, settings=replace(TINY, seed=1))),
        ["other settings", "delete"],
    )
    assert scores["heard"]["She"]["sentences"] == scores["heard"]["none"]["sentences"] > 0


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


def test_every_translation_of_a_source_is_a_reference():
    known = references(
        [("I'm ill.", "Estoy enfermo."), ("I'm ill!", "Estoy enferma."), ("Go.", "Vete.")]
    )
    assert known == {"I'm ill.": ["Estoy enfermo.", "Estoy enferma."], "Go.": ["Vete."]}
    found = quality(["Estoy enferma.", "Vete."], list(known.values()))
    assert found["all references"]["chrF2"]["score"] == pytest.approx(100)
    assert found["one reference"]["chrF2"]["score"] < 100
    assert "nrefs:var" in found["all references"]["BLEU"]["signature"]


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
    with pytest.raises(SystemExit) as end:
        translator.main(["--help"])
    assert end.value.code == 0 and re.search("--speech.*--arm", capsys.readouterr().out, re.DOTALL)


def test_french_is_never_taught_direct_speech(tatoeba, tmp_path, monkeypatch):
    monkeypatch.setattr(translator, "Settings", lambda **given: replace(TINY, **given))
    few = first_person_set_french()[:3]
    monkeypatch.setattr(training_scores, "first_person_set_french", lambda: few)
    assert translator.main(["--folder", str(tmp_path), "--steps", "2", "--direction", "en-fr"]) == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["settings"]["speech"] == scores["pairs"]["speech"] == 0
    assert json.loads((tmp_path / "held_out.json").read_text()) == []
    card = write_card(tmp_path).read_text()
    assert "English to French" in card and "tatoeba_fra_eng_zip" in card
    assert scores["heard"]["She"]["sentences"] == 3 and "first_person_french.json" in card


@pytest.mark.sample("tatoeba_spa_eng_zip")
@pytest.mark.parametrize(
    "direction, sizes, digest",
    [
        ("en-es", (115316, 1139, 2352, 157), "ea4408b235ae2de9"),
        ("es-en", (115206, 1227, 2373, 158), "6e65b1794e9c7d57"),
    ],
)
def test_the_parts_of_the_shipped_translators_do_not_change(direction, sizes, digest):
    split = split_pairs(direction)
    parts = (split.training, split.validation, split.test, split.speech)
    assert tuple(map(len, parts)) == sizes
    every = repr((*parts, sorted(split.stems), split.held_out))
    assert hashlib.sha256(every.encode()).hexdigest().startswith(digest)


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


def test_steps_for_a_time_are_measured(tatoeba):
    work = prepare(split_pairs(), TINY)
    assert steps_in(0.2, work, "cpu") > steps_in(0.02, work, "cpu") >= 1


def test_doses_keep_their_scores_and_are_not_trained_twice(tatoeba, monkeypatch, tmp_path):
    arms = ((0.2, "right"), (0.2, "plain"), (0.0, "right"))
    planned = [replace(TINY, steps=2, speech=speech, arm=arm) for speech, arm in arms]
    monkeypatch.setattr(series, "split_pairs", lambda: split_pairs("en-es"))
    outputs = pd.DataFrame({"set": ["first person"], "english": ["I am tired."]})
    monkeypatch.setattr(doses, "kept_outputs", lambda translator: outputs)
    assert doses.train_all(tmp_path / "kept", tmp_path / "work", planned) == 3
    names = [path.parent.name for path in sorted((tmp_path / "kept").glob("*/scores.json"))]
    assert names == ["plain-0.2-2-seed0", "right-0-2-seed0", "right-0.2-2-seed0"]
    assert not any((tmp_path / "work").iterdir())
    kept = tmp_path / "kept" / "plain-0.2-2-seed0"
    assert pd.read_csv(kept / "outputs.csv").equals(outputs)
    scores = json.loads((kept / "scores.json").read_text())
    assert scores["settings"]["arm"] == "plain" and set(scores["heard"]) == {
        "none",
        "He",
        "I",
        "She",
    }
    assert doses.train_all(tmp_path / "kept", tmp_path / "work", planned) == 0


def test_every_dose_and_arm_has_each_seed_once():
    found = list(doses.runs(steps=5, seeds=2, precision="float32"))
    assert len({doses.name_of(settings) for settings in found}) == len(found) == 2 * len(doses.RUNS)
    assert [settings.seed for settings in found] == sorted(settings.seed for settings in found)
