import numpy as np
import pytest
from scipy.stats import binom

from lib.calibration import Plan, plant, rejection_rate, sign_accuracy


@pytest.mark.parametrize(
    "plan", [Plan(), Plan(imbalance=-1.0), Plan(polysemy=0.4, topic_spread=2.0)]
)
def test_counts_follow_the_closed_form_of_the_planted_odds(plan):
    corpus = plant([2.0, 1.0, 0.0, -1.0, -2.0], plan, rng=1)
    counts = corpus.counts()
    n, share = counts.sum(axis=1), corpus.expected_share()
    assert counts.sum() == pytest.approx(plan.sentences * (1 - plan.untargeted), rel=0.03)
    low, high = binom.interval(0.9999, n, share)
    assert ((low <= counts[:, 0]) & (counts[:, 0] <= high)).all()


def test_nothing_planted_is_symmetric():
    female, male = plant(np.zeros(5), rng=2).counts().sum(axis=0)
    low, high = binom.interval(0.9999, female + male, 0.5)
    assert low <= female <= high


def test_same_seed_same_corpus_and_another_seed_another():
    first, again, other = (
        plant([1.0, -1.0], Plan(sentences=200), rng=s).numbers for s in (3, 3, 4)
    )
    assert (first == again).all() and (first != other).any()


def test_texts_are_the_words_of_the_numbers():
    corpus = plant([1.0], Plan(sentences=5), rng=0)
    assert corpus.texts()[4][2] == corpus.words[corpus.numbers[4, 2]]


def test_rates_and_signs():
    assert sign_accuracy([1.0, -1.0, 0.0], [2.0, -3.0, 1.0]) == pytest.approx(2 / 3)
    assert np.isnan(sign_accuracy([1.0], [0.0]))
    rate = rejection_rate(np.arange(1, 101) / 100)  # golden: Clopper-Pearson for 5 of 100
    assert (rate.value, rate.n) == (0.05, 100)
    assert (rate.low, rate.high) == pytest.approx((0.01643, 0.11284), abs=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plant([]), "log_odds"),
        (lambda: plant([np.nan]), "log_odds"),
        (lambda: plant([[1.0]]), "log_odds"),
        (lambda: plant([1.0], Plan(length=2)), "length"),
        (lambda: rejection_rate([]), "p_values"),
        (lambda: rejection_rate([1.2]), "p_values"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
