"""Input embeddings of transformer checkpoints: the rows of the tokens that are whole words.

Reads safetensors and vocabularies only: no pickle, no code of the checkpoint, and neither torch nor
transformers.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.sources.hub import MINILM_HASHES, folder_identity, hub_folder, minilm_folder, pinned

Words = tuple[list[str], NDArray[np.float32], str]  # words, their (n, d) rows, the model's identity

# The input embeddings by the end of the tensor's name, the most specific first.
INPUT_EMBEDDINGS = (
    "word_embeddings.weight",
    "tok_embeddings.weight",
    "shared.weight",
    "wte.weight",
    "embed_tokens.weight",
)


def read_minilm() -> Words:
    """Whole words, (21722, 384) input embeddings and the identity of all-MiniLM-L6-v2."""
    folder = minilm_folder()
    words, rows = whole_words(read_vocabulary(folder))
    matrix = read_tensor(folder / "model.safetensors", "embeddings.word_embeddings.weight")
    return words, matrix[rows], f"sha256:{MINILM_HASHES['model.safetensors']}"


def read_checkpoint(reference: str) -> Words:
    """Whole words, (n, d) input embeddings and the identity of a checkpoint.

    Parameters
    ----------
    reference : str
        A folder, ``<model>@<commit>``, or the name of a model that the book pins.

    Returns
    -------
    words : list of str
        The n tokens that are whole words.
    vectors : ndarray of shape (n, d)
        Their rows.
    identity : str
        The commit, or the hash of the whole folder: weights, settings and vocabulary.

    Raises
    ------
    ValueError
        Where the folder holds no vocabulary, no safetensors, or those of two models.
    """
    folder, commit = Path(reference).expanduser(), ""
    if not folder.is_dir():
        model, commit = pinned(reference)
        folder = hub_folder(model, commit)
    words, rows = whole_words(read_vocabulary(folder))
    file, name = input_tensor(folder)
    matrix = read_tensor(file, name)
    if max(rows) >= len(matrix):
        raise ValueError(
            f"{folder}: the vocabulary counts at least {max(rows) + 1:,} tokens and '{name}' holds "
            f"{len(matrix):,} rows; vocabulary and weights are of different models"
        )
    return words, matrix[rows], commit or folder_identity(folder)


def read_vocabulary(folder: Path) -> dict[str, int]:
    """The vocabulary of a checkpoint, token -> row, from vocab.txt, tokenizer.json or vocab.json.

    Byte-level tokens are decoded; the mark of a word's beginning is always `▁`, and WordPiece
    vocabularies keep their mark of a word's continuation, `##`.

    Parameters
    ----------
    folder : Path
        A checkpoint.

    Returns
    -------
    dict of str to int

    Raises
    ------
    ValueError
        Where there is no such file, or one holds something else.
    """
    if (folder / "vocab.txt").is_file():
        try:
            text = (folder / "vocab.txt").read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{folder / 'vocab.txt'}: expected UTF-8 ({error}); save the tokenizer again"
            ) from error
        return {token: row for row, token in enumerate(text.rstrip("\n").split("\n"))}
    files = [folder / name for name in ("tokenizer.json", "vocab.json")]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise ValueError(
            f"{folder}: expected tokenizer.json, vocab.txt or vocab.json beside the weights, found "
            "none; save the tokenizer there with "
            "`AutoTokenizer.from_pretrained(…).save_pretrained(folder)`"
        )
    try:
        vocabulary = json.loads(file.read_text(encoding="utf-8"))
        vocabulary = vocabulary["model"]["vocab"] if file.stem == "tokenizer" else vocabulary
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{file}: expected a vocabulary in JSON, got something else ({error})"
        ) from error
    if isinstance(vocabulary, list):  # a unigram model lists tokens with their scores
        vocabulary = {token: row for row, (token, _) in enumerate(vocabulary)}
    byte_level = sum(token.startswith("Ġ") for token in vocabulary) > _marked(vocabulary)
    return _decoded(vocabulary) if byte_level else vocabulary


def _marked(vocabulary: Mapping[str, int]) -> int:
    """How many tokens begin a word by SentencePiece's mark."""
    return sum(token.startswith("▁") for token in vocabulary)


