"""How many biographies of women and of men Prost et al. (2019) print for each occupation.

The column heads of their Table 1 are swapped ("Female Bios" has 11,637 surgeons and 1,738 nurses);
here they are put right.
"""

from __future__ import annotations

import pandas as pd

from lib.ledger import claims

PAPER = "prost2019_text_classification"
UNDER_HEAD = {"Female Bios": "male", "Male Bios": "female"}  # as printed -> what is in the column


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
