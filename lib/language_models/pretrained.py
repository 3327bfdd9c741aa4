"""Pretrained transformers from verified folders: safetensors only, and no code of theirs is run."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lib.checks import one_of
from lib.files import file_hash
from lib.language_models.low_rank import FOLDER, minilm_mlm, minilm_mlm_weights
from lib.sources.hub import minilm_folder, model_folder

PRECISIONS = ("float32", "bfloat16", "float16")
# What a model is asked to be -> the class of transformers that reads it.
KINDS = {
    "an encoder": "AutoModel",
    "a fill-mask model": "AutoModelForMaskedLM",
    "a translator": "AutoModelForSeq2SeqLM",
    "a causal language model": "AutoModelForCausalLM",
}


@dataclass(frozen=True)
class Transformer:
    """A model on its device, with its tokenizer.

    Attributes
    ----------
    model, tokenizer
        Objects of transformers.
    name : str
        The name asked for; of a folder its last part.
    source : str
        Name and commit, or name and hash of the folder.
    device : str
    """

    model: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    name: str
    source: str
    device: str

    @property
    def longest(self) -> int:
        """The most pieces a sentence may have, special ones included."""
        config = self.model.config
        positions = getattr(config, "max_position_embeddings", 512)
        # this family counts its positions from 2
        offset = 2 if config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        return min(positions - offset, self.tokenizer.model_max_length)


def load_transformer(
    name: str, *, head: bool = False, device: str = "auto", dtype: str = "float32"
) -> Transformer:
    """An encoder or a masked language model, with its tokenizer.

    Parameters
    ----------
    name : str
        "minilm", "minilm-mlm" (all-MiniLM-L6-v2 trained for this book to fill masks) and its other seeds
        ("minilm-mlm-seed1", …), a folder with config.json, tokenizer and safetensors, "<model>@<commit>" on the hub,
        or a name of `lib.sources.hub.PINNED`.
    head : bool
        Whether the head that fills masks is wanted.
    device : str
        "auto" (a GPU where there is one), "cpu", "cuda" or "mps".
    dtype : str
        "float32", "bfloat16" or "float16".

    Returns
    -------
    Transformer

    Raises
    ------
    ValueError
        For a folder that holds no such model, or weights that cannot be read.
    FetchError
        Where a hub model is not at hand.

    Examples
    --------
    >>> load_transformer("minilm", device="cpu").longest
    512
    """
    if name == "minilm" and head:
        raise ValueError(
            "'minilm' has no masked-LM head; 'minilm-mlm' is the same encoder trained to fill masks"
        )
    if name.startswith("minilm-mlm"):
        device, trained = _checked(device, dtype), minilm_mlm_weights()
        if name not in trained:
            raise ValueError(
                f"no weights of '{name}' in {FOLDER}, which holds {', '.join(trained) or 'none'}; get them back with git, "
                "or train them: python -m scripts.train.masked_lm.train"
            )
        model, folder = minilm_mlm(trained[name]), minilm_folder()
        model, source = model if head else model.bert, f"{name}@sha256:{file_hash(trained[name])}"
        return _on_device(model, _read_tokenizer(folder), name, folder, source, device, dtype)
    return _load(name, "a fill-mask model" if head else "an encoder", device, dtype)


def load_seq2seq(name: str, *, device: str = "auto", dtype: str = "float32") -> Transformer:
    """A translation model (Marian, M2M-100, NLLB and their kin), with its tokenizer of pieces or of
    letters.

    Parameters
    ----------
    name : str
        A folder, or "<model>@<commit>" on the hub.
    device, dtype : str
        As in `load_transformer`, whose errors it raises.

    Returns
    -------
    Transformer
    """
    return _load(name, "a translator", device, dtype)


def load_causal(name: str, *, device: str = "auto", dtype: str = "float32") -> Transformer:
    """A causal language model with its tokenizer.

    Parameters
    ----------
    name : str
        A folder, or "<model>@<commit>" on the hub.
    device, dtype : str
        As in `load_transformer`, whose errors it raises.

    Returns
    -------
    Transformer
    """
    return _load(name, "a causal language model", device, dtype)


def best_device(device: str = "auto") -> str:
    """The device that a name stands for.

    Raises
    ------
    ValueError
        Where this machine has no such device.

    Examples
    --------
    >>> best_device("cpu")
    'cpu'
    """
    import torch

    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    usable = [name for name in there if there[name]]
    if device == "auto":
        return usable[0]
    if device.partition(":")[0] not in usable:
        raise ValueError(
            f"device '{device}' is not to be had here; this machine offers {', '.join(usable)}; 'auto' takes the first"
        )
    return device


def _load(name: str, kind: str, device: str, dtype: str) -> Transformer:
    device = _checked(device, dtype)
    folder, source = model_folder(name)
    _check_settings(folder)
    model = _read_model(folder, kind, dtype)
    tokenizer = _read_tokenizer(folder, fast=kind != "a translator")
    return _on_device(model, tokenizer, name, folder, source, device, dtype)


def _checked(device: str, dtype: str) -> str:
    one_of("dtype", dtype, PRECISIONS)
    return best_device(device)


def _on_device(
    model: Any, tokenizer: Any, name: str, folder: Path, source: str, device: str, dtype: str
) -> Transformer:
    import torch

    if len(tokenizer) > model.config.vocab_size:
        raise ValueError(
            f"{folder}: the tokenizer knows {len(tokenizer):,} pieces and the weights have rows for "
            f"{model.config.vocab_size:,}; they are of different models"
        )
    model = model.to(device=device, dtype=getattr(torch, dtype)).eval()
    place = Path(name).expanduser()
    label = place.resolve().name if place.is_dir() else name
    return Transformer(model, tokenizer, label, source, device)


def _check_settings(folder: Path) -> None:
    """Refuse, before anything is built, settings that would ask for code, other files or layers without end."""
    config, index = folder / "config.json", folder / "model.safetensors.index.json"
    said = _read_settings(config)
    for name in ("quantization_config", "_attn_implementation", "attn_implementation"):
        if said.get(name):
            raise ValueError(
                f"{config}: expected a plain model, got '{name}', which asks for code of another package; take it out, and "
                "save quantised weights as plain ones"
            )
    files = list(folder.glob("*.safetensors"))
    if index.is_file():
        shards = _read_settings(index).get("weight_map")
        named = set(map(str, shards.values())) if isinstance(shards, dict) else set()
        if not named or not named <= {file.name for file in files}:
            raise ValueError(
                f"{index}: expected the files of this folder by the names of their weights, got "
                f"{', '.join(sorted(named)[:3]) or 'none'}; save the model again"
            )
    # a tensor takes more than ten bytes of its file, a layer has one or more, and no model has thousands
    most = min(10_000, sum(file.stat().st_size for file in files) // 10)
    for name, number in said.items():
        if "layer" in name and isinstance(number, int) and number > most:
            raise ValueError(
                f"{config}: expected no more layers than its weights can hold ({most:,}), got {name} {number:,}; save the "
                "model again"
            )


def _read_settings(file: Path) -> dict[str, Any]:
    """A JSON object of settings; ValueError for anything else."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{file}: the model cannot be read (no JSON: {error}); save it again"
        ) from error
    if not isinstance(said, dict):
        raise ValueError(f"{file}: the model cannot be read: expected a JSON object; save it again")
    return said


