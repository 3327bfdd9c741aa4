"""Embeddings by name or path, and stores made of them."""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from lib import sources
from lib.checks import did_you_mean, one_of
from lib.embeddings.embedding import Embedding, Floats, positive
from lib.embeddings.formats import Progress, is_sorted, read_blocks
from lib.embeddings.rows import FileRows
from lib.embeddings.spelling import Spelling
from lib.embeddings.store import INDEX, VECTORS, read_store, write_store
from lib.embeddings.vocabulary import ListedWords, examples
from lib.embeddings.word2vec import Block
from lib.files import file_hash
from lib.paths import cache_folder
from lib.sources.registry import registry
from lib.sources.stamps import LARGE

# Registered embeddings, and whether their rows come in an order of frequency. Google News and GloVe
# files are sorted by the counts of their own corpus, and so are the two subsets taken from them in
# order; the Twitter subset follows Norvig's counts of English on the web; the WEFE subset follows
# no frequency.
RANKED = {
    "sweater_googlenews": True,
    "glove_twitter_25d_12k": True,
    "glove_6b_50d_5k": True,
    "wefe_weat_w2v": False,
    "sweater_glove_math": False,
    "word2vec-google-news-300": True,
    "glove-wiki-gigaword-300": True,
}

log = logging.getLogger("lib")


def load_embedding(
    name_or_path: str | Path,
    limit: int | None = None,
    *,
    ranked: bool | str | None = None,
    spelling: str | Spelling = "",
) -> Embedding:
    """An embedding by name or path.

    Parameters
    ----------
    name_or_path : str or Path
        One of

        - "minilm": the input embeddings of all-MiniLM-L6-v2 for the 21,722 tokens that are whole
          words; needs no network;
        - a registry key of word vectors;
        - a file: .bin .txt .vec and their .gz (word2vec, GloVe, fastText), .npz (arrays `words` and
          `vectors`), .json, .rda. Rows of zeros, and second rows of a word, are left out with a
          warning. Nothing is ever unpickled;
        - a store folder;
        - "hf:<folder>" or "hf:<model>@<commit>": the input embeddings of any encoder in
          safetensors, for the tokens that are whole words.
    limit : int, optional
        Read the first rows only.
    ranked : bool or {"yes", "no", "unknown"}, optional
        Whether the rows come in an order of frequency; by default, and for "unknown", what is known of the key, and
        for a file what programs of its format do: text and binary files of word2vec's kind are sorted, whatever their
        names, others are not.
    spelling : str or Spelling
        How the file spells its words, as in `Embedding.rows`: ``"case=either"``, ``"prefix=/c/en/"``.

    Returns
    -------
    Embedding
        Its `source` is ``name@sha256:`` of the file, and of a file read in part
        ``name[:limit]@sha256:`` of the rows read. A registered file over 64 MB is converted once to
        a store in the cache.

    Raises
    ------
    ValueError
        For an unknown name, and for a file that breaks its format.
    FetchError
        When a registered file cannot be had.

    Examples
    --------
    >>> e = load_embedding("minilm")
    >>> e
    Embedding('minilm', 21,722 words x 384, source='minilm@sha256:53aa...')
    >>> "nurse" in e
    True
    """
    limit, name = None if limit is None else positive(limit), _as_name(name_or_path)
    order, path = _as_order(ranked), Path(name).expanduser()
    if name == "minilm" or name.startswith("hf:"):
        embedding = _load_checkpoint(name)
    elif name in RANKED:
        embedding = _load_registered(name)
    elif path.is_dir():
        embedding = open_store(path)
    elif path.is_file():
        embedding = _load_file(path, limit)
    else:
        raise ValueError(_no_such_embedding(name))
    embedding = embedding.first(limit) if limit else embedding
    embedding.ranked = embedding.ranked if order is None else order
    return embedding.spelled(spelling) if spelling else embedding


def _as_name(name_or_path: str | Path) -> str:
    """A name or path as text; ValueError for vectors that somebody has loaded already."""
    if isinstance(name_or_path, str | Path):
        return str(name_or_path)
    kind = type(name_or_path).__name__
    mend = "Embedding(words, vectors)"
    if hasattr(name_or_path, "index_to_key"):
        mend = "Embedding(kv.index_to_key, kv.vectors)"
    elif hasattr(name_or_path, "wv"):
        mend = "Embedding(model.wv.index_to_key, model.wv.vectors)"
    elif hasattr(name_or_path, "columns"):
        mend = "Embedding(table.index, table.to_numpy())"
    elif isinstance(name_or_path, Mapping):
        mend = "Embedding(list(vectors), np.stack(list(vectors.values())))"
    raise ValueError(
        f"expected the name or path of an embedding, got a {kind}; what is in memory becomes one by {mend}"
    )


