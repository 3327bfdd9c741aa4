"""The Google analogy test set, as pairs of words that stand in one relation."""

import pandas as pd

from lib.sources import fetch


def read_analogies(key: str = "zhang_word_test_v1") -> pd.DataFrame:
    """All questions of the test set: a is to b as c is to d.

    Parameters
    ----------
    key : str
        A registry key of the file `word-test.v1.txt`.

    Returns
    -------
    DataFrame
        One row a question, in the order of the file: `kind` (the relation, such as "gram8-plural"; kinds of grammar
        begin with "gram"), `a`, `b`, `c`, `d`.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Mikolov, Chen, Corrado and Dean (2013), "Efficient estimation of word representations in vector
    space".
    """
    kind, rows = "", []
    for line in fetch(key).read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith(":"):
            kind = line[2:]
        else:
            rows.append((kind, *line.split()))
    return pd.DataFrame(rows, columns=["kind", "a", "b", "c", "d"])


def read_analogy_pairs(key: str = "zhang_word_test_v1") -> pd.DataFrame:
    """The pairs of words that the questions are made of, each pair once in its kind.

    Parameters
    ----------
    key : str
        A registry key of the file `word-test.v1.txt`.

    Returns
    -------
    DataFrame
        One row a pair, in the order of the file: `kind` (the relation, such as "gram8-plural"), `x`, `y`. A pair of
        two kinds has two rows: the common capitals are among those of the world.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Mikolov, Chen, Corrado and Dean (2013), "Efficient estimation of word representations in vector
    space".
    """
    questions = read_analogies(key)
    sides = [
        questions[["kind", *sides]].set_axis(["kind", "x", "y"], axis="columns")
        for sides in ("ab", "cd")
    ]
    pairs = pd.concat(sides).sort_index(kind="stable").drop_duplicates()
    return pairs.reset_index(drop=True)
