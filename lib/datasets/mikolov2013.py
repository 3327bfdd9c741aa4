"""The Google analogy test set, as pairs of words that stand in one relation."""

import pandas as pd

from lib.sources import fetch


def read_analogy_pairs(key: str = "zhang_word_test_v1") -> pd.DataFrame:
    """The pairs of words that the questions are made of, each pair once.

    Parameters
    ----------
    key : str
        A registry key of the file `word-test.v1.txt`.

    Returns
    -------
    DataFrame
        One row a pair, in the order of the file: `kind` (the relation, such as "gram8-plural"), `x`, `y`. A pair of
        several kinds has the last.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Mikolov, Chen, Corrado and Dean (2013), "Efficient estimation of word representations in vector
    space".
    """
    kind, kinds = "", {}
    for line in fetch(key).read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith(":"):
            kind = line[2:]
        else:
            words = line.split()
            kinds |= {pair: kind for pair in zip(words[::2], words[1::2])}
    rows = [(kind, *pair) for pair, kind in kinds.items()]
    return pd.DataFrame(rows, columns=["kind", "x", "y"])
