"""Spanish sentences that do not say who: an evaluation set for the translation gender bias index from Spanish.

"Es dentista." has no subject and a noun of one form, so that English must choose he or she, or avoid both. Each predicate of
`data/lexicons/pronoun_drop.json` stands in four sentences, by register and by ending, as an item of Cho et al. (2019) does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lib.lexicons import load_lexicon
from lib.translation.translators import Translator

LISTS = {
    "occupation": "occupations",
    "negative": "negative",
    "positive": "positive",
}  # set -> its list of predicates


@dataclass(frozen=True)
class PronounDrop:
    """Set -> its sentences, and the item (a row of `predicates`) of each; seven sets that divide them in three ways."""

    predicates: tuple[str, ...]
    sentences: Mapping[str, list[str]]
    items: Mapping[str, list[int]]


def pronoun_drop_set() -> PronounDrop:
    """The Spanish evaluation set: informal and formal, blunt and softened, negative, positive, occupation."""
    lexicon = load_lexicon("pronoun_drop")
    names = [ours for ours, _ in lexicon["sets"]]
    sentences, items = {name: [] for name in names}, {name: [] for name in names}
    predicates = [(kind, predicate) for kind, part in LISTS.items() for predicate in lexicon[part]]
    for register, ending, template in lexicon["frames"]:
        for item, (kind, predicate) in enumerate(predicates):
            sentence = template.format(predicate=predicate)
            for name in (register, ending, kind):
                sentences[name].append(sentence[0].upper() + sentence[1:])
                items[name].append(item)
    return PronounDrop(tuple(predicate for _, predicate in predicates), sentences, items)


def translated_sets(
    translator: Translator, sentences: Mapping[str, list[str]]
) -> dict[str, list[str]]:
    """Set -> the translations of its sentences; a sentence of several sets is translated once.

    Raises what the translator raises.
    """
    known = list(dict.fromkeys(sentence for those in sentences.values() for sentence in those))
    made = dict(zip(known, translator.translate(known)))
    return {name: [made[sentence] for sentence in those] for name, those in sentences.items()}
