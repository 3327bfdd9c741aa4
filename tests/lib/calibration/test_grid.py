"""From replications to a judgement, on numbers that can be counted by hand; and what is recorded."""

import json

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import linregress

from lib.calibration.corpus import Plan, plant
from lib.calibration.coverage import KINDS, coverage_table, simulate_coverage
from lib.calibration.grid import (
    OUTSIDE,
    merged,
    read_coverage,
    read_grid,
    slopes,
    summary,
    with_interval,
    with_rejections,
)
from lib.calibration.judgement import QUESTIONS, as_table, judgement
from lib.calibration.replication import CONDITIONS, Condition, replicate, run_block
from lib.calibration.scores import (
    masked_scores,
    matched,
    resolver_ratio,
    sentence_associations,
    translated_index,
    true_positive_gaps,
)
from lib.calibration.trained import MaskedHead, glove, masked_head, skip_gram

SMALL = Condition(1.0, Plan(sentences=3_000, types=120), 8, "a small text", retrained=True)


def results(values, statistic="p, two lists"):
    settings = [
        json.dumps({"space": "counts", "measure": "share", "seed_number": s})
        for s in range(len(values))
    ]
    return pd.DataFrame(
        {
            "parameters": "block=0,condition=nothing,size=5",
            "quantity": statistic,
            "value": values,
            "settings": settings,
        }
    )


def test_replications_are_counted_once_and_rejections_from_five_percent_down():
    table = summary(pd.concat([results([0.01, 0.05, 0.2, 0.9])] * 2))
    (row,) = table.to_dict("records")
    assert (row["condition"], row["n"], row["rejected"]) == ("nothing", 4, 2)
    assert row["mean"] == pytest.approx(0.29)
    assert with_rejections(table)["value"].item() == 0.5


def test_what_was_run_in_part_leaves_what_is_recorded_alone():
    recorded, fresh = summary(results([0.5] * 4)), summary(results([0.01] * 3))
    assert merged(fresh, recorded, "condition")["mean"].tolist() == [0.5]
    again = merged(summary(results([0.01] * 4)), recorded, "condition")
    assert again["mean"].tolist() == [0.01] and list(again) == list(recorded)


def test_an_interval_that_leaves_out_no_bias_is_a_rejection():
    table = with_rejections(summary(results([1.0, 0.0, 0.0, 1.0, 1.0], OUTSIDE)))
    assert table["value"].item() == 0.6 and not table["nominal"].item()


def test_a_slope_over_strengths_is_that_of_all_texts_by_least_squares():
    strengths, rng = {"nothing": 0.0, "weak": 0.5, "strong": 2.0}, np.random.default_rng(0)
    texts = {
        name: 3 * x + rng.normal(0, 0.2, n) for (name, x), n in zip(strengths.items(), (60, 15, 20))
    }
    rows = [
        {
            "condition": name,
            "space": "counts",
            "measure": "gap",
            "statistic": "value",
            "n": len(y),
            "mean": y.mean(),
            "sd": y.std(ddof=1),
        }
        for name, y in texts.items()
    ]
    found = slopes(pd.DataFrame(rows), strengths).loc[("counts", "gap")]
    x = np.concatenate([np.full(len(y), strengths[name]) for name, y in texts.items()])
    fit = linregress(x, np.concatenate(list(texts.values())))
    assert found["value"] == pytest.approx(fit.slope)
    assert (found["high"] - found["low"]) / 3.92 == pytest.approx(fit.stderr, rel=0.2)
    with pytest.raises(ValueError, match="two or more"):
        slopes(pd.DataFrame(rows), {"nothing": 0.0})


def test_only_p_values_are_rejected_and_means_have_t_intervals():
    table = summary(results([0.01, 0.03], "rank correlation"))
    assert not table["rejected"].item() and with_rejections(table).empty
    row = with_interval(table).iloc[0]
    assert row["high"] - row["value"] == pytest.approx(
        12.7062 * np.std([0.01, 0.03], ddof=1) / 2**0.5, rel=1e-4
    )


def test_a_judgement_passes_what_is_silent_and_fails_what_alarms():
    rows = [
        {
            "condition": "nothing",
            "space": "counts",
            "measure": m,
            "statistic": "p, two lists",
            "n": 60,
            "mean": 0.5,
            "sd": 0.3,
            "rejected": r,
        }
        for m, r in (("quiet", 3), ("loud", 20))
    ]
    rows += [
        {
            "condition": "plain",
            "space": "counts",
            "measure": m,
            "statistic": "rank correlation",
            "n": 15,
            "mean": v,
            "sd": 0.01,
            "rejected": 0,
        }
        for m, v in (("quiet", 0.5), ("loud", 0.95))
    ]
    judged = judgement(pd.DataFrame(rows)).set_index(["measure", "question"])["passes"]
    assert judged["quiet", "silent: nothing there"] and not judged["loud", "silent: nothing there"]
    assert judged["loud", "order of words"] and not judged["quiet", "order of words"]
    assert list(as_table(judgement(pd.DataFrame(rows))).index) == ["loud", "quiet"]


