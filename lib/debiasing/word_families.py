"""Families of words: a plural and its singular, and a word with what is built of it.

What has seen the vector of *aunts* knows that of *aunt*: they are neighbours. So all forms of a word count as one where words of two groups are
told apart.
"""

from __future__ import annotations

from collections.abc import Sequence

SHORTEST_PART = 3  # letters of a word that counts as part of a longer one


def word_families(words: Sequence[str]) -> list[str]:
    """The family of each word: plural and singular, and a word with what is built of it.

    Parameters
    ----------
    words : sequence of str
        English words in small letters, of one side of a contrast.

    Returns
    -------
    list of str
        A name for each word's family, its shortest singular. A word belongs to the family of
        another where the singular of one, of three letters or more, begins or ends the other's.

    Examples
    --------
    >>> word_families(["aunt", "aunts", "mother", "stepmother", "wives", "wife"])
    ['aunt', 'aunt', 'mother', 'mother', 'wife', 'wife']
    """
    singulars = [_singular(word, set(words)) for word in words]
    by_length = sorted(set(singulars), key=lambda word: (len(word), word))
    family: dict[str, str] = {}
    for word in by_length:
        parts = [part for part in family if len(part) >= SHORTEST_PART and _is_part(part, word)]
        family[word] = family[parts[0]] if parts else word
    return [family[word] for word in singulars]


def _singular(word: str, vocabulary: set[str]) -> str:
    """A word without the ending of its plural, where the word without it makes sense."""
    if word.endswith("men"):
        return word[:-3] + "man"
    if word.endswith("ves"):
        return next((word[:-3] + end for end in ("fe", "f") if word[:-3] + end in vocabulary), word)
    for ending, singular in (("ies", "y"), ("es", ""), ("s", "")):
        stem = word[: -len(ending)] + singular
        if word.endswith(ending) and (stem in vocabulary or (ending == "s" and len(stem) > 3)):
            return stem if not word.endswith("ss") else word
    return word


def _is_part(part: str, word: str) -> bool:
    return word.startswith(part) or word.endswith(part)
