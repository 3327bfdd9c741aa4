"""Each filter alone, and every order of filters."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.taxonomy import logs

MARKS = st.lists(st.tuples(*[st.booleans()] * 5), min_size=1, max_size=30)


def log_of(rows):
    table = pd.DataFrame(rows, columns=logs.PASSED, dtype=bool)
    return table.assign(book="a", candidate=table.all(axis=1))


@given(MARKS)
def test_every_order_leaves_the_same_candidates(rows):
    log = log_of(rows)
    reached = log[logs.PASSED[:2]].all(axis=1).sum()
    left = reached - logs.every_order(log).sum(axis=1)
    assert set(left) == {log["candidate"].sum()}


@pytest.mark.sample
def test_the_released_logs_say_what_each_filter_does():
    alone = logs.each_alone(logs.all_logs())
    assert alone["last"].to_dict() == {
        "not only pronouns": 911,
        "no name": 113,
        "no gendered term": 282,
    }
    assert (alone["without"] - alone["last"] == 1627).all()
