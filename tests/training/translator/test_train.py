"""The translator: how pairs are split, speech made, pieces; the loss, going on after a kill, what is saved."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lib.training.translator import doses
from lib.training.translator import train as translator
from lib.training.translator.card import write_card
from lib.training.translator.model import (
    Gradients,
    batch_loss,
    new_model,
    put_dropout,
    smoothed_loss,
)
from lib.training.translator.scores import quality, references
from lib.training.translator.tokenizer import Pieces, batches, encode, make_tokenizer
from lib.training.translator.train import Settings, prepare, steps_in, train, training_pairs
from lib.translation import tatoeba as tatoeba_pairs
from lib.translation.direct_speech import (
    CONDITIONS,
    adjectives,
    held_out_adjectives,
    holds,
    made_examples,
    marked_pair,
    prefixes,
    speaker_gender,
)
from lib.translation.tatoeba import directed, letters, split_pairs
from lib.translation.translators import load_translator

pytestmark = pytest.mark.usefixtures("one_thread")
STEMS = dict(
    cansad="tired",
    ocupad="busy",
    enferm="sick",
    preparad="ready",
    perdid="lost",
    content="glad",
    sol="alone",
    nervios="nervous",
    viej="old",
    tranquil="calm",
    celos="jealous",
    borrach="drunk",
    rápid="fast",
    callad="quiet",
    casad="married",
    quemad="burnt",
    sorprendid="surprised",
    tont="silly",
    alt="tall",
)
TINY = Settings(
    speech=0.2, vocabulary=300, width=48, encoder_layers=1, decoder_layers=1, steps=6, tokens=600
)


def sentences() -> list[tuple[str, str]]:
    """Some six hundred pairs, about half with a first person that is marked, a third of those feminine."""
    found = []
    days = {"today": "hoy", "now": "ahora", "here": "aquí", "already": "ya", "again": "también"}
    for number, (stem, english) in enumerate(STEMS.items()):
        for turn, (when, cuando) in enumerate(days.items()):
            ending = "oao"[(number + turn) % 3]
            found += [
                (f"I'm {english} {when}.", f"Estoy {stem}{ending} {cuando}."),
                (f"I was very {english} {when}.", f"Yo estaba muy {stem}{ending} {cuando}."),
                (f"I'm not {english} {when}!", f"¡No estoy {stem}{ending} {cuando}!"),
                (f"He is {english} {when}.", f"Él está {stem}o {cuando}."),
                (f"Mary is {english} {when}.", f"Mary está {stem}a {cuando}."),
                (f"Is she {english} {when}?", f"¿Está {stem}a {cuando}?"),
            ]
    return [*found, ("I'm tired today!", "¡Estoy cansada hoy!"), ("It rains.", "Llueve.")]


@pytest.fixture
def tatoeba(monkeypatch):
    """The pairs of `sentences` in the place of Tatoeba's."""
    monkeypatch.setattr(tatoeba_pairs, "read_pairs", sentences)


def stems_and_held():
    stems = adjectives(sentences())
    return stems, held_out_adjectives(stems)


@pytest.mark.parametrize("direction", ["en-es", "es-en"])
def test_no_source_sentence_is_shared_between_the_parts(tatoeba, direction):
    split = split_pairs(direction)
    parts = [split.training, split.validation, split.test, split.speech]
    keys = [{letters(source) for source, _ in directed(part, direction)} for part in parts]
    assert sum(map(len, parts)) == len(sentences()) and min(map(len, parts)) > 0
    assert not any(a & b for place, a in enumerate(keys) for b in keys[:place])
    assert split_pairs(direction) == split


@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_the_real_pairs_are_split_and_taught_without_the_held_out_adjectives():
    split, settings = split_pairs(), Settings()
    keys = [
        {letters(english) for english, _ in part}
        for part in (split.training, split.validation, split.test, split.speech)
    ]
    assert not any(a & b for place, a in enumerate(keys) for b in keys[:place])
    assert sum(map(len, (split.training, split.validation, split.test, split.speech))) == 118_964
    assert len(split.test) > 2000 and len(split.speech) > 100 and 30 < len(split.held_out) < 80
    pairs = training_pairs(split, settings)
    assert len(pairs) - len(split.training) == pytest.approx(0.1 * len(pairs), abs=1)
    begins = tuple(filter(None, (prefixes(*condition)[0] for condition in CONDITIONS)))
    spoken = [(english, spanish) for english, spanish in pairs if english.startswith(begins)]
    assert len(spoken) > 10_000 and not [pair for pair in spoken if holds(pair[1], split.held_out)]
    assert any(holds(spanish, split.held_out) for _, spanish in split.training)


