"""Mean vectors of texts, and the classifier that reads them."""

import numpy as np
from scipy import stats

from lib.text_classification.occupations import classifiers


def test_mean_vectors_equal_a_loop_over_words():
    rng = np.random.default_rng(0)
    words = list("abcdefgh")
    vectors = rng.normal(size=(8, 3))
    texts = [" ".join(rng.choice([*words, "unknown"], 6)) for _ in range(20)]
    by_loop = [
        np.mean([vectors[words.index(word)] for word in text.split() if word in words], axis=0)
        for text in texts
    ]
    means = classifiers.mean_vectors(classifiers.word_counts(texts, words), vectors)
    np.testing.assert_allclose(means, by_loop)


def test_predictions_do_not_depend_on_the_axes_of_the_vectors():
    rng = np.random.default_rng(1)
    features, labels = rng.normal(size=(300, 6)), rng.integers(3, size=300)
    features[:, 0] += labels
    rotation = stats.ortho_group.rvs(6, random_state=2)
    straight = classifiers.fit(features, labels).predict(features)
    turned = classifiers.fit(features @ rotation * 7 + 3, labels).predict(
        features @ rotation * 7 + 3
    )
    assert (straight == turned).mean() > 0.98
