"""The Spanish set: it stands for that of the paper, and its words have one form."""

import re
from collections import Counter

from lib.lexicons import load_lexicon
from lib.translation.gender_spanish import audience_marking
from studies.translation_index.cho2019 import PARTITIONS
from studies.translation_index.pronoun_drop import pronoun_drop_set

SPANISH = pronoun_drop_set()


def test_each_item_has_four_sentences_in_every_way_to_divide_them():
    ours = {theirs: ours for ours, theirs in load_lexicon("pronoun_drop")["sets"]}
    for names in PARTITIONS.values():
        names = [ours[name] for name in names]
        held = Counter(item for name in names for item in SPANISH.items[name])
        assert set(held) == set(range(len(SPANISH.predicates))) and set(held.values()) == {4}
        assert len({sentence for name in names for sentence in SPANISH.sentences[name]}) == 4 * len(
            held
        )


def test_no_sentence_names_a_person_or_speaks_to_one():
    said = {sentence for sentences in SPANISH.sentences.values() for sentence in sentences}
    pronoun = re.compile(
        r"\b(?:él|ell[ao]s?|ustedes|usted|tú|tus?|te|yo|nosotr[oa]s|alguien|persona)\b",
        re.IGNORECASE,
    )
    assert not [sentence for sentence in said if pronoun.search(sentence)]
    assert {audience_marking(sentence).number for sentence in said} == {"unmarked"}
