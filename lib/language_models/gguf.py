"""GGUF files: what stands before the weights, read so strictly that later readers meet no surprise.

llama.cpp, Ollama and LM Studio keep models in such files. A file from outside may be cut, damaged or made to
harm: every count, length and place is checked against the bytes that are there before anything is made of it.
"""

import mmap
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, NoReturn

from lib.files import size_text

MAGIC = b"GGUF"
VERSIONS = (2, 3)
LARGEST_HEADER = (
    2**28
)  # bytes before the weights; a vocabulary of a quarter of a million takes 16 MB
LONGEST_NAME = 2**16 - 1
MOST_DIMENSIONS = 4
LARGEST_NUMBER = 2**20  # of layers, heads and sizes: what a settings file may ask a reader to build
LARGEST_CONTEXT = 2**24
_FIXED = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _LIST = 8, 9
_SPECIAL = ("bos", "eos", "unknown", "padding")
_AGAIN = "fetch or make the file again"


def is_gguf(path: Path | str) -> bool:
    """Whether a file begins as GGUF files do; their names say nothing, Ollama's have no suffix.

    Examples
    --------
    >>> is_gguf(getfixture("tiny_gguf")), is_gguf("README.md")
    (True, False)
    """
    try:
        with Path(path).expanduser().open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@dataclass(frozen=True)
class Tensor:
    """Where weights lie in a file.

    Attributes
    ----------
    shape : tuple of int
        As the file has it, the fastest first.
    kind : int
        Of quantisation, by ggml's number.
    start, size : int
        In bytes.
    """

    shape: tuple[int, ...]
    kind: int
    start: int
    size: int


@dataclass(frozen=True)
class Header:
    """What a GGUF file says of itself.

    Attributes
    ----------
    path : Path
    said : dict
        Its settings by key.
    kinds : dict
        The type of each, by GGUF's number; of a list that of its items, negative and less one.
    tensors : dict of str to Tensor
    """

    path: Path
    said: dict[str, Any]
    kinds: dict[str, int]
    tensors: dict[str, Tensor]

    @property
    def architecture(self) -> str:
        """Such as "llama"."""
        return str(self.said["general.architecture"])

    @cached_property
    def quantisation(self) -> str:
        """What the file calls it (Q4_K_M), else the kind of most weights."""
        from gguf import GGMLQuantizationType, LlamaFileType

        named = {kind.value: kind.name for kind in LlamaFileType}
        name = named.get(self.said.get("general.file_type"), "")
        if name.startswith("MOSTLY_"):
            return name.removeprefix("MOSTLY_")
        weights: dict[int, int] = {}
        for tensor in self.tensors.values():
            weights[tensor.kind] = weights.get(tensor.kind, 0) + prod(tensor.shape)
        return GGMLQuantizationType(max(weights, key=lambda kind: weights[kind])).name

    @cached_property
    def base(self) -> str:
        """The model that was quantised, as the file names it; "" where it does not."""
        for key in ("general.base_model.0.name", "general.name", "general.basename"):
            text = self.said.get(key)
            if isinstance(text, str) and text.strip():
                return " ".join("".join(filter(str.isprintable, text)).split())[:60]
        return ""


def read_header(path: Path) -> Header:
    """The settings of a GGUF file and where its weights lie.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Header

    Raises
    ------
    ValueError
        For a file that is cut, damaged, or no whole language model; the message names file and place.

    Examples
    --------
    >>> header = read_header(getfixture("tiny_gguf"))
    >>> header.architecture, header.quantisation, len(header.tensors)
    ('llama', 'Q8_0', 12)
    """
    size = path.stat().st_size
    if size < 24:
        _refuse(path, f"expected a GGUF file, got {size} bytes", _AGAIN)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        reader = _Reader(path, data, min(size, LARGEST_HEADER))
        if reader.taken(4) != MAGIC:
            _refuse(path, "expected a GGUF file, which begins with GGUF", "give another file")
        (version,) = reader.numbers("I")
        if version not in VERSIONS:
            _refuse(
                path,
                f"expected GGUF version 2 or 3 of a little-endian machine, got {version}",
                "convert it with llama.cpp of today",
            )
        weights, settings = reader.numbers("QQ")
        said: dict[str, Any] = {}
        kinds: dict[str, int] = {}
        for _ in range(settings):
            key = reader.name("setting")
            if key in said:
                _refuse(path, f"expected each setting once, got {key!r} twice", _AGAIN)
            (kind,) = reader.numbers("I")
            said[key], kinds[key] = reader.value(kind, key)
        tensors = _tensors(path, reader, weights, said, size)
    header = Header(path, said, kinds, tensors)
    _check_model(header)
    return header


