"""Word embeddings from anywhere: load them, or convert them to stores that open at once.

    e = load_embedding("minilm")     # or a registry key, a file, a store folder, "hf:<folder>", "hf:<model>@<commit>"
    e["nurse"]; e.rows(["nurse", "engineer"]).vectors; e.pairs([("she", "he")]).female

As a command, `python -m lib.embeddings convert glove.840B.300d.txt FOLDER` turns a file of any size into a memory-mapped
store, and `python -m lib.embeddings info NAME_OR_PATH` shows what is inside an embedding.
"""

import contextlib
import difflib
import hashlib
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from lib import sources
from lib.embeddings.embedding import (
    Embedding,
    Pairs,
    Rows,
    UnitRows,
    UnknownWord,
    positive,
    spans,
    take,
)
from lib.embeddings.formats import Progress, read_blocks
from lib.embeddings.store import INDEX, read_store, write_store
from lib.embeddings.vocabulary import ListedWords, examples
from lib.files import file_hash
from lib.paths import cache_folder
from lib.sources.download import LARGE
from lib.sources.registry import registry

__all__ = [
    "Embedding",
    "Pairs",
    "Rows",
    "UnitRows",
    "UnknownWord",
    "convert",
    "load_embedding",
    "open_store",
    "save_store",
]

# Registered embeddings, and whether their rows come in an order of frequency. Google News and GloVe files are sorted by the
# counts of their own corpus, and so are the two subsets taken from them in order; the Twitter subset follows Norvig's counts
# of English on the web; the WEFE subset follows no frequency.
RANKED = {
    "sweater_googlenews": True,
    "glove_twitter_25d_12k": True,
    "glove_6b_50d_5k": True,
    "wefe_weat_w2v": False,
    "word2vec-google-news-300": True,
    "glove-wiki-gigaword-300": True,
}
SORTED_FORMATS = (
    ".bin",
    ".txt",
    ".vec",
    ".gz",
)  # their programs write the most frequent word first

log = logging.getLogger("lib")


def load_embedding(
    name_or_path: str | Path, limit: int | None = None, *, ranked: bool | None = None
) -> Embedding:
    """An embedding by name or path: "minilm", a registry key, a file, a store folder, "hf:<folder>", "hf:<model>@<commit>".

    minilm : the input embeddings of all-MiniLM-L6-v2 for the 21,722 pieces that are whole words; needs no network.
    files : .bin .txt .vec and their .gz (word2vec, GloVe, fastText), .npz (arrays words and vectors), .json, .rda. Rows of
    zeros, and second rows of a word, are left out with a warning. Never unpickles anything.
    hf : the input embeddings of any encoder in safetensors, for the pieces that are whole words.
    limit : read the first rows only.
    ranked : whether the rows come in an order of frequency; by default what is known of the key, and for a file what its
    format's programs do (.bin .txt .vec: yes, others: no).
    A registered file over 64 MB is converted once to a store in the cache. `source` is `name@sha256:` of the file, and of a
    file read in part `name[:limit]@sha256:` of the rows read.
    """
    limit, name = positive(limit), str(name_or_path)
    if name == "minilm" or name.startswith("hf:"):
        embedding = _load_checkpoint(name)
    elif name in RANKED:
        embedding = _load_registered(name)
    elif Path(name).expanduser().is_dir():
        embedding = open_store(Path(name).expanduser())
    elif Path(name).expanduser().is_file():
        embedding = _load_file(Path(name).expanduser(), limit)
    else:
        raise ValueError(_no_such_embedding(name))
    embedding = embedding.first(limit) if limit else embedding
    embedding.ranked = embedding.ranked if ranked is None else bool(ranked)
    return embedding


def _no_such_embedding(name: str) -> str:
    if name in registry():
        return f"'{name}' is a registered file, but not one of word vectors; the embeddings are minilm, {', '.join(RANKED)}"
    close = difflib.get_close_matches(name, ["minilm", *RANKED], n=2)
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return (
        f"expected an embedding, got '{name}', which is no file or folder here; {hint}give a path, hf:<folder>, "
        f"hf:<model>@<commit>, or one of minilm, {', '.join(RANKED)}"
    )


def _load_checkpoint(name: str) -> Embedding:
    from lib.embeddings.checkpoints import read_checkpoint, read_minilm

    words, vectors, identity = (
        read_minilm() if name == "minilm" else read_checkpoint(name.removeprefix("hf:"))
    )
    if Path(name.removeprefix("hf:")).expanduser().is_dir():
        name = f"hf:{Path(name.removeprefix('hf:')).expanduser().resolve().name}"  # no paths of this machine in results
    return Embedding(words, vectors, name, f"{name.partition('@')[0]}@{identity}")


