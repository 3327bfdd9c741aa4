"""The vectors trained for this book: what is read from data/models, and the names that find it."""

import numpy as np
import pytest

from lib.embeddings.trained import load_space, read_trainings
from lib.sources import FetchError


def test_trainings_on_one_text_differ_by_their_seed_and_know_the_same_words():
    trainings = read_trainings()
    assert trainings.repeats("whole") == [f"whole_{seed}" for seed in range(5)]
    assert "whole_usual" in trainings.runs
    words = ["nurse", "king"]
    first, second = (trainings.vectors(words, run) for run in trainings.repeats("whole")[:2])
    assert first.shape == (2, trainings.space.vectors.shape[1]) and not np.allclose(first, second)
    assert all(word in trainings.rows and word in trainings.space for word in trainings.neutral)
    assert trainings.contexts.words[:] == trainings.space.words[:]


def test_a_domain_is_found_by_its_name_and_other_names_as_everywhere():
    assert load_space("news").name == "news"
    with pytest.raises((ValueError, FetchError, OSError)):
        load_space("no such vectors")
