"""Biases by culture: means over the words that are there, measures that agree, lists that are missing."""

import numpy as np
import pandas as pd
import pytest

from lib.cultures.biases import mean_word_correlation, word_biases
from lib.embeddings import Embedding

THEMES = {"work": ("judge", "nurse"), "home": ("kitchen",)}


def embedding(words, seed=0):
    return Embedding(words, np.random.default_rng(seed).standard_normal((len(words), 6)), name="x")


def test_the_bias_of_a_theme_is_the_mean_projection_of_its_words_that_are_there():
    whole, part = (
        embedding(["she", "he", "judge", "nurse", "kitchen"]),
        embedding(["she", "he", "judge"], 1),
    )
    found = word_biases({"TX": whole, "OH": part}, THEMES, ["she", "her"], ["he"])
    axis = whole["she"] - whole["he"]
    by_hand = [whole[word] @ axis / np.linalg.norm(axis) for word in ("judge", "nurse")]
    assert found.means().at["TX", "work"] == pytest.approx(np.mean(by_hand), rel=1e-5)
    assert found.means().at["OH", "work"] == found.words.at["OH", "judge"]
    assert np.isnan(found.means().at["OH", "home"])
    assert found.missing == {"TX": ("her",), "OH": ("nurse", "kitchen", "her")}
    row = found.table().set_index(["culture", "theme"]).loc[("OH", "work")]
    assert (row["words"], row["missing"]) == (1, "nurse")


@pytest.mark.parametrize("measure", ["relative_norm_difference", "relative_norm_ratio"])
def test_other_measures_agree_on_the_side_for_unit_vectors(measure):
    words = ["she", "he", *THEMES["work"], *THEMES["home"]]
    one, other = (
        word_biases({"TX": embedding(words)}, THEMES, ["she"], ["he"], measure=name, unit=True)
        for name in ("axis_projection", measure)
    )
    neutral = 1 if measure.endswith("ratio") else 0
    assert np.array_equal(np.sign(one.words), np.sign(other.words - neutral))


def test_words_of_a_theme_are_as_alike_as_their_mean_correlation():
    biases = pd.DataFrame(np.random.default_rng(0).standard_normal((30, 3)), columns=list("abc"))
    by_hand = np.mean([biases[x].corr(biases[y]) for x, y in ("ab", "ac", "bc")])
    assert mean_word_correlation(biases) == pytest.approx(by_hand)
    assert np.isnan(mean_word_correlation(biases[["a"]]))
    assert np.isnan(mean_word_correlation(biases, fewest=31))
