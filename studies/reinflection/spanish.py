"""Rules that write a Spanish first-person sentence in another grammatical gender.

`lib.translation.gender_spanish` finds the forms that agree with the first person; their endings are
changed, and nothing else. What it does not find (articles, forms without a copula) stays as it was.
"""

import functools
import re

from lib.checks import one_of
from lib.lexicons import pair_list, word_list
from lib.translation.gender_spanish import gender_of, speaker_places

OTHER = {"masculine": "feminine", "feminine": "masculine"}
GENDERS = (*OTHER, "-e")
LABELS = (*OTHER, "neither")
# Ending of a masculine -> what it becomes in the feminine; the first that fits.
TO_FEMININE = (
    ("os$", "as"),
    ("o$", "a"),
    ("ores$", "oras"),
    ("or$", "ora"),
    ("ones$", "onas"),
    ("ón$", "ona"),
    ("eses$", "esas"),
    ("és$", "esa"),
    ("ines$", "inas"),
    ("ín$", "ina"),
    ("anes$", "anas"),
    ("án$", "ana"),
    ("ñoles$", "ñolas"),
    ("ñol$", "ñola"),
)
TO_MASCULINE = (
    ("(?<=[dtsñ])oras$", "ores"),
    ("(?<=[dtsñ])ora$", "or"),
    ("onas$", "ones"),
    ("ona$", "ón"),
    ("esas$", "eses"),
    ("esa$", "és"),
    ("ñolas$", "ñoles"),
    ("ñola$", "ñol"),
)
PLAIN = (("as$", "os"), ("a$", "o"))
# The -e of recent use, with the spelling that keeps the sound.
TO_E = (("c[oa](s?)$", r"que\1"), ("g[oa](s?)$", r"gue\1"), ("z[oa](s?)$", r"ce\1"))
FROM_E = (("ques$", "cos"), ("que$", "co"), ("es$", "os"), ("e$", "o"))


def in_gender(word: str, gender: str) -> str:
    """A Spanish predicate in another gender, by its ending; one of a single form stays as it is.

    "-e" is the form that some speakers use of themselves: "cansade".
    """
    one_of("gender", gender, GENDERS)
    lower = word.lower()
    shown = gender_of(lower)
    if shown == "ambiguous" and re.search("[ai]des?$", lower):
        lower = _replaced(lower, FROM_E)
        shown = "masculine"
        if gender == "-e":
            return word
    if shown == "masculine" and gender != "masculine":
        lower = _feminine(lower)
    if shown == "feminine" and gender == "masculine":
        lower = _masculine(lower)
    if shown in OTHER and gender == "-e":
        lower = _replaced(lower, (*TO_E, ("as$", "es"), ("a$", "e")))
    return lower.upper() if word.isupper() else word[:1] + lower[1:]


def rewrite(sentence: str, gender: str) -> str:
    """A sentence with the forms that agree with the first person, plural ones too (nosotras, cansadas), in another gender; blanks
    in a row become one.
    """
    one_of("gender", gender, GENDERS)
    sentence = " ".join(sentence.split())
    for start, end in reversed(speaker_places(sentence)):
        word = in_gender(sentence[start:end], gender)
        sentence = sentence[:start] + word + sentence[end:]
    return sentence


@functools.cache
def _lists() -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """Suppletive pairs, feminines whose masculine has no -o, those of the other endings that do."""
    bare = frozenset(
        re.sub("[áí]n$", lambda ending: {"á": "ana", "í": "ina"}[ending[0][0]], word)
        for word in word_list("reinflection/masculine_without_o")
    )
    return (
        dict(pair_list("reinflection/suppletive")),
        bare,
        frozenset(word_list("reinflection/feminine_with_o")),
    )


def _feminine(word: str) -> str:
    suppletive = _lists()[0]
    return suppletive.get(word) or _replaced(word, TO_FEMININE)


def _masculine(word: str) -> str:
    suppletive, bare, with_o = _lists()
    for masculine, feminine in suppletive.items():
        if word == feminine:
            return masculine
    singular = word.removesuffix("s")
    if singular in bare:
        return word[:-2] + "es" if word != singular else _accented(word[:-1])
    # A written accent before the ending says that the masculine ends in -o: autóctona, autóctono.
    plain = singular in with_o or re.search("[áéíóú]", singular[:-3])
    return _replaced(word, PLAIN if plain else (*TO_MASCULINE, *PLAIN))


def _accented(word: str) -> str:
    """A word in -an or -in with its accent."""
    return word[:-2] + {"a": "á", "i": "í"}[word[-2]] + word[-1]


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    """A word with the first ending that fits replaced."""
    for ending, other in endings:
        changed, found = re.subn(ending, other, word)
        if found:
            return changed
    return word
