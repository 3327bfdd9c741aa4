"""Released points: one number a set of vectors, doubled rows once, copied effects marked; cells against scipy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studies.predictive_validity import released
from studies.predictive_validity.released import (
    FILES,
    cell_correlations,
    read_points,
)
from tests.support.made_points import points

HEAD = "WEAT,Performance Gap,Metric,Test,Embedding,Name,Method\n"


def test_effects_of_word2vec_that_fasttext_has_are_marked(registered_file):
    registered_file(
        released,
        HEAD
        + "1.25,2,Recall,8,fastText,b,P\n1.25,2,Recall,8,word2vec,c,P\n1.26,3,Recall,8,word2vec,d,P\n",
    )
    assert read_points("hate speech, English")["copied"].tolist() == [False, True, False]


@pytest.mark.sample(*FILES.values())
def test_the_released_points_are_as_many_as_published_and_hold_the_copied_column():
    tables = {task: read_points(task) for task in FILES}
    assert [len(table) for table in tables.values()] == [84, 328, 40]
    points = tables["coreference"]
    assert points.groupby(["vectors", "test", "metric"]).size().unique().tolist() == [7]
    copied = points[points["copied"]]
    assert copied["test"].unique().tolist() == ["8"] and len(copied) == 2 * 6
    gaps = points.groupby(["vectors", "number", "metric"])["gap"].nunique()
    assert (gaps == 1).all()  # one system for each set of vectors, whatever the test


@settings(max_examples=4)
@given(seed=st.integers(0, 999))
def test_each_cell_has_scipys_correlation_and_interval(seed):
    table = points(1.0, seed=seed)
    cells = cell_correlations(table)
    assert len(cells) == 8
    first = table[(table["vectors"] == "a") & (table["test"] == "6")]
    first = first[first["metric"] == "Precision"]
    theirs = stats.pearsonr(first["effect"], first["gap"])
    ends = theirs.confidence_interval()
    ours = cells.iloc[0]
    assert (ours["r"], ours["low"], ours["high"]) == pytest.approx(
        (theirs.statistic, ends.low, ends.high)
    )
