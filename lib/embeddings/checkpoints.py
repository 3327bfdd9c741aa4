"""Input embeddings of transformer checkpoints: the rows of the pieces that are whole words.

Reads safetensors and vocabularies only: no pickle, no code of the checkpoint, and neither torch nor transformers.
"""

import json
from pathlib import Path

import numpy as np

from lib.files import file_hash
from lib.sources.hub import MINILM_HASHES, hub_folder, minilm_folder, pinned

# The input embeddings by the end of the tensor's name, the most specific first.
INPUT_EMBEDDINGS = (
    "word_embeddings.weight",
    "tok_embeddings.weight",
    "shared.weight",
    "wte.weight",
    "embed_tokens.weight",
)


def read_minilm() -> tuple[list[str], np.ndarray, str]:
    """Whole words, their (21722, 384) input embeddings in all-MiniLM-L6-v2, and the identity of the weights."""
    folder = minilm_folder()
    words, rows = whole_words(read_pieces(folder))
    matrix = read_tensor(folder / "model.safetensors", "embeddings.word_embeddings.weight")
    return words, matrix[rows], f"sha256:{MINILM_HASHES['model.safetensors']}"


def read_checkpoint(reference: str) -> tuple[list[str], np.ndarray, str]:
    """Whole words, their (n, d) input embeddings and the identity of a checkpoint, `<folder>` or `<model>@<commit>`."""
    folder = Path(reference).expanduser()
    identity = ""
    if not folder.is_dir():
        model, commit = pinned(reference)
        folder = hub_folder(model, commit)
        identity = commit
    words, rows = whole_words(read_pieces(folder))
    file, name = input_tensor(folder)
    matrix = read_tensor(file, name)
    if rows and max(rows) >= len(matrix):
        raise ValueError(
            f"{folder}: the vocabulary counts at least {max(rows) + 1:,} pieces and '{name}' holds {len(matrix):,} rows; "
            "vocabulary and weights are of different models"
        )
    return words, matrix[rows], identity or f"sha256:{file_hash(file)}"


def read_pieces(folder: Path) -> dict[str, int]:
    """The vocabulary of a checkpoint, piece -> row, from tokenizer.json, vocab.txt or vocab.json.

    Byte-level pieces are decoded; the mark of a word's beginning is always `▁`, and WordPiece vocabularies keep their
    mark of a word's continuation, `##`.
    """
    if (folder / "vocab.txt").is_file():
        text = (folder / "vocab.txt").read_text(encoding="utf-8")
        return {piece: row for row, piece in enumerate(text.rstrip("\n").split("\n"))}
    for name in ("tokenizer.json", "vocab.json"):
        if not (folder / name).is_file():
            continue
        try:
            vocabulary = json.loads((folder / name).read_text(encoding="utf-8"))
            vocabulary = vocabulary["model"]["vocab"] if name == "tokenizer.json" else vocabulary
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"{folder / name}: expected a vocabulary in JSON, got something else ({error})"
            ) from error
        if isinstance(vocabulary, list):  # a unigram model lists pieces with their scores
            vocabulary = {piece: row for row, (piece, _) in enumerate(vocabulary)}
        return _decoded(vocabulary)
    raise ValueError(
        f"{folder}: expected tokenizer.json, vocab.txt or vocab.json beside the weights, found none; save the tokenizer "
        "there with `AutoTokenizer.from_pretrained(…).save_pretrained(folder)`"
    )


def _decoded(vocabulary: dict[str, int]) -> dict[str, int]:
    """A vocabulary with byte-level pieces (`ĠcafÃ©`) turned into text (`▁café`); any other is returned as it is."""
    marked = sum(piece.startswith("Ġ") for piece in vocabulary)
    if marked <= sum(piece.startswith("▁") for piece in vocabulary):
        return vocabulary
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in printable]
    alphabet = {chr(byte): byte for byte in printable} | {
        chr(256 + order): byte for order, byte in enumerate(hidden)
    }
    decoded = {}
    for piece, row in vocabulary.items():
        try:
            text = bytes(alphabet[letter] for letter in piece).decode()
        except (KeyError, UnicodeDecodeError):
            continue  # an added token, or a part of a letter: never a whole word
        decoded["▁" + text[1:] if text.startswith(" ") else text] = row
    return decoded


def whole_words(pieces: dict[str, int]) -> tuple[list[str], list[int]]:
    """The pieces that are whole words of two letters or more, and their rows, in the order of the rows.

    In WordPiece vocabularies a piece without `##` begins a word; in the others a piece with `▁` does.
    """
    marked = sum(piece.startswith("▁") for piece in pieces) > len(pieces) / 20
    words, rows = [], []
    for piece, row in sorted(pieces.items(), key=lambda item: item[1]):
        word = piece[1:] if marked and piece.startswith("▁") else piece
        if len(word) >= 2 and word.isalpha() and (not marked or piece.startswith("▁")):
            words.append(word)
            rows.append(row)
    if not words:
        raise ValueError(
            f"none of the {len(pieces):,} pieces of the vocabulary is a whole word of two letters or more"
        )
    return words, rows


def input_tensor(folder: Path) -> tuple[Path, str]:
    """The safetensors file of a checkpoint folder that holds its input embeddings, and the tensor's name."""
    from safetensors import SafetensorError, safe_open

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ValueError(
            f"{folder}: expected weights in safetensors, found none; files of other kinds can run code when they are "
            "opened: convert them with `AutoModel.from_pretrained(…).save_pretrained(folder)`"
        )
    held = {}
    for file in files:
        try:
            with safe_open(file, framework="numpy") as tensors:
                held |= dict.fromkeys(tensors.keys(), file)
        except SafetensorError as error:
            raise ValueError(
                f"{file}: truncated, or not a safetensors file ({error}); fetch it again"
            ) from error
    for ending in INPUT_EMBEDDINGS:
        names = [name for name in held if name == ending or name.endswith("." + ending)]
        if names:
            name = min(names, key=lambda name: ("decoder" in name, len(name)))
            return held[name], name
    raise ValueError(
        f"{folder}: expected a tensor of input embeddings (a name ending in {', '.join(INPUT_EMBEDDINGS)}), got "
        f"{', '.join(sorted(held)[:5])}…; give the model's own folder, or save its input embeddings as .npz"
    )


def read_tensor(file: Path, name: str) -> np.ndarray:
    """One matrix of a safetensors file as float32; the others are not read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as tensors:
            if name not in tensors.keys():  # noqa: SIM118  (a safetensors handle is not a mapping)
                raise ValueError(
                    f"{file}: expected a tensor '{name}', got {', '.join(sorted(tensors.keys())[:5])}…"
                )
            stored = tensors.get_slice(name).get_dtype()
            if stored != "BF16":
                return tensors.get_tensor(name).astype(np.float32, copy=False)
        with safe_open(file, framework="pt") as tensors:  # NumPy has no bfloat16
            return tensors.get_tensor(name).float().numpy()
    except SafetensorError as error:
        raise ValueError(
            f"{file}: truncated, or not a safetensors file ({error}); fetch it again"
        ) from error
