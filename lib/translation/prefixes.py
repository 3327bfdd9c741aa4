"""Saying who speaks: a prefix such as "She said to them: ", put on and taken off again.

Moryossef, Aharoni & Goldberg (2019) give a translator the speaker and the audience in this way. A
prefix is cut off a translation by what it is made of (who, a verb of speech, to whom, a colon), so
that colons and quotes of the sentence itself stay. What it is made of in each language stands in
`data/lexicons/speech_prefixes.json`.
"""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lib.checks import one_of
from lib.lexicons import load_lexicon, word_list
from lib.translation.gender import Marking, Markings, count_markings
from lib.translation.translators import Translator

SPEAKERS = {"none": "", "she": "She", "he": "He", "i": "I", "they": "They", "someone": "Someone"}
AUDIENCES = ("none", "him", "her", "them")
LANGUAGES = ("en", "es", "fr", "it", "pt", "ca", "ro", "de", "ru", "uk", "cs", "pl", "he", "ar")
# The eleven conditions of Table 1 as (speaker, audience), in its order.
CONDITIONS = (
    ("none", "none"),
    *(("he", audience) for audience in AUDIENCES),
    ("i", "none"),
    ("i", "them"),
    *(("she", audience) for audience in AUDIENCES),
)
CONTROL = ("someone", "none")  # a prefix that says no gender
THEY = ("they", "none")  # a speaker who is neither he nor she, or several
DIRECTION_MARKS = r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]*"
QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "”": "”", "»": "«"}


def prefix_of(speaker: str = "she", audience: str = "none", *, verb: str = "said") -> str:
    """The English prefix of a condition, "She said to them: "; "" without a speaker.

    Parameters
    ----------
    speaker : str
        One of `SPEAKERS`, in any case; "someone" is the control that says no gender.
    audience : str
        One of `AUDIENCES`.
    verb : str
        One of the list "speech_prefixes/verbs_of_speech".

    Raises
    ------
    ValueError
        For another speaker, audience or verb, and for an audience without a speaker.

    Examples
    --------
    >>> prefix_of("they", "her", verb="whispered")
    'They whispered to her: '
    """
    speaker, audience = str(speaker or "none").lower(), str(audience or "none").lower()
    one_of("speaker", speaker, SPEAKERS)
    one_of("audience", audience, AUDIENCES)
    one_of("verb", verb, word_list("speech_prefixes/verbs_of_speech"))
    if speaker == "none":
        if audience != "none":
            raise ValueError(
                f"audience: expected none where no one speaks, got {audience!r}; name a speaker"
            )
        return ""
    return f"{SPEAKERS[speaker]} {verb}{'' if audience == 'none' else f' to {audience}'}: "


def condition_name(speaker: str, audience: str = "none") -> str:
    """A condition as a figure names it: "She said to them:", "no prefix"."""
    return prefix_of(speaker, audience).strip() or "no prefix"


def inject_prefix(
    text: str, speaker: str = "she", audience: str = "none", *, verb: str = "said"
) -> str:
    """An English sentence said by someone to someone. Arguments and errors as `prefix_of`.

    `strip_prefix` gives the text back, whatever is in it.

    References
    ----------
    Moryossef, Aharoni & Goldberg (2019), section 4.

    Examples
    --------
    >>> inject_prefix("I am tired.", "she", "them")
    'She said to them: I am tired.'
    """
    return prefix_of(speaker, audience, verb=verb) + text


def split_prefix(
    text: str, language: str = "en", *, unquote: bool = False
) -> tuple[str | None, str]:
    """A sentence, or its translation, as its prefix and the rest.

    Exactly one prefix comes off, with the space behind it. A missing colon is forgiven where a
    comma, dash, quote, "that" or a capital follows, and so is an added clause before the colon.

    Parameters
    ----------
    text : str
    language : str
        One of `LANGUAGES`.
    unquote : bool
        Take off quotes around the whole rest too, as some translators add them.

    Returns
    -------
    prefix : str or None
        None where no one is said to say the sentence.
    rest : str
        Prefix and rest are the text, but for quotes taken off.

    Raises
    ------
    ValueError
        For another language.

    Examples
    --------
    >>> split_prefix("Ella les dijo con una sonrisa: Estoy cansada.", "es")
    ('Ella les dijo con una sonrisa: ', 'Estoy cansada.')
    >>> split_prefix("Estoy cansada.", "es")
    (None, 'Estoy cansada.')
    """
    match = _pattern(language).match(text)
    if match is None:
        return None, text
    rest = text[match.end() :]
    if unquote and len(rest := rest.strip()) > 1 and QUOTES.get(rest[0]) == rest[-1]:
        rest = rest[1:-1].strip()
    return match[0], rest


