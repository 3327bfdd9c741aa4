"""Words as files spell them, lists as other tools hold them, and files that are not what they seem."""

import bz2
import gzip
import struct
import unicodedata
import zipfile

import numpy as np
import pandas as pd
import pytest

from lib.embeddings import Embedding, load_embedding, open_store, save_store
from lib.measures import direct_bias
from tests.support.mutations import not_worded

PAIRS = [("she", "he"), ("élève", "garçon")]
KINDS = {
    "case=either": str.upper,
    "prefix=/c/en/": "/c/en/{}".format,
    "suffix=_NOUN": "{}_NOUN".format,
    "form=either": lambda word: unicodedata.normalize("NFD", word),
}


@pytest.mark.parametrize(("spelling", "spelled"), KINDS.items(), ids=list(KINDS))
@pytest.mark.parametrize("on_disk", [True, False])
def test_words_are_found_as_they_are_spelled_and_the_message_says_how(
    spelling, spelled, on_disk, tmp_path
):
    words = [word for pair in PAIRS for word in pair]
    e = Embedding(map(spelled, words), np.eye(4), "mine")
    e = open_store(save_store(e, tmp_path / "s")) if on_disk else e
    found = e.pairs(PAIRS, spelling=spelling)
    assert found.kept == tuple(PAIRS) and np.array_equal(found.female, np.eye(4)[[0, 2]])
    assert np.array_equal(e.rows(words, spelling=spelling).vectors, np.eye(4))
    view = e.spelled(spelling)
    assert np.array_equal(view.rows(view.words).vectors, np.eye(4))
    only = PAIRS[1:]
    left = e.pairs(only, missing="drop")
    assert left.missing == tuple(only)
    with pytest.raises(ValueError) as caught:
        direct_bias(np.eye(4), left.female, left.male)
    assert repr(spelled("élève")) in str(caught.value) and "spelling='" in str(caught.value)
    with pytest.raises(KeyError, match="spelling='"):
        e.rows(["élève"])


def test_pairs_of_a_table_are_taken_by_the_names_of_its_columns():
    e = Embedding(["she", "he"], np.eye(2))
    assert e.pairs(pd.DataFrame({"male": ["he"], "female": ["she"]})).kept == (("she", "he"),)
    assert e.pairs(np.array([["she", "he"]])).kept == (("she", "he"),)


@pytest.mark.parametrize(
    ("pairs", "fragment"),
    [
        ({"female": ["she"], "male": ["he"]}, "zip(pairs['female']"),
        ([{"she", "he"}], "as pair 0"),
        (pd.DataFrame({"a": ["she"], "b": ["he"]}), "columns a, b"),
    ],
)
def test_other_shapes_are_refused_by_name(pairs, fragment):
    with pytest.raises(ValueError) as caught:
        Embedding(["she", "he"], np.eye(2)).pairs(pairs)
    assert fragment in str(caught.value)


@pytest.mark.parametrize(
    ("content", "fragment"),
    [
        (b"she\t0.1\t0.2\nhe\t0.3\t0.4\n", "tr "),
        (bz2.compress(b"she 0.1"), "unpack it first"),
        (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
    ],
)
def test_a_file_that_is_another_thing_is_named(content, fragment, tmp_path):
    (tmp_path / "v.txt").write_bytes(content)
    with pytest.raises(ValueError, match=fragment):
        load_embedding(tmp_path / "v.txt")


@pytest.mark.parametrize("name", ["v.txt", "v"])
def test_the_order_is_judged_by_the_format_and_not_by_the_name(name, tmp_path):
    (tmp_path / name).write_text("she 0.1 0.2\nhe 0.3 0.4\n")
    assert load_embedding(tmp_path / name).rank("he") == 1
    assert load_embedding(tmp_path / name, ranked="no").rank("he") is None


TEXT = "she 0.1 0.2\nhe 0.3 0.4\n"


def r_matrix() -> bytes:
    """What `save(vectors, file = "v.rda", compress = FALSE)` writes of two words, by the format of R Internals, 1.8."""

    def text(word: bytes) -> bytes:
        return struct.pack(">2i", 0x00040009, len(word)) + word

    def named(name: bytes) -> bytes:
        return struct.pack(">2i", 0x402, 1) + text(name)

    nothing = struct.pack(">i", 254)
    words = struct.pack(">2i", 16, 2) + text(b"she") + text(b"he")
    return b"".join(
        (
            b"RDX2\nX\n" + struct.pack(">3i", 2, 0x00030602, 0x00020300),
            named(b"vectors") + struct.pack(">2i4d", 0x20E, 4, 0.1, 0.3, 0.2, 0.4),
            named(b"dim") + struct.pack(">4i", 13, 2, 2, 2),
            named(b"dimnames") + struct.pack(">2i", 19, 2) + words + 3 * nothing,
        )
    )


WHOLE = {
    "v.rda": r_matrix(),
    "v.txt": TEXT.encode(),
    "v.json": b'{"she": [0.1, 0.2], "he": [0.3, 0.4]}',
    "v.txt.gz": gzip.compress(TEXT.encode(), mtime=0),
    "v.bin": b"2 2\n"
    + b"".join(w + b" " + np.full(2, 0.5, "<f4").tobytes() + b"\n" for w in (b"she", b"he")),
}


@pytest.mark.parametrize("name", [*WHOLE, "v.npz"])
def test_a_damaged_file_of_vectors_is_read_or_refused_in_words(name, tmp_path):
    path = tmp_path / name
    if name == "v.npz":
        np.savez(path, words=np.array(["she", "he"]), vectors=np.eye(2))
    else:
        path.write_bytes(WHOLE[name])
    assert load_embedding(path).words[0] == "she"
    assert not_worded(load_embedding, path, 150) == []


def test_r_data_that_hold_no_table_are_refused_in_words(tmp_path):
    (tmp_path / "v.rda").write_bytes(r_matrix()[:19] + struct.pack(">2i", 0x00040009, 3) + b"she")
    with pytest.raises(ValueError, match=r"v\.rda: expected R data, got something else"):
        load_embedding(tmp_path / "v.rda")


def test_an_announced_size_that_is_not_there_is_refused_before_room_is_made(tmp_path):
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(["she"]), vectors=np.ones((1, 8)))
    old, new = b"(1, 8), }" + b" " * 10, b"(99999999999, 8), }"
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert parts["vectors.npy"].count(old) == 1
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part.replace(old, new))
    with pytest.raises(ValueError, match="takes 6,399,999,999,936 bytes"):
        load_embedding(path)
