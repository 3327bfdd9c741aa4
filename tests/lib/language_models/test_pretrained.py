"""Loading transformers: what each name stands for, what is checked, how sentences are batched, and what is refused."""

import functools
import json
import shutil

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from lib.files import file_hash
from lib.language_models.batching import batched, encoded
from lib.language_models.low_rank import minilm_mlm_weights
from lib.language_models.pretrained import load_transformer
from lib.sources import FetchError, hub
from lib.sources.hub import HUB_FILES, PINNED, folder_identity
from tests.support.mutations import not_worded
from tests.support.tiny_models import KINDS

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def copy(tiny_model, tmp_path):
    """A copy of the tiny BERT's folder, to spoil."""
    return shutil.copytree(tiny_model("bert"), tmp_path / "copy")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("head", [True, False])
def test_a_folder_is_loaded_as_it_was_saved_and_named_by_its_hash(kind, head, tiny_model):
    folder = tiny_model(kind)
    found = load_transformer(str(folder), head=head, device="cpu")
    assert found.source == f"tiny-{kind}@{folder_identity(folder)}"
    assert (found.name, found.device, found.model.training) == (f"tiny-{kind}", "cpu", False)
    saved = load_file(folder / "model.safetensors")
    for name, tensor in found.model.state_dict().items():
        stored = next(
            (saved[key] for key in saved if key == name or key.endswith(f".{name}")), None
        )
        assert stored is None or torch.equal(stored, tensor), name
    assert found.longest == (62 if kind == "roberta" else 64)


def test_pinned_models_are_asked_for_at_their_commit(tiny_model, monkeypatch):
    asked = []
    monkeypatch.setattr(hub, "hub_folder", lambda *model: asked.append(model) or tiny_model("bert"))
    found = load_transformer("bert-base-uncased", head=True, device="cpu")
    assert found.source == f"bert-base-uncased@{PINNED['bert-base-uncased'][1]}"
    other = load_transformer(f"owner/model@{'a' * 40}", device="cpu")
    assert (other.name, other.source) == (f"owner/model@{'a' * 40}", f"owner/model@{'a' * 40}")
    assert asked == [PINNED["bert-base-uncased"], ("owner/model", "a" * 40)]


def test_the_files_asked_of_the_hub_keep_a_cased_model_cased(tiny_model, tmp_path):
    for pattern in HUB_FILES:
        for file in tiny_model("bert-cased").glob(pattern):
            shutil.copy(file, tmp_path)
    tokenizer = load_transformer(str(tmp_path), head=True, device="cpu").tokenizer
    assert tokenizer.tokenize("She is kind") == ["She", "is", "kind"]
    assert not any(
        "bin" in pattern or "pt" in pattern.split(".") or "py" in pattern.split(".")
        for pattern in HUB_FILES
    )


def test_loading_says_nothing_and_leaves_the_settings_of_transformers_alone(tiny_model, capfd):
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    load_transformer(str(tiny_model("bert")), head=True, device="cpu")
    assert "".join(capfd.readouterr()) == ""
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


@functools.cache
def load(folder):
    return load_transformer(str(folder), device="cpu")


@settings(max_examples=40)
@given(lengths=st.lists(st.integers(1, 60), max_size=40), room=st.integers(1, 200))
def test_batches_hold_every_row_once_padded_to_the_longest_and_no_more_than_there_is_room_for(
    lengths, room, tiny_model
):
    transformer = load(tiny_model("bert"))
    rows, seen = [list(range(5, 5 + length)) for length in lengths], []
    for indices, ids, real in batched(transformer, rows, room):
        assert len(indices) == 1 or ids.numel() <= room
        assert ids.shape[1] == max(lengths[index] for index in indices)
        assert [row[mask.bool()].tolist() for row, mask in zip(ids, real)] == [
            rows[index] for index in indices
        ]
        assert not (ids * (1 - real)).any()
        seen += indices.tolist()
    assert sorted(seen) == list(range(len(rows)))
    assert [lengths[index] for index in seen] == sorted(lengths)


