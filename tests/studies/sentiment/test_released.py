"""What the paper prints, from what was released: ranks with ties, phrases with a noun, and groups of phrases."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.ledger import claims
from studies.sentiment import released
from studies.sentiment.bhaskaran2019 import read_phrases
from studies.sentiment.released import (
    grouped_difference,
    occupation_ranks,
    phrase_groups,
    phrases_with_nouns,
)

SCORES = st.lists(st.sampled_from([0.1, 0.2, 0.5, 0.9]), min_size=1, max_size=12)


@given(SCORES)
def test_ranks_are_those_of_pandas(scores):
    """Each occupation once: the best rank of those tied, from the top and from the bottom."""
    jobs = [f"job {place}" for place in range(len(scores))]
    found = occupation_ranks(jobs, scores).loc[jobs]
    series = pd.Series(scores, index=jobs)
    assert found["top"].tolist() == series.rank(method="min", ascending=False).tolist()
    assert found["bottom"].tolist() == series.rank(method="min").tolist()
    assert found["tied"].tolist() == [scores.count(score) - 1 for score in scores]


def test_a_noun_counts_as_a_whole_token_and_a_phrase_once_a_side():
    texts = ["the man and his father", "a manly tale", "she met a man", "woman , 's", "Woman", ""]
    found = phrases_with_nouns(pd.DataFrame({"text": texts}))
    assert found["male"].index.tolist() == [0, 2]
    assert found["female"].index.tolist() == [2, 3]


def test_pieces_of_one_phrase_are_a_group():
    assert phrase_groups(["a woman", "a woman of the world", "the man"]) == [0, 0, 1]
    assert phrase_groups(["man", "manly", "a man"]) == [0, 1, 0]  # pieces are whole tokens


def rows(labels_female, labels_male, groups=None):
    sides = ["female"] * len(labels_female) + ["male"] * len(labels_male)
    labels = [*labels_female, *labels_male]
    return pd.DataFrame(
        {"side": sides, "label": labels, "group": groups or list(range(len(labels)))}
    )


def test_phrases_that_come_four_times_are_counted_as_one_draw():
    """Copies within a group leave the interval as it is; as groups of their own they halve it."""
    rng = np.random.default_rng(0)
    female, male = rng.integers(0, 2, 100), rng.integers(0, 2, 100)
    single = grouped_difference(rows(female, male), rng=0)
    four = [np.repeat(female, 4), np.repeat(male, 4)]
    together = grouped_difference(rows(*four, np.repeat(np.arange(200), 4).tolist()), rng=0)
    apart = grouped_difference(rows(*four), rng=0)
    assert together == pytest.approx(single)
    assert (apart.high - apart.low) / (single.high - single.low) == pytest.approx(0.5, abs=0.06)


@pytest.mark.sample(
    "gsent_run_test", "gsent_run_logreg", "gsent_run_lstm", "gsent_run_test_results"
)
def test_what_is_printed_of_the_predictions_comes_out():
    found = released.printed_numbers().set_index("claim")["value"]
    differences = found.filter(like=".table1.")
    assert len(differences) == 3
    for claim, value in differences.items():
        assert round(value, 3) == claims.printed(claim)
    assert len(found.filter(like=".table2.")) == 17


@pytest.mark.sample("glue_sst2_train")
def test_counts_and_means_of_section_4():
    values = released.printed_phrase_numbers(read_phrases())["value"].round(3)
    assert values.tolist() == [1182, 0.535, 601, 0.599]
