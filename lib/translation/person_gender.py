"""Gender of a person in a translated sentence, by article and ending of the noun that names them.

A rule for each language, over the words of a translation and how probably each of them translates
the person (`lib.translation.word_alignment`). The forms are those of
`data/lexicons/person_gender.json` and `spanish_gender.json`. `audit.translator.persons` reads more languages.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.lexicons import pair_list, word_list
from lib.translation.gender_spanish import gender_of

LEAST_PROBABLE = 0.02  # a word less probable than this translates no person
BEFORE = 3  # words before a noun among which its article is looked for
ELIDED = ("fr", "it")  # languages that write an article and its noun as one: "l'avocat"
NAMES = {"fr": "french", "it": "italian", "de": "german"}

Reader = Callable[[Sequence[str], NDArray[np.float64]], str]


class _Forms(NamedTuple):
    feminine: frozenset[str]
    masculine: frozenset[str]
    neutral: frozenset[str]
    no_person: frozenset[str]
    fixed: dict[str, str]


def target_words(text: str, language: str) -> list[str]:
    """Lower-cased words and punctuation marks of a translation."""
    text = text.lower().replace("’", "'")
    word = r"\w+'?" if language in ELIDED else r"\w+(?:[\"'״]\w+)?"
    return re.findall(rf"{word}|[^\w\s]", text)


def person_gender(target: Sequence[str], probabilities: NDArray[np.float64], language: str) -> str:
    """Gender of a person in a Spanish, French, Italian or German sentence: "male", "female", "neutral" (alguien, quelqu'un,
    qualcuno, jemand) or "unknown". It is that of the noun where the language gives it one gender only (el ama de llaves,
    Krankenschwester), else of the article up to three words before it, else of its ending. probabilities, shape (m,): how
    probably each of the m words translates the person.
    """
    forms = _forms(language)
    articles = forms.feminine | forms.masculine
    nouns = [
        place
        for place in np.argsort(-probabilities, kind="stable")
        if probabilities[place] > LEAST_PROBABLE
        and target[place][0].isalpha()
        and target[place] not in articles | forms.no_person
    ]
    if not nouns:
        return "unknown"
    noun = nouns[0]
    if target[noun] in forms.neutral:
        return "neutral"
    if known := forms.fixed.get(target[noun]) or (
        _by_ending(target[noun], language) if language == "de" else ""
    ):
        return known
    for place in range(noun - 1, max(noun - BEFORE - 1, -1), -1):
        if target[place] in articles:
            return "female" if target[place] in forms.feminine else "male"
        if not target[place].isalpha() or target[place] in forms.no_person:
            break
    return _by_ending(target[noun], language) or "unknown"


def subject_gender(sentence: str, language: str) -> str:
    """Gender of the person with whom a sentence in "es", "fr", "it" or "de" begins, for sentences made so that the person is
    their subject; no alignment is needed. It is that of a noun of one gender among the three words after the first article,
    else of the article, else of the first word's ending.
    """
    forms = _forms(language)
    words = [word for word in target_words(sentence, language) if word[0].isalpha()]
    for place, word in enumerate(words[:2]):
        if word in forms.neutral:
            return "neutral"
        if word in forms.feminine | forms.masculine:
            fixed = [forms.fixed.get(noun) for noun in words[place + 1 : place + 1 + BEFORE]]
            own = "female" if word in forms.feminine else "male"
            return next(filter(None, fixed), own)
    return word_gender(words[0], language) or "unknown" if words else "unknown"


def word_gender(word: str, language: str) -> str:
    """Gender of one word, article or noun, by itself; "" where it shows none."""
    forms = _forms(language)
    if word in forms.feminine:
        return "female"
    if word in forms.masculine:
        return "male"
    if word in forms.neutral:
        return "neutral"
    return forms.fixed.get(word) or ("" if word in forms.no_person else _by_ending(word, language))


def majority_gender(words: Sequence[str], language: str) -> str:
    """The gender that most of some words have, the first of them where there are as many.

    So read the authors of WinoMT the words that were aligned with article and person, by the genders that a tagger gave them.
    """
    found = Counter(gender for word in words if (gender := word_gender(word, language)))
    return found.most_common(1)[0][0] if found else "unknown"


def hebrew_person(target: Sequence[str], probabilities: NDArray[np.float64]) -> str:
    """Gender of a person in a Hebrew sentence, as WinoMT's authors read it: feminine where a word that probably is the person, or
    the likeliest, ends in ת or ה.
    """
    nouns = _likely(target, probabilities, leave_out="את")
    if not nouns:
        return "unknown"
    return "female" if any(noun.endswith(("ת", "ה")) for noun in nouns) else "male"


def arabic_person(target: Sequence[str], probabilities: NDArray[np.float64]) -> str:
    """Gender of a person in an Arabic sentence, as WinoMT's authors read it: feminine where a word that probably is the person,
    or the likeliest, has a tāʾ marbūṭa (ة).
    """
    nouns = _likely(target, probabilities)
    if not nouns:
        return "unknown"
    return "female" if any("ة" in noun for noun in nouns) else "male"


def _likely(
    target: Sequence[str], probabilities: NDArray[np.float64], leave_out: str = ""
) -> list[str]:
    """The likeliest word for the person, and others that are more likely than not."""
    places = [
        place
        for place in np.argsort(-probabilities, kind="stable")
        if target[place] != leave_out and target[place].isalpha()
    ]
    return [target[place] for place in places if place == places[0] or probabilities[place] > 0.5]


def _by_ending(noun: str, language: str) -> str:
    if language == "es":
        return {"feminine": "female", "masculine": "male"}.get(gender_of(noun), "")
    for gender, endings in _endings(language).items():
        if endings.search(noun):
            return gender
    return ""


@functools.cache
def _endings(language: str) -> dict[str, re.Pattern[str]]:
    return {
        gender: re.compile(
            rf"(?:{'|'.join(word_list(f'person_gender/{NAMES[language]}_{said}_endings'))})$"
        )
        for gender, said in (("female", "feminine"), ("male", "masculine"))
    }


@functools.cache
def _forms(language: str) -> _Forms:
    if language == "es":
        prefix, name, neutral = "spanish_gender/", "spanish", frozenset({"alguien"})
    else:
        name = NAMES[language]
        prefix = f"person_gender/{name}_"
        neutral = frozenset(word_list(f"{prefix}neutral"))
    return _Forms(
        feminine=frozenset(word_list(f"{prefix}feminine_articles")),
        masculine=frozenset(word_list(f"{prefix}masculine_articles")),
        neutral=neutral,
        no_person=frozenset(word_list(f"{prefix}no_person")),
        fixed=dict(pair_list(f"person_gender/{name}_fixed_pairs")),
    )


READERS: dict[str, Reader] = {
    **{
        language: functools.partial(person_gender, language=language)
        for language in ("es", "fr", "it", "de")
    },
    "he": hebrew_person,
    "ar": arabic_person,
}
