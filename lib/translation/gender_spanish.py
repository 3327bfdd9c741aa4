"""Who speaks and who is spoken to in a Spanish sentence: gender and number by lexicon and endings.

A form counts when it stands after a copula of the person in question ("Estoy cansada", "Me sentí
solo", "¿Estáis listas?"). Adjectives of one form, nouns with an article and everything else say
nothing: the rule would rather miss a form than invent one. Persons whom neither form names are
outside what it can see; "cansade", "cansadx" and "cansad@" count as ambiguous. The forms are those
of `data/lexicons/spanish_gender.json`.
"""

import functools
import re
from collections.abc import Iterator

from lib.lexicons import word_list
from lib.translation.gender import Marking, agreed

FEMININE = re.compile(r"(?:a|triz)s?$")
MASCULINE = re.compile(
    r"os?$|[dts]or(?:es)?$|[^i]ón$|[^i]ones$|(?<!cort)(?<!mont)(?<!despu)(?<!trav)(?<!rev)és$|eses$|"
    r"[ae]?ín$|ines$|án$|anes$|ñol(?:es)?$"
)
BOTH_GENDERS = re.compile(r"[@/]|(?:[ai]d|os|iv)x|[ai]dxs?$|[ai]des?$")
NO_GENDER = re.compile(
    r"(?:mej|pe|may|men|superi|inferi|anteri|posteri|interi|exteri|juni|seni)or(?:es)?$"
)
ONE_FORM = re.compile(
    r"(?:(?!l?ista).*ista|.*(?:crata|ícola|homicida|suicida|iatra|arca))$|"
    r".*(?:ndo|mente)(?:[mtsl]e|nos|l[oa])?s?$"
)
WORD = r"(\w+(?:[@/](?:\w+)?)?)"
SELF = r"\b(?:mí|conmigo|yo) (mism[oa])\b"
WE = r"(?<!con )(?<!de )(?<!a )(?<!por )(?<!para )(?<!en )(?<!sin )(?<!entre )\b(nosotr[oa]s)\b"
# Endings that only a second person has.
SINGULAR_YOU = (
    r"\b\w*[aei]rás\b|"
    r"\b(?!(?:tr|ex|cons|res|ins|pers|as|ch|des)iste\b|alpiste)\w{2,}(?:aste|iste)\b"
)
PLURAL_YOU = r"\b(?!(?:dieci|veinti)séis)\w+[áé]is\b|\b\w+(?:asteis|isteis|abais|íais)\b"


def gender_of(word: str) -> str:
    """Gender of a predicate by its ending.

    Returns
    -------
    str
        "feminine", "masculine", "ambiguous" ("cansad@", "cansado/a"), or "" where it shows none.

    Examples
    --------
    >>> [gender_of(word) for word in ("cansadas", "inglés", "cansad@", "feliz", "dentista")]
    ['feminine', 'masculine', 'ambiguous', '', '']
    """
    word = word.lower()
    if BOTH_GENDERS.search(word):
        return "ambiguous"
    singular = word.removesuffix("s")
    if {word, singular} & _words("not_adjectives") or singular in _words("one_form"):
        return ""
    if ONE_FORM.match(singular) or NO_GENDER.match(word):
        return ""
    if FEMININE.search(word):
        return "feminine"
    return "masculine" if MASCULINE.search(word) else ""


def number_of(word: str) -> str:
    """Number of a predicate: "plural" for one in -s that is not -és, -ús or -is, else "singular".

    Examples
    --------
    >>> number_of("listas"), number_of("inglés")
    ('plural', 'singular')
    """
    word = word.lower()
    return "plural" if word.endswith("s") and not word.endswith(("és", "ús", "is")) else "singular"


def speaker_marking(sentence: str) -> Marking:
    """Gender and number of the first person in a Spanish sentence, by the forms that agree with it.

    Parameters
    ----------
    sentence : str
        Take off a prefix first (`lib.translation.prefixes.strip_prefix`).

    Returns
    -------
    Marking
        A third person's sentence is unmarked. The number is that of the person.

    Examples
    --------
    >>> speaker_marking("Estoy cansada.")
    Marking(gender='feminine', number='singular', forms=('cansada',))
    >>> [speaker_marking(text).gender for text in ("Estoy feliz.", "Estoy cansado/a.")]
    ['unmarked', 'ambiguous']
    """
    lower = _plain(sentence)
    after_copula, selves, plural = (
        [match[1] for match in matches] for matches in _forms_of_the_first_person(lower)
    )
    singular = [*dict.fromkeys(after_copula), *selves]
    numbers = [number for number, forms in (("singular", singular), ("plural", plural)) if forms]
    if not numbers:
        if re.search(rf"\b(?:yo|mí|conmigo|{_forms('first')})\b", lower):
            numbers.append("singular")
        if re.search(rf"\b(?:nosotr[oa]s|{_forms('we')})\b", lower):
            numbers.append("plural")
    return _marking([*singular, *plural], numbers)


