"""Input embeddings of checkpoints: which pieces are words, which tensor holds their rows, and what is refused."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from lib.embeddings import load_embedding
from lib.sources import hub
from lib.sources.hub import folder_identity

NURSE = ["[PAD]", "[unused0]", "nurse", "##s", "a", "медсестра", "!", "engineer"]
ROWS = np.random.default_rng(1).normal(size=(8, 3)).astype(np.float32)


@pytest.fixture
def checkpoint(tmp_path):
    """A function that writes a checkpoint folder: checkpoint(vocabulary files, tensors)."""

    def write(files: dict[str, str], tensors: dict[str, np.ndarray] | None = None):
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        if tensors is not None:
            save_file(tensors, tmp_path / "model.safetensors")
        return tmp_path

    return write


def byte_level(word: str) -> str:
    """A word as byte-level BPE writes it, after a space."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    letters = {byte: chr(byte) for byte in printable} | {
        byte: chr(256 + order) for order, byte in enumerate(hidden)
    }
    return "".join(letters[byte] for byte in f" {word}".encode())


UNIGRAM = [
    ["<s>", 0],
    ["▁nurse", -1],
    ["s", -2],
    ["▁", -2],
    ["▁медсестра", -3],
    ["▁a", -3],
    ["nurse", -4],
    ["▁engineer", -5],
]
BPE = ["<s>", byte_level("nurse"), "s", "Ġ", byte_level("медсестра"), "Ġa", "nurse", "Ġengineer"]
KINDS = {
    "WordPiece, vocab.txt": ({"vocab.txt": "\n".join(NURSE) + "\n"}, [2, 5, 7]),
    "WordPiece, tokenizer.json": (
        {
            "tokenizer.json": json.dumps(
                {"model": {"vocab": {piece: row for row, piece in enumerate(NURSE)}}}
            )
        },
        [2, 5, 7],
    ),
    "SentencePiece unigram": (
        {"tokenizer.json": json.dumps({"model": {"vocab": UNIGRAM}})},
        [1, 4, 7],
    ),
    "byte-level BPE": (
        {"vocab.json": json.dumps({piece: row for row, piece in enumerate(BPE)})},
        [1, 4, 7],
    ),
}


@pytest.mark.parametrize(("files", "rows"), KINDS.values(), ids=KINDS)
def test_whole_words_are_found_in_every_kind_of_vocabulary(files, rows, checkpoint):
    folder = checkpoint(
        files, {"bert.embeddings.word_embeddings.weight": ROWS, "classifier.weight": ROWS[:1]}
    )
    e = load_embedding(f"hf:{folder}")
    assert list(e.words) == ["nurse", "медсестра", "engineer"] and np.array_equal(
        e.vectors, ROWS[rows]
    )
    assert e.source == f"hf:{folder.name}@{folder_identity(folder)}" and not e.ranked


@pytest.mark.parametrize(
    "names",
    [
        ["embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"],
        ["model.decoder.embed_tokens.weight", "model.encoder.embed_tokens.weight"],
    ],
)
def test_the_input_embeddings_are_found_by_name(names, checkpoint):
    wanted = names[1] if "decoder" in names[0] else names[0]
    folder = checkpoint(
        {"vocab.txt": "\n".join(NURSE)}, {name: ROWS if name == wanted else -ROWS for name in names}
    )
    assert np.array_equal(load_embedding(f"hf:{folder}")["nurse"], ROWS[2])


def test_bfloat16_is_read_through_torch(checkpoint):
    import torch
    from safetensors.torch import save_file as save_tensors

    folder = checkpoint({"vocab.txt": "\n".join(NURSE)})
    save_tensors(
        {"wte.weight": torch.tensor(ROWS, dtype=torch.bfloat16)}, folder / "model.safetensors"
    )
    assert load_embedding(f"hf:{folder}")["nurse"] == pytest.approx(ROWS[2], rel=1e-2)


WORDS = {"vocab.txt": "\n".join(NURSE)}
BAD_CHECKPOINTS = {
    "no weights": (
        WORDS,
        None,
        ["expected weights in safetensors, found none", "save_pretrained(folder)"],
    ),
    "no input embeddings": (
        WORDS,
        {"lm_head.weight": ROWS},
        ["expected a tensor of input embeddings", "got lm_head.weight"],
    ),
    "too few rows": (
        WORDS,
        {"wte.weight": ROWS[:5]},
        ["at least 8 tokens and 'wte.weight' holds 5 rows", "different models"],
    ),
    "a broken vocabulary": (
        {"tokenizer.json": "{}"},
        {"wte.weight": ROWS},
        ["tokenizer.json: expected a vocabulary in JSON"],
    ),
}


@pytest.mark.parametrize(
    ("files", "tensors", "fragments"), BAD_CHECKPOINTS.values(), ids=BAD_CHECKPOINTS
)
def test_a_bad_checkpoint_is_refused(files, tensors, fragments, checkpoint, tree):
    folder = checkpoint(files, tensors)
    before = tree(folder)
    with pytest.raises(ValueError) as caught:
        load_embedding(f"hf:{folder}")
    assert [fragment for fragment in fragments if fragment not in str(caught.value)] == []
    assert tree(folder) == before


def test_truncated_weights_are_refused(checkpoint):
    folder = checkpoint(WORDS, {"wte.weight": ROWS})
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-10])
    with pytest.raises(ValueError, match="truncated, or not a safetensors file"):
        load_embedding(f"hf:{folder}")


def test_a_hub_model_needs_a_whole_commit(monkeypatch):
    for reference in ("owner/model", "bert-base-uncased@main"):
        with pytest.raises(
            ValueError, match=r"expected a commit of 40 hexadecimal digits.*hf:<model>@<commit>"
        ):
            load_embedding(f"hf:{reference}")


def test_a_name_that_the_book_pins_stands_for_its_commit(monkeypatch, checkpoint):
    asked = []
    folder = checkpoint({"vocab.txt": "\n".join(NURSE)}, {"wte.weight": ROWS})
    monkeypatch.setattr(
        "lib.embeddings.checkpoints.hub_folder", lambda *model: asked.append(model) or folder
    )
    assert "nurse" in load_embedding("hf:roberta-base")
    assert asked == [hub.PINNED["roberta-base"]]
