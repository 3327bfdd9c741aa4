"""Saying who speaks: a prefix such as "She said to them: " put before a sentence, and taken off its translation again.

Moryossef, Aharoni & Goldberg (2019) give a translator the speaker and the audience in this way. A prefix is cut off by what
it is made of (who, a verb of speech, to whom, a colon), so that colons and quotes of the sentence itself stay.
"""

from __future__ import annotations

import functools
import re

from lib.lexicons import load_lexicon

# The eleven conditions of Table 1 as (speaker, audience); "none" stands for a part that is left out.
CONDITIONS = tuple(
    tuple(part.lower() for part in pair) for pair in load_lexicon("moryossef2019")["conditions"]
)
SPEAKERS = {"none": "", "she": "She", "he": "He", "i": "I", "they": "They", "someone": "Someone"}
AUDIENCES = ("none", "him", "her", "them")
# Twenty ways to say that someone said something; the first is the paper's.
VERBS = (
    "said",
    "then said",
    "once said",
    "just said",
    "also said",
    "later said",
    "said again",
    "said quietly",
    "replied",
    "explained",
    "announced",
    "declared",
    "remarked",
    "whispered",
    "shouted",
    "wrote",
    "repeated",
    "admitted",
    "confessed",
    "complained",
)
# By language: who speaks, whether that may be left out, weak pronouns before the verb, verbs, to whom, and "that".
PARTS = {
    "en": (
        "he|she|i|they|someone",
        False,
        "",
        "|".join(map(re.escape, (*sorted(VERBS, key=len, reverse=True), "told"))),
        "(?:to )?(?:him|her|them|everyone|everybody)",
        "that",
    ),
    "es": (
        "él|el|ella|yo|ellos|ellas|elles|alguien",
        True,
        "(?:se )?(?:les?|l[oa]s?|me|nos)",
        "dijo|dije|dijeron|ha dicho|he dicho|han dicho|había dicho|decía|dice|digo|comentó|contestó|respondió|respondí|"
        "explicó|expliqué|anunció|anuncié|declaró|declaré|observó|susurró|susurré|gritó|grité|escribió|escribí|"
        "repitió|repetí|admitió|admití|confesó|confesé|se quejó|me quejé|exclamó|afirmó|contó|conté",
        "(?:a|ante|para) (?:él|el|ella|ellos|ellas|todos|todas|todo el mundo)|de nuevo|otra vez|en voz baja|también|"
        "después|más tarde",
        "que",
    ),
    "fr": (
        "il|elle|je|ils|elles|on|quelqu['’]un",
        False,
        "(?:lui|leur|me|nous)",
        "a dit|ai dit|ont dit|dit|dis|disait|disent|avait dit|a répondu|a expliqué|a annoncé|a déclaré|a écrit",
        "à (?:lui|elle|eux|elles|tous|tout le monde)",
        "que|qu['’]",
    ),
    "it": (
        "lui|lei|egli|ella|io|loro|qualcuno",
        True,
        "(?:gli|le|loro|mi|ci)",
        "ha detto|ho detto|hanno detto|disse|dissi|dissero|dice|diceva|ha risposto|ha spiegato|ha scritto",
        "(?:a )?(?:lui|lei|loro)|a tutti",
        "che",
    ),
    "pt": (
        "ele|ela|eu|eles|elas|alguém",
        True,
        "(?:lhes?|me|nos)",
        "disse(?:-lhes?)?|disseram(?:-lhes?)?|falou|falei|falaram|diz|dizia|respondeu|explicou|escreveu",
        "(?:a|para|com) (?:ele|ela|eles|elas|todos)|(?:del[ea]s?)",
        "que",
    ),
    "ca": (
        "ell|ella|jo|ells|elles|algú",
        True,
        "(?:li|els|em|ens)",
        "va dir|vaig dir|van dir|ha dit|he dit|han dit|digué|deia|diu",
        "a (?:ell|ella|ells|elles|tots)",
        "que",
    ),
    "ro": (
        "el|ea|eu|ei|ele|cineva",
        True,
        "(?:i|le|mi)[- ]",
        "a spus|am spus|au spus|spuse|spune|zise|a zis",
        "lui|ei|lor|tuturor",
        "că",
    ),
    "de": (
        "er|sie|ich|jemand",
        False,
        "",
        "sagte|sagten|sagt|sage|hat gesagt|habe gesagt|haben gesagt|"
        "hat (?:ihm|ihr|ihnen) gesagt|habe (?:ihm|ihr|ihnen) gesagt|antwortete|erklärte|schrieb",
        "(?:zu )?(?:ihm|ihr|ihnen|allen)",
        "dass",
    ),
    "ru": (
        "он|она|я|они|кто-то",
        True,
        "(?:ему|ей|им)",
        "сказала|сказали|сказал|говорит|говорила|говорил|ответила|ответил",
        "(?:ему|ей|им|всем)",
        "что",
    ),
    "uk": (
        "він|вона|я|вони|хтось",
        True,
        "(?:йому|їй|їм)",
        "сказала|сказали|сказав|каже|говорила|говорив|відповіла",
        "(?:йому|їй|їм|всім)",
        "що",
    ),
    "cs": (
        "on|ona|já|oni|někdo",
        True,
        "(?:mu|jí|jim)",
        "řekla jsem|řekl jsem|řekla|řekli|řekl|říká|říkal|říkala",
        "(?:mu|jí|jim|k n[ěi]m|jemu)",
        "že",
    ),
    "pl": (
        "on|ona|ja|oni|ktoś",
        True,
        "(?:mu|jej|im)",
        "powiedziałam|powiedziałem|powiedziała|powiedzieli|powiedział|mówi",
        "(?:mu|jej|im|do niego|do niej|do nich)",
        "że",
    ),
    "he": (
        "הוא|היא|אני|הם|הן|מישהו",
        True,
        "",
        "אמרתי|אמרה|אמרו|אמר|אומרת|אומר",
        "לו|לה|להם|להן|אליו|אליה|אליהם|לכולם",
        "ש",
    ),
    "ar": (
        "هو|هي|أنا|هم|شخص ما|أحدهم",
        True,
        "",
        "قالت|قالوا|قلت|قال|تقول|يقول",
        "(?:ل|إلي)(?:ه|ها|هم|هن)|للجميع",
        "إن|أن",
    ),
}
OPENINGS = {
    "en": "and|but|so|then",
    "es": "y|pero|entonces|luego|así que",
    "fr": "et|mais|puis|alors",
    "it": "e|ma|poi|allora",
    "pt": "e|mas|então",
    "de": "und|aber|dann",
}
# How a clause that the translator added may begin, before the colon: "with a smile", ", smiling", "quietly".
ADDED = {
    "en": r"with|in|at|as|while|when|after|before|\w+ly|\w+ing",
    "fr": r"avec|en|à|d['’]une|\w+ment",
    "es": r"con|en|al|desde|mientras|cuando|por|\w+mente|\w+ndo",
    "it": r"con|in|a|mentre|\w+mente|\w+ndo",
    "pt": r"com|em|ao|enquanto|\w+mente|\w+ndo",
    "de": r"mit|in|leise|laut|als",
}
MARKS = r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]*"
QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "‘": "’", "'": "'", "”": "”", "»": "«"}


