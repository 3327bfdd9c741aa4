"""Embedding: words, rows and pairs; load_embedding: everything it can be given; the command."""

import json
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib import sources
from lib.embeddings import Embedding, load, load_embedding, open_store, save_store
from lib.embeddings.__main__ import main
from lib.embeddings.embedding import UnknownWord
from lib.files import file_hash
from lib.paths import ROOT
from lib.sources.registry import registry

PAIRS = [("she", "he"), ("her", "his"), ("woman", "man"), ("mary", "john"), ("herself", "himself")]
PAIRS += [
    ("daughter", "son"),
    ("mother", "father"),
    ("gal", "guy"),
    ("girl", "boy"),
    ("female", "male"),
]


def cosine(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def ripa(e, word, female, male):
    difference = e[female].astype(float) - e[male]
    return float(e[word] @ difference / np.linalg.norm(difference))


loaded = cache(load_embedding)


@pytest.fixture(scope="module")
def minilm():
    return load_embedding("minilm")


# Golden numbers


def test_minilm_has_its_golden_numbers(minilm):
    axis = minilm["he"] - minilm["she"]
    scores = {
        word: round(cosine(minilm[word], axis), 3) for word in ("nurse", "engineer", "carpenter")
    }
    assert scores == {"nurse": -0.146, "engineer": 0.106, "carpenter": 0.176}
    both = minilm.pairs(PAIRS)
    differences = both.female - both.male
    differences /= np.linalg.norm(differences, axis=1, keepdims=True)
    assert (differences @ differences.T)[np.triu_indices(10, 1)].mean() == pytest.approx(
        0.348, abs=5e-4
    )


def test_minilm_holds_whole_words_only(minilm):
    assert (
        len(minilm) == 21_722
        and minilm.vectors.shape == (21_722, 384)
        and minilm.vectors.dtype == np.float32
    )
    assert all(word.isalpha() and len(word) >= 2 for word in minilm.words)
    assert (
        minilm.source
        == "minilm@sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    )
    assert minilm.rank("nurse") is None


@pytest.mark.sample("sweater_googlenews")
def test_google_news_rows_have_their_golden_numbers():
    e = loaded("sweater_googlenews")
    assert e.vectors.shape == (6_751, 300) and e.source.startswith(
        "sweater_googlenews@sha256:acb7fc9f"
    )
    assert ripa(e, "surgeon", "she", "he") == pytest.approx(-0.17162736, abs=1e-7)
    assert ripa(e, "surgeon", "woman", "man") == pytest.approx(0.26936825, abs=1e-7)
    assert len(e.pairs(PAIRS, missing="drop").kept) == 8
    assert e.rank("he") == 0 and e.rank("woman") < e.rank("surgeon")


@pytest.mark.sample("sweater_googlenews", "wefe_weat_w2v")
def test_two_publications_of_google_news_rows_agree_to_the_last_bit():
    sweater, wefe = loaded("sweater_googlenews"), loaded("wefe_weat_w2v")
    common = [word for word in wefe.words if word in sweater]
    assert len(common) == 80
    assert np.array_equal(sweater.rows(common).vectors, wefe.rows(common).vectors)


@pytest.mark.sample("glove_twitter_25d_12k", "glove_6b_50d_5k", "wefe_weat_w2v")
def test_mirrored_embeddings_load_whole():
    for key, shape, first, ranked in (
        ("glove_twitter_25d_12k", (11_925, 25), "the", True),
        ("glove_6b_50d_5k", (5_050, 50), "the", True),
        ("wefe_weat_w2v", (347, 300), "management", False),
    ):
        e = loaded(key)
        assert (e.name, e.vectors.shape, e.words[0], e.ranked) == (key, shape, first, ranked)
        assert e.source == sources.lookup(key).identity


# Rows and pairs


def test_an_embedding_gives_the_row_of_a_word(small):
    assert np.array_equal(small["nurse"], small.vectors[2])
    assert "New York" in small and "york" not in small and 3 not in small
    assert (len(small), small.rank("he"), list(small.words)[4]) == (6, 1, "New York")
    assert repr(small) == "Embedding('small', 6 words x 4, source='small@test')"


def test_rows_come_in_the_order_asked_for_and_list_what_is_missing(small):
    rows = small.rows(["he", "doctor", "медсестра", "he"], missing="drop")
    assert rows.words == ("he", "медсестра", "he") and rows.missing == ("doctor",)
    assert np.array_equal(rows.vectors, small.vectors[[1, 5, 1]])


def test_rows_taken_can_be_changed_without_changing_the_embedding(small):
    before = small.vectors.copy()
    for taken in (small["he"], small.rows(["he"]).vectors, small.pairs([("she", "he")]).male):
        taken[:] = 0
    assert np.array_equal(small.vectors, before)


@given(
    st.lists(
        st.tuples(*[st.sampled_from(["she", "he", "nurse", "engineer", "gone", "lost"])] * 2),
        min_size=1,
    )
)
def test_a_lost_word_never_shifts_another_pair(pairs):
    rows = dict(
        zip(("she", "he", "nurse", "engineer"), np.arange(1.0, 9.0, dtype=np.float32).reshape(4, 2))
    )
    found = Embedding(list(rows), np.stack(list(rows.values()))).pairs(pairs, missing="drop")
    assert found.kept == tuple(pair for pair in pairs if pair[0] in rows and pair[1] in rows)
    assert found.missing == tuple(pair for pair in pairs if pair not in found.kept)
    for (female, male), x, y in zip(found.kept, found.female, found.male, strict=True):
        assert np.array_equal(x, rows[female]) and np.array_equal(y, rows[male])


def test_unit_rows_keep_their_direction_for_very_short_and_very_long_rows():
    e = Embedding(["short", "long"], np.array([[3e-30, 4e-30], [3e30, 4e30]], dtype=np.float32))
    assert e.unit == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8]]))


