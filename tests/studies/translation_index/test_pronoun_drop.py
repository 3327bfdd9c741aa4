"""The Spanish set: it stands for that of the paper, and its words have one form."""

import re
from collections import Counter

from lib.lexicons import load_lexicon
from lib.translation.gender_spanish import audience_marking, gender_of
from studies.translation_index.cho2019 import PARTITIONS
from studies.translation_index.cho2019 import SETS as PAPER_SETS
from studies.translation_index.pronoun_drop import LISTS, pronoun_drop_set

SPANISH = pronoun_drop_set()
# Words of one form that the reader of endings would take for one of two.
ONE_FORM = {
    "egoísta",
    "sinvergüenza",
    "aguafiestas",
    "bocazas",
    "canalla",
    "caradura",
    "oboísta",
    "cineasta",
    "sargento",
    "copiloto",
    "cosmonauta",
    "guardaespaldas",
    "lavaplatos",
    "cuentacuentos",
    "fisioterapeuta",
    "terapeuta",
    "psicoterapeuta",
    "logopeda",
    "osteópata",
    "homeópata",
}


def test_the_set_has_more_than_300_items_in_seven_sets_that_stand_for_the_paper_s():
    stands_for = dict(load_lexicon("pronoun_drop")["sets"])
    assert len(SPANISH.predicates) > 300 and len(set(SPANISH.predicates)) == len(SPANISH.predicates)
    assert list(SPANISH.sentences) == list(SPANISH.items) == list(stands_for)
    assert list(stands_for.values()) == list(PAPER_SETS)
    assert min(len(set(SPANISH.items[kind])) for kind in LISTS) > 100


def test_each_item_has_four_sentences_in_every_way_to_divide_them():
    ours = {theirs: ours for ours, theirs in load_lexicon("pronoun_drop")["sets"]}
    for names in PARTITIONS.values():
        names = [ours[name] for name in names]
        held = Counter(item for name in names for item in SPANISH.items[name])
        assert set(held) == set(range(len(SPANISH.predicates))) and set(held.values()) == {4}
        assert len({sentence for name in names for sentence in SPANISH.sentences[name]}) == 4 * len(
            held
        )


def test_adjectives_and_nouns_have_one_form():
    words = [
        predicate.split()[1] for predicate in SPANISH.predicates if predicate.startswith("es ")
    ]
    assert {word for word in words if gender_of(word)} == ONE_FORM & set(words) == ONE_FORM


def test_no_sentence_names_a_person_or_speaks_to_one():
    said = {sentence for sentences in SPANISH.sentences.values() for sentence in sentences}
    pronoun = re.compile(
        r"\b(?:él|ell[ao]s?|ustedes|usted|tú|tus?|te|yo|nosotr[oa]s|alguien|persona)\b",
        re.IGNORECASE,
    )
    assert not [sentence for sentence in said if pronoun.search(sentence)]
    assert {audience_marking(sentence).number for sentence in said} == {"unmarked"}
