"""Files of word vectors, read as blocks of rows: word2vec, GloVe and fastText files, .npz, JSON and
R data.

Every reader yields blocks of words and their (b, d) float32 rows, so that a file of any size is
read in bounded memory. Nothing is ever unpickled. A file that breaks its format raises ValueError
naming the line, the byte, the row or the word.
"""

import json
import logging
import math
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from lib.embeddings.vocabulary import examples
from lib.embeddings.word2vec import GENSIM, Block, read_rows
from lib.files import unpacked

Progress = Callable[[int, float], None]  # rows read so far, share of the file read so far

REFUSED = {
    **dict.fromkeys(
        (".kv", ".model", ".wordvectors", ".pkl", ".pickle"),
        f"a pickle can run code when opened; {GENSIM}",
    ),
    **dict.fromkeys(
        (".pt", ".pth"),
        "a pickle can run code when opened; save the model in safetensors, or rows as .npz",
    ),
    ".npy": "it has rows and no words; give an .npz with arrays `words` and `vectors`, or the file in word2vec format",
    **dict.fromkeys(
        (".zip", ".bz2", ".xz", ".7z", ".zst", ".rar", ".tar", ".tgz"),
        "unpack it first and give the file inside",
    ),
}
PACKED = {  # by their first bytes, whatever the name
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7-zip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"Rar!": "rar",
}
LFS = b"version https://git-lfs"  # what stands in a clone for a large file

log = logging.getLogger("lib")


def read_blocks(
    path: Path, limit: int | None = None, progress: Progress | None = None
) -> Iterator[Block]:
    """The words and rows of a file, block by block; rows of zeros are left out with a warning.

    Parameters
    ----------
    path : Path
        A file of word2vec's kind (gzip or not), .npz, .json or .rda.
    limit : int, optional
        The first rows only.
    progress : callable, optional
        Called with the rows read and the share of the file read, block by block.

    Yields
    ------
    words : list of str
    vectors : ndarray of float32 of shape (b, d)

    Raises
    ------
    ValueError
        When a row holds NaN or infinity, when the file holds no row, when it breaks its format, or
        when its format is refused.
    """
    suffix = path.suffix.lower()
    if suffix in REFUSED:
        raise ValueError(f"{path}: {suffix} files are not read: {REFUSED[suffix]}")
    with path.open("rb") as file:
        head = file.read(len(LFS))
    if head == LFS:
        raise ValueError(
            f"{path}: this is a pointer of Git LFS and not the file itself; run `git lfs pull` where it was cloned, or "
            "download the file"
        )
    whole = WHOLE.get(suffix)
    packed = next((kind for mark, kind in PACKED.items() if head.startswith(mark)), "")
    if packed and not whole:  # R packs its data by itself
        raise ValueError(f"{path}: this is packed with {packed}; {REFUSED['.bz2']}")
    blocks = _one_block(whole, path, limit) if whole else _stream(path, limit, progress)
    return _usable_rows(blocks, path)


def is_sorted(path: Path) -> bool:
    """Whether programs that write a file of this format put the most frequent word first, as those of word2vec, GloVe
    and fastText do; what read_blocks reads it as decides, and not what it is called.
    """
    return path.suffix.lower() not in WHOLE


def _usable_rows(blocks: Iterator[Block], path: Path) -> Iterator[Block]:
    """Blocks without their rows of zeros; NaN and infinity are refused."""
    row, empty = 0, []
    for words, vectors in blocks:
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            first = int(finite.argmin())
            raise ValueError(
                f"{path}: expected finite numbers, got NaN or infinity in row {row + first + 1:,} ({words[first]!r}); take "
                "such rows out of the file"
            )
        row += len(words)
        usable = vectors.any(axis=1)
        if not usable.all():
            empty += [word for word, kept in zip(words, usable) if not kept]
            words, vectors = [word for word, kept in zip(words, usable) if kept], vectors[usable]
        if words:
            yield words, vectors
    if row == len(empty):
        raise ValueError(
            f"{path}: expected words and their vectors, got {'rows of zeros only' if row else 'no row at all'}"
        )
    if empty:
        log.warning(
            "%s: left out %s rows of zeros: %s", path.name, f"{len(empty):,}", examples(empty)
        )


def _stream(path: Path, limit: int | None, progress: Progress | None) -> Iterator[Block]:
    """The rows of a text or binary file of word2vec's kind, packed by gzip or not."""
    size = max(1, path.stat().st_size)
    rows = 0
    with unpacked(path, lambda: rows) as (file, raw):
        for words, vectors in read_rows(file, path, limit):
            yield words, vectors
            rows += len(words)
            if progress:
                progress(rows, min(1.0, raw.tell() / size))