def test_sentences_become_pieces_with_the_special_ones_and_none_is_cut(tiny_model):
    transformer = load(tiny_model("bert"))
    rows = encoded(transformer, ["she is", "the nurses", ""])
    assert [transformer.tokenizer.convert_ids_to_tokens(row) for row in rows] == [
        ["[CLS]", "she", "is", "[SEP]"],
        ["[CLS]", "the", "nurse", "##s", "[SEP]"],
        ["[CLS]", "[SEP]"],
    ]
    assert encoded(transformer, []) == []
    assert (
        len(encoded(load_transformer("minilm", device="cpu"), ["word " * 300])[0]) == 302
    )  # its own settings cut at 128


@pytest.mark.parametrize("device", ["cuda", "tpu"])
def test_a_device_that_is_not_there_is_refused(device, monkeypatch, refuses, tiny_model):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    folder = str(tiny_model("bert"))
    refuses(
        lambda: load_transformer(folder, device=device),
        [f"device '{device}'", "this machine offers cpu", "'auto'"],
    )


def settings_of(folder, file="config.json", **changes):
    text = json.loads((folder / file).read_text(encoding="utf-8"))
    (folder / file).write_text(json.dumps(text | changes), encoding="utf-8")


def without(folder, *names):
    for name in names:
        (folder / name).unlink(missing_ok=True)


def pickled(folder):
    without(folder, "model.safetensors")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")


def headless(folder):
    stored = load_file(folder / "model.safetensors")
    body = {name: tensor for name, tensor in stored.items() if not name.startswith("cls")}
    save_file(body, folder / "model.safetensors", metadata={"format": "pt"})


def truncated(folder):
    (folder / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:-100])


def own_code(folder):
    settings_of(
        folder,
        model_type="own",
        auto_map={"AutoConfig": "code.Own", "AutoModelForMaskedLM": "code.Own"},
    )
    (folder / "code.py").write_text(
        f"from pathlib import Path; Path({str(folder / 'ran')!r}).touch()\nclass Own: pass\n"
    )


TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "vocab.txt")
BAD_FOLDERS = {
    "no weights": (
        lambda f: without(f, "model.safetensors"),
        ["in safetensors, found config.json", "save_pretrained"],
    ),
    "weights in a pickle only": (
        pickled,
        ["weights in safetensors, found config.json, pytorch_model.bin"],
    ),
    "no head": (
        headless,
        ["not those of a whole fill-mask model", "cls.predictions.", "trained as one"],
    ),
    "truncated weights": (truncated, ["the model cannot be read", "fetch or save it again"]),
    "fewer layers than said": (
        lambda f: settings_of(f, num_hidden_layers=5),
        ["they lack bert.encoder.layer.3"],
    ),
    "layers without end": (
        lambda f: settings_of(f, num_hidden_layers=10**12),
        ["config.json: expected no more layers", "num_hidden_layers 1,000,000,000,000"],
    ),
    "attention from the hub": (
        lambda f: settings_of(f, _attn_implementation="owner/repo"),
        ["got '_attn_implementation'", "take it out"],
    ),
    "quantised": (
        lambda f: settings_of(f, quantization_config={"quant_method": "bitsandbytes"}),
        ["got 'quantization_config'"],
    ),
    "a field of another kind": (
        lambda f: settings_of(f, hidden_size="sixteen"),
        ["expected a fill-mask model of a kind built into transformers"],
    ),
    "an empty index": (
        lambda f: (f / "model.safetensors.index.json").write_text('{"weight_map": {}}'),
        ["index.json: expected the files of this folder", "got none"],
    ),
    "a foreign index": (
        lambda f: (f / "model.safetensors.index.json").write_text(
            '{"weight_map": {"a": "../other.safetensors"}}'
        ),
        ["got ../other.safetensors"],
    ),
    "a model with its own code": (own_code, ["of a kind built into transformers", "custom code"]),
    "a model that fills no masks": (
        lambda f: settings_of(f, model_type="gpt2"),
        ["expected a fill-mask model", "GPT2"],
    ),
    "no tokenizer": (
        lambda f: without(f, *TOKENIZER),
        ["expected a tokenizer", "tokenizer.save_pretrained(folder)"],
    ),
    "a tokenizer of unsaid case": (
        lambda f: without(f, TOKENIZER[1]),
        ["expected a tokenizer, tokenizer_config.json and"],
    ),
}


