"""P(neither) by gender and by topic: closed forms, a null that is centred, bad input."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.schemas import neither
from lib.coreference.schemas.neither import neither_gap, topic_bias


def test_a_planted_gap_is_found_and_none_is_not():
    rng = np.random.default_rng(0)
    female = np.arange(400) % 2 == 0
    pages = [f"page {number // 3}" for number in range(400)]
    noise = rng.uniform(0, 0.2, 400)
    planted = neither_gap(noise + 0.05 * female, female, pages, draws=2000, rng=0)
    assert planted.low < planted.value < planted.high
    assert planted.low > 0
    assert planted.pvalue < 0.001
    assert (planted.n, planted.clusters) == (200, 134)
    none = neither_gap(noise, female, pages, draws=2000, rng=0)
    assert none.low < 0 < none.high
    assert none.pvalue > 0.05


def test_a_small_gap_has_the_p_of_all_partitions():
    gap = neither_gap(
        [0.5, 0.4, 0.3, 0.1, 0.2, 0.0], [True] * 3 + [False] * 3, list("abcdef"), rng=0
    )
    assert gap.value == pytest.approx(0.3)
    assert gap.pvalue == pytest.approx(2 / 20)


@pytest.mark.parametrize(
    ("given", "female", "pages", "message"),
    [
        ([0.1, 0.2], [True], ["a", "b"], "one gender and one page"),
        ([0.1, 0.2], [True, True], ["a", "b"], "both genders"),
    ],
)
def test_bad_input_says_what_was_expected(given, female, pages, message):
    with pytest.raises(ValueError, match=message):
        neither_gap(given, female, pages)


def test_a_text_said_twice_has_the_same_lean_per_weight_and_a_larger_sum(monkeypatch):
    sport, home = "striker goal football", "kitchen baby dinner"
    texts = [sport, home, sport, home, f"{sport} {sport}", f"{home} {home}"]
    men = {word: 1.0 for word in sport.split()} | {word: -1.0 for word in home.split()}
    monkeypatch.setattr(neither, "mean_bias", lambda model, words, *asking: pd.Series(men)[words])
    sums = topic_bias(texts, None, topics=2)
    leans = topic_bias(texts, None, topics=2, per_weight=True)
    assert np.abs(sums[4]) > np.abs(sums[0])
    assert leans[4] == pytest.approx(leans[0], rel=1e-3)
    assert leans[:2] == pytest.approx([1, -1])
