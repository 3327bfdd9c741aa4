"""A small text through everything that is trained, and every measure."""

from dataclasses import replace

import numpy as np
import pytest

from studies.calibration.corpus import Plan
from studies.calibration.replication import ZERO, Condition, by_topic, replicate

SMALL = Condition(1.0, Plan(sentences=3_000, types=120), 8, "a small text", retrained=True)


def test_a_replication_has_every_statistic():
    first = replicate(SMALL, 3)
    wanted = {
        "rank correlation",
        "rank correlation, another seed",
        "slope",
        "sign accuracy",
        "one pair",
        "value",
        "p, two lists",
        "p, against zero",
    }
    assert wanted <= set(first["statistic"])
    assert set(first["space"]) == {"skip-gram", "GloVe", "masked head", "counts"}
    p_values = first[first["statistic"].str.startswith("p,")]["value"]
    assert p_values.between(0, 1).all()
    same = first[first["statistic"] == "rank correlation, another seed"].set_index(
        ["space", "measure"]
    )["value"]
    assert set(same.index.get_level_values("space")) == {"skip-gram", "GloVe", "masked head"}
    assert same.between(-1, 1).all() and 0.3 < same["skip-gram", "direct bias"] < 1


def test_where_nothing_is_planted_lists_are_cut_along_topics_and_pairs_are_drawn():
    rows = replicate(replace(SMALL, strength=0.0, retrained=False), 3)
    for name in ("p, random topics", "p, random topics, by topic", ZERO):
        assert rows[rows["statistic"] == name]["value"].between(0, 1).all()
    counted = rows.groupby("statistic").size()
    assert counted["p, random topics"] == counted["p, random topics, by topic"] > 20
    assert counted[ZERO] == 6 and "p, topics" not in counted  # which lean nowhere here


def test_whole_topics_are_exchanged_exactly():
    topics = np.repeat(np.arange(10), 3)
    scores = topics // 5 + 0.01 * np.arange(30)
    assert by_topic(scores, topics, topics < 5) == pytest.approx(2 / 252)
    assert by_topic(scores, topics, topics < 4) > 1 / 210
    assert np.isnan(by_topic(scores, topics, topics < 1))  # ten ways cannot give .05


def test_words_of_one_topic_that_share_their_error_alarm_by_words_and_not_by_topics():
    rng = np.random.default_rng(0)
    topics = np.repeat(np.arange(10), 4)
    p = [
        by_topic(rng.standard_normal(10)[topics], topics, np.isin(topics, rng.permutation(10)[:5]))
        for _ in range(200)
    ]
    assert 0.01 < np.mean(np.array(p) <= 0.05) < 0.1
