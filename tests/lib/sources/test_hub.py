"""What names a model's folder: all that its answers depend on, and nothing else."""

import hashlib
import json
import shutil

import pytest

from lib.embeddings import load_embedding
from lib.language_models.pretrained import load_seq2seq, load_transformer
from lib.sources import FetchError, hub
from lib.sources.hub import MINILM_HASHES, folder_identity, model_folder
from lib.translation.translators import CachedTranslator, ModelTranslator


@pytest.fixture
def sharded(tiny_translator, tmp_path):
    """A translator saved in several files of weights."""
    loaded, folder = load_seq2seq(str(tiny_translator("marian")), device="cpu"), tmp_path / "shards"
    loaded.model.save_pretrained(folder, max_shard_size="4KB")
    loaded.tokenizer.save_pretrained(folder)
    assert len(list(folder.glob("*.safetensors"))) > 2
    return folder


def spoil(file):
    """Change the last byte of weights, or a settings file by a blank at its end, which changes nothing else."""
    content = bytearray(file.read_bytes())
    if file.suffix == ".safetensors":
        content[-1] ^= 1
    else:
        content += b" "
    file.write_bytes(content)


def test_the_identity_is_that_of_every_file_that_counts(sharded):
    whole, names = folder_identity(sharded), sorted(file.name for file in sharded.iterdir())
    lines = [
        f"{hashlib.sha256((sharded / name).read_bytes()).hexdigest()}  {name}\n" for name in names
    ]
    assert whole == "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()
    assert {"config.json", "generation_config.json", "tokenizer.json"} < set(names)
    for name in names:
        before = (sharded / name).read_bytes()
        spoil(sharded / name)
        assert folder_identity(sharded) != whole, name
        (sharded / name).write_bytes(before)
    assert folder_identity(sharded) == whole
    (sharded / "card.md").write_text("Of this model.")
    (sharded / "scores.json").write_text("{}")
    assert folder_identity(sharded) == whole


@pytest.mark.parametrize("changed", ["model-00003", "tokenizer.json", "generation_config.json"])
def test_kept_translations_are_of_the_model_that_made_them(changed, sharded, tmp_path):
    def kept():
        made = ModelTranslator(str(sharded), device="cpu", beams=1)
        return CachedTranslator(made, tmp_path / "kept")

    kept().translate(["he is"])
    assert kept().cache.known(["he is"])
    spoil(next(file for file in sorted(sharded.iterdir()) if file.name.startswith(changed)))
    assert not kept().cache.known(["he is"])


def test_input_embeddings_are_named_by_weights_and_vocabulary(tiny_model, tmp_path):
    folder = shutil.copytree(tiny_model("bert"), tmp_path / "copy")
    before = load_embedding(f"hf:{folder}")
    assert before.source == f"hf:copy@{folder_identity(folder)}"
    vocabulary = folder / "tokenizer.json"
    text = json.loads(vocabulary.read_text())
    pieces = text["model"]["vocab"]
    pieces["nurse"], pieces["doctor"] = pieces["doctor"], pieces["nurse"]
    vocabulary.write_text(json.dumps(text))
    assert load_embedding(f"hf:{folder}").source != before.source


@pytest.mark.parametrize("name", MINILM_HASHES)
def test_every_file_of_minilm_that_counts_is_pinned(name, tmp_path, monkeypatch):
    folder, identity = model_folder("minilm")
    assert identity == f"minilm@sha256:{MINILM_HASHES['model.safetensors']}"
    counted = {file.name for pattern in hub.HUB_FILES for file in folder.glob(pattern)}
    assert counted == set(MINILM_HASHES)
    for other in MINILM_HASHES:
        (tmp_path / other).symlink_to(folder / other)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(b"another")
    monkeypatch.setattr("importlib.util.find_spec", lambda package: None)
    monkeypatch.setattr(hub, "hub_folder", lambda *model: tmp_path)
    with pytest.raises(FetchError, match=f"{name} is not the pinned file"):
        load_transformer("minilm", device="cpu")
