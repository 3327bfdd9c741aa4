"""Pretrained transformers from verified folders: loading, tokenizing, batching."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lib.files import file_hash
from lib.paths import DATA
from lib.sources.hub import MINILM_HASHES, hub_folder, minilm_folder

MINILM_HEAD = DATA / "models" / "minilm-mlm" / "model.safetensors"
# The papers' models at the commits that this book was written for.
PINNED = {
    "bert-base-uncased": (
        "google-bert/bert-base-uncased",
        "86b5e0934494bd15c9632b12f734a8a67f723594",
    ),
    "bert-base-cased": ("google-bert/bert-base-cased", "cd5ef92a9fb2f889e972770a36d4ed042daf221e"),
    "bert-large-uncased": (
        "google-bert/bert-large-uncased",
        "6da4b6a26a1877e173fca3225479512db81a5e5b",
    ),
    "roberta-base": ("FacebookAI/roberta-base", "e2da8e2f811d1448a5b465c236feacd80ffbac7b"),
    "distilbert-base-uncased": (
        "distilbert/distilbert-base-uncased",
        "12040accade4e8a0f71eabdb258fecc2e7e948be",
    ),
}
PRECISIONS = ("float32", "bfloat16", "float16")
# What a model is asked to be -> the class of transformers that reads it.
KINDS = {
    "an encoder": "AutoModel",
    "a fill-mask model": "AutoModelForMaskedLM",
    "a translator": "AutoModelForSeq2SeqLM",
}
CPU_BATCH, GPU_BATCH = (
    2048,
    32768,
)  # pieces in a batch, padding included; a processor's caches are small


@dataclass(frozen=True)
class Transformer:
    """A model on its device, its tokenizer, and what it is: the name asked for and `name@` commit or hash of the weights."""

    model: object = field(repr=False)
    tokenizer: object = field(repr=False)
    name: str
    source: str
    device: str

    @property
    def longest(self) -> int:
        """The most pieces a sentence may have, special ones included."""
        positions = getattr(self.model.config, "max_position_embeddings", 512)
        offset = (
            2 if self.model.config.model_type in ("roberta", "xlm-roberta", "camembert") else 0
        )  # they count from 2
        return min(positions - offset, self.tokenizer.model_max_length)


def load_transformer(
    name: str, *, head: bool = False, device: str = "auto", dtype: str = "float32"
) -> Transformer:
    """An encoder, or with `head` a masked language model, with its tokenizer.

    name : "minilm", "minilm-mlm" (all-MiniLM-L6-v2 with the head trained for this book), a folder with config.json,
    tokenizer and safetensors, "<model>@<commit>" on the hub, or one of `PINNED`.
    device : "auto" (a GPU where there is one), "cpu", "cuda", "mps". dtype : "float32", "bfloat16" or "float16".
    Raises ValueError for a folder that holds no such model or weights that cannot be read, FetchError for a hub model that
    is not at hand.
    """
    device = _checked(device, dtype)
    if name == "minilm" and head:
        raise ValueError(
            "'minilm' has no masked-LM head; 'minilm-mlm' is the same encoder with one trained for this book"
        )
    with _quiet():
        if name == "minilm-mlm":
            folder, source = minilm_folder(), f"minilm-mlm@sha256:{_shipped_hash()}"
            model = minilm_with_head() if head else minilm_with_head().bert
        else:
            folder, source = model_folder(name)
            model = _read_model(folder, "a fill-mask model" if head else "an encoder", dtype)
        tokenizer = _read_tokenizer(folder)
    return _on_device(model, tokenizer, name, folder, source, device, dtype)


def load_seq2seq(name: str, *, device: str = "auto", dtype: str = "float32") -> Transformer:
    """A translation model (Marian, M2M-100, NLLB and their kin) with its tokenizer, of pieces or of letters.

    name : a folder, or "<model>@<commit>" on the hub. device, dtype and errors : see `load_transformer`.
    """
    device = _checked(device, dtype)
    with _quiet():
        folder, source = model_folder(name)
        model = _read_model(folder, "a translator", dtype)
        tokenizer = _read_tokenizer(folder, fast=False)
    return _on_device(model, tokenizer, name, folder, source, device, dtype)


def _checked(device: str, dtype: str) -> str:
    if dtype not in PRECISIONS:
        raise ValueError(f"dtype must be one of {', '.join(PRECISIONS)}, got '{dtype}'")
    return best_device(device)


def _on_device(
    model, tokenizer, name: str, folder: Path, source: str, device: str, dtype: str
) -> Transformer:
    if len(tokenizer) > model.config.vocab_size:
        raise ValueError(
            f"{folder}: the tokenizer knows {len(tokenizer):,} pieces and the weights have rows for "
            f"{model.config.vocab_size:,}; they are of different models"
        )
    import torch

    model = model.to(device=device, dtype=getattr(torch, dtype)).eval()
    label = Path(name).expanduser().resolve().name if Path(name).expanduser().is_dir() else name
    return Transformer(model, tokenizer, label, source, device)


def best_device(device: str = "auto") -> str:
    """The device a name stands for. Raises ValueError when it is not there."""
    import torch

    there = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if device == "auto":
        return next(name for name in ("cuda", "mps", "cpu") if there[name])
    if not there.get(device.partition(":")[0]):
        usable = ", ".join(name for name, found in there.items() if found)
        raise ValueError(
            f"device '{device}' is not to be had here; this machine offers {usable}; 'auto' takes the first"
        )
    return device


def _shipped_hash() -> str:
    if not MINILM_HEAD.is_file():
        raise ValueError(
            f"{MINILM_HEAD} is missing; get it back with git, or train it: python -m lib.training.masked_lm.train"
        )
    return file_hash(MINILM_HEAD)


def model_folder(name: str) -> tuple[Path, str]:
    """The folder of an encoder or fill-mask model, downloaded if need be, and its identity. Raises as `load_transformer`."""
    if name == "minilm":
        return minilm_folder(), f"minilm@sha256:{MINILM_HASHES['model.safetensors']}"
    path = Path(name).expanduser()
    if path.is_dir():
        weights = sorted(path.glob("*.safetensors"))
        if not (path / "config.json").is_file() or not weights:
            held = ", ".join(sorted(file.name for file in path.iterdir())[:5]) or "nothing"
            raise ValueError(
                f"{path}: expected a model's folder with config.json, a tokenizer and weights in safetensors, found {held}; "
                "save one with `model.save_pretrained(folder); tokenizer.save_pretrained(folder)`"
            )
        return path, f"{path.resolve().name}@sha256:{file_hash(weights[0])}"
    model, commit = PINNED.get(name, name.partition("@")[::2])
    if not commit:
        raise ValueError(
            f"expected a model, got '{name}', which is no folder here; give a folder, <model>@<commit of 40 digits>, or "
            f"one of minilm, minilm-mlm, {', '.join(PINNED)}"
        )
    folder = hub_folder(model, commit)
    if not any(folder.glob("*.safetensors")):
        raise ValueError(
            f"{name}: expected weights in safetensors, found none at this commit, and pickled ones are not opened. Older "
            "models, OPUS-MT's among them, often have a conversion as a pull request on the hub (refs/pr/…): give its "
            "commit; or save the model once with `model.save_pretrained(folder)` and give the folder"
        )
    return folder, f"{name.partition('@')[0]}@{commit}"


def _read_model(folder: Path, kind: str, dtype: str):
    import torch
    import transformers
    from safetensors import SafetensorError

    try:
        model, found = getattr(transformers, KINDS[kind]).from_pretrained(
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
    except (ValueError, KeyError) as error:
        why = str(error).partition("\n")[0]
        raise ValueError(
            f"{folder}: expected {kind} of a kind built into transformers ({why})"
        ) from error
    lacking = sorted(name for name in found["missing_keys"] if "pooler" not in name)
    if lacking:
        raise ValueError(
            f"{folder}: its weights are not those of a whole {kind.partition(' ')[2]}: they lack {', '.join(lacking[:3])}; "
            "give a model that was trained as one"
        )
    return model


def _read_tokenizer(folder: Path, fast: bool = True):
    from transformers import AutoTokenizer

    # Without tokenizer_config.json transformers would lower-case a cased model's words, and without a vocabulary invent one.
    vocabularies = (
        "tokenizer.json",
        "vocab.txt",
        "vocab.json",
        *([] if fast else ["sentencepiece.bpe.model"]),
    )
    if not (folder / "tokenizer_config.json").is_file() or not any(
        (folder / name).is_file() for name in vocabularies
    ):
        raise ValueError(
            f"{folder}: expected a tokenizer, tokenizer_config.json and one of {', '.join(vocabularies)}, in it; "
            "save it with `tokenizer.save_pretrained(folder)`"
        )
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except ImportError as error:
        raise ValueError(
            f"{folder}: its tokenizer needs a package more ({str(error).strip().splitlines()[0]}); install "
            "`pip install -e '.[translation]'`"
        ) from error
    except (
        Exception
    ) as error:  # the parser raises plain exceptions; all mean that the files are damaged
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
    """No progress bars or load reports from transformers meanwhile; what they would tell is checked and raised."""
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


def minilm_with_head(weights: Path | None = MINILM_HEAD):
    """all-MiniLM-L6-v2 as a `BertForMaskedLM`: the package's verified encoder, and the tensors that
    `lib.training.masked_lm.train` trained in place of its own; with `weights=None` an untrained head that starts at the identity.

    Raises ValueError when the weights cannot be read or are not of this encoder.
    """
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file
    from transformers import BertConfig, BertForMaskedLM

    folder = minilm_folder()
    model = BertForMaskedLM(
        BertConfig.from_dict(json.loads((folder / "config.json").read_text(encoding="utf-8")))
    ).eval()
    model.bert.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    transform = model.cls.predictions.transform.dense
    if weights is None:
        with torch.no_grad():
            transform.weight.copy_(torch.eye(model.config.hidden_size))
            transform.bias.zero_()
        return model
    try:
        trained = {name: tensor.float() for name, tensor in load_file(weights).items()}
        strangers = model.load_state_dict(trained, strict=False).unexpected_keys
    except (SafetensorError, RuntimeError, OSError) as error:
        raise ValueError(
            f"{weights}: damaged, or not the head of all-MiniLM-L6-v2 ({error}); get it back with git"
        ) from error
    if strangers:
        raise ValueError(
            f"{weights}: not a head of all-MiniLM-L6-v2, which has no {', '.join(strangers[:3])}"
        )
    return model


def encoded(transformer: Transformer, sentences: Sequence[str]) -> list[list[int]]:
    """Sentences as pieces, special ones included. Raises ValueError for one that is longer than the model can read."""
    if isinstance(sentences, str):
        raise ValueError(
            f"expected a list of sentences, got one string {sentences[:40]!r}; put it in a list"
        )
    if not len(sentences):
        return []
    with _quiet():
        rows = transformer.tokenizer(list(sentences), truncation=False)["input_ids"]
    for sentence, row in zip(sentences, rows):
        if len(row) > transformer.longest:
            raise ValueError(
                f"a sentence of {len(row)} pieces is longer than the {transformer.longest} that {transformer.name} reads: "
                f"{sentence[:60]!r}…; split it"
            )
    return rows


def batched(
    transformer: Transformer, rows: Sequence[Sequence[int]], pieces: int | None = None
) -> Iterator[tuple]:
    """Rows of pieces by length, padded: indices (b,) into `rows`, input ids and attention mask (b, t) on the device."""
    import torch

    pieces = pieces or (CPU_BATCH if transformer.device == "cpu" else GPU_BATCH)
    lengths = np.array([len(row) for row in rows], dtype=int)
    order = np.argsort(lengths, kind="stable")
    padding = transformer.tokenizer.pad_token_id or 0
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= pieces:
            stop += 1
        indices = order[start:stop]
        ids = np.full((len(indices), lengths[indices[-1]]), padding)
        for place, index in enumerate(indices):
            ids[place, : lengths[index]] = rows[index]
        real = np.arange(ids.shape[1]) < lengths[indices][:, None]
        yield (
            indices,
            torch.from_numpy(ids).to(transformer.device),
            torch.from_numpy(real.astype(np.int64)).to(transformer.device),
        )
        start = stop
