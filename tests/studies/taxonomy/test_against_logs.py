"""Agreement with a log: scikit-learn as peer, and the nine books."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from lib.taxonomy.filters import flags
from studies.taxonomy.against_logs import (
    agreement,
    any_gendered_pronoun,
    compared,
)
from studies.taxonomy.hitti2019 import read_filter_log

pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=60)


@given(pairs)
def test_scores_are_those_of_scikit_learn(rows):
    truth, ours = np.array(rows).T
    found = compared(truth, ours, np.zeros(len(truth)), n_resamples=2, rng=0)
    if ours.any():
        assert found["precision"] == pytest.approx(precision_score(truth, ours))
    if truth.any():
        assert found["recall"] == pytest.approx(recall_score(truth, ours))
    if len({*truth, *ours}) > 1:
        assert found["kappa"] == pytest.approx(cohen_kappa_score(truth, ours))


@pytest.mark.sample("hitti_filters_businesshints")
def test_agreement_with_the_log_of_a_book():
    logs = read_filter_log("businesshints").assign(book="businesshints")
    own = flags(logs["sentence"])
    table = agreement(logs, own, n_resamples=50, rng=0)
    whole = table[(table["books"] == "businesshints") & (table["setting"] == "all sentences")]
    kappa = whole.set_index("filter")["kappa"]
    assert kappa["pronoun"] > 0.7 and kappa["candidate"] > 0.45
    simplest = compared(
        logs["candidate"], any_gendered_pronoun(logs["sentence"]), logs["book"], rng=0
    )
    assert kappa["candidate"] > simplest["kappa"]
