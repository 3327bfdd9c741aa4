"""Addresses of presidents, as released."""

import pytest

from lib.datasets.speeches import read_presidents


@pytest.mark.sample("nltk_state_union", "nltk_inaugural")
@pytest.mark.parametrize(
    ("key", "count", "first", "last"),
    [("nltk_state_union", 65, 1945, 2006), ("nltk_inaugural", 59, 1789, 2021)],
)
def test_presidents_spoke_in_the_order_of_years(key, count, first, last):
    found = read_presidents(key)
    assert len(found) == count and found["year"].is_monotonic_increasing
    assert (found["year"].iloc[0], found["year"].iloc[-1]) == (first, last)
    assert found["text"].str.len().min() > 500
