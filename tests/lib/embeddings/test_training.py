"""Vectors trained on texts: gensim's own, the same in every process, words by frequency."""

import os
import subprocess
import sys

import numpy as np
import pytest

from lib.embeddings.training import train_vectors

TEXTS = [
    ["she", "is", "a", "nurse", "here"],
    ["he", "is", "an", "engineer", "there"],
    ["zoë", "is", "a", "judge"],
] * 20
SMALL = {"min_count": 2, "epochs": 2, "sg": 1, "vector_size": 8, "window": 3}


@pytest.mark.parametrize("subwords", [False, True])
def test_vectors_are_those_of_gensim(subwords):
    from gensim.models import FastText, Word2Vec

    options = {**SMALL, "seed": 3, "workers": 1}
    theirs = FastText(TEXTS, bucket=5000, **options) if subwords else Word2Vec(TEXTS, **options)
    pieces = {"bucket": 5000} if subwords else {}
    ours = train_vectors(TEXTS, subwords=subwords, seed=3, **SMALL, **pieces)
    assert ours.words == tuple(theirs.wv.index_to_key)
    assert np.array_equal(ours.vectors, theirs.wv.vectors)
    assert np.array_equal(ours.contexts, theirs.syn1neg)


def test_another_seed_gives_other_vectors():
    one, other = (train_vectors(TEXTS, seed=seed, **SMALL).vectors for seed in (0, 1))
    assert one.shape == other.shape and not np.array_equal(one, other)


def test_vectors_do_not_depend_on_how_python_hashes_words():
    code = f"""from lib.embeddings.training import train_vectors
print(train_vectors({TEXTS}, **{SMALL}, seed=0).vectors.tobytes().hex())"""
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(shown) == 1


def test_texts_without_a_frequent_word_are_refused(refuses):
    refuses(
        lambda: train_vectors(TEXTS, min_count=100),
        ["100 times or more", "got none", "lower the least count"],
    )


def test_gensim_is_imported_only_where_something_is_trained(loaded_by):
    assert loaded_by("lib.embeddings.training", ("gensim",)) == []