def _one_block(read: Callable[[Path], Block], path: Path, limit: int | None) -> Iterator[Block]:
    """A file that is read whole, as a single block."""
    words, vectors = read(path)
    if vectors.ndim != 2 or len(vectors) != len(words):
        raise ValueError(
            f"{path}: expected one row per word, got {len(words):,} words and an array {vectors.shape}"
        )
    yield words[:limit], np.asarray(vectors[:limit], dtype=np.float32)


def _read_npz(path: Path) -> Block:
    """Arrays `words` (n,) of text and `vectors` (n, d) of numbers."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            absent = {"words", "vectors"} - set(arrays.files)
            if absent:
                raise KeyError(
                    f"no array `{'` and no `'.join(sorted(absent))}` among {', '.join(arrays.files) or 'none'}"
                )
            for name in ("words", "vectors"):
                _check_size(arrays.zip, f"{name}.npy")
            words, vectors = arrays["words"], arrays["vectors"]
    # NumPy passes on what its parsers of headers and zip files raise
    except Exception as error:
        raise ValueError(
            f"{path}: expected an .npz with arrays `words` (text) and `vectors` (numbers), got {error}; objects are never "
            "unpickled: write it with np.savez(path, words=np.array(words), vectors=vectors)"
        ) from error
    if words.dtype.kind not in "US" or vectors.dtype.kind not in "fiu":
        raise ValueError(
            f"{path}: expected `words` as text and `vectors` as real numbers, got {words.dtype} and {vectors.dtype}; write "
            "it with np.savez(path, words=np.array(words), vectors=vectors)"
        )
    if words.dtype.kind == "S":
        try:
            words = np.char.decode(words, "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: expected `words` in UTF-8, got {error}") from error
    return words.tolist(), vectors


def _check_size(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse an array whose header announces more than the archive holds of it, before room is made for it."""
    with archive.open(name) as file:
        version = np.lib.format.read_magic(file)
        read = {(1, 0): np.lib.format.read_array_header_1_0}
        shape, _, kind = read.get(version, np.lib.format.read_array_header_2_0)(file)
        announced, held = math.prod(shape) * kind.itemsize, archive.getinfo(name).file_size
    if announced > held:
        raise ValueError(f"{name} of shape {shape}, which takes {announced:,} bytes of {held:,}")


def _read_json(path: Path) -> Block:
    """An object of words, each with its list of numbers."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    except ValueError as error:
        raise ValueError(
            f"{path}: expected JSON in UTF-8, got something else ({error}); fetch the file again"
        ) from error
    if not isinstance(entries, list) or not all(isinstance(entry, tuple) for entry in entries):
        raise ValueError(
            f'{path}: expected a JSON object like {{"word": [0.1, 0.2]}}, got {str(entries)[:40]}'
        )
    size = len(entries[0][1]) if entries and isinstance(entries[0][1], list) else 0
    for word, numbers in entries:
        if (
            not isinstance(numbers, list)
            or len(numbers) != size
            or not all(type(n) in (int, float) for n in numbers)
        ):
            got = f"{len(numbers)} entries" if isinstance(numbers, list) else type(numbers).__name__
            raise ValueError(
                f"{path}: expected a list of {size} numbers for every word, got {got} for {word!r}"
            )
    return [word for word, _ in entries], np.array(
        [numbers for _, numbers in entries], np.float32
    ).reshape(len(entries), size)


def _read_rda(path: Path) -> Block:
    """R data with one numeric matrix whose row names are the words."""
    import rdata

    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # classes that rdata does not know; the matrix inside is all we need
        try:
            objects = dict(
                rdata.read_rda(path, default_encoding="utf8")
            )  # of a damaged file it may make anything
        except Exception as error:  # rdata passes on whatever its decoders raise
            raise ValueError(
                f"{path}: expected R data, got something else ({error}); fetch the file again"
            ) from error
    named = [
        value
        for value in objects.values()
        if getattr(value, "ndim", 0) == 2 and hasattr(value, "coords")
    ]
    if len(named) != 1 or named[0].dims[0] not in named[0].coords:
        raise ValueError(
            f"{path}: expected one numeric matrix with the words as row names, got {', '.join(objects) or 'nothing'}; save "
            "the matrix alone, e.g. `save(vectors, file = 'vectors.rda')`"
        )
    return list(map(str, named[0].coords[named[0].dims[0]].values)), named[0].to_numpy()


WHOLE = {".npz": _read_npz, ".json": _read_json, ".rda": _read_rda, ".rdata": _read_rda}
