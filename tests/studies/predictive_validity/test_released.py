"""Released points: one number a set of vectors, doubled rows once, copied effects marked; cells against scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from studies.predictive_validity import released
from studies.predictive_validity.released import (
    FILES,
    cell_correlations,
    read_points,
    without_copies,
)
from tests.support.made_points import points

HEAD = "WEAT,Performance Gap,Metric,Test,Embedding,Name,Method\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(released, "fetch", lambda key: tmp_path / "file")

    return write


def test_vectors_without_a_name_are_numbered_in_the_order_of_the_file(file):
    file(
        HEAD
        + "1.5,2,Recall,6,fastText,base,P\n0.5,3,Recall,6,fastText,,P\n1.5,4,Recall,7,fastText,base,P\n"
    )
    assert read_points("coreference")["number"].tolist() == [0, 1, 0]


def test_named_vectors_keep_their_number_through_tests_and_doubled_rows_count_once(file):
    file(
        HEAD
        + "1.5,2,Recall,6,fastText,b,P\n1.5,2,Recall,6,fastText,b,P\n0.5,3,Recall,7,fastText,a,P\n0.1,1,Recall,7,fastText,b,P\n"
    )
    assert read_points("hate speech, English")["number"].tolist() == [0, 1, 0]


def test_effects_of_word2vec_that_fasttext_has_are_marked(file):
    file(
        HEAD
        + "1.25,2,Recall,8,fastText,b,P\n1.25,2,Recall,8,word2vec,c,P\n1.26,3,Recall,8,word2vec,d,P\n"
    )
    assert read_points("hate speech, English")["copied"].tolist() == [False, True, False]


def test_a_gap_given_as_a_fraction_is_in_points(file):
    file(",WEAT,Performance Gap,Metric,Test,Embedding,Name\n0,1.0,0.25,Recall,es1,word2vec,x\n")
    assert read_points("hate speech, Spanish")["gap"].tolist() == [25.0]


def test_another_task_is_refused():
    with pytest.raises(ValueError, match="coreference"):
        read_points("coref")


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


@settings(max_examples=15)
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


def test_a_heap_is_counted_and_a_cell_of_one_effect_is_left_out():
    table = points(1.0, vectors=("a",))
    table["effect"] = np.where(table["number"] < 5, 1.82, table["effect"])
    table.loc[table["test"] == "7", "effect"] = 1.0
    cells = cell_correlations(table)
    assert set(cells["test"]) == {"6"} and set(cells["heap"]) == {5}


def test_a_column_with_copies_is_left_out_whole():
    table = points(1.0).assign(
        copied=lambda t: (t["vectors"] == "b") & (t["test"] == "7") & (t["number"] < 2)
    )
    rest = without_copies(table)
    assert set(zip(rest["vectors"], rest["test"])) == {("a", "6"), ("a", "7"), ("b", "6")}
