"""SemBias: questions of four pairs of words, of which one differs in gender by definition and one by stereotype."""

import pandas as pd

from lib.sources import fetch

KINDS = ("definition", "none", "none", "stereotype")


def read_sembias() -> pd.DataFrame:
    """The 440 questions of SemBias.

    Returns
    -------
    DataFrame
        One row a pair, four for each question: `question`, counted from 0; `kind`, "definition" (*waiter*, *waitress*),
        "stereotype" (*doctor*, *nurse*) or "none" (*cup*, *lid*); `male` and `female`, the two words in the order of the
        file, which for "none" means nothing.

    Raises
    ------
    FetchError
        Where the file is not at hand.
    ValueError
        For a line that does not hold four pairs.

    References
    ----------
    Zhao, Zhou, Li, Wang and Chang (2018), section 4, after Jurgens et al. (2012).
    """
    lines = fetch("sembias").read_text(encoding="utf-8").splitlines()
    rows = []
    for question, line in enumerate(lines):
        pairs = [pair.split(":") for pair in line.split()]
        if [len(pair) for pair in pairs] != [2] * len(KINDS):
            raise ValueError(
                f"SemBias, line {question + 1}: expected four pairs such as waiter:waitress, got {line[:60]!r}"
            )
        rows += [(question, kind, *pair) for kind, pair in zip(KINDS, pairs)]
    return pd.DataFrame(rows, columns=["question", "kind", "male", "female"])