def speaker_places(sentence: str) -> list[tuple[int, int]]:
    """Where the forms stand by which `speaker_marking` reads the first person.

    Parameters
    ----------
    sentence : str
        With single blanks.

    Returns
    -------
    list of (int, int)
        First letter and end of each, in their order.

    Raises
    ------
    ValueError
        For blanks at an end or in a row, by which places would be off.

    Examples
    --------
    >>> [(start, end)] = speaker_places("Hoy estoy cansada.")
    >>> "Hoy estoy cansada."[start:end]
    'cansada'
    """
    lower = _plain(sentence)
    if len(lower) != len(sentence):
        raise ValueError(f"expected single blanks and none at the ends, got {sentence!r}")
    return sorted(
        {match.span(1) for matches in _forms_of_the_first_person(lower) for match in matches}
    )


def audience_marking(sentence: str) -> Marking:
    """Gender and number of the second person in a Spanish sentence.

    They are read from pronouns, verbs and the forms that agree with them: tú and usted are
    singular, vosotros and ustedes plural; su, le and les say nothing, they may be a third person's.

    Examples
    --------
    >>> audience_marking("¿Estáis cansadas?")
    Marking(gender='feminine', number='plural', forms=('cansadas',))
    >>> audience_marking("¿Tienes hambre?")
    Marking(gender='unmarked', number='singular', forms=())
    """
    lower = _plain(sentence)
    forms = [
        *(match[1] for match in _predicates(lower, r"\b", "singular_you", "singular")),
        *(match[1] for match in _predicates(lower, r"\b", "plural_you", "plural")),
        *re.findall(r"\bvosotr[oa]s\b", lower),
    ]
    signs = {
        "singular": rf"\b(?:tú|te|ti|contigo|tus?|tuy[oa]s?|usted|{_forms('singular_you')})\b|"
        rf"{SINGULAR_YOU}|\b{_forms('verbs_of_singular_you')}\b",
        "plural": rf"\b(?:vosotr[oa]s|os|vuestr[oa]s?|ustedes|{_forms('plural_you')})\b|"
        rf"{PLURAL_YOU}|\b{_forms('verbs_of_plural_you')}\b",
    }
    return _marking(forms, [number for number, sign in signs.items() if re.search(sign, lower)])


@functools.cache
def _words(name: str) -> frozenset[str]:
    return frozenset(word_list(f"spanish_gender/{name}"))


@functools.cache
def _forms(name: str) -> str:
    """A list of forms as a regular expression that matches any of them."""
    return f"(?:{'|'.join(word_list(f'spanish_gender/{name}'))})"


def _plain(sentence: str) -> str:
    return re.sub(r"\s+", " ", sentence.lower().replace("’", "'")).strip()


def _forms_of_the_first_person(lower: str) -> tuple[list[re.Match], ...]:
    """Forms that agree with one speaker after a copula, "mismo", and those that do with several."""
    opening = rf"^[¡¿\s\"«“—-]*(?:{_forms('before')} )*"
    with_yo = r"\byo (?:no |ya |también |siempre |nunca )?"
    return (
        [
            *_predicates(lower, r"\b", "first", "singular"),
            *_predicates(lower, opening, "first_or_third", "singular"),
            *_predicates(lower, with_yo, "first_or_third", "singular"),
        ],
        [*re.finditer(SELF, lower)],
        [*_predicates(lower, r"\b", "we", "plural"), *re.finditer(WE, lower)],
    )


def _predicates(lower: str, start: str, copulas: str, number: str) -> Iterator[re.Match]:
    """The gendered words of a number after a copula, with those coordinated with the first."""
    follows = rf"(?= {_forms('after')}\b|[^\w\s@/]|\s*$)"
    coordinated = re.compile(
        rf"(?:,? (?:y|e|ni|o|u|pero)|,)(?: no)?(?: {_forms('degree')})* {WORD}{follows}"
    )
    for match in re.finditer(
        rf"{start}{_forms(copulas)} (?:{_forms('degree')} )*{WORD}{follows}", lower
    ):
        gender = gender_of(match[1])
        while match and gender and gender_of(match[1]) == gender:
            if number_of(match[1]) == number:
                yield match
            match = coordinated.match(lower, match.end())


def _marking(forms: list[str], numbers: list[str]) -> Marking:
    return Marking(agreed(map(gender_of, forms)), agreed(numbers), tuple(forms))
