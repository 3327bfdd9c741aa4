"""Five models in nine Slavic languages: stored means, what sentences alone could give, and groups of pairs that mean nothing."""

import numpy as np
import pandas as pd
import pytest

from lib.sources import lookup
from studies.stereotypes import gest, slavic
from studies.stereotypes.slavic import (
    BRANCHES,
    PAIRS,
    SLAVIC_MODELS,
    agreement_at_least,
    branch_means,
    by_column,
    correlations_of_printed,
    dealt_agreement,
    drawn_agreement,
    model_agreement,
    read_cells,
    read_pair_scores,
    variance_ratio,
)

KEYS = [f"gest_data_predictions_slavic_mlm_{m.replace('-', '_')}" for m in SLAVIC_MODELS]


def test_the_stored_table_is_whole_and_its_means_lie_in_the_middle_of_their_intervals():
    table = pd.read_csv(slavic.SUMMARY)
    assert (
        len(table) == 5 * 9 * 16
        and not table[["model", "language", "stereotype"]].duplicated().any()
    )
    assert table["low"].lt(table["mean"]).all() and table["mean"].lt(table["high"]).all()
    middle = np.log(table[["low", "high"]]).mean(axis=1)
    # Both ends have two decimals, and the authors' have the mean of 1,000 draws in the middle
    room = 0.005 * (1 / table["low"] + 1 / table["high"]) / 2 + 0.005 / table["mean"]
    cells = read_cells()
    assert ((cells["mean"] - middle).abs() < room + 0.25 * cells["error"]).all()
    assert {language for part in BRANCHES.values() for language in part} == set(gest.LANGUAGES)


def test_branches_are_means_of_models_and_languages():
    columns = by_column(read_cells(), "mean")
    assert columns.shape == (16, 45)
    found = branch_means(columns)
    of_west = [("xlm-v-base", "cs"), ("xlm-roberta-xl", "sk"), ("xlm-roberta-base", "pl")]
    assert found.shape == (16, 6)
    own = columns[[c for c in columns if c[0] != SLAVIC_MODELS[0] and c[1] in BRANCHES["West"]]]
    assert set(of_west) < set(own) and found["XLM-R", "West"].to_numpy() == pytest.approx(
        own.mean(axis=1).to_numpy()
    )


def made(true, errors, seed=0):
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(len(true), 1)) * errors
    return pd.DataFrame(true + shared), pd.DataFrame(np.full(true.shape, errors))


def test_stereotypes_that_mean_nothing_spread_as_sentences_do():
    ratios = [variance_ratio(*made(np.zeros((16, 2)), 0.1, seed))[0] for seed in range(400)]
    assert np.mean(ratios) == pytest.approx(1, abs=0.06)
    assert np.mean(np.array(ratios) > slavic.HIGHEST_BY_CHANCE) == pytest.approx(0.025, abs=0.02)


def test_agreement_by_shared_errors_alone_is_taken_away():
    true = np.random.default_rng(5).normal(size=(4000, 2))
    means, errors = made(true, 1.0)
    assert means.corr().loc[0, 1] == pytest.approx(0.5, abs=0.03)
    assert agreement_at_least(means, errors).loc[0, 1] == pytest.approx(0, abs=0.04)
    assert np.isnan(agreement_at_least(means, errors * 2).loc[0, 1])


def test_drawn_agreement_is_that_of_the_branches_where_nothing_errs():
    cells = read_cells()
    means, errors = by_column(cells, "mean"), by_column(cells, "error")
    still = drawn_agreement(means, errors * 0, draws=2, rng=0)
    assert still["XLM-R"][0] == pytest.approx(still["XLM-R"][1])
    assert still["XLM-R"][0].round(2) == pytest.approx([0.95, 0.92])
    moved = drawn_agreement(means, errors, draws=20, rng=0)
    assert moved["XLM-R"][:, 0].max() < 1 and len(moved["mBERT"]) == 20


def test_groups_that_mean_nothing_agree_as_far_as_single_scores_do():
    rng = np.random.default_rng(3)
    shared = rng.normal(size=(3000, 1))
    alike = shared + 0.01 * rng.normal(size=(3000, 5))
    apart = rng.normal(size=(3000, 5))
    assert dealt_agreement(alike, stretch=640, draws=10, rng=0).min() > 0.9
    assert abs(np.median(dealt_agreement(apart, stretch=640, draws=100, rng=0))) < 0.1
    order = np.arange(16.0)[:, None] * np.array([-1, 1, 1, 1, 1])
    assert model_agreement(order) == pytest.approx([1, -1])


def test_the_stored_correlations_are_not_those_of_the_stored_table():
    found = correlations_of_printed(read_cells()).set_index("between")
    assert found["n"].tolist() == [630, 54, 144]
    assert found["value"].round(3).tolist() == [0.790, 0.839, 0.819]


def test_every_model_has_its_scores_in_the_registry():
    assert all(lookup(key).license == "Apache-2.0" for key in KEYS)


@pytest.mark.sample(*KEYS)
def test_every_pair_has_a_score_of_every_model():
    scores = read_pair_scores()
    assert scores.shape == (PAIRS, 5) and np.isfinite(scores).all(axis=None)


def test_a_broken_file_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "x.txt").write_text("0.1\n", encoding="utf-8")
    monkeypatch.setattr(slavic, "fetch", lambda key: tmp_path / "x.txt")
    refuses(read_pair_scores, ["mlm_bert_base_multilingual_cased", "35422 scores, got 1"])