INDEX = "model.safetensors.index.json"


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", INDEX])
def test_a_damaged_settings_file_is_read_or_refused_in_words(name, copy):
    if name == INDEX:
        with safe_open(copy / "model.safetensors", "pt") as weights:
            (copy / INDEX).write_text(
                json.dumps({"weight_map": dict.fromkeys(weights.keys(), "model.safetensors")})
            )

    def read(path):
        load_transformer(str(copy), head=True, device="cpu")

    bad = not_worded(read, copy / name, 40)
    assert [case for case in bad if f"ValueError: {copy.parent}" not in case] == []


@pytest.mark.parametrize(("spoil", "fragments"), BAD_FOLDERS.values(), ids=BAD_FOLDERS)
def test_a_bad_folder_is_refused_and_left_as_it_is(spoil, fragments, copy, refuses, tree):
    spoil(copy)
    before = tree(copy)
    refuses(lambda: load_transformer(str(copy), head=True, device="cpu"), [str(copy), *fragments])
    assert tree(copy) == before


def test_a_tokenizer_of_a_larger_model_is_refused(copy, tiny_model, refuses):
    for name in TOKENIZER:
        if (tiny_model("bert-cased") / name).is_file():
            shutil.copy(tiny_model("bert-cased") / name, copy)
    refuses(
        lambda: load_transformer(str(copy), head=True, device="cpu"),
        ["the tokenizer knows", "different models"],
    )


def test_an_encoder_may_lack_a_head(copy):
    headless(copy)
    assert load_transformer(str(copy), device="cpu").model.config.hidden_size == 16


BAD_NAMES = {
    "unknown": (
        "bert-small",
        {},
        [
            "'bert-small', which is no folder here",
            "<model>@<commit",
            "minilm-mlm, minilm, bert-base-",
        ],
    ),
    "a branch": (
        "owner/model@main",
        {},
        ["'owner/model': expected a commit of 40 hexadecimal digits, got 'main'"],
    ),
    "minilm with a head": (
        "minilm",
        {"head": True},
        ["no masked-LM head", "'minilm-mlm' is the same encoder trained"],
    ),
    "a precision": (
        "minilm",
        {"dtype": "int8"},
        ["dtype: expected one of float32, bfloat16, float16; got 'int8'"],
    ),
}


@pytest.mark.parametrize(("name", "named", "fragments"), BAD_NAMES.values(), ids=BAD_NAMES)
def test_a_bad_name_is_refused(name, named, fragments, refuses):
    refuses(lambda: load_transformer(name, device="cpu", **named), fragments)


def test_a_hub_model_without_a_network_names_the_profile_and_the_command(monkeypatch):
    def refuse(*given, **named):
        raise ConnectionError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    with pytest.raises(FetchError) as caught:
        load_transformer("bert-base-uncased", head=True)
    model, commit = PINNED["bert-base-uncased"]
    said = [
        "nor to be had from the network (ConnectionError)",
        "`make data PROFILE=full`",
        "the profile full",
        f"`hf download {model} --revision {commit}`",
        "give a local folder",
    ]
    assert [fragment for fragment in said if fragment not in str(caught.value)] == []


def test_a_seed_that_was_not_trained_is_refused_with_those_that_were(refuses):
    refuses(
        lambda: load_transformer("minilm-mlm-seed77", head=True),
        [
            "no weights of 'minilm-mlm-seed77'",
            "minilm-mlm",
            "git",
            "python -m scripts.train.masked_lm.train",
        ],
    )


def test_a_seed_is_loaded_with_its_own_weights_and_named_after_them():
    name = [*minilm_mlm_weights()][-1]
    found, weights = load_transformer(name, head=True, device="cpu"), minilm_mlm_weights()[name]
    assert (found.name, found.source) == (name, f"{name}@sha256:{file_hash(weights)}")
    bias = load_file(weights)["cls.predictions.bias"].float()
    assert torch.equal(found.model.get_parameter("cls.predictions.bias"), bias)
    encoder = load_transformer(name, device="cpu").model.state_dict()
    assert all(
        torch.equal(encoder[key], tensor) for key, tensor in found.model.bert.state_dict().items()
    )