def test_marked_first_persons_are_found_and_swapped_with_all_that_agrees():
    stems = adjectives(sentences())
    found = marked_pair(
        ("I'm tired and sick of being alone.", "Estoy cansado y enfermo de estar solo."), stems
    )
    assert found.masculine == "Estoy cansado y enfermo de estar solo." and found.found == "m"
    assert (
        found.feminine == "Estoy cansada y enferma de estar solo."
    )  # an infinitive may be anyone's: left alone
    assert marked_pair(
        ("I'm angry at myself.", "¡No estoy tan contenta conmigo misma!"), stems
    ).masculine == ("¡No estoy tan contento conmigo mismo!")
    for english, spanish in [
        ("I'm waiting.", "Estoy esperando."),
        ("I'm happy.", "Estoy feliz."),
        ("He is sick.", "Estaba enfermo."),
        ("I saw it.", "Estaba el perro enfermo."),
        ("I'm old hat.", "Soy viejo amigo."),
        ("I want it.", "Quiero una cosa."),
    ]:
        assert marked_pair((english, spanish), stems) is None, spanish
    told = ("Yo estaba muy cansada.", "Me quedé solo ayer", "Él está solo.", "")
    assert [speaker_gender(text, stems) for text in told] == ["f", "m", "", ""]


def test_adjectives_need_both_forms_or_a_participle():
    pairs = [
        ("I'm a", "Estoy raro."),
        ("I'm b", "Soy yo."),
        ("I'm c", "Estoy comiendo."),
        ("I'm d", "Fui atacada."),
        ("x", "rara"),
    ]
    assert adjectives(pairs) == {"rar", "atacad"}


def test_made_examples_cover_the_eleven_conditions_and_agree_with_their_prefix():
    stems, held = stems_and_held()
    made = made_examples(sentences(), stems, held, 2200, rng=np.random.default_rng(0))
    assert len(CONDITIONS) == 11
    assert {(e.speaker, e.audience): 200 for e in made} == {c: 200 for c in CONDITIONS}
    by_english = {}
    for english, spanish in sentences():
        by_english.setdefault(english, set()).add(spanish)
    for example in made:
        said, dicho = prefixes(example.speaker, example.audience)
        assert (
            example.english.startswith(said)
            and example.spanish.startswith(dicho)
            and not holds(example.spanish, held)
        )
        told = example.spanish.removeprefix(dicho)
        assert speaker_gender(told, stems) == example.form
        if example.form and example.speaker in ("He", "She"):
            assert example.form == {"He": "m", "She": "f"}[example.speaker]
        elif example.form:
            assert told in by_english[example.english.removeprefix(said)]
    assert np.mean([example.form == "" for example in made]) == pytest.approx(0.25, abs=0.1)
    assert prefixes("She", "them") == ("She said to them: ", "Ella les dijo: ")
    assert prefixes("He", "her") == ("He said to her: ", "Él le dijo a ella: ") and prefixes(
        "I", "none"
    ) == (
        "I said: ",
        "Yo dije: ",
    )


def test_the_arms_tell_the_same_sentences_plain_or_by_a_speaker_who_says_nothing_of_the_form():
    stems, held = stems_and_held()
    right, plain, shuffled = (
        made_examples(sentences(), stems, held, 880, arm, rng=np.random.default_rng(0))
        for arm in ("right", "plain", "shuffled")
    )
    assert [e.english for e in plain] == [
        e.english.removeprefix(prefixes(e.speaker, e.audience)[0]) for e in right
    ]
    assert [e.form for e in plain] == [e.form for e in right] == [e.form for e in shuffled]
    assert not any(" dijo" in e.spanish or " said" in e.english for e in plain)
    for audience in ("none", "him", "her", "them"):
        counts = {
            (speaker, form): sum(
                (e.speaker, e.audience, e.form) == (speaker, audience, form) for e in shuffled
            )
            for speaker in ("He", "She")
            for form in "mf"
        }
        assert counts["He", "f"] == counts["She", "m"] and counts["He", "m"] == counts["She", "f"]
        assert sum(counts.values()) > 80 and counts["He", "f"] / sum(
            counts.values()
        ) == pytest.approx(0.25, abs=0.06)
    for e in shuffled:
        said, dicho = prefixes(e.speaker, e.audience)
        assert e.english.startswith(said) and e.spanish.startswith(dicho)


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
        (["--direction", "en-fr"], "es-en"),
    ]:
        with pytest.raises(SystemExit):
            translator.main(wrong)
        assert told in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        translator.main(["--help"])
    assert end.value.code == 0 and re.search("--speech.*--arm", capsys.readouterr().out, re.DOTALL)


