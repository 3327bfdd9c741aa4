"""What a sentence changes: a planted change is found beside sets of random pairs, and none is found where there is none."""

import numpy as np
import pytest

from studies.contextual_geometry import in_sentences

ROWS = np.random.default_rng(0).standard_normal((40, 24))
PEOPLE = np.random.default_rng(1).standard_normal((30, 24))


def sizes(rows, directions):
    """Mean sizes of cosines, of words with pairs and of all words with them."""
    cosines = np.abs(in_sentences.cosines(rows[:, None], directions)).mean(axis=1)
    return cosines, cosines.mean(axis=0)


def test_cosines_with_the_difference_of_two_words_by_hand():
    first, second = np.array([[[2.0, 0], [4, 0]]]), np.array([[[0.0, 0], [0, 0]]])
    directions = in_sentences.contrasts(first, second)
    np.testing.assert_allclose(directions, [[1, 0]])
    words = np.array([[[3.0, 4], [-5, 0]]])
    np.testing.assert_allclose(in_sentences.cosines(words, directions), [[[0.6], [-1]]])


def test_sets_share_their_first_word_and_hold_no_pair_twice():
    pairs = in_sentences.all_pairs(6)
    assert len({tuple(pair) for pair in pairs}) == 30 and (pairs[:, 0] != pairs[:, 1]).all()
    for one_set in in_sentences.sharing_a_word(6, 4, 50, rng=0):
        assert len(set(pairs[one_set, 0])) == 1 and len(set(pairs[one_set, 1])) == 4


def test_contrasts_that_share_a_word_go_one_way_and_others_do_not():
    pairs = in_sentences.all_pairs(len(PEOPLE))
    directions = in_sentences.contrasts(*(PEOPLE[side][:, None] for side in pairs.T))
    sharing = in_sentences.sharing_a_word(len(PEOPLE), 5, 200, rng=0)
    none = in_sentences.sharing_none(len(PEOPLE), 5, 200, rng=0)
    alike = [np.mean([in_sentences.alike(directions[s]) for s in sets]) for sets in (sharing, none)]
    assert alike[0] == pytest.approx(0.5, abs=0.05) and abs(alike[1]) < 0.05
    assert np.isnan(in_sentences.alike(directions[:1]))


def test_means_over_sets_and_the_share_in_order_by_hand():
    scores = np.array([[3.0, 1], [1, 1], [0, 4]])
    sets = np.array([[0], [1]])
    np.testing.assert_allclose(in_sentences.means_of(scores, sets), scores)
    np.testing.assert_allclose(in_sentences.means_of(scores, np.array([[0, 1]]))[:, 0], [2, 1, 2])
    np.testing.assert_allclose(in_sentences.in_order(scores, 1, sets), [1, 0.25])


@pytest.mark.parametrize(("planted", "verdict"), [(1, "alike"), (0.4, "less"), (2.5, "more")])
def test_a_change_along_the_pairs_alone_is_told_from_one_of_all_contrasts(planted, verdict):
    pairs = in_sentences.all_pairs(len(PEOPLE))
    random = in_sentences.contrasts(*(PEOPLE[side][:, None] for side in pairs.T))
    axis = in_sentences.contrasts(ROWS[:5, None], ROWS[5:10, None])
    alone, null = sizes(ROWS[10:], axis), sizes(ROWS[10:], random)
    sets = in_sentences.sharing_a_word(len(PEOPLE), 5, 1000, rng=0)
    about = dict(n_resamples=50, rng=0)
    noise = np.exp(0.1 * np.random.default_rng(2).standard_normal(len(random)))
    found = in_sentences.change(
        alone[0], 1.3 * planted * alone[0], null[1], 1.3 * noise * null[1], sets, **about
    )
    assert found["value"] == pytest.approx(1.3 * planted)
    assert found["low"] <= found["value"] + 1e-9 and found["value"] <= found["high"] + 1e-9
    assert in_sentences.verdict(found) == verdict
    inside = found["null low"] < found["value"] < found["null high"]
    assert inside == (found["p"] > in_sentences.ALPHA)
    # what a sentence does to all directions alike is no change of this contrast
    twice = in_sentences.change(
        alone[0], 2.6 * planted * alone[0], null[1], 2.6 * noise * null[1], sets, **about
    )
    assert twice["p"] == pytest.approx(found["p"])


def test_where_half_or_double_would_not_be_seen_nothing_could_have_been_shown():
    found = {"value": 1.0, "null": 1.1, "p": 0.7, "visible": 2.4}
    assert in_sentences.verdict(found) == "not told"
    assert in_sentences.verdict(found | {"visible": 1.2}) == "alike"


@pytest.mark.parametrize("size", [0, 6])
def test_a_set_that_cannot_be_drawn_is_refused(size):
    with pytest.raises(ValueError, match="expected 1 to 5, one word fewer than there are"):
        in_sentences.sharing_a_word(6, size, 3)
