"""Senses of nouns and what their definitions say of gender, from Open English WordNet
(data/wordnet).

The shipped table holds no definition, only the set of its words. That is all that the Lesk
algorithm counts and all that the search for gendered terms reads, so both answers are those that
the definitions themselves would give.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from lib.checks import one_of
from lib.lexicons import load_lexicon
from lib.paths import DATA

FOLDER = DATA / "wordnet"
PERSON = "person"
TIES = ("first", "name")

# How WordNet's Morphy takes the ending of a plural off.
DETACHMENT = (
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)


@dataclass(frozen=True)
class Sense:
    """One sense of a noun; `nltk.wsd.lesk` accepts it as a synset.

    Attributes
    ----------
    label : str
        WordNet's name of the synset, as in "landlady.n.01".
    file : str
        Its lexical file: "person", "group", "animal", …
    words : tuple of str
        The different words of its definition as written, marks included, in alphabetical order.
    """

    label: str
    file: str
    words: tuple[str, ...]

    def name(self) -> str:
        """The synset's name."""
        return self.label

    def lexname(self) -> str:
        """The lexical file with its part of speech, as in "noun.person"."""
        return f"noun.{self.file}"

    def pos(self) -> str:
        """The part of speech, "n"."""
        return "n"

    def definition(self) -> str:
        """The words of the definition, in alphabetical order."""
        return " ".join(self.words)

    def gendered(self) -> tuple[str, ...]:
        """The gendered terms among the words of the definition, in alphabetical order.

        Examples
        --------
        >>> senses("landlady")[0].gendered(), senses("landlord")[0].gendered()
        (('woman',), ())
        """
        return _gendered_among(self.words)


@cache
def gendered_terms() -> frozenset[str]:
    """The terms of Table 1: base terms, pronouns and family terms, all in small letters.

    Returns
    -------
    frozenset of str

    References
    ----------
    .. [1] Hitti, Jang, Moreno & Pelletier (2019), Table 1.

    Examples
    --------
    >>> len(gendered_terms()), "niece" in gendered_terms(), "queen" in gendered_terms()
    (30, True, False)
    """
    lists = load_lexicon("hitti2019")
    names = ("base", "pronouns", "family")
    return frozenset(
        term for name in names for side in ("female", "male") for term in lists[f"{name}_{side}"]
    )


@cache
def noun_senses() -> dict[str, tuple[Sense, ...]]:
    """All nouns of the table in small letters, each with its senses in WordNet's order.

    A noun is in the table where a sense of it is in WordNet's file of persons or has a gendered
    term in its definition, or where it shares a written form with such a noun. Any other noun has
    no gendered term in any definition.

    Returns
    -------
    dict of str to tuple of Sense

    Examples
    --------
    >>> [sense.file for sense in noun_senses()["widower"]]
    ['person']
    """
    found: dict[str, list[Sense]] = {}
    with gzip.open(FOLDER / "nouns.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        known: dict[str, Sense] = {}
        for lemma, label, lexical_file, words in rows:
            if words:  # else the synset was listed for another noun before
                known[label] = Sense(label, lexical_file, tuple(words.split(" ")))
            found.setdefault(lemma, []).append(known[label])
    return {lemma: tuple(senses) for lemma, senses in found.items()}


@cache
def irregular_plurals() -> dict[str, tuple[str, ...]]:
    """Written forms that the rules of detachment do not explain, each with its nouns.

    Examples
    --------
    >>> irregular_plurals()["children"], irregular_plurals()["wives"]
    (('child',), ('wife',))
    """
    found: dict[str, tuple[str, ...]] = {}
    with gzip.open(FOLDER / "plurals.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        for form, lemma in rows:
            found[form] = (*found.get(form, ()), lemma)
    return found


def detached(form: str) -> list[str]:
    """What the rules of detachment make of a written form, whether or not it is a word.

    Examples
    --------
    >>> detached("seamstresses"), detached("firemen")
    (['seamstresse', 'seamstress'], ['fireman'])
    """
    return [
        form[: -len(ending)] + base
        for ending, base in DETACHMENT
        if form.endswith(ending) and len(form) > len(ending)
    ]


@lru_cache(maxsize=100_000)
def base_forms(word: str) -> tuple[str, ...]:
    """The nouns of the table that a written form can be, as WordNet's Morphy finds them.

    Parameters
    ----------
    word : str
        A word in any case; several words with spaces or underscores.

    Returns
    -------
    tuple of str
        The form itself first; empty for a word that is not in the table.

    Examples
    --------
    >>> base_forms("Policemen"), base_forms("wives"), base_forms("of")
    (('policeman',), ('wife',), ())
    """
    form = word.lower().replace("_", " ")
    others = irregular_plurals().get(form) or detached(form)
    return tuple(dict.fromkeys(lemma for lemma in (form, *others) if lemma in noun_senses()))


@lru_cache(maxsize=100_000)
def senses(word: str) -> tuple[Sense, ...]:
    """The senses that a written form can have, in WordNet's order.

    Parameters
    ----------
    word : str
        As in `base_forms`.

    Returns
    -------
    tuple of Sense
        Empty for a word that is not in the table: no definition of it has a gendered term.

    Examples
    --------
    >>> [sense.name() for sense in senses("actresses")]
    ['actress.n.01']
    """
    return tuple(
        dict.fromkeys(sense for lemma in base_forms(word) for sense in noun_senses()[lemma])
    )


def lesk(context: Iterable[str], word: str, *, ties: str = "first") -> Sense | None:
    """The sense whose definition shares most words with the sentence.

    Parameters
    ----------
    context : iterable of str
        The words of the sentence.
    word : str
        As in `base_forms`.
    ties : {"first", "name"}
        Which of several with the same overlap: "first", the first in WordNet's order, as NLTK does
        now; "name", the last by name, as NLTK did in 2019.

    Returns
    -------
    Sense or None
        None for a word that is not in the table.

    Raises
    ------
    ValueError
        For other `ties`.

    References
    ----------
    .. [1] Lesk (1986); the form of `nltk.wsd.lesk`: words as written, a set on both sides.

    Examples
    --------
    >>> lesk("The lady was elected .".split(), "lady").name()
    'lady.n.01'
    """
    one_of("ties", ties, TIES)
    found = senses(word)
    if len(found) < 2:
        return found[0] if found else None
    shared = set(context)
    overlaps = [len(shared.intersection(sense.words)) for sense in found]
    most = max(overlaps)
    best = [sense for sense, overlap in zip(found, overlaps, strict=True) if overlap == most]
    return best[0] if ties == "first" else max(best, key=Sense.name)


@lru_cache(maxsize=100_000)
def is_person(word: str) -> bool:
    """Whether one of the first two senses of a written form is in WordNet's file of persons.

    Examples
    --------
    >>> is_person("scouts"), is_person("queen"), is_person("bee"), is_person("sentence")
    (True, True, False, False)
    """
    found = senses(word)
    return any(sense.file == PERSON for sense in found[:2])


@lru_cache(maxsize=100_000)
def _gendered_among(words: tuple[str, ...]) -> tuple[str, ...]:
    terms = gendered_terms()
    found = set()
    for word in words:
        for part in re.findall(r"[a-z]+", word.lower()):
            found.update(terms.intersection((part, *_singulars(part))))
    return tuple(sorted(found))


def _singulars(word: str) -> Iterable[str]:
    return irregular_plurals().get(word) or detached(word)