def prefix_of(speaker: str = "she", audience: str = "none", *, verb: str = "said") -> str:
    """The English prefix of a condition, "She said to them: "; "" without a speaker.

    speaker : one of `SPEAKERS`, in any case; "someone" is the control that says no gender, "they" a speaker who is neither
    he nor she, or several. audience : one of `AUDIENCES`. verb : one of `VERBS`.
    Raises ValueError for another speaker, audience or verb, and for an audience without a speaker.
    """
    who, whom = str(speaker or "none").lower(), str(audience or "none").lower()
    for name, given, legal in (
        ("speaker", who, SPEAKERS),
        ("audience", whom, AUDIENCES),
        ("verb", verb, VERBS),
    ):
        if given not in legal:
            raise ValueError(f"{name}: expected one of {', '.join(legal)}, got {given!r}")
    if who == "none":
        if whom != "none":
            raise ValueError(
                f"audience: expected none where no one speaks, got {whom!r}; name a speaker"
            )
        return ""
    return f"{SPEAKERS[who]} {verb}{'' if whom == 'none' else f' to {whom}'}: "


def inject_prefix(
    text: str, speaker: str = "she", audience: str = "none", *, verb: str = "said"
) -> str:
    """An English sentence told by someone to someone: "She said to them: I am tired." Arguments as `prefix_of`.

    `strip_prefix` gives the text back, whatever is in it. Raises ValueError as `prefix_of`.
    Moryossef, Aharoni & Goldberg (2019), section 4.
    """
    return prefix_of(speaker, audience, verb=verb) + text