def _load_registered(key: str) -> Embedding:
    source = sources.lookup(key)
    if source.bytes < LARGE:
        words, vectors = _gather(read_blocks(sources.fetch(key)), key)
        return Embedding._checked(words, vectors, key, source.identity, RANKED[key])
    folder = cache_folder() / "stores" / f"{key}-{source.hash.partition(':')[2][:12]}"
    if not (folder / INDEX).is_file():
        log.info("converting %s to %s, once", key, folder)
        about = {"name": key, "source": source.identity, "ranked": RANKED[key]}
        with contextlib.suppress(FileExistsError):  # another process was faster
            write_store(read_blocks(sources.fetch(key)), folder, about)
    return open_store(folder)


def _load_file(path: Path, limit: int | None) -> Embedding:
    words, vectors = _gather(read_blocks(path, limit), path.name)
    if limit is None:
        source = f"{path.name}@sha256:{file_hash(path)}"
    else:
        content = hashlib.sha256("\n".join(words).encode())
        content.update(np.ascontiguousarray(vectors))
        source = f"{path.name}[:{limit}]@sha256:{content.hexdigest()}"
    return Embedding._checked(words, vectors, path.stem, source, _sorted_format(path))


def _sorted_format(path: Path) -> bool:
    return path.suffix.lower() in SORTED_FORMATS


def _gather(
    blocks: Iterable[tuple[list[str], np.ndarray]], name: str
) -> tuple[ListedWords, np.ndarray]:
    """Blocks of usable rows as one; of words that repeat, the first row is kept, with a warning."""
    lists, arrays = zip(*blocks)
    words = ListedWords(word for part in lists for word in part)
    vectors = arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
    if repeated := words.repeated():
        first = {word: row for row, word in reversed(list(enumerate(words)))}
        rows = sorted(first.values())
        _warn_repeated(name, repeated, len(words) - len(rows))
        words, vectors = ListedWords(words[row] for row in rows), vectors[rows]
    return words, vectors


def _warn_repeated(name: str, words: Sequence[str], count: int) -> None:
    log.warning(
        "%s: left out %s rows of words that came before: %s", name, f"{count:,}", examples(words)
    )


def save_store(e: Embedding, folder: str | Path) -> Path:
    """Write an embedding to a new folder that opens without being read. Returns the folder.

    Raises FileExistsError when the folder exists, OSError when the disk is full; nothing partial is left.
    """
    blocks = (
        (e.words[start:stop], take(e.vectors, slice(start, stop)))
        for start, stop in spans(e.vectors.shape)
    )
    write_store(blocks, Path(folder), {"name": e.name, "source": e.source, "ranked": e.ranked})
    return Path(folder)


def open_store(folder: str | Path, verify: bool = False) -> Embedding:
    """The embedding of a store folder, memory-mapped; with `verify` every byte is hashed first.

    Raises ValueError when the folder is no store or is damaged.
    """
    words, vectors, index = read_store(Path(folder), verify)
    return Embedding._checked(words, vectors, index["name"], index["source"], index["ranked"])


def convert(
    name_or_path: str | Path,
    folder: str | Path,
    limit: int | None = None,
    name: str = "",
    progress: Progress | None = None,
) -> Path:
    """Turn a file of word vectors of any size, or anything else that loads, into a store. Returns its folder.

    A file is streamed: memory stays within some hundred MB. progress(rows, share) is told how far the reading is.
    """
    folder, path, limit = Path(folder), Path(name_or_path).expanduser(), positive(limit)
    if not path.is_file():
        e = load_embedding(name_or_path, limit)
        return save_store(
            Embedding._checked(e.words, e.vectors, name or e.name, e.source, e.ranked), folder
        )
    source = f"{path.name}@sha256:{file_hash(path)}" + (f"[:{limit}]" if limit else "")
    about = {"name": name or path.stem, "source": source, "ranked": _sorted_format(path)}
    repeated = write_store(read_blocks(path, limit, progress), folder, about)
    if repeated:
        _warn_repeated(path.name, repeated, len(repeated))
    return folder


def describe(e: Embedding) -> str:
    """What an embedding holds, in five lines."""
    middle = len(e) // 2
    return "\n".join(
        (
            f"name        {e.name}",
            f"words       {len(e):,}",
            f"dimensions  {e.vectors.shape[1]}",
            f"source      {e.source}",
            f"order       {'by frequency' if e.ranked else 'not by frequency'}",
            f"examples    {', '.join(map(repr, (*e.words[:4], *e.words[middle : middle + 4])))}",
        )
    )