def strip_prefix(text: str, language: str = "en", *, unquote: bool = False) -> str:
    """The text without its prefix, and as it is where there is none: the rest of `split_prefix`.

    Examples
    --------
    >>> strip_prefix("Elle a dit : Je suis fatiguée.", "fr")
    'Je suis fatiguée.'
    """
    return split_prefix(text, language, unquote=unquote)[1]


@dataclass(frozen=True)
class PrefixedTranslations:
    """Translations of sentences that stood behind one prefix, which was taken off again.

    Attributes
    ----------
    texts : list of str
        The outputs without their prefix.
    prefixes : list of str or None
        What came off; None where one was given and none found.
    given : str
        The English prefix, "" where there was none.
    """

    texts: list[str]
    prefixes: list[str | None]
    given: str = ""

    @property
    def survived(self) -> int:
        """Number of outputs in which the given prefix was found."""
        return sum(prefix is not None for prefix in self.prefixes)

    @property
    def parataxes(self) -> int:
        """Number of outputs in which it is still a clause of its own, before a colon."""
        return sum(":" in prefix or "：" in prefix for prefix in self.prefixes if prefix)

    def markings(self, reader: Callable[[str], Marking]) -> Markings:
        """How often each gender and number is read in the outputs, by a reader of one output."""
        return count_markings(map(reader, self.texts))


def translate_with_prefix(
    translator: Translator,
    sentences: Sequence[str],
    speaker: str = "none",
    audience: str = "none",
    *,
    verb: str = "said",
    language: str = "es",
) -> PrefixedTranslations:
    """Translate sentences behind the prefix of a condition, and take it off again.

    Parameters
    ----------
    translator : Translator
        From English to `language`.
    sentences : sequence of str
    speaker, audience, verb : str
        As in `prefix_of`; without a speaker nothing is put on or taken off.
    language : str
        Of the outputs, one of `LANGUAGES`.

    Raises
    ------
    ValueError
        As `prefix_of`; and what the translator raises.
    """
    prefix = prefix_of(speaker, audience, verb=verb)
    outputs = translator.translate([prefix + sentence for sentence in sentences])
    return without_prefix(outputs, prefix, language)


def without_prefix(
    outputs: Sequence[str], given: str, language: str = "es"
) -> PrefixedTranslations:
    """Outputs of sentences behind a prefix, with what became of it taken off.

    Parameters
    ----------
    outputs : sequence of str
    given : str
        The English prefix; nothing is taken off where it is "".
    language : str
        Of the outputs, one of `LANGUAGES`.

    Raises
    ------
    ValueError
        For another language.

    Examples
    --------
    >>> without_prefix(["Ella dijo: Estoy sola."], "She said: ")
    PrefixedTranslations(texts=['Estoy sola.'], prefixes=['Ella dijo: '], given='She said: ')
    """
    if not given:
        return PrefixedTranslations(list(outputs), [None] * len(outputs))
    parts = [split_prefix(output, language) for output in outputs]
    return PrefixedTranslations([rest for _, rest in parts], [said for said, _ in parts], given)


@functools.cache
def _pattern(language: str) -> re.Pattern:
    one_of("language", language, LANGUAGES)
    lists = load_lexicon("speech_prefixes").lists

    def any_of(part: str) -> str:
        forms = lists.get(f"{part}_{language}")
        return f"(?:{'|'.join(forms)})" if forms else "(?:(?!))"

    verbs = any_of("verbs")
    if language == "en":
        verbs = f"(?:{'|'.join(sorted(lists['verbs_of_speech'], key=len, reverse=True))}|told)"
    subject = rf"{any_of('subjects')}\s+"
    if language == "fr":  # j'ai is written together
        subject = rf"(?:j['’]\s?|{subject})"
    space = "" if language == "he" else r"(?:(?<=['’])|\s+)"
    optional = "?" if language in lists["subject_may_be_left_out"] else ""
    head = (
        rf"{DIRECTION_MARKS}[\"“«—–-]?\s?(?:{any_of('openings')},?\s+){{0,2}}"
        rf"(?:{subject}){optional}{any_of('weak_pronouns')}?{verbs}(?:\s+{any_of('addressees')})*"
    )
    added = rf",?\s+{any_of('added_clauses')}\b[^:：.!?\"“«\n]{{0,60}}?"
    colon = rf"{DIRECTION_MARKS}\s?[:：]{DIRECTION_MARKS} ?"
    without_colon = (
        rf"(?:,\s?(?=[\"“«„A-ZÁÉÍÓÚÑÀÈÇ¿¡])|,? {any_of('that')}{space}|"
        r"\s?[–—]\s?|,?\s+(?=[\"“«„¿¡])|,\s|\.\s(?=\S)|\s(?-i:(?=[A-ZÁÉÍÓÚÑÀÈÇА-ЯІЇЄ])))"
    )
    return re.compile(rf"{head}(?:{colon}|{added}{colon}|{without_colon})", re.IGNORECASE)