def _read_model(folder: Path, kind: str, dtype: str) -> Any:
    import torch
    import transformers
    from safetensors import SafetensorError

    try:
        with _quiet():
            model, report = getattr(transformers, KINDS[kind]).from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                output_loading_info=True,
                dtype=getattr(torch, dtype),
            )
    except (SafetensorError, OSError) as error:
        raise ValueError(
            f"{folder}: the model cannot be read ({error}); fetch or save it again"
        ) from error
    except RuntimeError as error:
        raise ValueError(
            f"{folder}: its weights have other shapes than config.json says; save both again"
        ) from error
    except Exception as error:  # settings of a wrong kind raise a dozen others
        why = str(error).partition("\n")[0]
        raise ValueError(
            f"{folder}: expected {kind} of a kind built into transformers ({why})"
        ) from error
    lacking = sorted(name for name in report["missing_keys"] if "pooler" not in name)
    if lacking:
        raise ValueError(
            f"{folder}: its weights are not those of a whole {kind.partition(' ')[2]}: they lack {', '.join(lacking[:3])}; "
            "give a model that was trained as one"
        )
    return model


def _read_tokenizer(folder: Path, fast: bool = True) -> Any:
    from transformers import AutoTokenizer

    # Without tokenizer_config.json transformers would lower-case a cased model's words, and without
    # a vocabulary invent one.
    vocabularies = ["tokenizer.json", "vocab.txt", "vocab.json"]
    vocabularies += [] if fast else ["sentencepiece.bpe.model"]
    present = {file.name for file in folder.iterdir()}
    if "tokenizer_config.json" not in present or not present & set(vocabularies):
        raise ValueError(
            f"{folder}: expected a tokenizer, tokenizer_config.json and one of {', '.join(vocabularies)}, in it; "
            "save it with `tokenizer.save_pretrained(folder)`"
        )
    try:
        with _quiet():
            tokenizer = AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
    except ImportError as error:
        raise ValueError(
            f"{folder}: its tokenizer needs a package more ({str(error).strip().splitlines()[0]}); install "
            "`pip install -e '.[translation]'`"
        ) from error
    # the parser raises plain exceptions; all mean that the files are damaged
    except Exception as error:
        raise ValueError(
            f"{folder}: its tokenizer cannot be read ({error}); save it again with `tokenizer.save_pretrained(folder)`"
        ) from error
    if fast and not tokenizer.is_fast:
        raise ValueError(
            f"{folder}: expected a fast tokenizer (tokenizer.json), which knows where in the text a piece lies"
        )
    return tokenizer


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars or load reports of transformers meanwhile; what they would say is checked
    and raised.
    """
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
