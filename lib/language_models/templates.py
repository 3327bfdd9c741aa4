"""Sentences with slots: which targets fit which verb, and our own frames for a word."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from lib.lexicons import load_lexicon

SINGULAR_VERBS = frozenset({"is", "was", "has", "likes", "works", "does"})
PLURAL_VERBS = frozenset({"are", "were", "have", "like", "work", "do"})
PLURALS = frozenset({"they", "boys", "girls", "men", "women", "flowers", "insects", "people"})
SETTINGS = ("work", "home", "town", "sport")  # of our frames for people, as many of each
FRAMES_FOR_PEOPLE = ("people_at_work", "people_at_home", "people_in_town", "people_at_sport")
FRAMES_FOR_OTHERS = {
    "her": "possessive",
    "his": "possessive",
    "herself": "reflexive",
    "himself": "reflexive",
    "female": "adjective",
    "male": "adjective",
}

_AFTER_TARGET = re.compile(r"\{target\}\s+([a-z]+)", re.IGNORECASE)


def fits(template: str, target: str) -> bool:
    """Whether a target agrees in number with the verb that follows it in a template.

    Only a verb directly after {target} counts: "{target} people are {attribute}" and "{target} can do {attribute}" take
    every target. Words of `PLURALS` are plural, all others singular.

    Examples
    --------
    >>> [fits("{target} likes {attribute}", target) for target in ("he", "men")]
    [True, False]
    """
    verb = _AFTER_TARGET.search(template)
    other_number = SINGULAR_VERBS if target.lower() in PLURALS else PLURAL_VERBS
    return verb is None or verb.group(1).lower() not in other_number


def pairings(
    templates: Iterable[str], pairs: Iterable[Sequence[str]], *, grammatical: bool = True
) -> list[tuple[str, tuple]]:
    """Each template with the pairs of targets that both fit it.

    Parameters
    ----------
    templates : iterable of str
    pairs : iterable of pairs of str
    grammatical : bool
        False lets every pair into every template, as Table 2 of Kurita et al. (2019) lists them
        ("he like").

    Returns
    -------
    list of (str, tuple of pairs)
        In the order of the templates.

    Raises
    ------
    ValueError
        Where a template is left without a pair, or a pair without a template.

    Examples
    --------
    >>> pairings(["{target} like {attribute}", "{target} is {attribute}"], [("he", "she"), ("men", "women")])
    [('{target} like {attribute}', (('men', 'women'),)), ('{target} is {attribute}', (('he',
    'she'),))]
    """
    pairs = [tuple(pair) for pair in pairs]
    fitting = [
        (t, tuple(p for p in pairs if not grammatical or all(fits(t, word) for word in p)))
        for t in templates
    ]
    used = {pair for _, kept in fitting for pair in kept}
    lonely = [t for t, kept in fitting if not kept] + [pair for pair in pairs if pair not in used]
    if lonely:
        raise ValueError(
            f"expected a pair for every template and a template for every pair, got none for {', '.join(map(repr, lonely))}; "
            "leave it out, add one, or set grammatical=False"
        )
    return fitting


def own_frames(word: str) -> tuple[str, ...]:
    """The frames of data/lexicons/contexts.json that a word fits.

    Parameters
    ----------
    word : str
        A pronoun, a name (with a capital), or a noun for people, which gets the article "the".

    Returns
    -------
    tuple of str
        Sentences with one "{}". Those for people come setting by setting (`SETTINGS`), as many of
        each.

    Examples
    --------
    >>> own_frames("she")[0], own_frames("nurse")[0]
    ('After the meeting {} stayed to answer questions.', 'After the meeting the {} stayed to answer
    questions.')
    """
    lists = load_lexicon("contexts").lists
    if word.lower() in FRAMES_FOR_OTHERS:
        return lists[FRAMES_FOR_OTHERS[word.lower()]]
    people = tuple(frame for name in FRAMES_FOR_PEOPLE for frame in lists[name])
    if word.lower() in ("she", "he") or word[:1].isupper():
        return people
    return tuple(frame.replace("{}", "the {}") for frame in people)


def sample_frames(frames: Sequence[str], count: int, rng: np.random.Generator) -> list[str]:
    """Some of `own_frames`, drawn evenly over the settings that the list runs through.

    Examples
    --------
    >>> len(set(sample_frames(own_frames("she"), 8, np.random.default_rng(0))))
    8
    """
    places = np.arange(len(frames)).reshape(len(SETTINGS), -1)
    return [frames[place] for place in rng.permuted(places, axis=1).T.ravel()[:count]]
