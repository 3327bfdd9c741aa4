"""Stores: written in a stream, opened without being read, whole or not there at all."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.embeddings import (
    Embedding,
    convert,
    load_embedding,
    open_store,
    save_store,
    store,
    vocabulary,
)
from lib.embeddings.rows import FileRows
from lib.embeddings.vocabulary import word_hash
from lib.files import file_hash
from lib.paths import ROOT
from lib.sources import stamps
from tests.support.mutations import flip_a_bit_and_set_the_time_back, not_worded

ABOUT = {"name": "test", "source": "test@1", "ranked": True}


@settings(max_examples=20)
@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, unique=True))
def test_any_words_survive_a_store(words, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any") / "store"
    rows = np.arange(1, 2 * len(words) + 1, dtype=np.float32).reshape(-1, 2)
    e = open_store(save_store(Embedding(words, rows), folder))
    assert list(e.words) == words and e.words[:] == tuple(words) and e.words[-1] == words[-1]
    assert np.array_equal(e.words.positions([*words, "absent\0"]), [*range(len(words)), -1])
    assert np.array_equal(e.rows(words).vectors, rows)


def test_the_hash_of_a_word_is_the_same_everywhere():
    assert word_hash("nurse") == word_hash(b"nurse") == 0xF2BBACEC51A8C20E
    assert word_hash("медсестра") == word_hash("медсестра".encode())


def test_words_that_share_a_hash_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "word_hash", lambda word: 7)
    monkeypatch.setattr(vocabulary, "word_hash", lambda word: 7)
    store.write_store(
        [(["a", "b", "c"], np.eye(3, dtype=np.float32)), (["b", "d"], np.ones((2, 3)))],
        tmp_path / "s",
        ABOUT,
    )
    e = open_store(tmp_path / "s")
    assert list(e.words) == ["a", "b", "c", "d"] and e.words.positions(
        ["c", "d", "e", "b"]
    ).tolist() == [2, 3, -1, 1]


def test_of_repeated_words_the_first_row_is_kept(tmp_path):
    rows = np.repeat(np.arange(1, 6, dtype=np.float32), 2).reshape(5, 2)
    blocks = [(["a", "b", "a"], rows[:3]), (["c", "b"], rows[3:])]
    assert store.write_store(blocks, tmp_path / "s", ABOUT) == ["a", "b"]
    e = open_store(tmp_path / "s", verify=True)
    assert list(e.words) == ["a", "b", "c"] and e.vectors[:, 0].tolist() == [1, 2, 4]


INDICES = [
    0,
    -1,
    [4, 0, 1, 2],
    slice(1, 4),
    slice(None, None, 2),
    np.array([], int),
    np.arange(6) > 3,
]


def test_rows_read_from_the_file_are_those_written(tmp_path, small):
    save_store(small, tmp_path / "s")
    from_file = FileRows(tmp_path / "s" / "vectors.npy")
    for rows in INDICES:
        assert np.array_equal(from_file[rows], small.vectors[rows]), rows
    part = FileRows(tmp_path / "s" / "vectors.npy", count=4)
    assert len(part) == 4 and np.array_equal(part[-1], small.vectors[3])


def test_a_converted_file_is_the_loaded_file(tmp_path, caplog):
    words = [f"word{number}" for number in range(500)] + ["word7"]
    numbers = np.random.default_rng(2).normal(size=(501, 8)).astype(np.float32)
    lines = [" ".join([word, *map(repr, row.tolist())]) for word, row in zip(words, numbers)]
    (tmp_path / "v.txt").write_text("\n".join([*lines, ""]))
    told = []
    convert(tmp_path / "v.txt", tmp_path / "s", progress=lambda *step: told.append(step))
    stored, loaded = open_store(tmp_path / "s"), load_embedding(tmp_path / "v.txt")
    assert list(stored.words) == list(loaded.words) and np.array_equal(
        stored.vectors, loaded.vectors
    )
    assert (stored.name, stored.source, stored.rank("word9")) == (loaded.name, loaded.source, 9)
    assert (
        told == [(501, 1.0)]
        and caplog.text.count("left out 1 rows of words that came before: 'word7'") == 2
    )


def test_three_hundred_thousand_words_open_in_little_memory(tmp_path):
    count, step, rng = 300_000, 50_000, np.random.default_rng(0)
    blocks = (
        (
            [f"word{number}" for number in range(start, start + step)],
            rng.standard_normal((step, 50), dtype=np.float32),
        )
        for start in range(0, count, step)
    )
    store.write_store(blocks, tmp_path / "s", ABOUT)
    code = (
        "import sys; from pathlib import Path; from lib.embeddings import open_store\n"
        "e = open_store(sys.argv[1])\n"
        "rows = e.rows([f'word{number * 299}' for number in range(1000)]).vectors\n"
        "status = Path('/proc/self/status')\n"
        "peak = status.read_text().partition('VmHWM:')[2].split()[0] if status.exists() else 0\n"
        "sys.stdout.write(f'{len(rows)} {peak}')"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "s"], cwd=ROOT, capture_output=True, text=True
    )
    rows, kilobytes = map(float, shown.stdout.split())
    assert rows == 1000 and kilobytes < 150_000


def test_a_store_is_read_whole_once_until_a_file_changes(tmp_path, small, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(stamps, "SETTLED", -1)
    hashed, whole = [], stamps.file_hash
    monkeypatch.setattr(
        stamps, "file_hash", lambda path, kind: hashed.append(path.name) or whole(path, kind)
    )
    folder = save_store(small, tmp_path / "s")
    open_store(folder)
    open_store(folder)
    assert sorted(hashed) == sorted(store.FILES)
    flip_a_bit_and_set_the_time_back(folder / "order.npy", 130)
    with pytest.raises(ValueError, match=r"order\.npy: expected sha256"):
        open_store(folder)
    flip_a_bit_and_set_the_time_back(folder / "order.npy", 130)
    assert np.array_equal(open_store(folder).vectors, small.vectors)


# What can go wrong


def test_an_interrupted_conversion_leaves_nothing(tmp_path, tree):
    def interrupted():
        yield ["a"], np.ones((1, 3), np.float32)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.write_store(interrupted(), tmp_path / "s", ABOUT)
    assert tree(tmp_path) == {}


def test_a_killed_conversion_leaves_nothing_that_opens(tmp_path):
    code = (
        "import os, sys; import numpy as np; from pathlib import Path; from lib.embeddings.store import write_store\n"
        "def blocks():\n    yield ['a'], np.ones((1, 3), np.float32)\n    os.kill(os.getpid(), 9)\n"
        "write_store(blocks(), Path(sys.argv[1]), {})"
    )
    killed = subprocess.run([sys.executable, "-c", code, tmp_path / "s"], cwd=ROOT)
    assert killed.returncode == -9 and not (tmp_path / "s").exists()
    for folder in tmp_path.iterdir():
        with pytest.raises(ValueError, match=r"without store\.json"):
            open_store(folder)
    save_store(Embedding(["a"], np.ones((1, 3))), tmp_path / "s")
    assert len(open_store(tmp_path / "s")) == 1


def change_index(**values):
    def change(folder):
        index = json.loads((folder / "store.json").read_text())
        (folder / "store.json").write_text(json.dumps(index | values))

    return change


def cut(name):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-4])


BAD_STORES = {
    "no index": (
        lambda folder: (folder / "store.json").unlink(),
        ["without store.json", "lib.embeddings convert"],
    ),
    "a later version": (
        change_index(version=9),
        ["expected a store of version 1, got 9", "convert again"],
    ),
    "cut rows": (
        cut("vectors.npy"),
        ["vectors.npy: expected 224 bytes (says store.json), got 220 bytes", "convert again"],
    ),
    "a flipped bit": (
        lambda folder: flip_a_bit_and_set_the_time_back(folder / "vectors.npy"),
        ["vectors.npy: expected sha256", "the store is damaged"],
    ),
    "more words than rows": (change_index(words=7), ["vectors.npy: expected float32 of shape (7,"]),
}


@pytest.mark.parametrize(("damage", "fragments"), BAD_STORES.values(), ids=BAD_STORES)
def test_a_damaged_store_is_refused(damage, fragments, tmp_path, tree, small):
    damage(save_store(small, tmp_path / "s"))
    before = tree(tmp_path)
    with pytest.raises(ValueError) as caught:
        open_store(tmp_path / "s")
    assert [fragment for fragment in fragments if fragment not in str(caught.value)] == []
    assert tree(tmp_path) == before


def listed(folder, name):
    """Enter a file into store.json as it is, so that its hash is right."""
    path = folder / name
    index = json.loads((folder / "store.json").read_text())
    index["files"][name] = {"bytes": path.stat().st_size, "sha256": file_hash(path)}
    (folder / "store.json").write_text(json.dumps(index))


SIX = np.arange(6)
BAD_ARRAYS = {
    "offsets that fall": ("offsets", [0, 5, 3, 20, 30, 40, 44], "places that rise from 0 to 44"),
    "offsets in another kind": (
        "offsets",
        np.zeros(7, np.int32),
        "int64 of shape (7,) (says store.json), got int32",
    ),
    "hashes out of order": ("hashes", SIX[::-1].astype(np.uint64), "hashes in order"),
    "a row twice": ("order", [0, 1, 2, 2, 4, 5], "each row from 0 to 5 once"),
    "no header": ("order", None, "an array of (6,)"),
}


@pytest.mark.parametrize(("name", "values", "message"), BAD_ARRAYS.values(), ids=BAD_ARRAYS)
def test_a_store_whose_files_do_not_fit_is_refused_though_their_hashes_do(
    name, values, message, tmp_path, small
):
    folder = save_store(small, tmp_path / "s")
    if values is None:
        (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00\x04\x00{[(\n")
    else:
        np.save(folder / f"{name}.npy", np.asarray(values))
    listed(folder, f"{name}.npy")
    with pytest.raises(ValueError) as caught:
        open_store(folder)
    assert f"{name}.npy: expected {message}" in str(caught.value)


@pytest.mark.parametrize("name", [*store.FILES, store.INDEX])
def test_a_damaged_file_of_a_store_gives_the_same_vectors_or_a_worded_error(name, tmp_path, small):
    folder = save_store(small, tmp_path / "s")

    def read(path):
        e = open_store(folder)
        assert tuple(e.words) == tuple(small.words), "other words"
        assert np.array_equal(e.rows(small.words).vectors, small.vectors), "other vectors"

    assert not_worded(read, folder / name, 150) == []


def test_a_store_cut_while_open_is_noticed(tmp_path, small):
    e = open_store(save_store(small, tmp_path / "s"))
    (tmp_path / "s" / "vectors.npy").write_bytes(b"")
    with pytest.raises(OSError, match="expected 6 rows, the file is shorter now"):
        e["nurse"]
