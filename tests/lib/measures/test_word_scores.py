"""All measures of a word side by side are the measures themselves."""

import numpy as np

from lib.association import associations
from lib.measures import axis_projection, mean_average_cosine, ripa
from lib.measures.word_scores import SIGNED, UNSIGNED, scores_by_pair, word_scores

RNG = np.random.default_rng(0)
WORDS, FEMALE, MALE, NEUTRAL = (RNG.standard_normal((n, 10)) for n in (5, 4, 4, 80))


def test_each_score_is_that_of_its_measure():
    scores = word_scores(WORDS, FEMALE, MALE, NEUTRAL)
    assert tuple(scores) == SIGNED + UNSIGNED
    np.testing.assert_allclose(scores["direct bias"], associations(WORDS, FEMALE, MALE))
    np.testing.assert_allclose(scores["RIPA"], ripa(WORDS, FEMALE, MALE).mean(axis=1))
    np.testing.assert_allclose(scores["projection"], axis_projection(WORDS, FEMALE, MALE))
    mac = mean_average_cosine(WORDS, [FEMALE, MALE]).mean(axis=1)
    np.testing.assert_allclose(scores["mean cosine"], 1 - mac)
    np.testing.assert_allclose(scores["one-vs-one"], scores["one-vs-rest"])  # two classes only


def test_pairs_alone_average_to_the_score_of_all():
    scores = word_scores(WORDS, FEMALE, MALE, NEUTRAL)
    for name, columns in scores_by_pair(WORDS, FEMALE, MALE, NEUTRAL).items():
        assert columns.shape == (5, 4)
        np.testing.assert_allclose(columns.mean(axis=1), scores[name])