class _Reader:
    """Reads on through a file, never beyond a limit."""

    def __init__(self, path: Path, data: mmap.mmap, limit: int):
        self.path, self.data, self.limit, self.place = path, data, limit, 0

    def taken(self, size: int) -> bytes:
        """The next bytes."""
        if size > self.limit - self.place:
            what = f"an end at byte {self.limit:,}"
            if self.limit == LARGEST_HEADER:
                what = f"more than {size_text(LARGEST_HEADER)} of settings"
            wanted = f"expected {size:,} bytes from byte {self.place:,} on"
            _refuse(self.path, f"it is cut or damaged: {wanted}, got {what}", _AGAIN)
        self.place += size
        return self.data[self.place - size : self.place]

    def numbers(self, form: str) -> tuple[Any, ...]:
        """The next numbers, little-endian."""
        return struct.unpack(f"<{form}", self.taken(struct.calcsize(f"<{form}")))

    def text(self, longest: int | None = None) -> str:
        """A text behind its length."""
        at = self.place
        (length,) = self.numbers("Q")
        if longest is not None and length > longest:
            what = f"expected a name of {longest:,} letters or fewer at byte {at:,}, got {length:,}"
            _refuse(self.path, f"it is damaged: {what}", _AGAIN)
        try:
            return self.taken(length).decode("utf-8")
        except UnicodeDecodeError:
            _refuse(self.path, f"it is damaged: expected text in UTF-8 at byte {at:,}", _AGAIN)

    def name(self, what: str) -> str:
        """The name of a setting or of weights."""
        at = self.place
        name = self.text(LONGEST_NAME)
        if not re.fullmatch(r"[\x21-\x7e]+", name):
            problem = (
                f"it is damaged: expected the name of a {what} at byte {at:,}, got {name[:40]!r}"
            )
            _refuse(self.path, problem, _AGAIN)
        return name

    def value(self, kind: int, key: str) -> tuple[Any, int]:
        """A setting and its kind, as `Header.kinds` has it."""
        if kind in _FIXED:
            return self.numbers(_FIXED[kind])[0], kind
        if kind == _TEXT:
            return self.text(), kind
        if kind == _LIST:
            inner, length = self.numbers("IQ")
            if inner in _FIXED:
                # the size is checked before anything of that size is asked for
                width = struct.calcsize(f"<{_FIXED[inner]}")
                found = self.taken(length * width)
                return list(struct.unpack(f"<{length}{_FIXED[inner]}", found)), -inner - 1
            if inner == _TEXT:
                return [self.text() for _ in range(length)], -inner - 1
            kind = inner
        _refuse(self.path, f"expected {key} of a known type, got type {kind}", _AGAIN)


