"""The winner of one-vs-rest: the class whose cosine is the score, one draw at a time or many, and how often it is right."""

import numpy as np
import pytest

from lib.embeddings import load_embedding
from lib.inference.random_words import random_words
from studies.multiclass.groups import OTHER_FORMS, OTHER_NAMES, sets_of_groups
from studies.multiclass.scores import against_rest
from studies.multiclass.winners import drawn_winners, share_right, winners

rng = np.random.default_rng(0)
WORDS = rng.standard_normal((20, 8))


def test_the_winner_has_the_largest_cosine_in_every_draw():
    sets = rng.standard_normal((130, 4, 8))
    each = [against_rest(WORDS, classes).argmax(axis=1) for classes in sets]
    assert (drawn_winners(WORDS, sets) == each).all() and (winners(WORDS, sets[0]) == each[0]).all()


def test_a_word_is_won_by_the_class_that_it_is():
    assert winners(np.eye(4), np.eye(4)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("classes", [np.ones((2, 3, 8)), np.ones((2, 1, 8)), np.ones((2, 3, 7))])
def test_sets_without_a_winner_are_refused(classes):
    with pytest.raises(ValueError, match="classes: expected"):
        drawn_winners(WORDS, classes)


def test_groups_count_alike_whatever_their_number_of_words():
    own = np.array([0] * 9 + [1])
    assert share_right(np.zeros(10), own) == 0.5
    assert share_right([np.zeros(10), own], own).tolist() == [0.5, 1]
    with pytest.raises(ValueError, match="a class for each word"):
        share_right(np.zeros(9), own)


def test_other_names_stand_for_each_class_and_words_that_name_a_group_are_no_class_words():
    sets = sets_of_groups()
    known = {tuple(named) for named in sets.values()}
    for others in (OTHER_NAMES, OTHER_FORMS):
        assert set(others) <= known and all(len(k) == len(v) for k, v in others.items())
    for named in sets.values():
        words = [word for words in named.values() for word in words]
        assert len(words) == len(set(words))
        assert not {*words} & {*named, "women", "men", "lesbians", "her", "his"}
    assert "mother" in sets["man, woman, gay"]["woman"] and not sets["man, woman, gay"]["gay"]


def test_words_for_peoples_fall_to_theirs_in_minilm_beyond_random_words():
    e, named = load_embedding("minilm"), sets_of_groups()["black, white, asian, native"]
    words = [(word, at) for at, group in enumerate(named.values()) for word in group if word in e]
    rows, own = e.rows([word for word, _ in words]).vectors, np.array([at for _, at in words])
    places = [e.words.index(word) for word in named]
    random = e.vectors[random_words(places, len(e), 200, matched=False, rng=0)]
    right = share_right(winners(rows, e.rows([*named]).vectors), own)
    assert right > np.quantile(share_right(drawn_winners(rows, random), own), 0.975)
