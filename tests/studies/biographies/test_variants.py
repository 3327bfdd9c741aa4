"""What each variant has to do to vectors: by hand, against hard debiasing, and on real vectors."""

import numpy as np
import pytest

from lib.datasets.bolukbasi2016 import read_equalize_pairs, read_gender_specific_words
from lib.debiasing.projection import hard_debias
from lib.embeddings import load_embedding
from studies.biographies.variants import (
    NAMES,
    gender_direction,
    gender_lists,
    merged,
    random_control,
    set_rows,
    variants,
)

EMBEDDINGS = [
    pytest.param("minilm", "book", id="minilm, the book's lists"),
    pytest.param("glove_6b_50d_5k", "published", id="GloVe", marks=pytest.mark.sample),
]


def changed_vectors(embedding, source):
    e = load_embedding(embedding).first(5000)
    words, vectors, lists = list(e.words), np.asarray(e.vectors), gender_lists(source)
    by_name = variants(words, vectors, lists)
    row_of = {word: row for row, word in enumerate(words)}
    direction = gender_direction(row_of, by_name["plain"], lists.definitional)
    return words, lists, by_name, direction


@pytest.mark.parametrize(("embedding", "source"), EMBEDDINGS)
def test_invariants_on_real_vectors(embedding, source):
    words, lists, by_name, g = changed_vectors(embedding, source)
    sets = set_rows(words, lists.sets)
    neutral = np.array([word not in lists.specific for word in words])
    assert len(sets) >= 15
    assert set(by_name) == set(NAMES)
    lengths = {name: np.linalg.norm(vectors, axis=1) for name, vectors in by_name.items()}
    for name in set(NAMES) - {"equalise only"}:
        assert lengths[name] == pytest.approx(1)
    for name in ("strongly debiased", "project only"):
        assert np.abs(by_name[name] @ g).max() < 1e-6  # no word has a component
    assert np.abs(by_name["debiased"][neutral] @ g).max() < 1e-6
    assert np.abs(by_name["plain"][neutral] @ g).max() > 0.1
    for rows in sets:
        for name in ("strongly debiased", "equalise only"):
            same = by_name[name][rows]
            assert same == pytest.approx(np.broadcast_to(same[0], same.shape))
        differences = by_name["debiased"][rows] - by_name["debiased"][rows[0]]
        across = differences - (differences @ g)[:, None] * g
        assert np.abs(across).max() < 1e-6  # words of a set differ in gender alone
        assert np.ptp(by_name["project only"][rows], axis=0).max() > 0.01  # they differ elsewhere
    others = np.setdiff1d(np.arange(len(words)), np.concatenate(sets))
    assert (by_name["equalise only"][others] == by_name["plain"][others]).all()


@pytest.mark.sample
def test_debiasing_pairs_is_hard_debiasing():
    e = load_embedding("glove_6b_50d_5k")
    words, specific = list(e.words), {w.lower() for w in read_gender_specific_words()}
    lists = gender_lists("published")._replace(sets=merged(read_equalize_pairs()))
    lists = lists._replace(specific=frozenset(specific | lists.scrubbed))
    vectors = np.asarray(e.unit, float)
    row_of = {word: row for row, word in enumerate(words)}
    expected = hard_debias(
        vectors,
        gender_direction(row_of, vectors, lists.definitional),
        spared=[word in lists.specific for word in words],
        equal=set_rows(words, lists.sets),
    )
    assert variants(words, vectors, lists)["debiased"] == pytest.approx(expected, abs=1e-6)


def test_the_control_collapses_as_many_other_words():
    words, lists, by_name, g = changed_vectors("minilm", "book")
    changed = random_control(words, by_name["plain"], lists, rng=0)
    collapsed = len(words) - len(np.unique(by_name["strongly debiased"].round(6), axis=0))
    assert len(words) - len(np.unique(changed.round(6), axis=0)) == collapsed
    row_of = {word: row for row, word in enumerate(words)}
    for pair in [("she", "he"), ("mother", "father")]:
        first, second = (changed[row_of[word]] for word in pair)
        assert np.abs(first - second).max() > 0.01
    assert np.abs(changed @ g).max() > 0.1
    assert not np.array_equal(changed, random_control(words, by_name["plain"], lists, rng=1))
