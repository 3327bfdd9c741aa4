"""Similarity sets: every form of file is read, the published sizes, pairs that a vocabulary holds, broken lines."""

import pandas as pd
import pytest

from lib.datasets import similarity
from lib.datasets.similarity import SETS, held_pairs, read_similarity

SIZES = {
    "RG65": 65,
    "WS": 353,
    "RW": 2034,
    "MEN": 3000,
    "MTurk": 287,
    "SimLex": 999,
    "SimVerb": 3500,
}


@pytest.fixture
def set_of(tmp_path, monkeypatch):
    """A function that puts a content in place of every registered set."""

    def write(content):
        (tmp_path / "set").write_text(content, encoding="utf-8")
        monkeypatch.setattr(similarity, "fetch", lambda key: tmp_path / "set")

    return write


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (",word1,word2,similarity\n0,sun,moon,3.5\n", [("sun", "moon", 3.5)]),
        (
            ",similarity,word1,word2,relation\n0,6.8,take,remove,synonyms\n",
            [("take", "remove", 6.8)],
        ),
        (",word1,word2,similarity\n0,sun-n,bright-j,50\n", [("sun", "bright", 50.0)]),
        (",word1,word2,similarity\n0,narrow-mind,sun,1\n", [("narrow-mind", "sun", 1.0)]),
        (",word1,word2,similarity\n0,null,NA,1\n", [("null", "NA", 1.0)]),
        (
            "# a remark\nlove\tsex\t6.77\ntiger\ttiger\t10.00\n",
            [("love", "sex", 6.77), ("tiger", "tiger", 10.0)],
        ),
    ],
)
def test_every_form_of_file_is_read(set_of, content, expected):
    set_of(content)
    assert list(read_similarity("RG65").itertuples(index=False, name=None)) == expected


@pytest.mark.sample(*SETS.values())
def test_the_published_sets_have_their_published_sizes():
    assert {name: len(read_similarity(name)) for name in SETS} == SIZES


@pytest.mark.sample("bench_simlex_999")
def test_simlex_holds_the_published_scores_of_antonyms():
    pairs = read_similarity("SimLex").set_index(["first", "second"])
    assert pairs.loc[("old", "new"), "score"] == 1.58


def test_pairs_with_a_missing_word_are_left_out_and_shift_no_other():
    pairs = pd.DataFrame(
        [("w0", "w1", 1.0), ("w0", "nowhere", 4.0), ("W1", "w3", 2.0)],
        columns=["first", "second", "score"],
    )
    held = held_pairs(pairs, {"w0", "w1", "w3"})
    assert pairs.drop(held.index)["second"].tolist() == ["nowhere"]
    assert held.iloc[-1].tolist() == ["w1", "w3", 2.0]


def test_a_vocabulary_without_any_of_the_words_holds_no_pair():
    pairs = pd.DataFrame([("a", "b", 1.0)], columns=["first", "second", "score"])
    assert held_pairs(pairs, ()).empty


def test_a_broken_line_is_named(set_of, refuses):
    set_of("love\tsex\t6.77\nlove\thate\n")
    refuses(lambda: read_similarity("RG65"), ["line 2", "two words and a number", "'love', 'hate'"])
    set_of(",word1,word2,similarity\n0,sun,moon,3.5\n1,sun,sea,much\n")
    refuses(lambda: read_similarity("RG65"), ["line 3", "two words and a number", "'sea'"])


def test_another_set_is_refused_by_name(refuses):
    refuses(lambda: read_similarity("RG"), ["RG65", "'RG'"])
