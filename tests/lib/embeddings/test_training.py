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


def test_vectors_are_the_same_in_a_process_that_hashes_words_in_another_way():
    code = f"""from lib.embeddings.training import train_vectors
print(train_vectors({TEXTS}, **{SMALL}, seed=0).vectors.tobytes().hex())"""
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": other}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, env=environment
    )
    here = train_vectors(TEXTS, **SMALL, seed=0).vectors
    assert shown.stdout.strip() == here.tobytes().hex()


def test_gensim_and_torch_are_imported_only_where_something_is_trained(loaded_by):
    modules = "lib.embeddings.training, lib.embeddings.glove"
    assert loaded_by(modules, ("gensim", "torch")) == []
