"""Topics: found where they were planted, matched one to one, scored by hand."""

import numpy as np
import pytest

from lib.measures.topics import Topics, find_topics, match_topics, topic_scores

PLANTED = [
    ["cello", "violin", "opera"],
    ["goal", "striker", "keeper"],
    ["senate", "vote", "minister"],
]


def planted_texts(seed=0):
    rng = np.random.default_rng(seed)
    return [
        " ".join(rng.choice(PLANTED[i % 3], 12)) + " the and " + "common" * (i % 5 == 0)
        for i in range(60)
    ]


@pytest.mark.parametrize("settings", [{}, {"start": "random", "rng": 3}, {"counts": "tf-idf"}])
def test_planted_topics_are_found_whole(settings):
    found = find_topics(planted_texts(), 3, **settings)
    assert {frozenset(words) for words in found.top(3)} == {frozenset(words) for words in PLANTED}
    assert found.weights.shape == (3, len(found.words)) and found.documents.shape == (60, 3)
    assert "the" not in found.words
    match = match_topics(found.top(3), PLANTED)
    assert (match["share"] == 1).all() and sorted(match["found"]) == [0, 1, 2]


def test_the_assignment_is_one_to_one_and_the_best_in_all_not_topic_by_topic():
    found = [("a", "b", "c"), ("a", "b", "x")]
    printed = [
        ("a", "b", "c"),
        ("a", "b", "c", "q"),
    ]  # both like the first best; one must take the second
    match = match_topics(found, printed).set_index("printed")
    assert match["shared"].sum() == 5 and set(match["found"]) == {0, 1}
    assert match.loc[1, "share"] == match.loc[1, "shared"] / 4


def test_the_score_of_a_topic_weighs_its_top_words():
    topics = Topics(("a", "b", "c"), np.array([[2.0, 1.0, 0.1], [0.0, 3.0, 5.0]]), np.eye(2))
    scores = {"a": 1.0, "b": -1.0, "c": 10.0}
    assert topics.top(2) == [("a", "b"), ("c", "b")]
    assert topic_scores(topics, scores, m=2) == pytest.approx([2 - 1, 50 - 3])


def test_bad_input_says_what_was_expected(refuses):
    refuses(lambda: find_topics(["one text", "another text"], 3), ["1 to 2 topics", "got 3"])


def test_a_word_without_a_score_is_named():
    with pytest.raises(KeyError, match="b"):
        topic_scores(Topics(("a", "b"), np.ones((1, 2)), np.ones((1, 1))), {"a": 1.0})
