"""Forms for a person that name no gender, or more than one: *la persona*, *quelqu'un*, *médico/a*, *docteur·e*, *Ärzt:in*.

A reader of articles and endings counts them as feminine, masculine or not at all. They are neither error nor loss, and
language models write them. The rules know forms in use; what they do not know stays with the reader.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

BEFORE, BEHIND = 3, 4  # words around a noun in which such a form is looked for
_START = "^"  # before the first word of a sentence

# Over lower-cased words and marks with a blank between each.
_INCLUSIVE = {
    "es": (
        r"\b(?:el|un|del|al) (?:/|o|u) (?:de )?(?:la|una)\b",
        r"\b(?:la|una) (?:/|o) (?:el|un)\b",
        r"\b(?:el|un) (\w{3})\w* (?:o|u|/) (?:la|una) \1",
        r"\b(?:la|una) (\w{3})\w* (?:o|u|/) (?:el|un) \1",
        r"\w (?:/|/ -) (?:as?|os?|oras?|esa)\b",
        r"\w \( (?:as?|os?|oras?) \)",
        r"[^\W\d_] @",
        r"\b(?:lxs?|unx|elx)\b|\b\w{2,}[b-df-hj-np-tv-z]xs?\b",
        r"\^ (?:les?|elle|une) \w{3,}es?\b",
    ),
    "fr": (
        r"\w [·•‧∙⋅] \w",
        r"\w \( (?:es?|ne|trice|rice|euse|se|ère) \)",
        r"\w (?:\.|-|/) (?:es?|rice|trice|euse|ère)\b",
        r"\b(?:le|un|du|au) (?:/|ou) (?:de |à )?(?:la|une)\b",
        r"\b(?:la|une) (?:/|ou) (?:le|un)\b",
        r"\b(?:le|un) (\w{3})\w* (?:ou|/) (?:la|une) \1",
        r"\b(?:la|une) (\w{3})\w* (?:ou|/) (?:le|un) \1",
        r"\b(?:iels?|lae|læ|ael)\b",
    ),
    "it": (
        r"\wə",
        r"[^\W\d_] [*@]",
        r"\w / (?:a|e|o|i|trice|essa)\b",
        r"\b(?:il|lo|un|uno|del|al) (?:/|o) (?:la|una)\b",
        r"\b(?:la|una) (?:/|o) (?:il|lo|un)\b",
        r"\b(?:il|lo|un) (\w{3})\w* (?:o|/) (?:la|una) \1",
        r"\b(?:la|una) (\w{3})\w* (?:o|/) (?:il|lo|un) \1",
    ),
    "de": (
        r"\w (?:[*:/·]|/ -) in(?:nen)?\b",
        r"\b\w+_in(?:nen)?\b",
        r"\b(?:der|ein|den|dem|einen|einem) (?:/|oder) (?:die|eine|der|einer)\b",
        r"\b(?:die|eine) (?:/|oder) (?:der|ein|den)\b",
        r"\b(?:der|ein|den|einen) \w+ (?:oder|/) (?:die|eine) \w+in\b",
        r"\b(?:die|eine) \w+in (?:oder|/) (?:der|ein|den|einen) \w",
    ),
    "pt": (
        r"\b(?:o|um|do|ao|no) (?:/|ou) (?:a|uma|da|à|na)\b",
        r"\b(?:a|uma|da|à|na) (?:/|ou) (?:o|um|do|ao|no)\b",
        r"\b(?:o|um|do|ao) (\w{3})\w* (?:ou|/) (?:a|uma|da|à) \1",
        r"\b(?:a|uma|da|à) (\w{3})\w* (?:ou|/) (?:o|um|do|ao) \1",
        r"\w (?:/|/ -) (?:as?|os?|ora)\b",
        r"\w \( (?:as?|os?|ora) \)",
        r"[^\W\d_] @",
        r"\b(?:elu|todes|\w{3,}[b-df-hj-np-tv-z]xs?)\b",
    ),
    "ru": (
        r"\w (?:/|/ -|\() (?:а|ка|ница|ица|ца|ша|ая)\b",
        r"\b\w+_(?:а|ка|ница|ица|ша|ая)\b",
        r"\b(\w{4})\w* (?:или|/) \1\w",
    ),
    "uk": (
        r"\w (?:/|/ -|\() (?:а|ка|ниця|иця|ця|ня)\b",
        r"\b\w+_(?:а|ка|ниця|иця|ця|ня)\b",
        r"\b(\w{4})\w* (?:або|чи|/) \1\w",
    ),
}
_NEUTRAL = {
    "es": (
        r"\b(?:una|la|esta|esa|cada|dicha) persona\b",
        r"\balguien\b",
        r"\bel personal (?:de|médico|sanitario|docente)\b",
    ),
    "fr": (r"\b(?:une|la|cette) personne\b", r"\bquelqu' un\b"),
    "it": (r"\b(?:una|la|questa|quella) persona\b", r"\bqualcuno\b"),
    "de": (
        r"\b(?:eine|die|der|einer|diese|jede) person\b",
        r"\bjemand(?:en|em)?\b",
        r"\b\w+kraft\b",
    ),
    "pt": (r"\b(?:uma|a|da|à|na|esta|essa|cada) pessoa\b", r"\balguém\b"),
    "ru": (r"\b(?:кто|кого|кому|кем) - (?:то|нибудь)\b", r"\bчеловек(?:а|у|ом|е)?\b"),
    "uk": (
        r"\b(?:хтось|когось|комусь|кимось)\b",
        r"\b(?:людин(?:а|и|і|у|ою)|особ(?:а|и|і|у|ою))\b",
    ),
}
LANGUAGES = tuple(_NEUTRAL)
_CAPITAL_IN = re.compile(r"\b\w+[a-zäöüß]In(?:nen)?\b")  # ÄrztIn


def person_form(text: str, words: Sequence[str], place: int, language: str) -> str:
    """Whether the form for a person names no gender or several.

    Parameters
    ----------
    text : str
        A translation.
    words : sequence of str
        Its words and marks, as `lib.translation.person_gender.target_words` gives them.
    place : int
        Of the noun for the person among them.
    language : str
        One of `LANGUAGES`; of others nothing is known.

    Returns
    -------
    str
        "inclusive" for several genders at once or a form made for all, "neutral" for a form that has none, else "".

    Examples
    --------
    >>> person_form("El/la enfermero/a llegó.", ["el", "/", "la", "enfermero", "/", "a", "llegó", "."], 3, "es")
    'inclusive'
    >>> person_form("La persona llegó.", ["la", "persona", "llegó", "."], 1, "es")
    'neutral'
    """
    if language not in LANGUAGES:
        return ""
    window = words[max(place - BEFORE, 0) : place + BEHIND + 1]
    near = " ".join([_START, *window] if place <= BEFORE else window)
    if _found(_patterns(language, "inclusive"), near):
        return "inclusive"
    if language == "de":
        both = {match[0].lower() for match in _CAPITAL_IN.finditer(text)}
        if both & {*window}:
            return "inclusive"
    nearer = " ".join(words[max(place - BEFORE, 0) : place + 2])
    return "neutral" if _found(_patterns(language, "neutral"), nearer) else ""


def _found(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


@functools.cache
def _patterns(language: str, kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, (_INCLUSIVE if kind == "inclusive" else _NEUTRAL)[language]))
