"""Embeddings on disk, opened without reading them: a folder of memory-mapped arrays.

vectors.npy (n, d) float32 · words.utf8 the words end to end · offsets.npy (n + 1,) where each begins · hashes.npy (n,) their
64-bit hashes, sorted · order.npy (n,) the row of each hash · store.json what it is, with the size and sha256 of each file.
A store is checked when it is written, and store.json is written last: what opens is whole.
"""

import json
from array import array
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from lib.embeddings.vocabulary import StoredWords, word_hash
from lib.embeddings.word2vec import Block
from lib.files import file_hash, new_folder

VERSION = 1
INDEX = "store.json"
FILES = ("vectors.npy", "words.utf8", "offsets.npy", "hashes.npy", "order.npy")


def write_store(blocks: Iterable[Block], folder: Path, about: dict) -> list[str]:
    """Write blocks of words and usable rows to a new folder; peak memory is a block and the hashes (16 bytes a word).

    about : name, source and ranked, kept in store.json. Of words that repeat, the first row is kept.
    Returns the repeated words. Raises FileExistsError when the folder exists, and OSError saying what to do when the disk is
    full; an interruption leaves nothing that opens.
    """
    with new_folder(folder) as part:
        hashes, lengths, dimensions = array("Q"), array("q"), 0
        with (part / "vectors.npy").open("wb") as rows, (part / "words.utf8").open("wb") as text:
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
        offsets = np.concatenate(([0], np.cumsum(np.frombuffer(lengths, np.int64)))).astype(
            np.int64
        )
        repeated = _index(part, np.frombuffer(hashes, np.uint64), offsets)
        files = {
            name: {"bytes": (part / name).stat().st_size, "sha256": file_hash(part / name)}
            for name in FILES
        }
        shape = np.load(part / "vectors.npy", mmap_mode="r").shape
        index = {
            "version": VERSION,
            **about,
            "words": shape[0],
            "dimensions": shape[1],
            "files": files,
        }
        (part / INDEX).write_text(json.dumps(index, indent=1, ensure_ascii=False), encoding="utf-8")
    return repeated


def _write_header(file, count: int, dimensions: int) -> None:
    """The header of a .npy file; NumPy pads it so that another count fits in the same place."""
    about = {"descr": "<f4", "fortran_order": False, "shape": (count, dimensions)}
    np.lib.format.write_array_header_1_0(file, about)


def _index(part: Path, hashes: np.ndarray, offsets: np.ndarray) -> list[str]:
    """Write offsets, sorted hashes and their order; rows of repeated words are taken out first. Returns those words."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    repeated: list[str] = []
    if (ordered[1:] == ordered[:-1]).any():
        words = StoredWords(_map_text(part / "words.utf8"), offsets, ordered, order)
        shared = np.flatnonzero(np.isin(hashes, ordered[1:][ordered[1:] == ordered[:-1]]))
        first: dict[str, int] = {}
        lost = [row for row in shared.tolist() if first.setdefault(words[row], row) != row]
        if lost:
            repeated = [words[row] for row in lost]
            keep = np.ones(len(hashes), dtype=bool)
            keep[lost] = False
            offsets = _take_out(part, keep, offsets)
            hashes = hashes[keep]
            order = np.argsort(hashes, kind="stable")
            ordered = hashes[order]
    for name, values in (("offsets", offsets), ("hashes", ordered), ("order", order)):
        np.save(part / f"{name}.npy", values)
    return repeated


def _take_out(part: Path, keep: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Rewrite words and rows without those not to keep, some at a time; returns the new offsets."""
    text, rows = _map_text(part / "words.utf8"), np.load(part / "vectors.npy", mmap_mode="r")
    step = max(1, 2**22 // rows.shape[1])
    with (part / "rows").open("wb") as new_rows, (part / "text").open("wb") as new_text:
        _write_header(new_rows, int(keep.sum()), rows.shape[1])
        for start in range(0, len(keep), step):
            kept = start + np.flatnonzero(keep[start : start + step])
            new_rows.write(rows[kept].data)
            new_text.write(b"".join(bytes(text[offsets[row] : offsets[row + 1]]) for row in kept))
    (part / "rows").replace(part / "vectors.npy")
    (part / "text").replace(part / "words.utf8")
    return np.concatenate(([0], np.cumsum(np.diff(offsets)[keep]))).astype(np.int64)


def _map_text(path: Path) -> np.ndarray:
    """The bytes of a file, memory-mapped (an empty file cannot be)."""
    return np.memmap(path, np.uint8, "r") if path.stat().st_size else np.zeros(0, np.uint8)


def read_store(folder: Path, verify: bool = False) -> tuple[StoredWords, np.ndarray, dict]:
    """Open a store: its words, its (n, d) rows as a memmap, and what store.json says. Nothing is read but store.json.

    Sizes are always compared; with `verify` every byte is hashed. Raises ValueError when the folder is no store, is
    one of another version, or is damaged.
    """
    index = read_index(folder)
    for name in FILES:
        file, expected = folder / name, index["files"][name]
        size = file.stat().st_size if file.is_file() else None
        if size != expected["bytes"]:
            got = "no file" if size is None else f"{size:,} bytes"
            raise ValueError(
                f"{file}: expected {expected['bytes']:,} bytes, got {got}; the store is damaged: convert again"
            )
        if verify and file_hash(file) != expected["sha256"]:
            raise ValueError(
                f"{file}: expected sha256 {expected['sha256']}, got {file_hash(file)}; the store is damaged: convert again"
            )
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    arrays = (
        np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("offsets", "hashes", "order")
    )
    return StoredWords(_map_text(folder / "words.utf8"), *arrays), vectors, index


def read_index(folder: Path) -> dict:
    """What store.json says."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(
            f"{folder}: expected a store of word vectors, got a folder without {INDEX}; make one with "
            "`python -m lib.embeddings convert FILE FOLDER`, or name the folder of a model as hf:FOLDER"
        ) from None
    except ValueError as error:
        raise ValueError(
            f"{folder / INDEX}: expected JSON ({error}); the store is damaged: convert again"
        ) from error
    if not isinstance(index, dict) or index.get("version") != VERSION:
        got = index.get("version") if isinstance(index, dict) else None
        raise ValueError(
            f"{folder}: expected a store of version {VERSION}, got {got}; convert again with this version"
        )
    return index