def _decoded(vocabulary: Mapping[str, int]) -> dict[str, int]:
    """Byte-level tokens (`ĠcafÃ©`) turned into text (`▁café`); parts of a letter are left out."""
    from tokenizers.decoders import ByteLevel

    decoder = ByteLevel()
    texts = {decoder.decode([token]): row for token, row in vocabulary.items()}
    return {
        "▁" + text[1:] if text.startswith(" ") else text: row
        for text, row in texts.items()
        if "\ufffd" not in text
    }


def whole_words(vocabulary: Mapping[str, int]) -> tuple[list[str], list[int]]:
    """The tokens that are whole words of two letters or more, in the order of their rows.

    In WordPiece vocabularies a token without `##` begins a word; in the others a token with `▁`
    does.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Token -> row.

    Returns
    -------
    words : list of str
    rows : list of int

    Raises
    ------
    ValueError
        Where no token is such a word.

    Examples
    --------
    >>> whole_words({"nurse": 0, "##s": 1, "a": 2, "!": 3, "job": 4})
    (['nurse', 'job'], [0, 4])
    """
    mark = "▁" if _marked(vocabulary) > len(vocabulary) / 20 else ""
    words, rows = [], []
    for token, row in sorted(vocabulary.items(), key=lambda item: item[1]):
        word = token.removeprefix(mark)
        if token.startswith(mark) and len(word) >= 2 and word.isalpha():
            words.append(word)
            rows.append(row)
    if not words:
        raise ValueError(
            f"none of the {len(vocabulary):,} tokens of the vocabulary is a whole word of two "
            "letters or more"
        )
    return words, rows


def input_tensor(folder: Path) -> tuple[Path, str]:
    """Where a checkpoint holds its input embeddings: the safetensors file and the tensor's name.

    Parameters
    ----------
    folder : Path
        A checkpoint.

    Returns
    -------
    file : Path
    name : str

    Raises
    ------
    ValueError
        Where there are no safetensors, or none with a tensor of such a name.
    """
    from safetensors import SafetensorError, safe_open

    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise ValueError(
            f"{folder}: expected weights in safetensors, found none; files of other kinds can run "
            "code when they are opened: convert them with "
            "`AutoModel.from_pretrained(…).save_pretrained(folder)`"
        )
    file_of = {}
    for file in files:
        try:
            with safe_open(file, framework="numpy") as tensors:
                file_of |= dict.fromkeys(tensors.keys(), file)
        except SafetensorError as error:
            raise _truncated(file, error) from error
    for ending in INPUT_EMBEDDINGS:
        names = [name for name in file_of if name == ending or name.endswith("." + ending)]
        if names:
            name = min(names, key=lambda name: ("decoder" in name, len(name)))
            return file_of[name], name
    raise ValueError(
        f"{folder}: expected a tensor of input embeddings (a name ending in "
        f"{', '.join(INPUT_EMBEDDINGS)}), got {', '.join(sorted(file_of)[:5])}…; give the model's "
        "own folder, or save its input embeddings as .npz"
    )


def read_tensor(file: Path, name: str) -> NDArray[np.float32]:
    """One matrix of a safetensors file; the others are not read.

    Parameters
    ----------
    file : Path
        A safetensors file.
    name : str
        The tensor's name.

    Returns
    -------
    ndarray of float32

    Raises
    ------
    ValueError
        Where the file is damaged or has no such tensor.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as tensors:
            names = sorted(tensors.keys())
            if name not in names:
                raise ValueError(f"{file}: expected a tensor '{name}', got {', '.join(names[:5])}…")
            if tensors.get_slice(name).get_dtype() != "BF16":
                return tensors.get_tensor(name).astype(np.float32, copy=False)
        with safe_open(file, framework="pt") as tensors:  # NumPy has no bfloat16
            return tensors.get_tensor(name).float().numpy()
    except SafetensorError as error:
        raise _truncated(file, error) from error


def _truncated(file: Path, error: Exception) -> ValueError:
    return ValueError(f"{file}: truncated, or not a safetensors file ({error}); fetch it again")