def test_the_first_words_are_an_embedding_that_says_so(small):
    e = small.first(3)
    assert (
        list(e.words) == ["she", "he", "nurse"]
        and e.source == "small@test[:3]"
        and "engineer" not in e
    )
    assert small.first(9) is small


@pytest.mark.parametrize(
    ("asked", "held"), [("Nurse", "nurse"), ("nurses", "nurse"), ("New_York", "New York")]
)
def test_a_missing_word_is_told_its_variants(small, asked, held):
    with pytest.raises(KeyError) as caught:
        small[asked]
    assert str(caught.value).startswith(
        f"'{asked}' (but '{held}') is not among the 6 words of small"
    )


ONES = np.ones((2, 3))
BAD_CALLS = {
    "an unknown word": (
        lambda e: e["doctor"],
        UnknownWord,
        ["'doctor' is not among the 6 words of small", "choose"],
    ),
    "several for one": (
        lambda e: e[["she", "he"]],
        ValueError,
        ["expected words as text, got ['she', 'he'] (list)"],
    ),
    "a bare string": (
        lambda e: e.rows("nurse"),
        ValueError,
        ["expected a list of words, got the text 'nurse'"],
    ),
    "unknown words": (
        lambda e: e.rows(["she", *"abcdefg"]),
        UnknownWord,
        ["'a', 'b', 'c', 'd', 'e' and 2 more are not", "missing='drop'"],
    ),
    "another word for missing": (
        lambda e: e.rows(["she"], missing="skip"),
        ValueError,
        ["missing: expected one of error, drop; got 'skip'"],
    ),
    "three to a pair": (
        lambda e: e.pairs([("a", "b", "c")]),
        ValueError,
        ["expected pairs like ('she', 'he')", "pair 0"],
    ),
    "a pair with an unknown word": (
        lambda e: e.pairs([("she", "He")]),
        UnknownWord,
        ["'He' (but 'he') is not among"],
    ),
    "one word too many": (
        lambda e: Embedding(["a", "b", "c"], ONES),
        ValueError,
        ["got 3 words and an array (2, 3)"],
    ),
    "duplicates": (
        lambda e: Embedding(["a", "a"], ONES),
        ValueError,
        ["expected each word once, got 'a' more than once"],
    ),
    "NaN": (
        lambda e: Embedding(["a", "b"], [[1, 2], [1, np.nan]]),
        ValueError,
        ["NaN or infinity in row 1 ('b')", "leave"],
    ),
    "zeros": (
        lambda e: Embedding(["a", "b"], [[1, 2], [0, 0]]),
        ValueError,
        ["only zeros in row 1 ('b')", "leave"],
    ),
    "text for numbers": (
        lambda e: Embedding(["a"], [["x"]]),
        ValueError,
        ["expected vectors of real numbers, got <U1"],
    ),
    "a limit in words": (
        lambda e: load_embedding("minilm", "all"),
        ValueError,
        ["1 or more, got 'all'"],
    ),
    "a misspelt name": (
        lambda e: load_embedding("minlm"),
        ValueError,
        ["got 'minlm'", "Did you mean 'minilm'?"],
    ),
    "a missing file": (
        lambda e: load_embedding("/none/glove.txt"),
        ValueError,
        ["no file or folder here", "hf:<folder>"],
    ),
    "a word list's key": (
        lambda e: load_embedding("zhang_professions"),
        ValueError,
        ["not one of word vectors", "minilm"],
    ),
}


