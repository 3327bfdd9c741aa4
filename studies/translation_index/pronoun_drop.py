"""Spanish sentences without a subject, for the index.

"Es dentista." does not say who, so that English must choose he or she, or avoid both. Each predicate of
`data/lexicons/pronoun_drop.json` stands in four sentences, by register and by ending, as an item of Cho et al. (2019) does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from lib.lexicons import load_lexicon

# Set of predicates -> its list.
LISTS = {"occupation": "occupations", "negative": "negative", "positive": "positive"}


@dataclass(frozen=True)
class PronounDropSet:
    """Spanish sentences without a subject, in seven sets that divide them in three ways.

    predicates: "es dentista", …; set -> its sentences, and the place in `predicates` of each one's.
    """

    predicates: tuple[str, ...]
    sentences: Mapping[str, list[str]]
    items: Mapping[str, list[int]]


def pronoun_drop_set() -> PronounDropSet:
    """The Spanish sets: informal and formal, blunt and softened, negative, positive, occupation."""
    lexicon = load_lexicon("pronoun_drop")
    predicates = [(kind, predicate) for kind, part in LISTS.items() for predicate in lexicon[part]]
    names = [name for name, _ in lexicon["sets"]]
    sentences, items = {name: [] for name in names}, {name: [] for name in names}
    for register, ending, template in lexicon["frames"]:
        for item, (kind, predicate) in enumerate(predicates):
            sentence = template.format(predicate=predicate)
            for name in (register, ending, kind):
                sentences[name].append(sentence[0].upper() + sentence[1:])
                items[name].append(item)
    return PronounDropSet(tuple(predicate for _, predicate in predicates), sentences, items)
