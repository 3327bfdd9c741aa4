"""What Prates et al. (2020) released, against the table they print."""

import numpy as np
import pandas as pd
import pytest

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


@pytest.mark.sample("prates_bls_occupations")
def test_us_shares_of_women_are_fractions():
    found = us_shares_of_women()
    assert len(found) == 583 and found.between(0, 1).all()
