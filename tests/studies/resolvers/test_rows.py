"""What is computed once for each passage: never twice, and found again in the book's cache."""

import numpy as np

from studies.resolvers.rows import forget, kept_lists, kept_rows


def test_every_passage_is_computed_once(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    asked = []

    def compute(places):
        asked.append(places)
        return np.array([[place] for place in places])

    about = str(tmp_path)
    assert kept_rows("test", about, ["b", "a", "b"], compute)[:, 0].tolist() == [2, 1, 2]
    assert kept_rows("test", about, ["a", "c"], compute)[:, 0].tolist() == [1, 1]
    assert list(map(len, asked)) == [2, 1]


def test_lists_come_back_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASBOOK_CACHE", str(tmp_path))
    compute = lambda places: [np.full((place + 1, 2), place) for place in places]  # noqa: E731
    first = kept_lists("test", "lists", ["a", "b", "c"], compute)
    forget()
    again = kept_lists("test", "lists", ["a", "b", "c"], lambda places: 1 / 0)
    for one, other in zip(first, again):
        np.testing.assert_array_equal(one, other)
