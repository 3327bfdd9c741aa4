"""Ways to bring sentences into one gender, and controls that know nothing of who speaks."""

import re
from collections.abc import Sequence

import numpy as np

from lib.checks import one_of
from lib.translation.reinflection.spanish import OTHER

LABELS = (*OTHER, "neither")
ENDING = {"masculine": "o", "feminine": "a"}


def two_step(
    sentences: Sequence[str], labels: Sequence[str], rewritten: Sequence[str], gender: str
) -> list[str]:
    """Sentences identified as of the other gender rewritten, all others copied.

    Parameters
    ----------
    sentences : sequence of str
    labels : sequence of str
        What each was identified as, one of `LABELS`.
    rewritten : sequence of str
        Each in the gender asked for, as a system that is applied to every sentence writes it:
        Single of Habash et al. (2019).
    gender : str
        "masculine" or "feminine".

    Raises
    ------
    ValueError
        For another gender or label, and for unequal numbers.

    Examples
    --------
    >>> two_step(["Soy alto.", "Ya voy."], ["masculine", "neither"], ["Soy alta.", "Ya va."], "feminine")
    ['Soy alta.', 'Ya voy.']
    """
    one_of("gender", gender, OTHER)
    for label in set(labels):
        one_of("label", label, LABELS)
    if not len(sentences) == len(labels) == len(rewritten):
        raise ValueError(
            f"expected a label and a rewritten sentence each, got {len(sentences)} sentences, "
            f"{len(labels)} labels and {len(rewritten)} rewritten"
        )
    return [
        new if label == OTHER[gender] else old
        for old, label, new in zip(sentences, labels, rewritten)
    ]


def flip_endings(sentence: str, gender: str) -> str:
    """A sentence with every last -o or -a, -os or -as of a word turned into that of a gender.

    A control: it knows endings, and nothing of who speaks.

    Examples
    --------
    >>> flip_endings("Estoy cansado en casa.", "feminine"), flip_endings("Hablo yo.", "feminine")
    ('Estoy cansada en casa.', 'Habla ya.')
    """
    one_of("gender", gender, OTHER)
    return re.sub(r"[oa](?=s?\b)(?<=\w\w)", ENDING[gender], sentence)


def random_letters(
    sentences: Sequence[str], rewritten: Sequence[str], *, rng: np.random.Generator
) -> list[str]:
    """Sentences with as many letters changed as a system changed, at random places.

    A control: it changes as much, and aims at nothing. Letters are drawn from all those of the
    sentences.

    Parameters
    ----------
    sentences, rewritten : sequence of str
        What a system was given and what it wrote.
    rng : Generator
    """
    alphabet = sorted({letter for text in sentences for letter in text.lower() if letter.isalpha()})
    written = []
    for sentence, other in zip(sentences, rewritten, strict=True):
        letters = list(sentence)
        changes = sum(a != b for a, b in zip(sentence, other)) + abs(len(sentence) - len(other))
        places = [place for place, letter in enumerate(letters) if letter.isalpha()]
        for place in rng.permutation(places)[:changes]:
            legal = [letter for letter in alphabet if letter != letters[place].lower()]
            letters[place] = legal[rng.integers(len(legal))]
        written.append("".join(letters))
    return written
