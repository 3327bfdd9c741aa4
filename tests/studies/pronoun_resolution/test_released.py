"""The released systems of the shared task, against numbers that their authors or the leaderboard print."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.scores import by_gender, log_loss
from lib.sources import fetch
from studies.pronoun_resolution.released import (
    bao_systems,
    ionita_systems,
    own_scores,
    own_system,
    passages,
)
from tests.support.mutations import not_worded

pytestmark = pytest.mark.sample
CELLS = {"log loss": "logloss", "accuracy": "accuracy", "F1": "F1"}
SIDES = {"masculine": "M", "feminine": "F", "overall": "O", "ratio": "B"}


def test_every_cell_of_the_authors_table_comes_out():
    table = pd.read_csv(fetch("ionita_result_original"), index_col=0)
    chosen = passages("gap_test")
    for system in ionita_systems("gap_test"):
        scores = by_gender(system.probabilities, chosen.answers, chosen.female)
        for score, theirs in CELLS.items():
            for side, letter in SIDES.items():
                printed = table.loc[system.name, f"{theirs}-{letter}"]
                assert scores.loc[score, side] == pytest.approx(printed, abs=0.00051)


def test_the_leaderboard_has_place_5_to_the_fifth_decimal():
    fine, *_ = ionita_systems("gap_stage2")
    loss = log_loss(fine.probabilities, passages("gap_stage2").answers)
    assert loss == pytest.approx(0.19189, abs=5e-6)


def test_files_with_the_same_content_are_one_system():
    systems = bao_systems()
    assert len(systems) == 22
    assert sorted(len(system.keys) for system in systems)[-1] == 3
    assert sum(system.failed for system in systems) == 4


def test_predictions_of_a_reader_have_scores_of_their_own(tmp_path):
    chosen = passages("gap_validation")
    even = pd.DataFrame(1 / 3, range(len(chosen.ids)), ["A", "B", "NEITHER"])
    path = tmp_path / "blend.csv"
    even.assign(ID=chosen.ids[::-1]).to_csv(path, index=False)
    system = own_system(path)
    assert (system.name, system.kind, system.part) == ("blend (yours)", "yours", "gap_validation")
    assert log_loss(system.probabilities, chosen.answers) == pytest.approx(np.log(3))
    table = own_scores(system, n_resamples=20)["GAP's"]
    assert table.loc[("log loss", "overall"), "value"] == pytest.approx(np.log(3))
    assert (table["low"] < table["high"] + 1e-9).all()


def test_answers_in_the_format_of_gaps_scorer_have_f1_and_accuracy_alone(tmp_path):
    frame = passages("gap_validation").frame
    path = tmp_path / "mine.tsv"
    labels = frame[["ID", "A-coref", "B-coref"]].replace({True: "TRUE", False: "FALSE"})
    labels.to_csv(path, sep="\t", index=False, header=False)
    table = own_scores(own_system(path), n_resamples=20)["GAP's"]
    assert (table["value"] == 1).all()
    assert set(table.index.get_level_values(0)) == {"accuracy", "F1"}


def test_predictions_that_do_not_fit_are_refused_with_their_file(tmp_path):
    chosen, path = passages("gap_validation"), tmp_path / "mine.csv"
    even = pd.DataFrame(1 / 3, range(len(chosen.ids)), ["A", "B", "NEITHER"])
    even.assign(ID=chosen.ids).iloc[1:].to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"mine\.csv: 1 of 454 passages have no prediction"):
        own_system(path)
    even.assign(ID=[f"sentence {row}" for row in even.index]).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"mine\.csv: expected the IDs of a part of GAP"):
        own_system(path)
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        own_system(tmp_path / "none.csv")


def test_damaged_predictions_of_a_reader_are_right_or_refused_by_name(tmp_path):
    chosen, path = passages("gap_validation"), tmp_path / "mine.csv"
    rows = np.random.default_rng(0).dirichlet([1, 1, 1], len(chosen.ids)).round(3)
    frame = pd.DataFrame(rows, columns=["A", "B", "NEITHER"]).assign(ID=chosen.ids)
    frame.to_csv(path, index=False)
    assert not not_worded(own_system, path, n=200)
