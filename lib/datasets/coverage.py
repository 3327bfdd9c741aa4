"""How often intervals of each kind that the book prints have the truth in them, as simulated and recorded."""

from __future__ import annotations

import pandas as pd

from lib.paths import ROOT

GRID = ROOT / "data" / "grids" / "calibration.csv"
COVERAGE = GRID.with_name("coverage.csv")


def read_coverage() -> pd.DataFrame:
    """The recorded counts of simulated intervals.

    Returns
    -------
    DataFrame
        Indexed by kind of interval: `covered`, how many have the true value in them, and `n`, how many were simulated.

    Raises
    ------
    FileNotFoundError
        Where `python -m scripts.sweeps.grid` has not been run.

    Examples
    --------
    >>> counts = read_coverage()
    >>> bool((counts["covered"] <= counts["n"]).all())
    True
    """
    if not COVERAGE.is_file():
        raise FileNotFoundError(
            f"no recorded coverage at {COVERAGE}; `python -m scripts.sweeps.grid` makes it"
        )
    return pd.read_csv(COVERAGE, index_col="kind")
