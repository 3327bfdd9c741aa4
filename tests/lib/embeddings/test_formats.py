"""Files of word vectors: what each format holds comes back; what breaks a format is named."""

import gzip
import io
import json
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lib.embeddings import load_embedding, word2vec

WORDS = ["she", "he", "New York", "é", "медсестра", "看護師"]
VECTORS = np.random.default_rng(3).normal(size=(6, 5)).astype(np.float32)


def text_file(words=WORDS, vectors=VECTORS, header=False, ending=""):
    """The bytes of a GloVe file, or with a header of a word2vec text file."""
    lines = [f"{len(words)} {len(vectors[0])}"] if header else []
    lines += [
        " ".join([word, *(f"{number:.9g}" for number in row)]) + ending
        for word, row in zip(words, vectors)
    ]
    return ("\n".join(lines) + "\n").encode()


def binary_file(words=WORDS, vectors=VECTORS, newline=b"\n", header=None):
    """The bytes of a word2vec binary file."""
    rows = [
        word.encode() + b" " + row.astype("<f4").tobytes() + newline
        for word, row in zip(words, vectors)
    ]
    return b"%d %d\n" % (header or vectors.shape) + b"".join(rows)


SINGLE = [word for word in WORDS if " " not in word]
ROWS = VECTORS[[0, 1, 3, 4, 5]]
FILES = {
    "GloVe text": ("v.txt", text_file(), WORDS),
    "word2vec text": ("v.txt", text_file(SINGLE, ROWS, header=True), SINGLE),
    "text with spaces at the ends of lines": (
        "v.vec",
        text_file(SINGLE, ROWS, header=True, ending=" "),
        SINGLE,
    ),
    "text from Windows": ("v.txt", text_file(ending="\r"), WORDS),
    "text with a byte order mark": ("v.txt", b"\xef\xbb\xbf" + text_file(), WORDS),
    "text without a last newline": ("v.txt", text_file().rstrip(b"\n"), WORDS),
    "packed text": ("v.txt.gz", gzip.compress(text_file()), WORDS),
    "word2vec binary": ("v.bin", binary_file(SINGLE, ROWS), SINGLE),
    "word2vec binary without newlines": ("v.bin", binary_file(SINGLE, ROWS, newline=b""), SINGLE),
    "packed binary": ("v.gz", gzip.compress(binary_file(SINGLE, ROWS)), SINGLE),
    "JSON": (
        "v.json",
        json.dumps({word: row.tolist() for word, row in zip(WORDS, VECTORS)}).encode(),
        WORDS,
    ),
}


@pytest.mark.parametrize(("name", "content", "words"), FILES.values(), ids=FILES)
def test_a_file_gives_back_its_words_and_rows(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    e = load_embedding(tmp_path / name)
    assert list(e.words) == words
    assert np.array_equal(e.vectors, VECTORS if words is WORDS else ROWS)
    assert list(load_embedding(tmp_path / name, limit=2).words) == words[:2]


# What separates the fields and lines of a format cannot be part of a word that any reader would get back.
TEXT_WORDS = st.text(
    st.characters(exclude_characters=" \n\0\ufeff", exclude_categories=["Cs"]), min_size=1
)
NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False).filter(
    lambda number: number != 0
)


