"""The recorded grid: scores and gaps of 30 sets of vectors, as trained and forced."""

from __future__ import annotations

import pandas as pd

from lib.paths import DATA

NAME = "predictive_validity.csv"


def recorded_grid() -> pd.DataFrame:
    """What `python -m scripts.predictive` wrote.

    Returns
    -------
    DataFrame
        As from `lib.calibration.predictive.forcing.grid_rows`, for ten corpora and three seeds.

    Examples
    --------
    >>> int((recorded_grid()["arm"] == "as trained").sum())
    30
    """
    return pd.read_csv(DATA / "grids" / NAME, comment="#")
