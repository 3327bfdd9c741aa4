"""The skip-gram vectors behind the chapter `ripa`: what is shipped, and that training and counting do what the card says."""

import json

import numpy as np
import pytest

from lib.embeddings import load_embedding
from scripts.train import sgns
from studies.ripa.counts import read_counts

TINY = [
    ["she", "is", "a", "nurse", "he", "is", "a", "doctor"] * 5,
    ["the", "queen", "and", "the", "king"] * 8,
] * 3
FAST = sgns.PLAIN | dict(vector_size=8, min_count=1, epochs=1)


def test_shipped_files_are_small_go_together_and_say_what_they_are():
    assert sum(path.stat().st_size for path in sgns.FOLDER.iterdir()) < 6e6
    card = (sgns.FOLDER / "card.md").read_text(encoding="utf-8")
    corpora = json.loads((sgns.FOLDER / "corpora.json").read_text(encoding="utf-8"))
    assert f"{corpora['all_tokens']:,}" in card
    assert corpora["settings"] == sgns.PLAIN
    e, counts = load_embedding(sgns.FOLDER / "vectors.npz"), read_counts(sgns.FOLDER / "counts.npz")
    assert tuple(e.words) == counts.words
    assert e.vectors.shape[1] == sgns.PLAIN["vector_size"]
    assert set(counts.columns) <= set(counts.words)


def test_every_training_holds_the_measured_words():
    with np.load(sgns.FOLDER / "vectors.npz") as arrays:
        runs = [name for name in arrays.files if name.split("_")[0] in ("whole", "a", "b")]
        assert len(runs) == sgns.SEEDS + 2 * sgns.SEEDS_OF_A_HALF + 1
        assert {arrays[name].shape for name in runs} == {
            (len(arrays["few"]), sgns.PLAIN["vector_size"])
        }
        assert np.array_equal(
            arrays["whole_0"], arrays["vectors"][np.isin(arrays["words"], arrays["few"])]
        )


def test_training_twice_with_one_seed_gives_the_same_vectors():
    words = ["she", "he", "queen", "unheard"]
    (first, contexts), (second, _) = (
        sgns.train(TINY, words, seed=3, settings=FAST) for _ in range(2)
    )
    assert np.array_equal(first, second)
    assert first.shape == contexts.shape == (4, 8)
    assert not first[3].any()


def test_the_pairs_counted_are_the_pairs_of_the_windows():
    place = {word: row for row, word in enumerate(dict.fromkeys(w for text in TINY for w in text))}
    beside, totals = sgns.counted(TINY, place, ["she", "king"], window=2)
    assert beside.shape == (len(place), 2)
    assert totals.sum() == sum(
        2 * (2 * len(text) - 3) for text in TINY
    )  # n - 1 pairs one apart, n - 2 two apart
    assert beside[place["nurse"], 0] == 0
    assert beside[place["a"], 0] == 3 * (
        5 + 4
    )  # two places after, and two places before but for the first


@pytest.mark.slow
@pytest.mark.sample
def test_the_corpus_is_the_one_on_the_card():
    corpora = json.loads((sgns.FOLDER / "corpora.json").read_text(encoding="utf-8"))
    names, corpus = sgns.read_corpus()
    assert {name: names.count(name) for name in sgns.CORPORA} == corpora["texts"]
    assert max(map(len, corpus)) <= sgns.LONGEST