@pytest.mark.parametrize(("call", "error", "fragments"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_a_bad_call_says_what_was_expected_what_came_and_what_to_do(call, error, fragments, small):
    with pytest.raises(error) as caught:
        call(small)
    assert [fragment for fragment in fragments if fragment not in str(caught.value)] == []


# Loading


def test_every_registered_embedding_is_a_registered_file():
    assert set(load.RANKED) <= set(registry())


def test_a_file_loads_with_its_hash_and_a_part_of_it_says_so(tmp_path, small):
    path = tmp_path / "mine.npz"
    np.savez(path, words=np.array(small.words), vectors=small.vectors)
    e = load_embedding(path)
    assert list(e.words) == list(small.words) and np.array_equal(e.vectors, small.vectors)
    assert (e.name, e.source, e.ranked) == ("mine", f"mine.npz@sha256:{file_hash(path)}", False)
    part = load_embedding(path, limit=2, ranked=True)
    assert (
        list(part.words) == ["she", "he"]
        and part.source.startswith("mine.npz[:2]@sha256:")
        and part.rank("he") == 1
    )


def test_of_repeated_words_in_a_file_the_first_row_is_kept_with_a_warning(tmp_path, caplog):
    path = tmp_path / "twice.txt"
    path.write_text("she 1 2\nhe 3 4\nshe 5 6\nshe 7 8\nhim 0 0\n")
    e = load_embedding(path)
    assert list(e.words) == ["she", "he"] and np.array_equal(e["she"], [1, 2])
    assert "left out 2 rows of words that came before: 'she'" in caplog.text
    assert "left out 1 rows of zeros: 'him'" in caplog.text


def test_a_large_registered_file_is_converted_once(cache, server, register, monkeypatch):
    content = b"".join(b"word%d 1 %d\n" % (number, number) for number in range(100))
    (server.folder / "file.txt").write_bytes(content)
    register(f"{server.url}/file.txt", content, key="large")
    monkeypatch.setattr(load, "LARGE", 100)
    monkeypatch.setitem(load.RANKED, "large", True)
    e = load_embedding("large", limit=50)
    assert (
        isinstance(e.vectors, np.memmap) and e.source == sources.lookup("large").identity + "[:50]"
    )
    assert e.rank("word49") == 49 and "word50" not in e
    monkeypatch.setattr(load, "read_blocks", None)
    assert len(load_embedding("large")) == 100


# The command


def test_the_command_converts_a_file_and_shows_it(tmp_path, capsys):
    path, store = tmp_path / "glove.txt", tmp_path / "store"
    path.write_text("".join(f"word{number} {number + 1} 2 3\n" for number in range(2000)))
    convert = ["convert", str(path), str(store), "--limit", "1500", "--name", "mine"]
    made = subprocess.run(
        [sys.executable, "-m", "lib.embeddings", *convert], cwd=ROOT, capture_output=True, text=True
    )
    assert made.returncode == 0 and "100%" in made.stderr and "1,500 rows" in made.stderr
    assert f"source      glove.txt@sha256:{file_hash(path)}[:1500]" in made.stdout
    assert "name        mine\nwords       1,500\ndimensions  3\n" in made.stdout
    assert main(["info", str(store)]) == 0 and capsys.readouterr().out == made.stdout
    assert main(convert) == 1 and "exists already" in capsys.readouterr().err


def test_the_command_shows_minilm_without_loading_torch():
    code = "import sys; from lib.embeddings.__main__ import main; main(['info', 'minilm']); "
    code += "sys.stdout.write(str([name for name in ('torch', 'transformers', 'gensim', 'pandas') if name in sys.modules]))"
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "words       21,722\ndimensions  384" in shown.stdout and shown.stdout.endswith("[]")


def test_a_store_of_an_embedding_is_the_embedding(tmp_path, small):
    e = open_store(save_store(small, tmp_path / "store"))
    assert list(e.words) == list(small.words) and np.array_equal(e.vectors, small.vectors)
    assert (e.name, e.source, e.ranked) == (small.name, small.source, small.ranked)
    assert json.loads((tmp_path / "store" / "store.json").read_text())["dimensions"] == 4
    assert np.array_equal(
        e.pairs([("she", "he"), ("nurse", "gone")], missing="drop").male, small.vectors[[1]]
    )
    assert e.unit[[2, 0]] == pytest.approx(small.unit[[2, 0]]) and e.unit @ small[
        "he"
    ] == pytest.approx(small.unit @ small["he"])
    assert np.asarray(e.unit) == pytest.approx(small.unit)
