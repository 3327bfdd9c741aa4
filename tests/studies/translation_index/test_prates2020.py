"""What Prates et al. (2020) released, against the table they print."""

import numpy as np
import pandas as pd
import pytest

from studies.translation_index import prates2020 as prates
from studies.translation_index.prates2020 import (
    language_shares,
    published_shares,
    read_genders,
    us_shares_of_women,
)


@pytest.mark.sample("prates_job_genders", "prates_results_by_language_dat")
def test_the_table_of_prates_is_that_of_the_released_cells_to_three_decimals():
    ours, printed = language_shares(read_genders()), published_shares()
    assert list(ours.index) == list(printed.index) and len(printed) == 12
    assert (ours[["Female", "Male", "Neutral"]] - printed).abs().to_numpy().max() < 5.1e-4
    assert np.allclose(ours.sum(axis=1), 100)


@pytest.mark.sample("prates_adj_genders")
def test_adjectives_of_prates_are_read_with_their_gaps():
    found = read_genders("adjectives")
    assert found.phrase.nunique() == 21 and (found.gender == "?").any()


def test_pronouns_of_one_language_are_averaged():
    cells = pd.DataFrame(
        {
            "phrase": list("abab"),
            "language": ["L"] * 4,
            "column": ["L-1", "L-1", "L-2", "L-2"],
            "gender": ["Female", "?", "Male", "Male"],
        }
    )
    assert language_shares(cells).loc["L"].to_dict() == {
        "Female": 25,
        "Male": 50,
        "Neutral": 0,
        "?": 25,
    }


def test_a_cell_of_no_known_gender_is_refused(tmp_path, monkeypatch, refuses):
    (tmp_path / "cells.tsv").write_text("Adjective\tMalay\nhappy\tBoth\n")
    monkeypatch.setattr(prates, "fetch", lambda key: tmp_path / "cells.tsv")
    refuses(lambda: read_genders("adjectives"), ["prates_adj_genders", "Both"])


@pytest.mark.sample("prates_bls_occupations")
def test_us_shares_of_women_are_fractions_by_names_in_small_letters():
    found = us_shares_of_women()
    assert (
        len(found) == 583
        and found.index.is_unique
        and found.between(0, 1).all()
        and not found.isna().any()
    )
    assert found["accountant"] == pytest.approx(0.603) and "actor" not in found
