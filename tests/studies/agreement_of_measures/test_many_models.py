"""Two templates as two measures of many models: their gaps, how they agree, and groups that mean nothing."""

import numpy as np
import pytest
from scipy import stats

from studies.agreement_of_measures.many_models import (
    ABOUT_WOMEN,
    agreement,
    dealt_agreement,
    dealt_groups,
    gaps,
    planted,
    read_scores,
    share_found,
)

WOMEN = np.arange(16) < ABOUT_WOMEN


def test_two_templates_of_23_decoders_agree_on_the_gap_and_not_on_the_gap_in_spreads():
    scores = read_scores()
    found = gaps(scores.means, scores.spreads, WOMEN)
    assert len(scores.models) == 23 and len({*scores.families}) == 5
    # as the chapter on these scores records it, mean over both templates
    llama = scores.models.index("Llama-2-13b-hf")
    assert found["gap"][llama].mean() == pytest.approx(0.26162, abs=1e-4)
    by_kind = {what: round(float(agreement(gap)), 3) for what, gap in found.items()}
    assert by_kind == {"gap": 0.928, "gap in spreads": 0.412}
    null = dealt_agreement(scores, 200, 0)
    assert np.median(null["gap in spreads"]) > by_kind["gap in spreads"]


def test_the_agreement_is_a_rank_correlation_for_every_table_at_once():
    tables = np.random.default_rng(0).standard_normal((3, 9, 2))
    expected = [stats.spearmanr(table).statistic for table in tables]
    assert agreement(tables) == pytest.approx(expected)


def test_groups_are_dealt_out_in_every_way_once_and_the_true_one_is_first():
    ways = dealt_groups(6, 2)
    assert len({tuple(way) for way in ways}) == len(ways) == 15
    assert (ways.sum(axis=1) == 2).all() and ways[0].tolist() == [True] * 2 + [False] * 4


def test_a_model_that_is_bolder_in_everything_has_a_larger_gap_and_no_larger_one_in_spreads():
    scores = read_scores()
    bolder = gaps(3 * scores.means, 3 * scores.spreads, WOMEN)
    plain = gaps(scores.means, scores.spreads, WOMEN)
    assert bolder["gap"] == pytest.approx(3 * plain["gap"])
    assert bolder["gap in spreads"] == pytest.approx(plain["gap in spreads"])


def test_a_large_planted_gap_is_found_and_a_small_one_is_not():
    scores = read_scores()
    assert share_found(scores, 1.6, times=3, draws=200) == 1
    assert share_found(scores, 0.2, times=3, draws=200) == 0
    own = gaps(planted(scores, 1.0, 0).means, scores.spreads, WOMEN)["gap in spreads"]
    before = gaps(scores.means, scores.spreads, WOMEN)["gap in spreads"]
    assert np.sort(own.mean(axis=1)) == pytest.approx(np.linspace(0, 1, 23))
    assert own[:, 0] - own[:, 1] == pytest.approx(before[:, 0] - before[:, 1])
