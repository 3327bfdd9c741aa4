"""What the released filter logs say: sentences and candidates a book, each filter alone, and every order of filters."""

from collections.abc import Iterable, Sequence
from itertools import permutations

import pandas as pd

from studies.taxonomy.hitti2019 import BOOKS, FILTERS, read_filter_log

PASSED = list(FILTERS.values())
CHOSEN = PASSED[2:]  # the filters that were run on every sentence with a gendered pronoun


def all_logs(books: Iterable[str] = BOOKS) -> pd.DataFrame:
    """The logs of several books, one below the other: book, sentence, true and false for each filter, candidate."""
    logs = {book: read_filter_log(book) for book in books}
    return pd.concat(logs, names=["book", "row"]).reset_index("book").reset_index(drop=True)


def by_book(logs: pd.DataFrame) -> pd.DataFrame:
    """How many sentences and candidates each book has, and their share, in the order of the logs."""
    counts = logs.groupby("book", sort=False)["candidate"].agg(["size", "sum"])
    counts = counts.set_axis(["sentences", "candidates"], axis=1)
    return counts.assign(share=counts["candidates"] / counts["sentences"])


def each_alone(logs: pd.DataFrame, filters: Sequence[str] = CHOSEN) -> pd.DataFrame:
    """What each filter removes, alone and beyond the others, of the sentences that pass all filters that are not compared.

    By filter: first (sentences it removes when it comes first), last (those it alone removes), and without (the candidates there
    would be without it).
    """
    table = _in_reach(logs, filters)
    candidates = int(table.all(axis=1).sum())
    rows = {}
    for name in filters:
        others = table.drop(columns=name).all(axis=1)
        alone = int((others & ~table[name]).sum())
        rows[name] = {
            "first": int((~table[name]).sum()),
            "last": alone,
            "without": candidates + alone,
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("filter")


def every_order(logs: pd.DataFrame, filters: Sequence[str] = CHOSEN) -> pd.DataFrame:
    """How many sentences each filter removes at its place, in every order of the filters; a row an order, names joined by " → "."""
    table = _in_reach(logs, filters)
    rows = {}
    for order in permutations(filters):
        left, removed = pd.Series(True, table.index), {}
        for name in order:
            removed[name] = int((left & ~table[name]).sum())
            left &= table[name]
        rows[" → ".join(order)] = removed
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(filters)).rename_axis("order")


def _in_reach(logs: pd.DataFrame, filters: Sequence[str]) -> pd.DataFrame:
    """The marks of some filters, of the sentences that pass all others."""
    unknown = [name for name in filters if name not in PASSED]
    if unknown or not filters:
        raise ValueError(f"filters: expected some of {', '.join(PASSED)}; got {list(filters)}")
    others = [name for name in PASSED if name not in filters]
    return logs.loc[logs[others].all(axis=1), list(filters)]
