"""Readers of a person's gender in a translation for more languages than `lib.translation.person_gender` reads: Portuguese, Russian, Ukrainian.

Portuguese is read as `lib.translation.person_gender` reads Spanish: noun of one gender, article, ending. Russian and Ukrainian
have no articles, and a form may be of either gender by its last letter alone ("инженера", "медсестра"). There the end of the
stem decides ("учительниц-", "студентк-"), then the case ending, and where a masculine noun stands bare the verb behind it
("врач сказала"). WinoMT's authors look both up in a dictionary of forms; these rules know no words but those of
`data/lexicons/person_gender_more.json`. How well they agree with people stands in `data/released/person_readers.csv`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lib.lexicons import pair_list, word_list
from lib.translation.person_gender import (
    BEFORE,
    LEAST_PROBABLE,
    READERS,
    Reader,
    subject_gender,
    target_words,
)

LEXICON = "person_gender_more"
SLAVIC = {"ru": "russian", "uk": "ukrainian"}
STEM = 5  # letters by which forms of one word are aligned together where a language has many cases
VERB_WITHIN = 2  # words behind a subject among which its verb is looked for
CASES = r"(?:|ая|ую|ий|ый|а|я|у|ю|е|и|і|ы|о|ой|ою|ей|ею|єю|ом|ем|ём|єм|им|ым|ому|ого|ові|еві|єві|ів|ов|ам|ям|ами|ями|ах|ях|[ьй]|ья|ьи|ью|ье|ьей|ьёй|ьо)"


class _Article(NamedTuple):
    """Forms of a language with articles."""

    feminine: frozenset[str]
    masculine: frozenset[str]
    endings: tuple[tuple[str, re.Pattern[str]], ...]
    neutral: frozenset[str]
    no_person: frozenset[str]
    fixed: dict[str, str]


class _Cases(NamedTuple):
    """Forms of a language with cases."""

    feminine: re.Pattern[str]
    masculine: re.Pattern[str]
    plural: re.Pattern[str]
    bare: re.Pattern[str]
    verb: re.Pattern[str]
    neutral: frozenset[str]
    no_person: frozenset[str]
    fixed: tuple[tuple[re.Pattern[str], str], ...]


def portuguese_person(target: Sequence[str], probabilities: NDArray[np.float64]) -> str:
    """Gender of a person in a Portuguese sentence: "male", "female", "neutral" (alguém) or "unknown".

    Parameters
    ----------
    target : sequence of str
        Words and marks, as `lib.translation.person_gender.target_words` gives them.
    probabilities : ndarray of shape (m,)
        How probably each of them translates the person.

    Examples
    --------
    >>> portuguese_person(["a", "nova", "gerente", "saiu", "."], np.array([0, 0, 0.9, 0, 0]))
    'female'
    """
    forms = _portuguese()
    noun = _likeliest(target, probabilities, forms.no_person | forms.feminine | forms.masculine)
    return "unknown" if noun is None else _with_article(target, noun, forms)


def slavic_person(
    target: Sequence[str], probabilities: NDArray[np.float64], *, language: str
) -> str:
    """Gender of a person in a Russian or Ukrainian sentence: "male", "female", "neutral" (кто-то, хтось) or "unknown".

    Parameters
    ----------
    target, probabilities
        As in `portuguese_person`.
    language : str
        "ru" or "uk".

    Examples
    --------
    >>> words = ["я", "видел", "учительницу", "и", "инженера", "."]
    >>> [slavic_person(words, np.eye(6)[place], language="ru") for place in (2, 4)]
    ['female', 'male']
    """
    noun = _likeliest(target, probabilities, _slavic(language).no_person)
    return "unknown" if noun is None else slavic_gender(target, noun, language)


def slavic_gender(words: Sequence[str], noun: int, language: str, *, subject: bool = False) -> str:
    """Gender of the noun at a place of a Russian or Ukrainian sentence.

    Parameters
    ----------
    words : sequence of str
    noun : int
    language : str
        "ru" or "uk".
    subject : bool
        Whether it stands in the nominative, so that an end in -а is no genitive of a masculine.

    Examples
    --------
    >>> slavic_gender(["врач", "сказала"], 0, "ru"), slavic_gender(["врач", "сказал"], 0, "ru")
    ('female', 'male')
    """
    forms, word = _slavic(language), words[noun]
    if word in forms.neutral:
        return "neutral"
    behind = words[noun + 1 : noun + 1 + VERB_WITHIN]
    # a mark ends the clause
    behind = behind[: next((n for n, each in enumerate(behind) if not each.isalpha()), len(behind))]
    said = any(forms.verb.search(each) for each in behind)
    for stem, gender in forms.fixed:
        if stem.fullmatch(word):
            return "female" if gender == "unknown" and said and subject else gender
    if subject and word.endswith("ой"):  # портной, простой врач: no feminine in the nominative
        return "female" if said else "male"
    if forms.feminine.search(word):
        return "female"
    if forms.plural.search(word):
        return "unknown"
    if forms.bare.search(word) and not forms.masculine.search(word):
        return "female" if said else "male"
    if subject and word.endswith(("а", "я")):
        return "female"
    return "male" if forms.masculine.search(word) else "unknown"


def subject_of(sentence: str, language: str) -> str:
    """Gender of the person with whom a sentence begins, in a language of `lib.translation.person_gender.subject_gender` or one of
    these three; no alignment is needed. An adjective before the noun agrees with it, and is read in its place.

    Examples
    --------
    >>> [subject_of(text, "uk") for text in ("Медсестра загубила ключі.", "Лікар загубила ключі.", "Лікар загубив ключі.")]
    ['female', 'female', 'male']
    >>> subject_of("A enfermeira perdeu as chaves.", "pt")
    'female'
    >>> [subject_of(text, "ru") for text in ("Простой врач потерял ключи.", "Серьёзный врач потеряла ключи.")]
    ['male', 'female']
    """
    if language not in ("pt", *SLAVIC):
        return subject_gender(sentence, language)
    words = target_words(sentence, language)
    if language == "pt":
        forms = _portuguese()
        not_nouns = forms.no_person | forms.feminine | forms.masculine
        noun = next((n for n, word in enumerate(words) if _is_noun(word, not_nouns)), None)
        return "unknown" if noun is None else _with_article(words, noun, forms)
    cases = _slavic(language)
    noun = next((n for n, word in enumerate(words) if _is_noun(word, cases.no_person)), None)
    return "unknown" if noun is None else slavic_gender(words, noun, language, subject=True)


def _is_noun(word: str, not_nouns: frozenset[str]) -> bool:
    return word[0].isalpha() and word not in not_nouns


def _likeliest(
    target: Sequence[str], probabilities: NDArray[np.float64], not_nouns: frozenset[str]
) -> int | None:
    """Place of the word that most probably names the person."""
    for place in map(int, np.argsort(-probabilities, kind="stable")):
        if probabilities[place] <= LEAST_PROBABLE:
            return None
        if _is_noun(target[place], not_nouns):
            return place
    return None


def _with_article(words: Sequence[str], noun: int, forms: _Article) -> str:
    word = words[noun]
    if word in forms.neutral:
        return "neutral"
    if known := forms.fixed.get(word):
        return known
    for place in range(noun - 1, max(noun - BEFORE - 1, -1), -1):
        before = words[place]
        if before in forms.feminine | forms.masculine:
            return "female" if before in forms.feminine else "male"
        if not before.isalpha() or before in forms.no_person:
            break
    found = (gender for gender, endings in forms.endings if endings.search(word))
    return next(found, "unknown")


def _ends(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(word_list(f'{LEXICON}/{name}'))})$")


def _set(name: str) -> frozenset[str]:
    return frozenset(word_list(f"{LEXICON}/{name}"))


@functools.cache
def _portuguese() -> _Article:
    return _Article(
        feminine=_set("portuguese_feminine_articles"),
        masculine=_set("portuguese_masculine_articles"),
        endings=(
            ("female", _ends("portuguese_feminine_endings")),
            ("male", _ends("portuguese_masculine_endings")),
        ),
        neutral=_set("portuguese_neutral"),
        no_person=_set("portuguese_no_person"),
        fixed=dict(pair_list(f"{LEXICON}/portuguese_fixed_pairs")),
    )


@functools.cache
def _slavic(language: str) -> _Cases:
    name = SLAVIC[language]
    return _Cases(
        feminine=_ends(f"{name}_feminine_suffixes"),
        masculine=_ends(f"{name}_masculine_endings"),
        plural=_ends(f"{name}_plural"),
        bare=_ends(f"{name}_bare"),
        verb=_ends(f"{name}_feminine_verb"),
        neutral=_set(f"{name}_neutral"),
        no_person=_set(f"{name}_no_person"),
        fixed=tuple(
            (re.compile(rf"{stem}{CASES}"), gender)
            for stem, gender in pair_list(f"{LEXICON}/{name}_fixed_pairs")
        ),
    )


def alignable(words: Sequence[str], language: str) -> list[str]:
    """Words as `lib.translation.word_alignment.align_words` should see them: cases of one word alike."""
    return [word[:STEM] for word in words] if language in SLAVIC else [*words]


ALL_READERS: dict[str, Reader] = {
    **READERS,
    "pt": portuguese_person,
    **{language: functools.partial(slavic_person, language=language) for language in SLAVIC},
}
