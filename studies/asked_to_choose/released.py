"""The scores that the authors stored beside the chained answers, computed again."""

import pandas as pd

from studies.asked_to_choose.bai2025 import (
    COUNTS,
    count_answer,
    counted,
    pairs_by_line,
    read_chained,
    read_lists,
    score_of_authors,
)


def stored_scores() -> dict[str, pd.DataFrame]:
    """By rule, "notebook" (lists halved as there) and "meant": stored and recomputed scores, and what of an answer decides them."""
    lists, table = read_lists(), read_chained()
    rows: dict[str, list[tuple[str, float, float]]] = {"notebook": [], "meant": []}
    for test, answer, stored in table[["test", "iat", "iat_bias"]].itertuples(index=False):
        of_test = lists[test]
        found = count_answer(answer, of_test)
        by_rule = [found[f"rule {name}"] for name in COUNTS]
        meant = counted(pairs_by_line(answer), of_test.names, of_test.meant)
        for rule, counts in (("notebook", by_rule), ("meant", meant)):
            decides = f"{test} {counts}"
            rows[rule].append((decides, float(score_of_authors(counts)), stored))
    columns = ["answer", "recomputed", "stored"]
    return {rule: pd.DataFrame(found, columns=columns) for rule, found in rows.items()}
