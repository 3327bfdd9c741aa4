"""Sentences with a {target} and an {attribute} slot: which targets fit which verb, and what a job title is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SINGULAR_VERBS = frozenset({"is", "was", "has", "likes", "works", "does"})
PLURAL_VERBS = frozenset({"are", "were", "have", "like", "work", "do"})
PLURALS = frozenset({"they", "boys", "girls", "men", "women", "flowers", "insects", "people"})

_AFTER_TARGET = re.compile(r"\{target\}\s+([a-z]+)", re.IGNORECASE)
_BESIDES_THE_TITLE = re.compile(r"\(.*?(\)|$)|\s[-–]\s.*|[,/].*| of .*| for .*", re.IGNORECASE)


def fits(template: str, target: str) -> bool:
    """Whether a target agrees in number with the verb that follows it in a template.

    Only a verb directly after {target} counts: "{target} likes {attribute}" takes he and not men, "{target} people are
    {attribute}" and "{target} can do {attribute}" take every target. Words of `PLURALS` are plural, all others singular.
    """
    found = _AFTER_TARGET.search(template)
    verb = found.group(1).lower() if found else ""
    if target.lower() in PLURALS:
        return verb not in SINGULAR_VERBS
    return verb not in PLURAL_VERBS


def pairings(
    templates: Iterable[str], pairs: Iterable[Sequence[str]], *, grammatical: bool = True
) -> list[tuple[str, tuple]]:
    """Each template with the pairs of targets that both fit it: [(template, ((first, second), …)), …].

    grammatical : False lets every pair into every template, as Table 2 of Kurita et al. (2019) lists them ("he like").
    Raises ValueError where a template is left without a pair, or a pair without a template.
    """
    templates, pairs = list(templates), [tuple(pair) for pair in pairs]
    found = [
        (t, tuple(p for p in pairs if not grammatical or all(fits(t, word) for word in p)))
        for t in templates
    ]
    bare = [template for template, kept in found if not kept]
    unused = [pair for pair in pairs if not any(pair in kept for _, kept in found)]
    if bare or unused:
        lonely = ", ".join(map(repr, bare + unused))
        raise ValueError(
            f"expected a pair for every template and a template for every pair, got none for {lonely}; leave it out, add "
            "one, or set grammatical=False"
        )
    return found


def head_noun(title: str) -> str:
    """The noun that a job title is about, in small letters: "CLERK TYPIST 1" -> "typist", "Chief of Staff" -> "chief".

    What stands in brackets or after a dash, a comma, a stroke, "of" or "for" is left out, as are single letters and
    numbers; of the rest the last word counts. A title without a word is returned as it is, in small letters.
    """
    words = re.findall(r"[a-z]{2,}", _BESIDES_THE_TITLE.sub("", title).lower())
    return next(
        (word for word in reversed(words) if not re.fullmatch(r"i{1,3}|iv|vi{0,3}", word)),
        title.strip().lower(),
    )
