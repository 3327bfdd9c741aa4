"""Batches on a device that runs out of memory: every row once, none lost, a clear end."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.language_models.memory import computed
from lib.language_models.pretrained import load_transformer


@pytest.fixture
def transformer(tiny_model):
    return load_transformer(str(tiny_model("bert")), device="cpu")


def full_beyond(limit, sizes):
    """Sums of rows on a device that holds so many pieces; notes the sizes of what it was given."""

    def sums(indices, ids, real):
        sizes.append(ids.numel())
        if ids.numel() > limit:
            raise torch.OutOfMemoryError("full")
        return (ids * real).sum(1).tolist()

    return sums


@settings(max_examples=15)
@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=40),
    limit=st.integers(30, 300),
    room=st.integers(30, 2000),
)
def test_every_row_is_computed_once_whatever_the_device_holds(lengths, limit, room, tiny_model):
    transformer = load_transformer(str(tiny_model("bert")), device="cpu")
    rows = [[5] * length for length in lengths]
    values, sizes = np.zeros(len(rows)), []
    for indices, sums in computed(transformer, rows, full_beyond(limit, sizes), room):
        values[indices] += sums
    assert values.tolist() == [5 * length for length in lengths]
    refused = [size for size in sizes if size > limit]
    assert all(later <= earlier / 2 for earlier, later in itertools.pairwise(refused))


def test_a_single_row_that_does_not_fit_ends_with_advice(transformer):
    with pytest.raises(MemoryError, match=r"a sentence of 10 pieces does not fit.*bfloat16"):
        list(computed(transformer, [[5] * 10] * 3, full_beyond(9, []), 640))
