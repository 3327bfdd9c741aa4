"""The tables of data/statistics: women and men by country and U.S. state, and what those are
called.
"""

import pandas as pd

from lib.checks import one_of
from lib.paths import DATA

FOLDER = DATA / "statistics"


def statistics_table(name: str) -> pd.DataFrame:
    """A table of data/statistics; README.md beside it says where each column is from.

    Parameters
    ----------
    name : str
        A file without its suffix: "us_states_2016", "gender_gap_2018", "us_states", "countries", …

    Returns
    -------
    DataFrame
        Its rows by the code of the state (postal) or country (ISO 3166-1 alpha-3). NaN where a number is not
        known, "" where a text is not given.

    Raises
    ------
    ValueError
        For another name; the message lists the tables there are.

    Examples
    --------
    >>> statistics_table("us_states").loc["UT", ["name", "division"]].tolist()
    ['Utah', 'Mountain']
    """
    tables = {path.stem: path for path in sorted(FOLDER.glob("*.csv"))}
    one_of("statistics", name, tables)
    as_text = {"code": str, "fips": str}  # "NA" is Namibia, "01" is Alabama
    table = pd.read_csv(tables[name], keep_default_na=False, na_values=[""], dtype=as_text)
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].fillna("")
    return table.set_index("code")