def _as_order(ranked: bool | str | None) -> bool | None:
    """Whether rows are sorted by frequency, as a parameter may say it; None where it is not said."""
    if ranked is None or isinstance(ranked, bool | np.bool_):
        return None if ranked is None else bool(ranked)
    one_of("ranked", ranked, ("yes", "no", "unknown"))
    return {"yes": True, "no": False, "unknown": None}[ranked]


def _no_such_embedding(name: str) -> str:
    known = ["minilm", *RANKED]
    if name in registry():
        return (
            f"'{name}' is a registered file, but not one of word vectors; the embeddings are "
            f"{', '.join(known)}"
        )
    return (
        f"expected an embedding, got '{name}', which is no file or folder here; give a path, "
        f"hf:<folder>, hf:<model>@<commit>, or one of {', '.join(known)}. "
        f"{did_you_mean(name, known)}"
    )


def _load_checkpoint(name: str) -> Embedding:
    from lib.embeddings.checkpoints import read_checkpoint, read_minilm

    if name == "minilm":
        words, vectors, identity = read_minilm()
    else:
        reference = name.removeprefix("hf:")
        words, vectors, identity = read_checkpoint(reference)
        if (folder := Path(reference).expanduser()).is_dir():
            name = f"hf:{folder.resolve().name}"  # no paths of this machine in results
    return Embedding(words, vectors, name, f"{name.partition('@')[0]}@{identity}")


def _load_registered(key: str) -> Embedding:
    source = sources.lookup(key)
    if source.bytes < LARGE:
        words, vectors = _gather(read_blocks(sources.fetch(key)), key)
        return Embedding.unchecked(words, vectors, key, source.identity, RANKED[key])
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
    return Embedding.unchecked(words, vectors, path.stem, source, is_sorted(path))


def _gather(blocks: Iterable[Block], name: str) -> tuple[ListedWords, Floats]:
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
    """Write an embedding to a new folder that opens without being read.

    Parameters
    ----------
    e : Embedding
        Any embedding.
    folder : str or Path
        A folder that does not exist.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    FileExistsError
        When the folder exists.
    WriteError
        When the disk is full or the folder may not be written; nothing partial is left.
    """
    about = {"name": e.name, "source": e.source, "ranked": e.ranked}
    write_store(e.blocks(), Path(folder), about)
    return Path(folder)


def open_store(folder: str | Path, verify: bool = False) -> Embedding:
    """The embedding of a store folder, memory-mapped.

    Parameters
    ----------
    folder : str or Path
        What `save_store` or `convert` wrote.
    verify : bool
        Whether every byte is hashed again; by default only those of files that changed since they were hashed.

    Returns
    -------
    Embedding

    Raises
    ------
    ValueError
        When the folder is no store or is damaged.
    """
    words, index = read_store(Path(folder), verify)
    rows = FileRows(Path(folder) / VECTORS)
    return Embedding.unchecked(words, rows, index["name"], index["source"], index["ranked"])


def convert(
    name_or_path: str | Path,
    folder: str | Path,
    limit: int | None = None,
    name: str = "",
    progress: Progress | None = None,
) -> Path:
    """Turn a file of word vectors of any size, or anything else that loads, into a store.

    Parameters
    ----------
    name_or_path : str or Path
        As for `load_embedding`. A file is streamed: memory stays within some hundred MB.
    folder : str or Path
        A folder that does not exist.
    limit : int, optional
        The first rows only.
    name : str
        What to call the embedding; by default the file's name.
    progress : callable, optional
        Called with the rows read and the share of the file read, from time to time.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError, FileExistsError, WriteError
        As `load_embedding` and `save_store`.
    """
    path = Path(name_or_path).expanduser()
    if not path.is_file():
        e = load_embedding(name_or_path, limit)
        e.name = name or e.name
        return save_store(e, folder)
    limit = None if limit is None else positive(limit)
    source = f"{path.name}@sha256:{file_hash(path)}" + (f"[:{limit}]" if limit else "")
    about = {"name": name or path.stem, "source": source, "ranked": is_sorted(path)}
    repeated = write_store(read_blocks(path, limit, progress), Path(folder), about)
    if repeated:
        _warn_repeated(path.name, repeated, len(repeated))
    return Path(folder)
