"""Clusters from files of one's own: which mentions they link to the pronoun, what is refused, and a training that reads them."""

import numpy as np
import pandas as pd
import pytest

from studies.resolvers.own_clusters import (
    NAME,
    OwnClusters,
    cluster_file,
    members,
    own_entries,
    read_clusters,
)
from tests.studies.resolvers import made_up

GOOD = "ID,start,stop,cluster\n"


@pytest.fixture
def written(tmp_path):
    """A function that writes a file of clusters; its path."""

    def write(text):
        path = tmp_path / "mine.csv"
        path.write_text(text)
        return str(path)

    return write


def test_a_mention_is_linked_by_the_cluster_of_just_the_pronoun():
    frame = made_up.passages().iloc[[0]].assign(ID="test-1")
    (text,) = frame["Text"]
    she, ray, ann = (text.index(word) for word in ("she", "Eve Ray", "Ann said"))
    rows = [
        ("test-1", she, she + 3, 1),
        ("test-1", ann, ann + 3, 1),  # another occurrence of A
        ("test-1", 0, len("Ann Lee"), 1),
        ("test-1", ray, ray + 7, 2),
        ("test-1", ann, she + 7, 2),  # the pronoun lies in it, but it is not the pronoun
        ("test-2", ray, ray + 7, 1),
    ]
    table = pd.DataFrame(rows, columns=["ID", "start", "stop", "cluster"])
    (found,) = members(frame, table)
    assert found.tolist() == [True, True, False, True, False, False, False]
    (nothing,) = members(frame, table[table["ID"] == "test-2"])
    assert nothing.tolist() == [True] + 6 * [False]  # the pronoun is alone in its cluster


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("id,begin\ntest-1,2\n", ["expected the columns ID, start", "got id, begin", "first line"]),
        (GOOD + "test-1,a,4,1\n", ["whole numbers as start", "from 0"]),
        (GOOD + "test-1,4,4,1\n", ["start < stop", "got 1 rows"]),
        (GOOD + "gap-1,1,4,1\n", ["such as development-1", "'gap-1'"]),
        (GOOD, ["mine.csv", "expected"]),
    ],
)
def test_what_is_no_file_of_clusters_is_refused(text, fragments, written, refuses):
    path = written(text)
    refuses(lambda: cluster_file("clusters", path), ["mine.csv", *fragments])


def test_other_contents_are_another_resolver(written):
    path = written(GOOD + "test-1,1,4,1\n")
    (one,) = own_entries([path])
    written(GOOD + "test-1,1,5,1\n")
    (other,) = own_entries([path])
    assert one.resolver != other.resolver and one.system == other.system == NAME
    assert own_entries([]) == []


def test_a_resolver_learns_from_clusters_that_know_the_answer(written, cache):
    examples = made_up.examples()
    frame = examples.passages
    frame["ID"] = [f"test-{k}" for k in range(len(frame))]
    lines = []
    for k, row in enumerate(frame.to_dict("records")):
        start = row["Pronoun-offset"]
        lines.append(f"test-{k},{start},{start + len(row['Pronoun'])},0")
        if row["answer"] != "NEITHER":
            first = row[f"{row['answer']}-offset"]
            lines.append(f"test-{k},{first},{first + len(row[row['answer']])},0")
    path = written(GOOD + "\n".join(lines) + "\n")
    assert len(read_clusters(path)) == len(lines)
    resolver = OwnClusters(files=(path,), epochs=30, folds=0)
    said = resolver.fit(examples, rng=0).probabilities(examples)
    np.testing.assert_allclose(said.sum(axis=1), 1)
    assert (said.argmax(axis=1) == examples.answers).mean() > 0.9
