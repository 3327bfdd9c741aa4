"""Mean vectors and their classifier, and the probe with its two floors."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from lib.text_classification.occupations import classifiers
from lib.text_classification.occupations.printed import probe_floors
from lib.text_classification.occupations.probe import probe_gender


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: classifiers.word_counts("one text", ["a"]), "got a single string"),
        (lambda: classifiers.word_counts([], ["a"]), "got none"),
        (
            lambda: classifiers.mean_vectors(classifiers.word_counts(["a"], ["a"]), np.eye(2)),
            "expected 1, one for each counted word, got 2",
        ),
        (lambda: classifiers.fit(np.eye(3), ["dj"] * 3), "got 'dj' alone"),
        (
            lambda: probe_gender(np.eye(2), [True, False], ["a", "b"], [True, True]),
            "some texts that were not taught",
        ),
        (
            lambda: probe_gender(np.eye(3), [True] * 3, ["a"] * 3, [True, True, False]),
            "two classes or more",
        ),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_probe_that_knows_the_occupation_alone_is_at_its_floor_and_no_better_than_fair():
    rng = np.random.default_rng(0)
    jobs = rng.integers(2, size=4000)
    female = rng.random(4000) < np.array([0.9, 0.2])[jobs]
    probed = probe_gender(np.eye(2)[jobs], female, jobs, np.arange(4000) < 2000, rng=0)
    assert probed.value == pytest.approx(probed.occupation)
    floors = probe_floors(pd.crosstab(jobs[2000:], np.where(female[2000:], "female", "male")))
    assert [probed.majority, probed.occupation] == pytest.approx(floors.tolist())
    assert probed.value > probed.majority + 0.2
    assert probed.fair == pytest.approx(probed.value) and probed.pvalue == 1


def test_the_fair_value_of_the_probe_is_the_expected_one():
    rng = np.random.default_rng(3)
    jobs, female = rng.integers(3, size=900), rng.random(900) < 0.4
    features = rng.normal(size=(900, 2)) + female[:, None]
    taught = np.arange(900) < 400
    probed = probe_gender(features, female, jobs, taught, n_resamples=4000, rng=0)
    named = classifiers.fit(features[taught], female[taught]).predict(features[~taught])
    women, job = female[~taught], jobs[~taught]
    expected = sum(
        (
            women[job == j].mean() * named[job == j].mean()
            + (~women[job == j]).mean() * (~named[job == j]).mean()
        )
        * (job == j).mean()
        for j in range(3)
    )
    assert probed.fair == pytest.approx(expected, abs=0.002)
    assert probed.low < probed.value < probed.high and probed.pvalue < 0.001