def split_prefix(
    text: str, language: str = "en", *, unquote: bool = False
) -> tuple[str | None, str]:
    """(prefix, rest) of a sentence or its translation; (None, text) when no one is said to say it.

    Exactly one prefix comes off, with the space behind it. A missing colon is forgiven where a comma, dash, quote, "that" or
    a capital follows, and so is an added clause before the colon ("She said to them with a smile: "). language : one of
    `PARTS`. unquote : take off quotes around the whole rest too, as some translators add them.
    prefix + rest is the text, but for quotes taken off. Raises ValueError for another language.
    """
    match = _pattern(language).match(text)
    if match is None:
        return None, text
    rest = text[match.end() :]
    if unquote and len(rest := rest.strip()) > 1 and QUOTES.get(rest[0]) == rest[-1]:
        rest = rest[1:-1]
    return match[0], rest


def strip_prefix(text: str, language: str = "en", *, unquote: bool = False) -> str:
    """The rest of `split_prefix`: the text without its prefix, and as it is where there is none."""
    return split_prefix(text, language, unquote=unquote)[1]


@functools.cache
def _pattern(language: str) -> re.Pattern:
    if language not in PARTS:
        raise ValueError(f"language: expected one of {', '.join(PARTS)}, got {language!r}")
    who, dropped, weak, verbs, whom, that = PARTS[language]
    before = rf"(?:{weak}\s*)?" if weak.endswith("[- ]") else rf"(?:{weak}\s+)?" if weak else ""
    # French j'ai, and pronouns that hang on to the verb (disse-lhes) are written together.
    subject = r"(?:j['’]\s?|(?:" + who + r")\s+)" if language == "fr" else rf"(?:(?:{who})\s+)"
    opening = rf"(?:(?:{OPENINGS[language]}),?\s+){{0,2}}" if language in OPENINGS else ""
    head = rf"{MARKS}[\"“«—–-]?\s?{opening}{subject}{'?' if dropped else ''}{before}(?:{verbs})(?:\s+(?:{whom}))*"
    added = (
        rf",?\s+(?:{ADDED[language]})\b[^:：.!?\"“«\n]{{0,60}}?" if language in ADDED else r"(?!)"
    )
    colon = rf"{MARKS}\s?[:：]{MARKS} ?"
    joined = "" if language == "he" else r"\s+"
    without = (
        rf"(?:,\s?(?=[\"“«„A-ZÁÉÍÓÚÑÀÈÇ¿¡])|,? (?:{that}){joined}|\s?[–—]\s?|,?\s+(?=[\"“«„¿¡])|"
        r",\s|\.\s(?=\S)|\s(?-i:(?=[A-ZÁÉÍÓÚÑÀÈÇА-ЯІЇЄ])))"
    )
    return re.compile(rf"{head}(?:{colon}|{added}{colon}|{without})", re.IGNORECASE)
