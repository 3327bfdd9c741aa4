"""The five filters that a sentence passes on its way to a candidate for gender generalisation.

judge("A programmer must carry his laptop.").candidate      # True
judge("The boy lost his hat.").reason                       # why it was dropped
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from lib.checks import one_of
from lib.taxonomy.mentions import (
    Cluster,
    Mention,
    clusters,
    has_gendered_pronoun,
    words_of,
)
from lib.taxonomy.wordnet import gendered_terms, lesk

NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reading:
    """A sentence as the filters see it.

    Attributes
    ----------
    words : tuple of str
        Words and marks.
    clusters : tuple of tuple of Mention
        Mentions that speak of the same.
    """

    words: tuple[str, ...]
    clusters: tuple[Cluster, ...]

    @property
    def gendered(self) -> tuple[Cluster, ...]:
        """The clusters with a gendered pronoun."""
        return tuple(cluster for cluster in self.clusters if has_gendered_pronoun(cluster))


@dataclass(frozen=True)
class Verdict:
    """What the filters say of a sentence.

    Attributes
    ----------
    candidate : bool
        Whether it passed all.
    dropped_by : str
        The first filter that dropped it; empty for a candidate.
    reason : str
        Why, in words.
    mentions : tuple of tuple of str
        The clusters with a gendered pronoun, each mention as text.
    """

    candidate: bool
    dropped_by: str
    reason: str
    mentions: tuple[tuple[str, ...], ...]


def read(sentence: str, *, names: Collection[str] = NO_NAMES) -> Reading:
    """The words of a sentence and its clusters, by the light rule of `lib.taxonomy.mentions`.

    Parameters
    ----------
    sentence : str
        One sentence.
    names : collection of str
        First names in small letters; without them a name is found by its capital letter alone.

    Returns
    -------
    Reading

    Examples
    --------
    >>> len(read("The scout shares his bread.").gendered)
    1
    """
    words = words_of(sentence)
    return Reading(tuple(words), clusters(words, names))


def coreference(reading: Reading) -> str:
    """First filter: some mention is taken up again.

    Parameters
    ----------
    reading : Reading
        A sentence, from `read`.

    Returns
    -------
    str
        Why the sentence is dropped; empty where it passes.

    Examples
    --------
    >>> coreference(read("Fill the kettle."))
    'nothing in it is taken up again'
    """
    return "" if reading.clusters else "nothing in it is taken up again"


def gendered_pronoun(reading: Reading) -> str:
    """Second filter: he, him, his, himself, she, her, hers or herself belongs to a cluster.

    Parameters
    ----------
    reading : Reading
        A sentence, from `read`.

    Returns
    -------
    str
        Why the sentence is dropped; empty where it passes.

    Examples
    --------
    >>> gendered_pronoun(read("The bees leave their hive."))
    'no gendered pronoun takes up anyone'
    """
    return "" if reading.gendered else "no gendered pronoun takes up anyone"


def human_name(reading: Reading) -> str:
    """Third filter: no gendered pronoun goes with a name.

    Parameters
    ----------
    reading : Reading
        A sentence, from `read`.

    Returns
    -------
    str
        Why the sentence is dropped; empty where it passes.

    Examples
    --------
    >>> human_name(read("At last Mr. Hale found his map."))
    '“Mr . Hale” is a name'
    """
    for mention in _mentions(reading):
        if mention.kind == "name":
            return f"“{mention.text}” is a name"
    return ""


def gendered_term(reading: Reading, *, ties: str = "first") -> str:
    """Fourth filter: no gendered pronoun goes with a noun that says a gender.

    A noun says a gender if it is one of the terms of Table 1 itself, or if the definition that Lesk
    picks for it has one of them. The noun is the head of the mention.

    Parameters
    ----------
    reading : Reading
        A sentence, from `read`.
    ties : {"first", "name"}
        As in `lib.taxonomy.wordnet.lesk`.

    Returns
    -------
    str
        Why the sentence is dropped; empty where it passes.

    Examples
    --------
    >>> gendered_term(read("The landlady keeps her keys."))
    'the definition of “landlady” has the word “woman”'
    >>> gendered_term(read("The landlord keeps his keys."))
    ''
    """
    for mention in _mentions(reading):
        if mention.kind == "pronoun":
            continue
        if mention.head.lower() in gendered_terms():
            return f"“{mention.head}” says a gender"
        sense = lesk(reading.words, mention.head, ties=ties)
        if found := sense.gendered() if sense else ():
            return f"the definition of “{mention.head}” has the word “{found[0]}”"
    return ""


def pronoun_link(reading: Reading) -> str:
    """Fifth filter: no gendered pronoun goes with pronouns only.

    Parameters
    ----------
    reading : Reading
        A sentence, from `read`.

    Returns
    -------
    str
        Why the sentence is dropped; empty where it passes.

    Examples
    --------
    >>> pronoun_link(read("He lost his way."))
    '“he … his” are pronouns only'
    """
    for cluster in reading.gendered:
        if all(mention.kind == "pronoun" for mention in cluster):
            return f"“{' … '.join(mention.text for mention in cluster)}” are pronouns only"
    return ""


# In the order of the paper; named as the columns of the logs that Hitti et al. (2019) released.
FILTERS: dict[str, Callable[[Reading], str]] = {
    "coreference": coreference,
    "pronoun": gendered_pronoun,
    "no name": human_name,
    "no gendered term": gendered_term,
    "not only pronouns": pronoun_link,
}
AFTER_PRONOUN = tuple(FILTERS)[2:]


def judge(
    sentence: str,
    *,
    filters: Sequence[str] = tuple(FILTERS),
    names: Collection[str] = NO_NAMES,
) -> Verdict:
    """Whether a sentence is a candidate, and if not, why.

    Parameters
    ----------
    sentence : str
        One sentence.
    filters : sequence of str
        Of `FILTERS`, in the order in which they are asked.
    names : collection of str
        As in `read`.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        For an unknown filter.

    References
    ----------
    .. [1] Hitti, Jang, Moreno & Pelletier (2019), Section 4.1. Their coreference comes from a
       neural resolver and their names from NLTK's tagger; both are light rules here.

    Examples
    --------
    >>> judge("A programmer must carry his laptop with him.")
    Verdict(candidate=True, dropped_by='', reason='“his” takes up “A programmer”', mentions=(('A programmer', 'his', 'him'),))
    >>> judge("The boy lost his hat.").dropped_by
    'no gendered term'
    """
    for name in filters:
        one_of("filter", name, FILTERS)
    reading = read(sentence, names=names)
    mentions = tuple(tuple(mention.text for mention in cluster) for cluster in reading.gendered)
    for name in filters:
        if reason := FILTERS[name](reading):
            return Verdict(False, name, reason, mentions)
    return Verdict(True, "", _link(reading), mentions)


def flags(sentences: Iterable[str], *, names: Collection[str] = NO_NAMES) -> pd.DataFrame:
    """Each filter's word on each sentence, in the form of the released logs.

    As there, the last three filters are asked about every sentence with a gendered pronoun in a
    cluster, and are false elsewhere.

    Parameters
    ----------
    sentences : iterable of str
        One sentence each.
    names : collection of str
        As in `read`.

    Returns
    -------
    DataFrame
        A row a sentence: a column of true and false for each of `FILTERS`, and `candidate`.

    Examples
    --------
    >>> flags(["The boy lost his hat.", "Fill the kettle."]).sum(axis=1).tolist()
    [4, 0]
    """
    rows = []
    for sentence in sentences:
        reading = read(sentence, names=names)
        pronoun = bool(reading.gendered)
        later = [pronoun and not FILTERS[name](reading) for name in AFTER_PRONOUN]
        rows.append((bool(reading.clusters), pronoun, *later, pronoun and all(later)))
    return pd.DataFrame(rows, columns=[*FILTERS, "candidate"], dtype=bool)


def _mentions(reading: Reading) -> list[Mention]:
    return [mention for cluster in reading.gendered for mention in cluster]


def _link(reading: Reading) -> str:
    """Which pronoun takes up which mention, of the first cluster."""
    for cluster in reading.gendered:
        pronoun = next((m for m in cluster if m.kind == "pronoun"), None)
        other = next((m for m in cluster if m.kind != "pronoun"), None)
        if pronoun and other:
            return f"“{pronoun.text}” takes up “{other.text}”"
    return "passes the filters asked for"