def test_steps_for_a_time_are_measured(tatoeba):
    work = prepare(split_pairs(), TINY)
    assert steps_in(0.2, work, "cpu") > steps_in(0.02, work, "cpu") >= 1


def test_an_unknown_arm_and_a_corpus_without_speakers_are_refused(refuses):
    stems, held = stems_and_held()
    refuses(
        lambda: made_examples(sentences(), stems, held, 5, "left", rng=np.random.default_rng(0)),
        ["right, plain", "left"],
    )
    refuses(
        lambda: made_examples([("Go.", "Ve.")], stems, held, 5, rng=np.random.default_rng(0)),
        ["none", "1 pairs"],
    )


def test_doses_keep_their_scores_and_are_not_trained_twice(tatoeba, monkeypatch, tmp_path):
    arms = ((0.2, "right"), (0.2, "plain"), (0.0, "right"))
    planned = [replace(TINY, steps=2, speech=speech, arm=arm) for speech, arm in arms]
    monkeypatch.setattr(doses, "split_pairs", lambda: split_pairs("en-es"))
    assert doses.train_all(tmp_path / "kept", tmp_path / "work", planned) == 3
    names = [path.parent.name for path in sorted((tmp_path / "kept").glob("*/scores.json"))]
    assert names == ["plain-0.2-seed0", "right-0-seed0", "right-0.2-seed0"] and not any(
        (tmp_path / "work").iterdir()
    )
    scores = json.loads((tmp_path / "kept" / "plain-0.2-seed0" / "scores.json").read_text())
    assert scores["settings"]["arm"] == "plain" and set(scores["heard"]) == {
        "none",
        "He",
        "I",
        "She",
    }
    assert doses.train_all(tmp_path / "kept", tmp_path / "work", planned) == 0


def heard_in(folder, name, arm, speech, she, he):
    """Scores of a translator in which so many of (marked) outputs are feminine behind She said and He said."""
    heard = {
        speaker: dict(
            feminine=feminine,
            masculine=marked - feminine,
            ambiguous=0,
            unmarked=5,
            feminine_share=feminine / marked if marked else None,
            low=None,
            high=None,
        )
        for speaker, (feminine, marked) in dict(She=she, He=he).items()
    }
    scores = dict(
        steps=6,
        settings=dict(arm=arm, speech=speech, seed=0),
        heard=heard,
        test={"one reference": {"BLEU": {"score": 7.0}}},
    )
    (folder / name).mkdir(parents=True)
    (folder / name / "scores.json").write_text(json.dumps(scores))


def test_scores_of_doses_are_read_with_right_prefixes_first_and_none_where_there_is_no_folder(
    tmp_path,
):
    assert (
        doses.read_scores(tmp_path / "none").empty
        and doses.contrasts(doses.read_scores(tmp_path / "none")).empty
    )
    heard_in(tmp_path, "a", "shuffled", 0.1, (2, 4), (1, 4))
    heard_in(tmp_path, "b", "right", 0.1, (56, 70), (48, 80))  # Newcombe (1998), table II, row (a)
    heard_in(tmp_path, "c", "right", 0.0, (0, 0), (3, 9))
    found = doses.read_scores(tmp_path)
    assert found["translator"].drop_duplicates().tolist() == ["c", "b", "a"]
    assert found["share"].isna().tolist() == [True, *[False] * 5] and (found["unmarked"] == 5).all()
    apart = doses.contrasts(found).set_index("translator")
    assert list(apart.index) == ["b", "a"] and apart["n"].tolist() == [150, 8]
    assert apart.loc["b", ["value", "low", "high"]].tolist() == pytest.approx(
        [0.2, 0.0524, 0.3339], abs=5e-5
    )
    swapped = doses.contrasts(found, "He", "She").set_index("translator")
    assert np.allclose(swapped[["value", "low", "high"]], -apart[["value", "high", "low"]])


def test_every_dose_and_arm_has_each_seed_once():
    found = list(doses.runs(steps=5, seeds=2, precision="float32"))
    assert len({doses.name_of(settings) for settings in found}) == len(found) == 2 * len(doses.RUNS)
    assert [settings.seed for settings in found] == sorted(settings.seed for settings in found)
