"""Sentences of our own with known answers, to try a filter of generalisations on, and what it says of sentences of a reader's."""

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from lib.taxonomy.filters import NO_NAMES, judge
from lib.taxonomy.wordnet import PERSON, noun_senses
from studies.taxonomy.against_logs import any_gendered_pronoun
from studies.taxonomy.marking import marked_nouns

YOURS = "your sentences"

# sentences by what they are
EXAMPLES = {
    "anybody, he": (
        "A programmer must always carry his laptop with him.",
        "Every citizen has a right to his own opinion.",
        "If a doctor is late, he should call the ward.",
        "The reader may judge for himself.",
        "No student likes to see his work ignored.",
        "When a customer complains, listen to him.",
        "An engineer checks his sums twice.",
        "A good leader knows his people.",
        "Each player puts his card on the table.",
        "The author of a letter should sign it before he posts it.",
        "A lawyer owes his client the truth.",
        "Whoever finds a child should ask him for the address.",
        "Any person who has lost his ticket must pay again.",
        "The witness swears that he will tell the truth.",
    ),
    "anybody, she": (
        "A teacher should always care about her pupils.",
        "A nurse must wash her hands often.",
        "If a secretary is ill, she should send a note.",
        "Every dancer knows her own weight.",
        "A cook tastes her soup before she serves it.",
        "The patient should bring her papers with her.",
        "When a guest arrives, show her to the room.",
        "A scout keeps her promise.",
        "No typist should trust herself alone.",
        "Each candidate writes her name on the sheet.",
    ),
    "nobody taken up": (
        "Fill the kettle and light the stove.",
        "The law protects every citizen.",
        "Bees make honey in summer.",
        "Write the date on the first page.",
        "A programmer must carry a laptop.",
        "The committee met on Tuesday.",
    ),
    "no gendered pronoun": (
        "The bees leave their hive when it is full.",
        "A programmer must carry their laptop with them.",
        "The club sold its house.",
        "Teachers should care about their pupils.",
        "The tree lost its leaves.",
        "Citizens know their rights.",
    ),
    "pronouns only": (
        "He lost his way.",
        "She said that she was tired.",
        "Before he left, he shut his bag.",
        "His hands were on him.",
        "She taught herself.",
        "He must do it himself.",
        "If she asks, give her the key.",
        "He wrote that his foot hurt.",
    ),
    "a name": (
        "Mr. Hale found his map at last.",
        "Maria keeps her bees in the garden.",
        "At noon Thomas opened his shop.",
        "Then Dr. Lund shook his head.",
        "Anna knows that she is right.",
        "The letter that Peter sent was in his own hand.",
        "Mrs. Brown sold her house.",
        "Robert told himself to wait.",
    ),
    "a gendered word": (
        "The boy lost his hat.",
        "A boy will always want to play with his ball.",
        "The landlady keeps her keys in a box.",
        "Every mother loves her children.",
        "A gentleman takes off his hat.",
        "The actress forgot her lines.",
        "A king must guard his realm.",
        "The queen left her palace.",
        "A policeman knows his street.",
        "His uncle sold his farm.",
        "The waitress counted her tips.",
        "An old woman fed her hens.",
    ),
    "somebody in particular": (
        "The doctor who set my arm said he was from Leeds.",
        "Our neighbour painted his fence yesterday.",
        "The driver of the red car lost his key last night.",
        "My teacher forgot her glasses this morning.",
        "The prisoner in the dock raised his hand.",
        "The speaker thanked her hosts and sat down.",
    ),
}
# the filter that should drop each kind; "" where none should
DROPPED_BY = {
    "anybody, he": "",
    "anybody, she": "",
    "nobody taken up": "coreference",
    "no gendered pronoun": "pronoun",
    "pronouns only": "not only pronouns",
    "a name": "no name",
    "a gendered word": "no gendered term",
    "somebody in particular": "",
}


def examples() -> pd.DataFrame:
    """sentence, kind, dropped_by (the filter that should drop it) and generalises (whether it is a gender generalisation).

    A sentence about somebody in particular passes the filters and generalises nothing: five filters cannot know it.
    """
    table = pd.DataFrame(
        [(sentence, kind) for kind, listed in EXAMPLES.items() for sentence in listed],
        columns=["sentence", "kind"],
    )
    table["dropped_by"] = table["kind"].map(DROPPED_BY)
    table["generalises"] = table["kind"].str.startswith("anybody")
    return table


def judged(
    sentences: Mapping[str, Sequence[str]] | Sequence[str], *, names: Collection[str] = NO_NAMES
) -> pd.DataFrame:
    """A row for each sentence: sentence, kind, keeps (the five filters), reason, pronoun (the simplest rule), right and simple_right.

    `sentences` by kind, or without one. What should happen is known of the kinds of `DROPPED_BY` alone: `right` says whether the filters
    do so, `simple_right` whether a search for any *he* or *she* does; both are None for other kinds. None is judged twice in a kind.
    """
    kinds = sentences if isinstance(sentences, Mapping) else {YOURS: sentences}
    kinds = {kind: [said] if isinstance(said, str) else said for kind, said in kinds.items()}
    rows = []
    for kind, listed in kinds.items():
        for sentence in dict.fromkeys(listed):
            if not isinstance(sentence, str) or not sentence.strip():
                raise ValueError(f"sentences: expected texts in {kind!r}, got {sentence!r:.80}")
            said = judge(sentence, names=names)
            rows.append((sentence, kind, said.candidate, said.reason))
    table = pd.DataFrame(rows, columns=["sentence", "kind", "keeps", "reason"])
    table["pronoun"] = any_gendered_pronoun(table["sentence"])
    asked = table["kind"].map(DROPPED_BY)
    for name, rule in {"right": "keeps", "simple_right": "pronoun"}.items():
        table[name] = (table[rule] == (asked == "")).astype(object).where(asked.notna(), None)
    return table


def feminine_twins() -> pd.DataFrame:
    """Job nouns that mark a woman beside the form without the mark or with *man*: ending, feminine, twin.

    By spelling, from the nouns for people of Open English WordNet: *waitress* and *waiter*, *chairwoman* and *chairman*. What has no
    such twin there is left out; nothing is chosen by hand.
    """
    people = {
        noun
        for noun, found in noun_senses().items()
        if any(sense.file == PERSON for sense in found)
    }
    jobs = {
        marked.noun: marked.ending for marked in marked_nouns().values() if marked.kind == "job"
    }
    rows = []
    for noun, ending in jobs.items():
        stem = noun.removesuffix(ending)
        forms: list[str] = []
        if ending == "woman":
            forms = [f"{stem}man"]
        if ending == "ess":
            forms = [stem, f"{stem}er", f"{stem}or", f"{stem}e"]
            if stem.endswith("r"):  # waitr-ess, actr-ess
                forms += [f"{stem[:-1]}er", f"{stem[:-1]}or"]
        twin = next((form for form in forms if form in people), None)
        if twin:
            rows.append((f"-{ending}", noun, twin))
    return pd.DataFrame(rows, columns=["ending", "feminine", "twin"]).sort_values(
        ["ending", "feminine"], ignore_index=True
    )
