"""What Prost et al. (2019) print: how many biographies there were, and how each variant did.

The column heads of their Table 1 are swapped ("Female Bios" has 11,637 surgeons and 1,738 nurses);
here they are put right.
"""

from __future__ import annotations

import pandas as pd

from lib.ledger import claims

PAPER = "prost2019_text_classification"
UNDER_HEAD = {"Female Bios": "male", "Male Bios": "female"}  # as printed -> what is in the column
MEASURES = {"accuracy": "accuracy", "tpr_gap": "TPR gap", "tnr_gap": "TNR gap"}
VARIANTS = {
    "GloVe": "plain",
    "Scrubbed": "scrubbed",
    "Debiased": "debiased",
    "Strongly debiased": "strongly debiased",
    "Project only": "project only",
    "Equalize only": "equalise only",
}


def biographies_by_gender() -> pd.DataFrame:
    """The biographies of women and of men in each of the 28 occupations.

    Returns
    -------
    DataFrame
        Indexed by occupation, in the order of Table 1; columns female and male.

    Examples
    --------
    >>> biographies_by_gender().loc[["nurse", "surgeon"]]
    under       female   male
    occupation
    nurse        17263   1738
    surgeon       2023  11637
    """
    table = claims.table(paper=PAPER, location="Table 1")
    table["under"] = table["printed_column"].map(UNDER_HEAD)
    order = table["occupation"].drop_duplicates()
    wide = table.pivot(index="occupation", columns="under", values="printed").loc[order]
    return wide[["female", "male"]].astype(int)


def results_by_variant() -> pd.DataFrame:
    """Accuracy, both mean gaps, and the accuracy of the gender probe, for each variant.

    Returns
    -------
    DataFrame
        Indexed by variant; columns accuracy, TPR gap, TNR gap and probe, NaN where none is printed.

    Examples
    --------
    >>> results_by_variant().loc["strongly debiased"].tolist()
    [0.817, 0.069, 0.0023, 0.66]
    """
    places = ("Table 2", "Table 4")
    table = pd.concat(claims.table(paper=PAPER, location=place) for place in places)
    table = table.drop_duplicates(["system", "metric"])  # Table 4 repeats two rows of Table 2
    wide = table.pivot(index="system", columns="metric", values="printed").rename(columns=MEASURES)
    probe = claims.table(paper=PAPER, location="Table 3").set_index("system")["printed"]
    wide = wide.assign(probe=probe).loc[list(VARIANTS), [*MEASURES.values(), "probe"]]
    return wide.rename(index=VARIANTS).rename_axis(index="variant", columns=None)


def probe_floors(counts: pd.DataFrame) -> pd.Series:
    """How often a probe is right about gender that has read nothing of it.

    Parameters
    ----------
    counts : DataFrame
        Columns female and male, a row for each occupation.

    Returns
    -------
    Series
        "always the larger gender", and "knows the occupation": the larger gender of each occupation,
        what a representation gives away that tells occupations perfectly and nothing else.

    Examples
    --------
    >>> probe_floors(biographies_by_gender()).round(3).tolist()
    [0.539, 0.627]
    """
    total = counts[["female", "male"]].to_numpy().sum()
    largest = counts[["female", "male"]].max(axis=1).sum()
    floors = [counts[["female", "male"]].sum().max() / total, largest / total]
    return pd.Series(floors, ["always the larger gender", "knows the occupation"])