@settings(max_examples=20)
@example(
    words=["0"], numbers=[1.1268105472835584e16, 5.416758207630541e16, 5.416758207630541e16]
)  # prints as text
@example(
    words=["0"], numbers=[1.0, float(np.float32(0.7)), float(np.float32(0.7))]
)  # half of it in digits
@example(words=["0"], numbers=[float(np.float32(0.7))] * 3)
@given(
    words=st.lists(TEXT_WORDS, min_size=1, unique=True),
    numbers=st.lists(NUMBERS, min_size=3, max_size=3),
)
def test_any_words_of_any_script_survive_every_stream_format(words, numbers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    vectors = np.tile(np.array(numbers, dtype=np.float32), (len(words), 1))
    for name, content in {
        "v.txt": text_file(words, vectors),
        "v.vec": text_file(words, vectors, header=True),
        "v.bin": binary_file(words, vectors),
        "v.gz": gzip.compress(binary_file(words, vectors, newline=b"")),
    }.items():
        (folder / name).write_bytes(content)
        e = load_embedding(folder / name)
        assert list(e.words) == words, name
        assert np.array_equal(e.vectors, vectors), name


def test_rows_that_straddle_two_reads_are_whole(tmp_path, monkeypatch):
    words, vectors = (
        [f"word{number}" for number in range(300)],
        np.random.default_rng(5).normal(size=(300, 9)),
    )
    vectors = vectors.astype(np.float32)
    monkeypatch.setattr(word2vec, "CHUNK", 64)
    for name, content in (
        ("v.txt", text_file(words, vectors)),
        ("v.bin", binary_file(words, vectors)),
    ):
        (tmp_path / name).write_bytes(content)
        e = load_embedding(tmp_path / name)
        assert list(e.words) == words and np.array_equal(e.vectors, vectors)


def test_phrases_of_glove_840b_keep_their_spaces(tmp_path):
    words = ["the", ". . .", "at name@domain.com", "1/2", "a"]
    (tmp_path / "v.txt").write_bytes(text_file(words, VECTORS[:5]))
    assert list(load_embedding(tmp_path / "v.txt").words) == words


def test_a_limit_leaves_the_rest_of_the_file_unread(tmp_path):
    (tmp_path / "v.txt").write_bytes(text_file() + b"\xff broken beyond\n")
    assert len(load_embedding(tmp_path / "v.txt", limit=6)) == 6
    (tmp_path / "v.bin").write_bytes(binary_file(SINGLE, ROWS)[:-9])
    assert len(load_embedding(tmp_path / "v.bin", limit=4)) == 4


# Bad files


def packed(words, vectors) -> bytes:
    file = io.BytesIO()
    np.savez(file, words=words, vectors=vectors)
    return file.getvalue()


def zipped(**members) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


class Trap:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


GLOVE, BINARY = text_file(), binary_file(SINGLE, ROWS)
LINES = GLOVE.split(b"\n")
BAD_FILES = {
    "an empty file": ("v.txt", b"", ["expected words and their vectors, got no row at all"]),
    "a line too short": (
        "v.txt",
        b"\n".join([*LINES[:3], b"doctor 0.1 0.2", *LINES[3:]]),
        ["line 4", "word and 5 numbers"],
    ),
    "a truncated text file": (
        "v.txt",
        GLOVE[:-25],
        ["line 6", "expected a word and 5 numbers", "truncated"],
    ),
    "a word for a number": (
        "v.txt",
        GLOVE + b"doctor 0.1 0.2 x 0.4 0.5\n",
        ["line 7", "got b'x' for a number"],
    ),
    "Latin-1": (
        "v.txt",
        GLOVE + "café 1 2 3 4 5\n".encode("latin1"),
        ["line 7", "expected UTF-8", "byte 3", "iconv"],
    ),
    "UTF-16": (
        "v.txt",
        GLOVE.decode().encode("utf-16"),
        ["expected a line of text, got bytes that are none"],
    ),
    "NaN in text": (
        "v.txt",
        GLOVE + b"doctor 1 2 nan 4 5\n",
        ["NaN or infinity in row 7 ('doctor')", "take such rows"],
    ),
    "a header of too many rows": (
        "v.txt",
        b"7 5\n" + GLOVE,
        ["announces 7 rows, got 6", "truncated"],
    ),
    "a header of other dimensions": (
        "v.txt",
        b"6 6\n" + GLOVE,
        ["line 2", "expected a word and 6 numbers"],
    ),
    "a truncated binary file": (
        "v.bin",
        BINARY[:-9],
        ["5 rows of 5 numbers, got 4", "at byte", "truncated"],
    ),
    "a binary header of too few rows": (
        "v.bin",
        BINARY.replace(b"5 5", b"4 5", 1),
        ["announces 4 rows", "more bytes"],
    ),
    "truncated gzip": (
        "v.gz",
        gzip.compress(GLOVE)[:-30],
        ["whole gzip data", "near byte", "fetch the file again"],
    ),
    "gensim's own files": (
        "v.kv",
        b"",
        [".kv files are not read", "a pickle can run code", "save_word2vec_format"],
    ),
    "a pickle by another name": (
        "v.bin",
        pickle.dumps(Trap()),
        ["a Python pickle", "save_word2vec_format"],
    ),
    "a fastText model": (
        "v.bin",
        b"\xba\x16\x4f\x2f" + b"\0" * 99,
        ["a fastText model; give the .vec"],
    ),
    "a zip archive": ("glove.zip", zipped(a="x"), [".zip files are not read", "unpack it first"]),
    "rows without words": ("v.npy", b"", ["it has rows and no words"]),
    "a pickle in .npz": (
        "v.npz",
        packed(np.array([Trap()], dtype=object), ROWS[:1]),
        ["Object arrays", "never unp"],
    ),
    ".npz of numbers for words": (
        "v.npz",
        packed(np.arange(5), ROWS),
        ["expected `words` as text", "got int64"],
    ),
    ".npz that is none": ("v.npz", b"she 1 2 3\n", ["expected an .npz with arrays `words`"]),
    "truncated JSON": (
        "v.json",
        b'{"she": [1, 2], "he": [3',
        ["expected JSON in UTF-8", "fetch the file again"],
    ),
    "ragged JSON": (
        "v.json",
        b'{"she": [1, 2], "he": [3]}',
        ["a list of 2 numbers for every word, got 1 entries for 'he'"],
    ),
    "R data that are none": ("v.rda", b"she 1 2 3\n", ["expected R data", "fetch the file again"]),
}


@pytest.mark.parametrize(("name", "content", "fragments"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_named_with_what_was_expected_what_came_and_what_to_do(
    name, content, fragments, tmp_path, tree
):
    (tmp_path / name).write_bytes(content)
    before = tree(tmp_path)
    with pytest.raises(ValueError) as caught:
        load_embedding(tmp_path / name)
    assert [fragment for fragment in [name, *fragments] if fragment not in str(caught.value)] == []
    assert tree(tmp_path) == before


def test_gensim_reads_and_writes_the_same_words_and_rows(tmp_path):
    gensim = pytest.importorskip("gensim.models")
    (tmp_path / "ours.bin").write_bytes(BINARY)
    theirs = gensim.KeyedVectors.load_word2vec_format(tmp_path / "ours.bin", binary=True)
    for name, binary in (("theirs.bin", True), ("theirs.txt", False)):
        theirs.save_word2vec_format(tmp_path / name, binary=binary, write_header=True)
        e = load_embedding(tmp_path / name)
        assert list(e.words) == SINGLE and np.array_equal(e.vectors, ROWS)
