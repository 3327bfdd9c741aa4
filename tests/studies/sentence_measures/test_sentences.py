"""Sentences of published tests: which word one is about, whose twin is whose, and how many there are."""

import pytest

from studies.sentence_measures import sentences
from studies.sentence_measures.sentences import (
    by_word,
    read_gender_swaps,
    read_revised_pairs,
    read_sentence_sets,
    read_twin_pairs,
    rewritten_gender_pairs,
    sentence_tests,
)


def test_a_twin_belongs_to_the_pair_of_its_own_column(registered_file):
    registered_file(sentences, "a,b\nc,d\n,e\n,f\n,\n,\n")
    twins = read_twin_pairs("negation")
    assert twins.to_dict("records") == [
        {"pair": 1, "sent_more": "b", "sent_less": "d", "twin_more": "e", "twin_less": "f"}
    ]


def test_blocks_are_stereotype_and_anti_stereotype_by_turns(registered_file):
    registered_file(sentences, "She is <kind>.\nHe is <kind>.\n\nShe is <cruel>.\nHe is <cruel>.\n")
    table = read_gender_swaps()
    assert table["kind"].tolist() == ["stereotype", "anti-stereotype"]
    assert table["item"].tolist() == [0, 0]
    assert table.loc[1, ["sentence", "twin", "attribute"]].tolist() == [
        "She is cruel.",
        "He is cruel.",
        "cruel",
    ]


@pytest.mark.sample(
    "pikuliak_crows_revised",
    "pikuliak_crows_negation",
    "pikuliak_crows_antistereotype",
    "pikuliak_stereoset_genderswap",
    "pikuliak_stereoset_genderswap_filtered",
    "crows_pairs",
)
def test_there_are_as_many_as_published():
    revised = read_revised_pairs()
    assert (len(revised), (revised["bias_type"] == "gender").sum()) == (1467, 250)
    assert {kind: len(read_twin_pairs(kind)) for kind in ("negation", "antistereotype")} == {
        "negation": 66,
        "antistereotype": 65,
    }
    assert [read_gender_swaps(filtered=f)["item"].nunique() for f in (True, False)] == [147, 251]
    versions = rewritten_gender_pairs()
    assert {name: len(pairs[0]) for name, (pairs, _) in versions.items()} == {
        "CrowS-Pairs, revised": 250,
        "CrowS-Pairs, negation": 66,
        "CrowS-Pairs, antistereotype": 65,
        "StereoSet, anti-stereotype": 147,
    }
    assert all(len({len(part) for part in (*a, *b)}) == 1 for a, b in versions.values())


def test_the_longest_word_is_meant():
    assert by_word(["A white woman is a person."], ["woman", "white woman"]) == {
        "white woman": ["A white woman is a person."]
    }


@pytest.mark.sample(*[key.replace("sent_", "") for key in sentence_tests()], *sentence_tests())
def test_every_word_of_every_published_test_has_its_sentences():
    sets = {key: read_sentence_sets(key) for key in sentence_tests()}
    assert len(sets) == 19
    assert {len(held) for test in sets.values() for part in test for held in part.values()} <= {
        *range(2, 15)
    }
    first = sets["seat_sent_weat1"]
    assert [len(part) for part in first] == [25, 25, 25, 25]
    assert sum(map(len, first.X.values())) == 350
