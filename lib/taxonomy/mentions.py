"""Who a sentence speaks of: mentions of people and things, and the pronouns that take them up.

A light rule in place of a neural resolver. It reads words from left to right with closed lists of
function words and WordNet's file of persons, and needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lib.lexicons import load_lexicon
from lib.taxonomy.wordnet import base_forms, is_person, senses

# Words (hyphens and apostrophes inside included), the possessive 's, numbers, marks.
WORD = re.compile(r"[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*|['’]s\b|\d+(?:[.,]\d+)*|[^\w\s]|_")

_PAPER = load_lexicon("hitti2019")
FEMININE = frozenset(_PAPER["pronouns_female"])
MASCULINE = frozenset(_PAPER["pronouns_male"])
GENDERED = FEMININE | MASCULINE
FEMALE_TERMS = FEMININE | set(_PAPER["base_female"] + _PAPER["family_female"])
MALE_TERMS = MASCULINE | set(_PAPER["base_male"] + _PAPER["family_male"])

_WORDS = {name: frozenset(words) for name, words in load_lexicon("function_words").lists.items()}
OTHER_PRONOUNS = {
    word: name.removeprefix("pronouns_")
    for name, words in _WORDS.items()
    if name.startswith("pronouns_")
    for word in words
}
_OPENERS = _WORDS["determiners"] | _WORDS["indefinite_pronouns"]
NO_SUBJECT = _WORDS["prepositions"] | _WORDS["copulas"]  # before an object, before a predicate
STOPS = GENDERED.union(
    OTHER_PRONOUNS,
    *(
        _WORDS[name]
        for name in (
            "prepositions",
            "determiners",
            "conjunctions_and_adverbs",
            "auxiliaries",
            "verb_forms",
        )
    ),
)
LONGEST_PHRASE = 6


@dataclass(frozen=True)
class Mention:
    """A piece of a sentence that speaks of someone or something.

    Attributes
    ----------
    start, end : int
        Its words are `words[start:end]`.
    text : str
        The same as text.
    head : str
        The word that says what it is.
    kind : str
        "person", "indefinite", "name", "thing" or "pronoun".
    """

    start: int
    end: int
    text: str
    head: str
    kind: str


Cluster = tuple[Mention, ...]


def words_of(sentence: str) -> list[str]:
    """A sentence as words and marks.

    Examples
    --------
    >>> words_of("A boy-scout's hat, 1911.")
    ['A', 'boy-scout', "'s", 'hat', ',', '1911', '.']
    """
    return WORD.findall(sentence)


def noun_mentions(words: Sequence[str], names: Collection[str] = frozenset()) -> list[Mention]:
    """Noun phrases in the singular and names, in the order of the sentence.

    Parameters
    ----------
    words : sequence of str
        The sentence, as from `words_of`.
    names : collection of str
        First names in small letters. With them, a name is also found where a sentence begins.

    Returns
    -------
    list of Mention

    Examples
    --------
    >>> [(m.text, m.kind) for m in noun_mentions(words_of("The old landlord told Mr. Hale of a leak."))]
    [('The old landlord', 'person'), ('Mr . Hale', 'name'), ('a leak', 'thing')]
    """
    found, position = [], 0
    while position < len(words):
        if words[position][0].islower() and words[position] not in _OPENERS:
            position += 1  # most words: no phrase, no name begins here
            continue
        mention = (
            _phrase(words, position) or _name(words, position, names) or _alone(words, position)
        )
        if mention:
            found.append(mention)
        position = mention.end if mention else position + 1
    return found


def clusters(words: Sequence[str], names: Collection[str] = frozenset()) -> tuple[Cluster, ...]:
    """Mentions that speak of the same, as far as a light rule can tell.

    A gendered pronoun takes up the last person before it that its gender allows, subjects before
    objects of prepositions, or stays with the pronouns before it. At the head of a sentence it may
    point forward. Other pronouns take up the last phrase, and themselves.

    Parameters
    ----------
    words, names
        As in `noun_mentions`.

    Returns
    -------
    tuple of tuple of Mention
        Clusters of two mentions or more.

    Examples
    --------
    >>> found = clusters(words_of("A programmer must carry his laptop with him."))
    >>> [[mention.text for mention in cluster] for cluster in found]
    [['A programmer', 'his', 'him']]
    """
    small = [word.lower() for word in words]
    nouns = noun_mentions(words, names)
    found: list[list[Mention]] = []
    for side in (MASCULINE, FEMININE):
        found += _gendered_chains(small, nouns, side)
    found += _other_chains(small, nouns)
    return tuple(tuple(cluster) for cluster in found if len(cluster) > 1)


def has_gendered_pronoun(cluster: Cluster) -> bool:
    """Whether one of the mentions is a gendered pronoun."""
    return any(mention.kind == "pronoun" and mention.head in GENDERED for mention in cluster)


def _mention(words: Sequence[str], start: int, end: int, head: int, kind: str) -> Mention:
    return Mention(start, end, " ".join(words[start:end]), words[head], kind)


def _phrase(words: Sequence[str], start: int) -> Mention | None:
    """A noun phrase that begins with a determiner, in the singular."""
    determiner = words[start].lower()
    if determiner not in _WORDS["determiners"]:
        return None
    if determiner == "that" and start + 1 < len(words) and _capital(words[start + 1]):
        return None  # a conjunction: "that Peter sent"
    end = start + 1
    last = min(len(words), end + LONGEST_PHRASE)
    while end < last and words[end].lower() not in STOPS and words[end][0].isalpha():
        if end > start + 1 and _capital(words[end]) and words[end - 1].islower():
            break
        end += 1
    if end == start + 1:
        return None
    for head in range(end - 1, start, -1):
        if _heads_phrase(words, head, end):
            if determiner in _WORDS["determiners_plural"] or is_plural(words[head]):
                return None
            return _mention(words, start, head + 1, head, "person")
    head = end - 1
    if head == start + 1 and words[head].lower() in _WORDS["person_adjectives"]:
        return _mention(words, start, end, head, "indefinite")
    if determiner in _WORDS["determiners_plural"]:
        return None
    return _mention(words, start, end, head, "thing")


def _heads_phrase(words: Sequence[str], head: int, end: int) -> bool:
    """Whether a word is a person noun that no noun follows: "agent" in "the agent gives"."""
    if not (is_person(words[head]) or words[head].lower() in _WORDS["person_nouns_above"]):
        return False
    if head + 1 == end:
        return True
    after = words[head + 1]
    return after.endswith(("s", "ed", "ing", "ly")) and not is_person(after)


def _name(words: Sequence[str], start: int, names: Collection[str]) -> Mention | None:
    """A title with a name, or words in capitals that no article precedes."""
    if words[start].lower() in _WORDS["titles"] and words[start][0].isupper():
        first = start + 1 + (start + 1 < len(words) and words[start + 1] == ".")
        if first < len(words) and _capital(words[first]):
            end = _run(words, first)
            return _mention(words, start, end, end - 1, "name")
    if not _capital(words[start]) or words[start].lower() in STOPS:
        return None
    end = _run(words, start)
    known = any(word.lower() in names for word in words[start:end])
    begins = start == 0 or words[start - 1] in (".", ":", "?", "!", "_", "-")
    if begins and not known and end - start < 2:
        return None
    if is_person(words[end - 1]) and not known:
        return _mention(words, start, end, end - 1, "person")
    return _mention(words, start, end, end - 1, "name")


def _run(words: Sequence[str], start: int) -> int:
    end = start
    while end < len(words) and _capital(words[end]) and words[end].lower() not in STOPS:
        end += 1
    return end


def _capital(word: str) -> bool:
    return (
        word.istitle()
        and word.isalpha()
        and len(word) > 1
        and word.lower() not in _WORDS["calendar"]
    )


def _alone(words: Sequence[str], start: int) -> Mention | None:
    if words[start].lower() == "one" and start + 1 < len(words):
        after = words[start + 1].lower()
        if after == "of" or (after not in STOPS and after[0].isalpha()):
            return None
    if words[start].lower() in _WORDS["indefinite_pronouns"]:
        return _mention(words, start, start + 1, start, "indefinite")
    return None


@lru_cache(maxsize=100_000)
def is_plural(word: str) -> bool:
    """Whether a noun is in the plural: it is in the table by a base form other than itself.

    Examples
    --------
    >>> is_plural("seamen"), is_plural("seaman"), is_plural("boss")
    (True, False, False)
    """
    forms = base_forms(word)
    return bool(forms) and word.lower() not in forms


@lru_cache(maxsize=100_000)
def _fits(head: str, feminine: bool) -> bool:
    """Whether the first sense of a noun allows a pronoun of this gender."""
    found = senses(head)
    terms = set(found[0].gendered()) if found else set()
    terms |= {head.lower()} & (FEMALE_TERMS | MALE_TERMS)
    if not terms:
        return True
    female = terms & FEMALE_TERMS
    return bool(female) if feminine else bool(terms - female)


def _subject(small: Sequence[str], mention: Mention) -> bool:
    return mention.start == 0 or small[mention.start - 1] not in NO_SUBJECT


def _gendered_chains(
    small: Sequence[str], nouns: Sequence[Mention], side: frozenset[str]
) -> list[list[Mention]]:
    places = [index for index, word in enumerate(small) if word in side]
    if not places:
        return []
    feminine = side is FEMININE
    people = [
        mention for mention in nouns if mention.kind != "thing" and _fits(mention.head, feminine)
    ]
    chains: list[list[Mention]] = []
    for place in places:
        pronoun = Mention(place, place + 1, small[place], small[place], "pronoun")
        since = _end_of(chains[-1]) if chains else 0
        before = [mention for mention in people if since <= mention.start and mention.end <= place]
        subjects = [mention for mention in before if _subject(small, mention)]
        if subjects or (before and not chains):
            chains.append([(subjects or before)[-1], pronoun])
        elif chains:
            chains[-1].append(pronoun)
        else:
            chains.append([pronoun])
    first = chains[0]
    if len(first) == 1 or first[0].kind == "pronoun":
        first += _pointed_at(small, people, first[0].start)
    return chains


def _end_of(chain: Sequence[Mention]) -> int:
    """Where a chain ends; the noun after a lone possessive ("his uncle") comes after it."""
    last = chain[-1]
    return last.start if len(chain) == 1 else last.end


def _pointed_at(small: Sequence[str], people: Sequence[Mention], place: int) -> list[Mention]:
    """Whom a pronoun in a subordinate clause at the head of the sentence points forward to."""
    if small[0] not in _WORDS["clause_openers"] or "," not in small[place:]:
        return []
    comma = small.index(",", place)
    return [mention for mention in people if mention.start == comma + 1]


def _other_chains(small: Sequence[str], nouns: Sequence[Mention]) -> list[list[Mention]]:
    """Clusters of pronouns that are not gendered, and phrases that are said twice."""
    chains: dict[str, list[Mention]] = {}
    for place, word in enumerate(small):
        group = OTHER_PRONOUNS.get(word)
        if not group:
            continue
        chain = chains.setdefault(group, [])
        if not chain and group == "it":
            chain += [m for m in nouns if m.end <= place and m.kind == "thing"][-1:]
        if not chain and group == "they":
            chain += _last_plural(small, place)
        chain.append(Mention(place, place + 1, word, word, "pronoun"))
    heads: dict[str, list[Mention]] = {}
    for mention in nouns:
        if small[mention.start] in ("the", "this", "that", "such"):
            heads.setdefault(mention.head.lower(), []).append(mention)
    return [*chains.values(), *heads.values()]


def _last_plural(small: Sequence[str], place: int) -> list[Mention]:
    for index in range(place - 1, -1, -1):
        word = small[index]
        if word.endswith("s") and len(word) > 3 and word not in STOPS and not word.endswith("ss"):
            return [Mention(index, index + 1, word, word, "thing")]
    return []
