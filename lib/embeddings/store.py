"""Embeddings on disk, opened without reading them: a folder of memory-mapped arrays.

vectors.npy (n, d) float32 · words.utf8 the words end to end · offsets.npy (n + 1,) where each
begins · hashes.npy (n,) their 64-bit hashes, sorted · order.npy (n,) the row of each hash ·
store.json what it is, with the size and sha256 of each file. store.json is written last, and a store
is checked when it is opened: its bytes once, until a file changes, and its structure each time.
"""

import json
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from lib.embeddings.rows import row_blocks
from lib.embeddings.vocabulary import StoredWords, word_hash
from lib.embeddings.word2vec import Block
from lib.files import file_hash, new_folder
from lib.sources.stamps import known_hash

VERSION = 1
INDEX = "store.json"
VECTORS = "vectors.npy"
RUN = 2**20  # values looked at at a time
FILES = (VECTORS, "words.utf8", "offsets.npy", "hashes.npy", "order.npy")


def write_store(blocks: Iterable[Block], folder: Path, about: Mapping[str, Any]) -> list[str]:
    """Write blocks of words and usable rows to a new folder.

    Peak memory is a block and the hashes (16 bytes a word).

    Parameters
    ----------
    blocks : iterable of (words, ndarray of shape (b, d))
        Words and their rows; of words that repeat, the first row is kept.
    folder : Path
        A folder that does not exist.
    about : mapping
        name, source and ranked, kept in store.json.

    Returns
    -------
    list of str
        The repeated words.

    Raises
    ------
    FileExistsError
        When the folder exists.
    WriteError
        When the disk is full; an interruption leaves nothing that opens.
    """
    with new_folder(folder) as part:
        hashes, lengths, dimensions = array("Q"), array("q"), 0
        with (part / VECTORS).open("wb") as rows, (part / "words.utf8").open("wb") as text:
            for words, vectors in blocks:
                if not dimensions:
                    dimensions = vectors.shape[1]
                    _write_header(rows, 0, dimensions)
                encoded = [word.encode() for word in words]
                hashes.extend(map(word_hash, encoded))
                lengths.extend(map(len, encoded))
                text.write(b"".join(encoded))
                rows.write(np.ascontiguousarray(vectors, dtype="<f4").data)
            rows.seek(0)
            _write_header(rows, len(hashes), dimensions)
        offsets = np.cumsum(np.frombuffer(array("q", [0]) + lengths, np.int64))
        repeated, count = _write_index(part, np.frombuffer(hashes, np.uint64), offsets)
        files = {
            name: {"bytes": (part / name).stat().st_size, "sha256": file_hash(part / name)}
            for name in FILES
        }
        sizes = {"words": count, "dimensions": dimensions, "files": files}
        index = {"version": VERSION, **about, **sizes}
        (part / INDEX).write_text(json.dumps(index, indent=1, ensure_ascii=False), encoding="utf-8")
    return repeated


def _write_header(file: BinaryIO, count: int, dimensions: int) -> None:
    """The header of a .npy file; NumPy pads it so that another count fits in the same place."""
    about = {"descr": "<f4", "fortran_order": False, "shape": (count, dimensions)}
    np.lib.format.write_array_header_1_0(file, about)


def _write_index(
    part: Path, hashes: NDArray[np.uint64], offsets: NDArray[np.int64]
) -> tuple[list[str], int]:
    """Write offsets, sorted hashes and their order, without rows of repeated words.

    Returns those words, and how many words are left.
    """
    order = np.argsort(hashes, kind="stable")
    repeated_rows = _repeated_rows(part, hashes, offsets, order)
    words = StoredWords(_map_text(part / "words.utf8"), offsets, hashes[order], order)
    repeated = [words[row] for row in repeated_rows]
    if repeated:
        keep = np.ones(len(hashes), dtype=bool)
        keep[repeated_rows] = False
        offsets, hashes = _rewrite(part, keep, offsets), hashes[keep]
        order = np.argsort(hashes, kind="stable")
    for name, values in (("offsets", offsets), ("hashes", hashes[order]), ("order", order)):
        np.save(part / f"{name}.npy", values)
    return repeated, len(hashes)


def _repeated_rows(
    part: Path,
    hashes: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    order: NDArray[np.int64],
) -> list[int]:
    """The rows of words that stand in an earlier row too."""
    ordered = hashes[order]
    shared = np.isin(hashes, ordered[1:][ordered[1:] == ordered[:-1]])
    words = StoredWords(_map_text(part / "words.utf8"), offsets, ordered, order)
    first: dict[str, int] = {}
    return [
        row for row in np.flatnonzero(shared).tolist() if first.setdefault(words[row], row) != row
    ]


