"""Points of bias and gap: one number a set of vectors, doubled rows once, copied effects marked."""

import pytest

from lib.datasets import goldfarb_tarrant2021
from lib.datasets.goldfarb_tarrant2021 import FILES, read_points

HEAD = "WEAT,Performance Gap,Metric,Test,Embedding,Name,Method\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(goldfarb_tarrant2021, "fetch", lambda key: tmp_path / "file")

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
