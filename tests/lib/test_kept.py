"""Arrays that are kept: computed once for their code and key, and again where the file is damaged."""

import logging
from functools import partial

import numpy as np

from lib.kept import kept, path_of

CALLS = []


def values():
    CALLS.append(1)
    return np.arange(3)


def test_an_array_is_computed_once_for_its_key_and_again_where_it_is_damaged(cache, caplog):
    CALLS.clear()
    for key in ("one", "one", "two"):
        np.testing.assert_array_equal(kept("tests", key, values), [0, 1, 2])
    assert len(CALLS) == 2
    path_of("tests", "one", values).write_bytes(b"x")
    with caplog.at_level(logging.WARNING, "lib"):
        np.testing.assert_array_equal(kept("tests", "one", values), [0, 1, 2])
    assert len(CALLS) == 3 and "damaged" in caplog.text


def test_another_function_with_the_same_key_has_an_array_of_its_own(cache):
    assert path_of("tests", "one", values) == path_of("tests", "one", partial(values))
    assert path_of("tests", "one", values) != path_of("tests", "one", zeros)


def zeros():
    return np.zeros(3)
