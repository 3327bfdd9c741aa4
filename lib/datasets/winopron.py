"""WinoPron (Gautam et al. 2024): 360 templates, each case as often as the others.

The authors keep the file locked, so that the sentences do not end up in training texts. It is read in memory here,
never unpacked, and never listed on a page.
"""

import csv
import io
import re
import zipfile

import pandas as pd

from lib.datasets.schemas import PRONOUNS, as_passages, fill_schema
from lib.datasets.winogender import ABOUT, with_slots
from lib.sources import fetch


def read_winopron(pronouns: tuple[str, ...] = tuple(PRONOUNS)) -> pd.DataFrame:
    """WinoPron's templates, filled by the case that each states.

    Parameters
    ----------
    pronouns : tuple of str
        Of `lib.datasets.schemas.PRONOUNS`; all four unless said otherwise.

    Returns
    -------
    DataFrame
        GAP's columns and occupation, participant, about, pronouns, case, template and cluster (the six templates of an
        occupation): 1,440 rows with four pronoun sets.

    Raises
    ------
    FetchError
        Where a file is not at hand.
    ValueError
        When the readme has no password, or a template's pronoun is not of the case that its row states.

    References
    ----------
    Gautam et al. (2024), "WinoPron: Revisiting English Winogender Schemas for Consistency, Coverage, and Grammatical
    Case".
    """
    readme = fetch("winopron_readme").read_text(encoding="utf-8")
    password = re.search(r"password `([^`]+)`", readme)
    if not password:
        raise ValueError("winopron_readme: expected the password of the data in it; fetch it again")
    with zipfile.ZipFile(fetch("winopron_data")) as archive:
        content = archive.read("new_templates.tsv", pwd=password[1].encode())
    lines = csv.reader(io.StringIO(content.decode("utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)
    rows = []
    for number, line in enumerate(list(lines)[1:]):  # beyond column 6 lies a stray pattern
        occupation, participant, answer, slot, sentence = line[:5]
        if sentence.count("$") != 3 or slot not in sentence:
            raise ValueError(f"WinoPron, template {number + 1}: expected two people and {slot}")
        rows += [
            fill_schema(with_slots(sentence), occupation, participant, chosen, ABOUT[answer])
            | {"template": f"{occupation}-{number}", "cluster": occupation}
            for chosen in pronouns
        ]
    return as_passages(rows, "winopron")