def test_every_condition_and_question_is_recorded_with_enough_texts():
    grid = read_grid()
    texts = grid.groupby("condition")["n"].max()
    assert set(texts.index) == set(CONDITIONS)
    null = [name for name, condition in CONDITIONS.items() if not condition.strength]
    assert (texts[null] >= 60).all() and (texts >= 15).all()
    assert set(judgement(grid)["question"]) == set(QUESTIONS)
    assert set(read_coverage().index) == set(KINDS)
    assert coverage_table(read_coverage())["value"].between(0, 1).all()


def test_a_replication_has_every_statistic_and_repeats():
    first, again = replicate(SMALL, 3), replicate(SMALL, 3)
    pd.testing.assert_frame_equal(first, again)
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


@pytest.mark.parametrize("threads", [1, 2])
def test_a_masked_head_is_the_same_to_the_last_digit_on_any_number_of_threads(threads):
    corpus = plant([1.0, -1.0], Plan(sentences=1_000, types=60), rng=0)
    expected, before = masked_head(corpus, 16, epochs=2, rng=0), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        found = masked_head(corpus, 16, epochs=2, rng=0)
    finally:
        torch.set_num_threads(before)
    np.testing.assert_array_equal(found.inputs, expected.inputs)
    np.testing.assert_array_equal(found.outputs, expected.outputs)


def test_what_is_trained_learns_the_planted_order():
    odds = np.linspace(-3, 3, 20)
    corpus = plant(odds, Plan(sentences=4_000, types=200), rng=0)
    targets = 12 + np.arange(20)
    head = masked_head(corpus, 20, epochs=10, rng=0)
    scores = masked_scores(head, corpus, targets, 0)["log probability bias"]
    assert np.corrcoef(scores, odds)[0, 1] > 0.9
    assert (
        np.corrcoef(sentence_associations(head, corpus, targets, 0).mean(axis=1), odds)[0, 1] > 0.7
    )
    for vectors in (skip_gram(corpus, 10, epochs=2), glove(corpus, 10, epochs=2, rng=0)):
        assert vectors.shape == (len(corpus.words), 10)


def test_a_head_without_weights_predicts_by_its_bias_alone():
    head = MaskedHead(np.zeros((4, 2)), np.zeros((3, 2)), np.log([1.0, 2.0, 5.0]))
    np.testing.assert_allclose(
        np.exp(head.log_probabilities(np.array([[3, 0]]))), [[0.125, 0.25, 0.625]]
    )


def test_a_classifier_without_gendered_words_has_no_gap_to_speak_of_and_one_with_them_has():
    corpus = plant(np.repeat([2.0, -2.0], 5), Plan(sentences=4_000, types=300), rng=1)
    seen, size, p = true_positive_gaps(corpus, 0)
    assert p < 0.01 and seen[:5].mean() > 0.1 > -0.1 > seen[5:].mean()
    assert true_positive_gaps(corpus, 0, blind=True)[1] < size


def test_index_and_ratio_in_cases_that_can_be_counted():
    assert translated_index([[9, 1]] * 3 + [[1, 9]] * 1)[0] == pytest.approx(np.sqrt(0.75 * 0.25))
    even = resolver_ratio(np.full((40, 2), 50), 0, sentences=4_000)
    assert even[1] < 1 < even[2]
    assert resolver_ratio(np.full((40, 2), 50), 0, handicap=2.0)[2] < 1


def test_matched_words_are_as_frequent_and_none_comes_twice():
    assert matched([10, 100, 11], {1: 100, 2: 9, 3: 12, 4: 1000}) == [2, 1, 3]


@pytest.mark.parametrize("kind", ["seeds_3", "exact_share", "r_squared"])
def test_intervals_with_a_known_coverage_have_it(kind):
    covered, n = simulate_coverage(kind, 300, rng=1)
    assert n == 300 and covered / n > 0.91


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: run_block("no such", range(1)), "condition"),
        (lambda: simulate_coverage("no such"), "kind"),
    ],
)
def test_unknown_names_are_said(call, message):
    with pytest.raises(ValueError, match=message):
        call()