def _tensors(
    path: Path, reader: _Reader, count: int, said: dict[str, Any], size: int
) -> dict[str, Tensor]:
    """The table of weights, each of them within the file and on its own bytes."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    sizes = {kind.value: block for kind, block in GGML_QUANT_SIZES.items()}
    table: dict[str, tuple[tuple[int, ...], int, int]] = {}
    for _ in range(count):
        name = reader.name("tensor")
        if name in table:
            _refuse(path, f"expected weights once, got {name!r} twice", _AGAIN)
        (dimensions,) = reader.numbers("I")
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            _refuse(path, f"{name}: expected 1 to 4 dimensions, got {dimensions:,}", _AGAIN)
        shape = reader.numbers(f"{dimensions}Q")
        kind, offset = reader.numbers("IQ")
        if kind not in sizes:
            _refuse(
                path,
                f"{name}: expected weights of a kind that gguf knows, got number {kind}",
                "quantise the model in another way, or install a newer gguf",
            )
        if min(shape) < 1 or shape[0] % sizes[kind][0]:
            what = f"{name}: expected rows of whole blocks of {sizes[kind][0]}, got {_by(shape)}"
            _refuse(path, what, _AGAIN)
        table[name] = shape, kind, offset
    step = said.get("general.alignment", 32)
    if not isinstance(step, int) or isinstance(step, bool) or step not in (8, 16, 32, 64, 128, 256):
        step = step if isinstance(step, int) else type(step).__name__
        _refuse(path, f"general.alignment: expected 8 to 256, a power of two, got {step}", _AGAIN)
    begin = -(-reader.place // step) * step
    tensors = {}
    for name, (shape, kind, offset) in table.items():
        block, taken = sizes[kind]
        bytes_taken = prod(shape) // block * taken
        start = begin + offset
        if offset % step or start + bytes_taken > size:
            kind_name = GGMLQuantizationType(kind).name
            what = f"{name} ({kind_name}, {_by(shape)}) is to end at byte {start + bytes_taken:,}"
            _refuse(path, f"it is cut or damaged: {what} of {size:,}", _AGAIN)
        tensors[name] = Tensor(shape, kind, start, bytes_taken)
    in_order = sorted(tensors.items(), key=lambda one: one[1].start)
    for (first, before), (second, after) in pairwise(in_order):
        # the same bytes for many weights would make a small file a large model
        if before.start + before.size > after.start:
            _refuse(
                path, f"expected weights beside each other, got {second} within {first}", _AGAIN
            )
    return tensors


def _check_model(header: Header) -> None:
    """Refuse what is no whole language model, and settings that would have a reader build without end."""
    path, said, architecture = header.path, header.said, header.said.get("general.architecture")
    if not isinstance(architecture, str) or not re.fullmatch(r"[a-z0-9_-]{1,40}", architecture):
        what = (
            f"expected a language model with general.architecture, got {str(architecture)[:40]!r}"
        )
        _refuse(path, what, "give another file")
    if said.get("general.type", "model") != "model":
        what = f"expected a whole model, got {str(said['general.type'])[:40]!r}"
        _refuse(path, what, "give the model that it belongs to")
    if said.get("split.count", 1) not in (0, 1):
        _refuse(
            path,
            f"expected a whole model, got a part of {str(said['split.count'])[:20]}",
            "join the parts: llama-gguf-split --merge",
        )
    for key, number in _numbers(said, architecture):
        most = LARGEST_CONTEXT if key.endswith(("context_length", "vocab_size")) else LARGEST_NUMBER
        if not -1 <= number <= most:
            _refuse(path, f"{key}: expected a number up to {most:,}, got {number:,}", _AGAIN)
    layers = said.get(f"{architecture}.block_count")
    if not isinstance(layers, int) or not 1 <= layers <= len(header.tensors):
        what = f"expected no more layers than weights ({len(header.tensors):,})"
        _refuse(path, f"{what}, got {architecture}.block_count {layers!r:.20}", _AGAIN)
    scaling = said.get(f"{architecture}.rope.scaling.type", "none")
    if scaling not in ("none", "") and architecture != "gpt-oss":
        _refuse(
            path,
            f"it stretches its positions ({architecture}.rope.scaling.type {str(scaling)[:20]!r}), which "
            "transformers does not take from a GGUF file, so that its numbers would be others",
            "give the model as a folder with safetensors",
        )
    _check_pieces(header)


def _numbers(said: dict[str, Any], architecture: str) -> Iterator[tuple[str, int]]:
    """Whole numbers among the settings of the architecture, those in lists too."""
    for key, value in said.items():
        if key.startswith(f"{architecture}."):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, int):
                    yield key, one


def _check_pieces(header: Header) -> None:
    """Refuse a vocabulary that is not of these weights."""
    path, said = header.path, header.said
    rows = header.tensors.get("token_embd.weight")
    if rows is None or len(rows.shape) != 2:
        _refuse(path, "it lacks token_embd.weight, one row a piece", "give a language model")
    pieces = said.get("tokenizer.ggml.tokens")
    if not _list_of(pieces, str) or not pieces:
        _refuse(path, "it lacks tokenizer.ggml.tokens, its pieces", "give a language model")
    size = said.get(f"{header.architecture}.vocab_size", len(pieces))
    if not len(pieces) == rows.shape[1] == size:
        _refuse(
            path,
            f"expected as many pieces as rows of token_embd.weight, got {len(pieces):,} pieces, "
            f"{rows.shape[1]:,} rows and a vocab_size of {size!r:.20}",
            _AGAIN,
        )
    lists: list[tuple[str, type, int | None]] = [
        ("token_type", int, len(pieces)),
        ("scores", float, len(pieces)),
        ("merges", str, None),
    ]
    for name, kind, length in lists:
        values = said.get(f"tokenizer.ggml.{name}")
        if values is None:
            continue
        if not _list_of(values, kind) or length not in (None, len(values)):
            _refuse(path, f"tokenizer.ggml.{name}: expected a {kind.__name__} a piece", _AGAIN)
        if kind is str and not all(re.fullmatch(r"[^ ]+ [^ ]+", one) for one in values):
            _refuse(path, "tokenizer.ggml.merges: expected two pieces and a space between", _AGAIN)
    for name in _SPECIAL:
        place = said.get(f"tokenizer.ggml.{name}_token_id", 0)
        if not isinstance(place, int) or not 0 <= place < len(pieces):
            what = f"tokenizer.ggml.{name}_token_id: expected one of {len(pieces):,} pieces"
            _refuse(path, f"{what}, got {place!r:.20}", _AGAIN)
    if not isinstance(said.get("tokenizer.chat_template", ""), str):
        _refuse(path, "tokenizer.chat_template: expected text", _AGAIN)


def _list_of(values: object, kind: type) -> bool:
    return isinstance(values, list) and all(type(one) is kind for one in values)


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{length:,}" for length in shape)


def _refuse(path: Path, problem: str, advice: str) -> NoReturn:
    raise ValueError(f"{path}: {problem}; {advice}")
