"""The labels of a crowd: where they belong, how far workers agree, and against an expert."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.inter_rater import fleiss_kappa

from studies.taxonomy import crowd, hitti2019

LABELS = ("generalisation", "none", "problematic")
TRIPLES = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=3, max_size=25)


def released(triples):
    """What would be released of three judgments a sentence."""
    counts = np.array([np.bincount(triple, minlength=3) for triple in triples])
    most = counts.max(axis=1)
    confidence = np.select([most == 3, most == 2], [1.0, 0.67], 0.34)
    labels = [LABELS[row.argmax()] for row in counts]
    return counts, pd.DataFrame({"label": labels, "confidence": confidence})


@given(TRIPLES)
def test_the_bounds_hold_what_the_single_judgments_give(triples):
    counts, rows = released(triples)
    bounds = crowd.agreement_bounds(rows)
    pairs = ((counts**2).sum(axis=1) - 3).mean() / 6
    assert bounds.loc["pairs", "low"] - 1e-9 <= pairs <= bounds.loc["pairs", "high"] + 1e-9
    if (counts.sum(axis=0) < counts.sum()).all():
        kappa = fleiss_kappa(counts)
        assert bounds.loc["kappa", "low"] - 1e-9 <= kappa <= bounds.loc["kappa", "high"] + 1e-9


def test_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    said, right = rng.random((2, 60)) < 0.5
    found = crowd.scores(crowd.confusion(said, right).sum(axis=0))
    assert found["F1"] == pytest.approx(f1_score(right, said))
    assert found["kappa"] == pytest.approx(cohen_kappa_score(right, said))


@pytest.mark.sample
def test_the_list_of_agreed_sentences_shows_where_the_labels_belong():
    rows, listed = hitti2019.read_crowd(), hitti2019.read_confident_labels()
    found = crowd.offset_check(rows, listed, [-20, -1, 0, 1, 20])["value"]
    assert found[0] == 1
    assert found.drop(0).max() < 0.4


@pytest.mark.sample
def test_moved_back_seven_of_nine_printed_shares_come_out_and_every_sentence_has_its_book():
    listed = {book: hitti2019.read_candidates(book) for book in hitti2019.BOOKS}
    rows = crowd.with_books(hitti2019.read_crowd(), listed)
    assert (rows["book"] != "").all()
    shares = crowd.true_shares(rows, {book: len(some) for book, some in listed.items()})
    printed = [61.2, 63.6, 53.8, 44.3, 27.0, 36.5, 55.5, 51.7, 55.8]
    assert (np.round(100 * shares["of_candidates"], 1) == printed).sum() == 7
    unlabelled = shares["candidates"] - shares["labelled"]
    assert unlabelled[unlabelled > 0].to_dict() == {"federalists": 47}
    assert crowd.whole_counts(0.6114, len(rows)) == [659]
    assert crowd.whole_counts(0.6114, 1627) == []


@given(TRIPLES)
def test_the_number_of_full_agreements_settles_the_kappa_of_two_labels(triples):
    counts, rows = released(triples)
    two = np.column_stack([counts[:, 0], counts[:, 1:].sum(axis=1)])
    if (two.sum(axis=0) < two.sum()).all():
        full = int((two.max(axis=1) == 3).sum())
        assert crowd.kappa_of_two(rows, full) == pytest.approx(fleiss_kappa(two))


def test_more_full_agreements_than_the_labels_allow_are_refused():
    rows = pd.DataFrame({"label": ["generalisation", "none"], "confidence": [1.0, 0.67]})
    with pytest.raises(ValueError, match="expected 1 to 2 full agreements, got 3"):
        crowd.kappa_of_two(rows, 3)


@pytest.mark.sample
def test_agreed_sentences_have_the_labels_of_the_list_at_one_offset_alone():
    rows, listed = hitti2019.read_crowd(), hitti2019.read_confident_labels()
    found = crowd.labels_at(rows, listed, [-20, -1, 0, 1, 20])
    assert found.loc[0].tolist() == [200, 1]
    assert found["value"].drop(0).max() < 0.65