def _rewrite(part: Path, keep: NDArray[np.bool_], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Words and rows without those not to keep, some at a time; returns the new offsets."""
    text, vectors = _map_text(part / "words.utf8"), np.load(part / VECTORS, mmap_mode="r")
    with (part / "rows").open("wb") as new_rows, (part / "text").open("wb") as new_text:
        _write_header(new_rows, int(keep.sum()), vectors.shape[1])
        for block in row_blocks(vectors.shape):
            rows = block.start + np.flatnonzero(keep[block])
            new_rows.write(vectors[rows].data)
            new_text.write(b"".join(bytes(text[offsets[row] : offsets[row + 1]]) for row in rows))
    (part / "rows").replace(part / VECTORS)
    (part / "text").replace(part / "words.utf8")
    return np.cumsum(np.concatenate(([0], np.diff(offsets)[keep])))


def _map_text(path: Path) -> NDArray[np.uint8]:
    """The bytes of a file, memory-mapped (an empty file cannot be)."""
    return np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)


def read_store(folder: Path, verify: bool = False) -> tuple[StoredWords, dict[str, Any]]:
    """Open the words of a store, and what store.json says, after a check of its files.

    Parameters
    ----------
    folder : Path
        What `write_store` wrote.
    verify : bool
        Whether every byte is hashed again; by default only those of files that were not hashed since they last changed.

    Returns
    -------
    words : StoredWords
    index : dict
        name, source, ranked, words, dimensions, and the files.

    Raises
    ------
    ValueError
        When the folder is no store, is one of another version, or is damaged.
    """
    index = _read_index(folder)
    for name in FILES:
        file, expected = folder / name, index["files"][name]
        size = file.stat().st_size if file.is_file() else None
        if size != expected["bytes"]:
            got = "no file" if size is None else f"{size:,} bytes"
            raise _damaged(file, f"{expected['bytes']:,} bytes (says {INDEX}), got {got}")
        received = file_hash(file) if verify else known_hash(file, large=0)
        if received != expected["sha256"]:
            raise _damaged(file, f"sha256 {expected['sha256']} (says {INDEX}), got {received}")
    count, text = index["words"], _map_text(folder / "words.utf8")
    _open_array(folder / VECTORS, np.float32, (count, index["dimensions"]))
    offsets = _open_array(folder / "offsets.npy", np.int64, (count + 1,))
    hashes = _open_array(folder / "hashes.npy", np.uint64, (count,))
    order = _open_array(folder / "order.npy", np.int64, (count,))
    if not _rises(offsets) or offsets[0] != 0 or offsets[-1] != len(text):
        raise _damaged(folder / "offsets.npy", f"places that rise from 0 to {len(text):,}")
    if not _rises(hashes):
        raise _damaged(folder / "hashes.npy", "hashes in order")
    if not _is_permutation(order):
        raise _damaged(folder / "order.npy", f"each row from 0 to {count - 1:,} once")
    return StoredWords(text, offsets, hashes, order), index


def _damaged(file: Path, expected: str) -> ValueError:
    return ValueError(f"{file}: expected {expected}; the store is damaged: convert again")


def _open_array(file: Path, kind: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
    """A memory-mapped .npy file that holds what store.json says."""
    try:
        array: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # NumPy's parser of headers raises a dozen kinds
        raise _damaged(file, f"an array of {shape} ({error})") from error
    if array.dtype != kind or array.shape != shape:
        raise _damaged(
            file,
            f"{kind.__name__} of shape {shape} (says {INDEX}), got {array.dtype} {array.shape}",
        )
    return array


def _rises(values: NDArray[Any]) -> bool:
    """Whether no value is smaller than the one before it."""
    runs = (values[start : start + RUN + 1] for start in range(0, len(values), RUN))
    return all(bool((run[1:] >= run[:-1]).all()) for run in runs)


def _is_permutation(order: NDArray[np.int64]) -> bool:
    """Whether each number from 0 to n − 1 is there once."""
    seen = np.zeros(len(order), dtype=bool)
    for start in range(0, len(order), RUN):
        run = order[start : start + RUN]
        if run.min() < 0 or run.max() >= len(order):
            return False
        seen[run] = True
    return bool(seen.all())


def _read_index(folder: Path) -> dict[str, Any]:
    """What store.json says."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(
            f"{folder}: expected a store of word vectors, got a folder without {INDEX}; make one "
            "with `python -m lib.embeddings convert FILE FOLDER`, or name the folder of a model as "
            "hf:FOLDER"
        ) from None
    except (ValueError, RecursionError) as error:
        raise _damaged(folder / INDEX, f"JSON ({error})") from error
    version = index.get("version") if isinstance(index, dict) else None
    if version != VERSION:
        raise ValueError(
            f"{folder}: expected a store of version {VERSION}, got {version}; "
            "convert again with this version"
        )
    if not _is_index(index):
        raise _damaged(
            folder / INDEX,
            "name and source as text, ranked, the numbers of words and dimensions, and size and sha256 of each file",
        )
    return index


def _is_index(index: dict[str, Any]) -> bool:
    """Whether store.json holds what `write_store` writes into it."""
    kinds = {"name": str, "source": str, "ranked": bool, "words": int, "dimensions": int}
    files = index.get("files")
    return (
        all(type(index.get(name)) is kind for name, kind in kinds.items())
        and min(index["words"], index["dimensions"]) > 0
        and isinstance(files, dict)
        and all(
            isinstance(entry := files.get(name), dict)
            and type(entry.get("bytes")) is int
            and isinstance(entry.get("sha256"), str)
            for name in FILES
        )
    )
