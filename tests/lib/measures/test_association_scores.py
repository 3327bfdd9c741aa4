"""RNSB, ECT and SAME: closed forms, golden numbers of WEFE and of the authors of SAME, properties, doors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.association import associations
from lib.checks import unit_rows
from lib.inference.random_attributes import random_axes
from lib.inference.random_words import random_words
from lib.measures import ect, negative_sentiment, rnsb, same_lean, same_score

# The space in which WEFE and the authors' code were asked, each in an environment of its own: WEFE pins other versions of numpy and
# scipy than this house (numpy <= 1.26.4, scipy < 1.13).
VECTORS = np.random.default_rng(7).standard_normal((40, 6)) + 0.5
WORDS, FIRST, SECOND = VECTORS[:12], VECTORS[12:16], VECTORS[16:20]
GOOD, BAD = VECTORS[20:30], VECTORS[30:]
SEEDS = st.integers(0, 9999)


def space(seed):
    """Words, two groups and a rotation."""
    rng = np.random.default_rng(seed)
    words, female, male = (rng.standard_normal((n, 4)) + 0.3 for n in (9, 4, 3))
    return words, female, male, np.linalg.qr(rng.standard_normal((4, 4)))[0]


def test_the_space_is_the_one_that_was_asked():
    assert VECTORS[0, :3].tolist() == [0.5012301533574826, 0.7987455375084699, 0.22586214463778242]


def test_rnsb_is_that_of_wefe():
    # wefe 1.0.1: RNSB().run_query(Query([w0–w5, w6–w11], [w20–w29, w30–w39]), model, estimator=LogisticRegression,
    # estimator_params={"solver": "lbfgs", "tol": 1e-8, "max_iter": 10000}, holdout=False)
    probabilities = negative_sentiment(WORDS, GOOD, BAD)
    assert probabilities[[0, 1, 3, 11]] == pytest.approx(
        [0.7659909872865217, 0.9340060190023121, 0.04297371083314894, 0.9775110848148315], abs=1e-6
    )
    assert rnsb(probabilities) == pytest.approx(0.12466376332267765, abs=1e-6)


def test_the_released_multinomial_form_of_rnsb_is_twice_the_c():
    # two weight vectors, each with its penalty, minimised by scipy 1.12 from their definition
    assert negative_sentiment(WORDS[:3], GOOD, BAD, C=2) == pytest.approx(
        [0.8365396505793421, 0.97275646733569, 0.120963968325331], abs=1e-6
    )


def test_ect_is_that_of_wefe():
    # wefe 1.0.1: ECT().run_query(Query([w12–w15, w16–w19], [w0–w11]), model), and with normalize=True
    assert ect(WORDS, FIRST, SECOND) == pytest.approx(0.8531468531468532)
    unit = [unit_rows("words", side) for side in (FIRST, SECOND)]
    assert ect(WORDS, *unit) == pytest.approx(0.8391608391608393)


def test_same_is_that_of_its_authors():
    # HammerLabML/EmbeddingBiasScores 5e72d36: SAME().define_bias_space(groups), then signed_individual_bias, mean_individual_bias,
    # skew_pairwise(words, 1, 0), stereotype_pairwise(words, 1, 0); with four groups individual_bias and mean_individual_bias
    lean, score = same_lean(WORDS, FIRST, SECOND), same_score(WORDS, [FIRST, SECOND])
    assert lean[:3] == pytest.approx([-0.21278737848833232, 0.2776051447522107, 0.51881948000981])
    assert score.mean() == pytest.approx(0.2640394293868132)
    assert (lean.mean(), lean.std()) == pytest.approx((0.11529148288388984, 0.30480673198277713))
    third, fourth = VECTORS[20:24], VECTORS[24:28]
    score = same_score(WORDS, [FIRST, SECOND, third, fourth])
    assert score[:3] == pytest.approx([0.541001423523809, 0.6832885922348646, 0.8373628956993877])
    assert score.mean() == pytest.approx(0.5409570613742157)
    other_order = same_score(WORDS[:2], [third, SECOND, FIRST, fourth])
    assert other_order == pytest.approx([0.6980273135124454, 1.00493694560439])


def test_rnsb_of_one_word_with_all_the_sentiment_is_the_largest():
    assert rnsb([0.3] * 7) == 0
    assert rnsb([0, 0, 0.4, 0]) == pytest.approx(np.log(4))
    assert rnsb([[0.5, 0.5], [0, 0.2]]) == pytest.approx([0, np.log(2)])


def test_ect_is_blind_to_a_difference_that_all_words_share():
    words = np.array([[x, 0, 1.0] for x in (0.1, 0.2, 0.3, 0.4)])
    assert ect(words, [[1, 5, 0.2]], [[1, -9, 0.2]]) == pytest.approx(1)


def test_same_of_words_on_the_difference_and_across_it():
    assert same_lean(2 * np.eye(3), [[3, 0, 0]], [[-1, 0, 0]]) == pytest.approx([1, 0, 0])
    # the second group's mean is opposite, the third at right angles; a fourth among them adds nothing
    groups = [[[1, 0, 0]], [[-1, 0, 0]], [[0, 2, 0]]]
    assert same_score(np.eye(3), groups) == pytest.approx([1, 1, 0])
    assert same_score(np.eye(3), [*groups, [[1, 0, 0], [0, 1, 0]]]) == pytest.approx([1, 1, 0])


@given(SEEDS, st.floats(0.2, 5))
def test_rnsb_survives_rotation_and_longer_vectors_are_a_larger_c(seed, scale):
    words, good, bad, turn = space(seed)
    plain = negative_sentiment(words, good, bad)
    turned = negative_sentiment(*(side @ turn for side in (words, good, bad)))
    longer = negative_sentiment(*(scale * side for side in (words, good, bad)), C=1 / scale**2)
    assert plain == pytest.approx(turned, abs=1e-4) and plain == pytest.approx(longer, abs=1e-4)
    assert plain == pytest.approx(1 - negative_sentiment(words, bad, good), abs=1e-4)
    assert 0 <= rnsb(plain) <= np.log(9)
    assert rnsb(plain) == pytest.approx(rnsb(plain[::-1]), abs=1e-9)


@given(SEEDS)
def test_ect_survives_rotation_lengths_of_words_and_an_exchange_of_groups(seed):
    words, female, male, turn = space(seed)
    found = ect(words, female, male)
    lengths = np.random.default_rng(seed).uniform(0.5, 2, (9, 1))
    assert found == pytest.approx(ect(lengths * words @ turn, 3 * female @ turn, 2 * male @ turn))
    assert found == pytest.approx(ect(words, male, female))
    assert ect(words, female, female) == pytest.approx(1)


@given(SEEDS)
def test_same_survives_rotation_and_lengths_and_turns_with_the_groups(seed):
    words, female, male, turn = space(seed)
    lean = same_lean(words, female, male)
    lengths = np.random.default_rng(seed).uniform(0.5, 2, (9, 1))
    assert lean == pytest.approx(same_lean(lengths * words @ turn, 3 * female @ turn, male @ turn))
    assert lean == pytest.approx(-same_lean(words, male, female))
    assert same_score(words, [female, male]) == pytest.approx(np.abs(lean))
    # WEAT's association is the same sum, not divided by the length of the difference
    association = associations(words, female, male)
    assert lean * np.abs(association).max() == pytest.approx(association * np.abs(lean).max())


def test_each_finds_what_was_planted_and_its_null_does_not():
    rng = np.random.default_rng(0)
    vocabulary = rng.standard_normal((400, 20)) + 0.3
    vocabulary[:4, 0] += 8  # four words on one side of an axis, four on the other
    vocabulary[4:8, 0] -= 8
    female, male = rng.standard_normal((2, 10, 20)) * 0.5 + 1  # both share most of their direction
    female[:, 0], male[:, 0] = 1, -1
    planted = np.arange(8)
    rows = random_words(planted, len(vocabulary), 200, rng=0)
    scores = negative_sentiment(vocabulary, female, male)
    assert rnsb(scores[planted]) > np.quantile(rnsb(scores[rows]), 0.99)
    same = same_score(vocabulary, [female, male])
    assert same[planted].mean() > np.quantile(same[rows].mean(axis=1), 0.99)
    coherence = [ect(vocabulary[row], female, male) for row in rows]
    assert ect(vocabulary[planted], female, male) < np.quantile(coherence, 0.05)
    axes = unit_rows("axes", random_axes(vocabulary, (10, 10), draws=200, rng=0))
    by_lot = np.abs(unit_rows("words", vocabulary[planted]) @ axes.T).mean(axis=0)
    assert same[planted].mean() > np.quantile(by_lot, 0.99)


def test_random_axes_are_the_differences_of_same():
    axes = random_axes(VECTORS, (3, 3), draws=5, rng=4)
    drawn = random_words(np.full(6, -1), len(VECTORS), 5, matched=False, rng=4)
    lean = [same_lean(WORDS, VECTORS[row[:3]], VECTORS[row[3:]]) for row in drawn]
    found = unit_rows("axes", axes) @ unit_rows("words", WORDS).T
    assert found == pytest.approx(np.array(lean))


def test_what_is_drawn_to_train_on_follows_the_seed():
    first, again, other = (
        negative_sentiment(WORDS, GOOD, BAD, trained_on=0.7, rng=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again) and not np.allclose(first, other)


def test_words_of_single_precision_keep_it():
    single = WORDS.astype(np.float32)
    assert same_lean(single, FIRST, SECOND).dtype == np.float32
    assert negative_sentiment(single, GOOD, BAD) == pytest.approx(
        negative_sentiment(WORDS, GOOD, BAD), abs=1e-5
    )


TWO, THREE = np.eye(3)[:2], np.eye(3)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: negative_sentiment(THREE, TWO, np.eye(2)), ["negative", "3 dimensions", "got 2"]),
        (lambda: negative_sentiment(THREE, np.empty((0, 3)), TWO), ["positive", "at least 1"]),
        (lambda: negative_sentiment(THREE * np.nan, TWO, TWO), ["words", "NaN", "row 0"]),
        (lambda: negative_sentiment(THREE, TWO, TWO, C=0), ["C above 0", "C 0"]),
        (lambda: negative_sentiment(THREE, TWO, TWO, trained_on=1.5), ["at most 1", "1.5"]),
        (lambda: rnsb([0.5]), ["two words or more", "(1,)"]),
        (lambda: rnsb([0.5, 1.5]), ["from 0 to 1", "0.5 to 1.5"]),
        (lambda: rnsb([0.5, np.nan]), ["from 0 to 1", "nan"]),
        (lambda: rnsb([[0.5, 0.5], [0, 0]]), ["not all 0"]),
        (lambda: ect(TWO, TWO, TWO), ["words", "at least 3", "(2, 3)"]),
        (lambda: ect(THREE, TWO, np.eye(2)), ["male", "3 dimensions", "got 2"]),
        (lambda: ect(THREE, TWO, [[1, 0, 0], [-1, 0, 0]]), ["mean male", "direction"]),
        (lambda: ect(THREE, [[1, 1, 1]], TWO), ["similarity", "no order"]),
        (lambda: same_lean(THREE, TWO, TWO[::-1]), ["mean directions differ", "other words"]),
        (lambda: same_lean(THREE, 0 * TWO, TWO), ["female", "zeros in row 0"]),
        (lambda: same_lean(0 * THREE, TWO[:1], TWO[1:]), ["words", "zeros in row 0"]),
        (lambda: same_score(THREE, [TWO]), ["groups", "two or more", "got 1"]),
        (lambda: same_score(THREE, [TWO, THREE, np.eye(2)]), ["group 2", "3 dimensions", "got 2"]),
        (lambda: same_score(THREE, [TWO, TWO, THREE]), ["mean directions differ", "first two"]),
    ],
)
def test_bad_input_says_what_was_expected_what_came_and_what_to_do(call, says, refuses):
    refuses(call, says)
