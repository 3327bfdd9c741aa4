"""Word similarity: reading the published sets, pairs held, correlations before and after, and what bad input says."""

import numpy as np
import pytest
from scipy import stats

from lib.embeddings import Embedding
from lib.measures.similarity import (
    Judged,
    held_pairs,
    read_similarity,
    similarity_change,
    similarity_correlation,
)
from lib.sources import fetch

SIZES = {
    "vecto_rg_65": 65,
    "bench_wordsim353": 353,
    "vecto_rw": 2034,
    "vecto_men": 3000,
    "vecto_mturk_287": 287,
    "bench_simlex_999": 999,
    "vecto_simverb_3500": 3500,
}
RNG = np.random.default_rng(0)
FIRST, SECOND, SCORES = RNG.standard_normal((30, 5)), RNG.standard_normal((30, 5)), RNG.random(30)


def words(n=12):
    return Embedding(
        [f"w{number}" for number in range(n)],
        np.random.default_rng(1).standard_normal((n, 6)),
        name="words",
    )


def judged(n=12):
    return [Judged(f"w{number}", f"w{number + 1}", float(number % 5)) for number in range(n - 1)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (",word1,word2,similarity\n0,sun,moon,3.5\n", [("sun", "moon", 3.5)]),
        (
            ",similarity,word1,word2,relation\n0,6.8,take,remove,synonyms\n",
            [("take", "remove", 6.8)],
        ),
        (",word1,word2,similarity\n0,sun-n,bright-j,50\n", [("sun", "bright", 50.0)]),
        (",word1,word2,similarity\n0,narrow-mind,sun,1\n", [("narrow-mind", "sun", 1.0)]),
        (
            "# a remark\nlove\tsex\t6.77\ntiger\ttiger\t10.00\n",
            [("love", "sex", 6.77), ("tiger", "tiger", 10.0)],
        ),
    ],
)
def test_every_form_of_file_is_read(tmp_path, content, expected):
    (tmp_path / "set").write_text(content, encoding="utf-8")
    assert read_similarity(tmp_path / "set") == expected


@pytest.mark.sample(*SIZES)
def test_the_published_sets_have_their_published_sizes():
    assert {key: len(read_similarity(fetch(key))) for key in SIZES} == SIZES


@pytest.mark.sample("bench_simlex_999")
def test_simlex_holds_the_published_scores_of_antonyms():
    found = {pair[:2]: pair.score for pair in read_similarity(fetch("bench_simlex_999"))}
    assert found["old", "new"] == 1.58


def test_correlation_is_pearsons_of_cosines():
    cosines = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(FIRST, SECOND)]
    assert similarity_correlation(FIRST, SECOND, SCORES) == pytest.approx(
        stats.pearsonr(cosines, SCORES).statistic
    )


def test_correlation_knows_no_length_of_vectors_and_no_scale_of_scores():
    longer = FIRST * RNG.uniform(0.1, 9, (30, 1))
    plain = similarity_correlation(FIRST, SECOND, SCORES)
    assert similarity_correlation(longer, SECOND, 7 * SCORES + 3) == pytest.approx(plain)


def test_pairs_with_a_missing_word_are_named_and_shift_no_other():
    pairs = [*judged(5), Judged("w0", "nowhere", 4.0), Judged("W1", "w3", 2.0)]
    held = held_pairs(words(), pairs)
    assert [pair.second for pair in held.missing] == ["nowhere"]
    assert held.kept[-1] == Judged("W1", "w3", 2.0)
    assert np.array_equal(held.first[-1], words()["w1"]) and held.scores[-1] == 2


def test_a_change_by_rotation_is_none():
    held = held_pairs(words(), judged())
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((6, 6)))[0]
    assert similarity_change(held, (held.first @ turn, held.second @ turn), rng=0) == pytest.approx(
        (0, 0, 0), abs=1e-7
    )


def test_a_change_is_the_difference_of_two_correlations_inside_its_interval():
    held = held_pairs(words(), judged())
    after = held.first * [3, 1, 1, 1, 1, 1], held.second * [3, 1, 1, 1, 1, 1]
    change, low, high = similarity_change(held, after, rng=0)
    correlations = [
        similarity_correlation(*sides, held.scores) for sides in ((held.first, held.second), after)
    ]
    assert change == pytest.approx(correlations[1] - correlations[0])
    assert low < change < high


REFUSED = {
    "too few pairs": (
        lambda: held_pairs(words(), [Judged("w1", "w2", 1.0)]),
        ["three pairs", "got 1"],
    ),
    "shapes": (lambda: similarity_correlation(FIRST, SECOND[:3], SCORES), ["one shape", "(3, 5)"]),
    "number of scores": (lambda: similarity_correlation(FIRST, SECOND, SCORES[:3]), ["30", "(3,)"]),
    "equal scores": (lambda: similarity_correlation(FIRST, SECOND, np.ones(30)), ["not all equal"]),
    "a vector of zeros": (
        lambda: similarity_correlation(FIRST * 0, SECOND, SCORES),
        ["with a length", "pair 0"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused(case, refuses):
    refuses(*REFUSED[case])


def test_a_broken_line_is_named(tmp_path, refuses):
    (tmp_path / "set").write_text("love\tsex\t6.77\nlove\thate\n", encoding="utf-8")
    refuses(lambda: read_similarity(tmp_path / "set"), ["line 2", "two words and a number", "hate"])
