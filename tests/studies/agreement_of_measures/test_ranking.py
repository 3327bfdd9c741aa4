"""Sets of vectors ranked by measures: sizes, places, Kendall's W, and what random lists give."""

import numpy as np
import pytest

from lib.association import weat
from lib.embeddings import load_embedding
from lib.lexicons import base_pairs, load_lexicon
from studies.agreement_of_measures.ranking import (
    RANKED_BY,
    Lists,
    beyond_random,
    choices_of_sets,
    common_words,
    kendalls_w,
    places,
    random_sizes,
    resampled_sizes,
    shuffled_w,
    sizes_of_bias,
    sure_orders,
)


@pytest.fixture(scope="module")
def minilm():
    e, lists = load_embedding("minilm"), load_lexicon("caliskan2017")
    sides = [list(side) for side in zip(*base_pairs())]
    parts = [*sides, lists["family"], lists["career"]]
    return Lists(*(np.asarray(e.rows(part).vectors, float) for part in parts))


def test_the_sizes_of_minilm_stay_what_they_were_and_the_first_is_that_of_weat(minilm):
    found = dict(zip(RANKED_BY, sizes_of_bias(minilm)))
    effect = weat(*minilm, n_resamples=99, rng=0).effect_size
    assert found["WEAT"] == pytest.approx(abs(effect))
    assert {name: round(float(size), 4) for name, size in found.items()} == {
        "WEAT": 0.0908,
        "RNSB": 0.0081,
        "ECT": 0.3088,
        "SAME": 0.035,
        "direct bias": 0.0216,
        "RIPA": 0.031,
    }


def test_measures_agree_on_copies_with_a_planted_bias_and_direct_bias_sees_it_taken_out(minilm):
    copies = np.array([sizes_of_bias(minilm.planted(step)) for step in np.linspace(0, 4, 7)])
    assert kendalls_w(copies) > 0.9
    gone = dict(zip(RANKED_BY, sizes_of_bias(minilm.without_direction())))
    assert gone["direct bias"] < 0.5 * copies[-1][RANKED_BY.index("direct bias")]


def test_one_draw_of_words_is_for_all_sets(minilm):
    drawn = resampled_sizes([minilm, minilm], draws=3, rng=0)
    assert drawn.shape == (3, 2, 6) and (drawn[:, 0] == drawn[:, 1]).all()
    pool = np.concatenate([minilm.first, minilm.second])
    assert random_sizes([minilm], [pool], draws=2, rng=0).shape == (2, 1, 6)


def test_places_count_from_the_most_biased():
    assert places([[0.1], [0.9], [0.5]])[:, 0].tolist() == [3, 1, 2]


def test_kendalls_w_is_one_for_one_order_and_small_for_orders_by_lot():
    order = np.arange(8.0)[:, None]
    assert kendalls_w(np.hstack([order, order**2, np.exp(order)])) == pytest.approx(1)
    assert kendalls_w(np.hstack([order, -order])) == pytest.approx(0)
    lots = shuffled_w(8, 5, draws=4000, rng=0)
    assert lots.mean() == pytest.approx(1 / 5, abs=0.01)


def test_a_score_is_set_beside_random_lists_of_its_own_set():
    null = np.array([[[1.0]], [[3.0]]])
    assert beyond_random([[4.0]], null)[0, 0] == pytest.approx(2 / np.sqrt(2))


def test_an_order_is_sure_where_nearly_all_draws_have_it():
    draws = np.zeros((100, 3, 1))
    draws[:, 0] = 2
    draws[::2, 1] = 1
    draws[1::2, 1] = -1
    assert sure_orders(draws).tolist() == [pytest.approx(2 / 3)]


def test_a_set_that_lacks_the_words_is_left_out_and_the_others_share_theirs():
    spaces = {"whole": {*"abcdefgh"}, "most": {*"abcdefg"}, "little": {*"ab"}}
    kept, pairs, (words,) = common_words(spaces, [("a", "b"), ("c", "h")], ["d", "e", "h"], least=1)
    assert list(kept) == ["whole", "most"]
    assert pairs == [("a", "b")] and words == ["d", "e"]


def test_choices_of_sets_see_what_is_planted_and_nothing_in_scores_by_lot():
    generator = np.random.default_rng(0)
    null = generator.standard_normal((199, 7, 6))
    ordered = np.repeat(np.arange(7.0)[:, None], 6, axis=1)
    choices = choices_of_sets(generator.standard_normal((7, 6)), null, ordered[None])
    assert choices["sets"].value_counts().to_dict() == {6: 7, 5: 21}
    assert (choices["planted p"] <= 0.01).all() and (choices["p"] < 0.05).mean() < 0.3
    assert choices["W"].between(0, 1).all()
    few = choices_of_sets(null[0, :4], null[:, :4], ordered[None, :4])
    assert few.empty and list(few) == list(choices)
