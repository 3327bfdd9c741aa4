"""Heads taught on half of the sentences and asked about the other half."""

import numpy as np
import pandas as pd
import pytest

from lib.coreference.resolvers.examples import Examples
from studies.resolvers.taught import taught_on_the_others


@pytest.fixture(scope="module")
def clear():
    """Sixty sentences in six groups whose states say who is meant."""
    rng = np.random.default_rng(0)
    answers = np.tile(["A", "B"], 30)
    states = rng.normal(size=(60, 2, 3, 4)).astype(np.float32)
    states[answers == "A", :, 1] += 3
    states[answers == "B", :, 2] += 3
    passages = pd.DataFrame({"answer": answers, "gender": "female", "URL": "page"})
    return Examples(passages, states, "clear")


GROUPS = np.repeat(list("abcdef"), 10)


def test_what_the_states_say_is_learned_and_random_answers_are_not(clear):
    said = taught_on_the_others(clear, GROUPS, seeds=2)
    dealt = taught_on_the_others(clear, GROUPS, seeds=2, shuffled=True)
    right = [(each.mean(axis=0).argmax(axis=1) == clear.answers).mean() for each in (said, dealt)]
    assert said.shape == (2, 60, 3) and np.allclose(said.sum(axis=2), 1)
    assert right[0] > 0.9 and right[1] < 0.8


def test_too_few_sentences_to_teach_on_are_refused(clear):
    with pytest.raises(ValueError, match="16 sentences or more"):
        taught_on_the_others(clear, GROUPS, among=GROUPS == "a", seeds=1)
