"""The five filters, each alone and in a row, on sentences of our own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.taxonomy.filters import (
    FILTERS,
    coreference,
    flags,
    gendered_pronoun,
    gendered_term,
    human_name,
    judge,
    pronoun_link,
    read,
)
from lib.taxonomy.mentions import GENDERED, clusters

CANDIDATES = [
    "A programmer must carry his laptop with him.",
    "Every nurse knows her patients.",
    "Anyone who calls should leave his number.",
    "When he arrives, the doctor washes his hands.",
    "The landlord may keep his deposit.",
    "If a person loses the key, he pays for it.",
]
DROPPED = [
    ("Fill the kettle and wait.", "coreference"),
    ("The bees left their hive before it was full.", "pronoun"),
    ("Yesterday Mr. Hale lost his map.", "no name"),
    ("In the end Captain Amelia Stone found her ship.", "no name"),
    ("A boy should bring his own cup.", "no gendered term"),
    ("The landlady keeps her keys in a drawer.", "no gendered term"),
    ("The policeman blew his whistle.", "no gendered term"),
    ("The queen left her palace.", "no gendered term"),
    ("His uncle sold his farm.", "no gendered term"),
    ("The letter that Peter sent was in his own hand.", "no name"),
    ("He lost his way.", "not only pronouns"),
    ("She asked herself why.", "not only pronouns"),
]
WORDS = "the a scout lady he his she her they it , . one Mr Hale boy who gave to and soldiers"
words = st.sampled_from(WORDS.split())


@pytest.mark.parametrize("sentence", CANDIDATES)
def test_a_neutral_person_taken_up_by_a_gendered_pronoun_is_a_candidate(sentence):
    verdict = judge(sentence)
    assert verdict.candidate and not verdict.dropped_by
    assert "takes up" in verdict.reason


@pytest.mark.parametrize(("sentence", "name"), DROPPED)
def test_the_first_filter_that_drops_a_sentence_is_named(sentence, name):
    verdict = judge(sentence)
    assert not verdict.candidate
    assert verdict.dropped_by == name
    assert verdict.reason == FILTERS[name](read(sentence)) != ""


def test_each_filter_runs_alone():
    boy = read("A boy should bring his own cup.")
    assert gendered_term(boy) == "“boy” says a gender"
    assert coreference(boy) == gendered_pronoun(boy) == human_name(boy) == pronoun_link(boy) == ""


def test_an_unknown_filter_is_refused_with_the_names_there_are(refuses):
    refuses(lambda: judge("He left.", filters=["names"]), ["filter", "names", "'no name'"])


@given(st.lists(words, max_size=25))
def test_clusters_are_made_of_the_words_of_the_sentence(sentence):
    for cluster in clusters(sentence):
        assert len(cluster) > 1
        for mention in cluster:
            assert 0 <= mention.start < mention.end <= len(sentence)
            assert mention.text.lower() == " ".join(sentence[mention.start : mention.end]).lower()


@given(st.lists(words, max_size=25))
def test_every_gendered_pronoun_belongs_to_one_cluster_at_most(sentence):
    places = [
        mention.start
        for cluster in clusters(sentence)
        for mention in cluster
        if mention.kind == "pronoun" and mention.head in GENDERED
    ]
    assert len(places) == len(set(places))


@given(st.text(max_size=80))
def test_any_text_gets_a_verdict(text):
    verdict = judge(text)
    assert verdict.candidate is not bool(verdict.dropped_by)


def test_flags_say_what_the_verdicts_say():
    sentences = CANDIDATES + [sentence for sentence, _ in DROPPED]
    table = flags(sentences)
    assert list(table) == [*FILTERS, "candidate"]
    assert table["candidate"].tolist() == [judge(sentence).candidate for sentence in sentences]
    assert not table.loc[~table["pronoun"], list(FILTERS)[2:]].any(axis=None)
