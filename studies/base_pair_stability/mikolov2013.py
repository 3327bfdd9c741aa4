"""The Google analogy test set of Mikolov, Chen, Corrado and Dean (2013): pairs of words that stand in one relation."""

import pandas as pd

from lib.sources import fetch


def read_analogies(key: str = "zhang_word_test_v1") -> pd.DataFrame:
    """All questions of the test set, a row each, in the order of the file: a is to b as c is to d.

    `kind` is the relation, such as "gram8-plural"; kinds of grammar begin with "gram".
    """
    kind, rows = "", []
    for line in fetch(key).read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith(":"):
            kind = line[2:]
        else:
            rows.append((kind, *line.split()))
    return pd.DataFrame(rows, columns=["kind", "a", "b", "c", "d"])


def read_analogy_pairs(key: str = "zhang_word_test_v1") -> pd.DataFrame:
    """The pairs of words x, y that the questions are made of, each once in its kind, in the order of the file.

    A pair of two kinds has two rows: the common capitals are among those of the world.
    """
    questions = read_analogies(key)
    sides = [
        questions[["kind", *sides]].set_axis(["kind", "x", "y"], axis="columns")
        for sides in ("ab", "cd")
    ]
    pairs = pd.concat(sides).sort_index(kind="stable").drop_duplicates()
    return pairs.reset_index(drop=True)
