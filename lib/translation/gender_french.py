"""Who speaks in a French sentence: gender by lexicon, written endings and rules of agreement.

A form counts where it agrees with *je* or *nous*: behind a copula ("Je suis fatiguée", "Je me sens
seul", "Je veux être prête"), as a participle with *être* ("Je suis allée", "Je me suis levé"), as a
noun with its article ("Je suis une amie"), behind a direct object ("Il m'a invitée", "Ça me rend
heureux"), alone at the beginning ("Désolée, je …"). Only writing is read: *fatigué* and *fatiguée*
sound the same. Adjectives of one form (*triste*, *jeune*) and nouns that speakers of any gender use
in one form (*professeur*, *témoin*) say nothing. *Je me suis dit* and *je me suis lavé les mains*
say nothing either, since *me* is no direct object there. Persons whom neither form names are
outside what it can see; "fatigué(e)" and "fatigué·e" count as ambiguous. The forms are those of
`data/lexicons/french_gender.json`.
"""

import functools
import re
from collections.abc import Iterator

from lib.lexicons import word_list
from lib.translation.gender import Marking, agreed

FEMININE = re.compile(
    r"(?:é|[^aeo]i|[^q]u|eu[sl]|ous|ouss|tric|[iïu]v|[eiou]ll|oul|al|[aeo]nn|an|in|[ébmr]un|ett|[aioultr]it|"
    r"[aeiou]nt|[rc]t|aud|[aoe]nd|rd|[aoirsmqu]is|[^eéo]us|rs|[ao]ss|ess|èr|[^t][uû]r)e$|uë$"
)
ONE_FORM = re.compile(
    r"(?:iste|ique|able|ible|aire|phile|phobe|logue|crate|graphe|nome|cide|enfant)$"
)
MASCULINE = re.compile(
    r"(?:é|i|u|[eo]ux|aux|eau|[eiï]f|el|al|eul|il|ol|[eoiua]n|[aeo]nt|et|êt|at|it|ot|aut|ut|[rc]t|"
    r"nd|[ao]rd|urd|aud|oid|aid|eur|ier|ur|ûr|[aou]?is|os|us)$"
)
BOTH_GENDERS = re.compile(
    r"\w(?:\((?:e|ne|se|ve|le|te|trice)s?\)|[·•‧./-](?:e|ne|se|ve|le|te|\w*rice|\w*euse)(?:[·.-]?s)?)$"
)
WORD = r"([^\W\d]+(?:(?:[-·•‧./](?=\w))[^\W\d]+)*(?:\(\w+\))?)(?!['\w])"
NOT_ANOTHER_SUBJECT = (
    r"(?:(?!\b(?:ils?|elles?|tu|vous|on|nous|qui|te|lui|leur|les?|la|laisse|vois|fait)\b(?! air)|\bqu[e']|"
    r"\b(?:t'|l'(?!air\b)))[^,;:.!?]){0,40}?"
)
NOT = r"(?:ne |n')?"
COPULAS = {
    "singular": (
        rf"\b(?:je {NOT}(?:l'|le |y |en |vous |te |lui |leur |nous )?|j'(?:y |en )?|moi qui {NOT})"
        r"(?:suis|étais|serai|serais|fus|sois|fusse)",
        r"\b(?:suis|étais|serai|serais|fus)-je",
        rf"\b(?:je {NOT}(?:l'|le )?|j'|moi qui )(?:ai|avais|aurai|aurais|aie|eus)(?: {{degree}})* été",
        rf"\b(?:je {NOT}|j')(?:me |m'en |m')?(?:sens|sentais|sentirai|sentirais|sentis|crois|croyais|"
        r"montre|montrais|deviens|devenais|deviendrai|deviendrais|devins|reste|restais|resterai|"
        r"resterais|restai|demeure|parais|paraissais|semble|semblais)",
        rf"\b(?:je|j'|il me fau\w+){NOT_ANOTHER_SUBJECT}\b(?:être|devenir|redevenir|rester|tomber|me sentir|me montrer|"
        r"paraître|sembler)(?: été)?",
        # an infinitive or participle of the clause before or behind: "Avant d'être mariée, je …"
        r"\b(?:(?:avant|afin|force|peur) d'|après )être(?=[^,;:.!?]{1,40}, (?:je |j'))",
        r"\bpour moi d'être",
        r"\bme voilà",
        r"\b(?:je |j')[^,;:.!?]{1,20} comme(?! (?:une?|le|la|si)\b)",
        r"^en tant que?(?=[^,;:.!?]{1,40}, (?:je |j'))",
        rf"\b(?:je|j'){NOT_ANOTHER_SUBJECT}\bpasser? pour",
        r"^étant(?= [^,;:.!?]{1,40}, (?:je |j'))",
        r"\b(?:me|m') ?(?:rend|rends|rendent|rendait|rendra|rendrait|rendre|rendu|rendue|laisse|laissez|"
        r"laisser|croit|croyait|croient|trouve|trouvent|trouvait|sais|croyais)",
        r"\b(?:me|m')(?: \w+)? ?(?:a|as|ont|avez|avait|aura|aurait|avoir) (?:rendue?|laissée?|crue?|trouvée?)",
    ),
    "plural": (
        rf"\bnous {NOT}(?:sommes|étions|serons|serions|fûmes|soyons|restons|restions|deviendrons|"
        r"(?:nous )?(?:sentons|sentions)|avons été|avions été)",
        rf"\bnous {NOT}nous sommes",
    ),
}
# Behind these participles another predicate may follow: "Je suis restée seule".
RESULTS = re.compile(
    r"(?:resté|devenu|né|mort|parti|rentré|venu|revenu|senti|tombé|retrouvé|arrivé)e?s?$"
)
ALONE = re.compile(
    rf"\b(?:je |j'|il me fau\w+ ){NOT_ANOTHER_SUBJECT} ?(?:tout |toute )?(?<!une )(?<!la )(?<!le )(?<!un )\b(seule?)\b"
)
THING = re.compile(r"(?:[ts]ion|isme|age|ence|ance|ment)$")  # "Je suis une formation": suivre
BEHIND_A_NOUN = (
    r"\b(?:de|du|des|à|au|aux|en|dans|qui|que|et|pour|par|avec|sans|comme|depuis)\b|\b(?:d|qu)'"
)
TIMES = r"(?:matin|soir|nuit|semaine|année|an|mois|week-end|jour|après-midi|weekend|soirée|journée)"


def gender_of(word: str) -> str:
    """Gender of a predicate by its written form.

    Returns
    -------
    str
        "feminine", "masculine", "ambiguous" ("fatigué(e)", "content·e"), or "" where it shows none.

    Examples
    --------
    >>> [gender_of(word) for word in ("fatiguées", "heureux", "fatigué(e)", "triste", "professeur")]
    ['feminine', 'masculine', 'ambiguous', '', '']
    """
    word = word.lower().replace("’", "'")
    if BOTH_GENDERS.search(word):
        return "ambiguous"
    singular = word.removesuffix("s")
    either = {word, singular}
    for gender in ("feminine", "masculine"):
        if either & _words(gender):
            return gender
    if either & (_words("not_predicates") | _words("one_form")):
        return ""
    if ONE_FORM.search(singular) or word.endswith(("ment", "ments")):
        return ""
    if FEMININE.search(singular):
        return "feminine"
    return "masculine" if any(map(MASCULINE.search, either)) else ""


def speaker_marking(sentence: str) -> Marking:
    """Gender and number of the first person in a French sentence, by the forms that agree with it.

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
    >>> speaker_marking("Je suis fatiguée.")
    Marking(gender='feminine', number='singular', forms=('fatiguée',))
    >>> [speaker_marking(text).gender for text in ("Je suis triste.", "Je me suis lavé les mains.")]
    ['unmarked', 'unmarked']
    """
    lower = re.sub(r"\s+", " ", sentence.lower().replace("’", "'")).strip()
    found = {
        "singular": [
            *_predicates(lower, "singular"),
            *_reflexives(lower),
            *_objects(lower),
            *_alone(lower),
        ],
        "plural": [*_predicates(lower, "plural")],
    }
    numbers = [number for number, forms in found.items() if forms]
    if not numbers:
        signs = {
            "singular": r"\b(?:je|moi|me|mon|ma|mes)\b|\b[jm]'",
            "plural": r"\b(?:nous|notre|nos)\b",
        }
        numbers = [number for number, sign in signs.items() if re.search(sign, lower)]
    forms = [*dict.fromkeys(form for forms in found.values() for form in forms)]
    genders = [_gender_of_form(form) for form in forms]
    return Marking(agreed(genders), agreed(numbers), tuple(forms))


@functools.cache
def _words(name: str) -> frozenset[str]:
    return frozenset(word_list(f"french_gender/{name}"))


@functools.cache
def _degree() -> str:
    return f"(?:{'|'.join(word_list('french_gender/degree'))})"


@functools.cache
def _copulas(number: str) -> re.Pattern:
    every = "|".join(COPULAS[number]).replace("{degree}", _degree())
    return re.compile(rf"(?:{every})\b(?: {_degree()}\b(?!'))*(?: qu'| )")


def _gender_of_form(form: str) -> str:
    """Gender of a form: that of its article where it has one."""
    article, _, rest = form.partition(" ")
    return (
        {"un": "masculine", "le": "masculine"}.get(article, "feminine") if rest else gender_of(form)
    )


def _predicates(lower: str, number: str) -> Iterator[str]:
    """What agrees with the subject behind a copula, with what is coordinated with it."""
    word = re.compile(WORD)
    coordinated = re.compile(rf"(?:,? (?:et|ou|ni|mais)|,)(?: {_degree()})* {WORD}")
    another = re.compile(rf"(?: {_degree()})* {WORD}")
    for copula in _copulas(number).finditer(lower):
        if noun := _noun(lower[copula.end() :]):
            yield from noun
            continue
        match = word.match(lower, copula.end())
        gender = match and gender_of(match[1])
        while match and gender_of(match[1]) in ("", gender or gender_of(match[1])):
            gender = gender or gender_of(match[1])
            if gender_of(match[1]) and _has_number(match[1], number):
                yield match[1]
            second = RESULTS.match(match[1]) and another.match(lower, match.end())
            if second and gender_of(second[1]) and _has_number(second[1], number):
                yield second[1]
            match = coordinated.match(lower, match.end())


def _noun(rest: str) -> list[str]:
    """What names the speaker behind an article or possessive, [] where it tells no gender.

    "une amie" is ["une amie"]: the article says it too.
    """
    if either := re.match(r"l'une?\b", rest):
        return [either[0]]
    phrase = re.match(
        r"(?:(une?|le|la|[mts](?:on|a)|votre|notre|leur) (?!(?:tout )?(?:petit )?peu\b)|l')([^,;:.!?]*)",
        rest,
    )
    if phrase is None:
        return []
    words = re.findall(WORD, re.split(BEHIND_A_NOUN, phrase[2])[0])
    if phrase[1] in ("le", "la") and words[0:1] in (["plus"], ["moins"]) and len(words) > 1:
        return [f"{phrase[1]} {words[-1]}"]
    if phrase[1] not in ("un", "une"):
        return [word for word in words if word in _words("relation") and gender_of(word)][:1]
    nothing = _words("one_form") | _words("not_predicates")
    if not words or words[0] in nothing or words[-1] in nothing or THING.search(words[0]):
        return []
    article = "masculine" if phrase[1] == "un" else "feminine"
    against = [
        word for word in words[:2] if word in _words("relation") and gender_of(word) != article
    ]
    return [f"{phrase[1]} {words[0]}", *against]


def _reflexives(lower: str) -> Iterator[str]:
    """Participles of "je me suis …" that agree with the speaker."""
    behind = re.compile(rf"(?: {_degree()})* {WORD}")
    for match in re.finditer(
        rf"\bje {NOT}(?:me |m'en |m'y |m')(?:suis|étais|serai|serais|sois)(?: {_degree()}\b)* {WORD}",
        lower,
    ):
        participle, rest = match[1], lower[match.end() :]
        gender = gender_of(participle)
        invariable = participle in _words("reflexive_without_agreement") or (
            re.match(
                r" (?:les?|la|l'|une?|des|mon|ma|mes|ce|cette|deux|compte|(?!hier\b)\w+(?:er|ir|re))\b",
                rest,
            )
            and not re.match(rf" (?:\w+|l') ?{TIMES}", rest)
        )
        if (
            gender
            and (gender != "masculine" or not invariable)
            and _has_number(participle, "singular")
        ):
            yield participle
        second = RESULTS.match(participle) and behind.match(lower, match.end())
        if second and gender_of(second[1]):
            yield second[1]


def _objects(lower: str) -> Iterator[str]:
    """Participles with a direct object *me* before avoir: "Il m'a invitée"."""
    for match in re.finditer(
        rf"\bm'(?:en |y )?(?:a|as|ont|avez|avait|avais|avaient|aviez|aura|aurait|avoir|ait)(?: {_degree()}\b)*"
        rf"( été)?(?: {_degree()}\b)* {WORD}",
        lower,
    ):
        participle, rest = match[2], lower[match.end() :]
        if match[1]:
            continue  # "il m'a été donné"
        gender = gender_of(participle)
        takes = re.match(
            r" (?:les?|la|l'|une?|des|du|de|d'|mon|ma|mes|ce|que|qu'|(?!hier\b)\w+(?:er|ir|re)\b)",
            rest,
        )
        base = re.sub(r"(?<=[éiust])e$", "", participle)
        indirect = base in _words("indirect") or (takes and gender == "masculine")
        if gender and not indirect:
            yield participle


def _alone(lower: str) -> Iterator[str]:
    """What says the speaker's gender without a copula: "Désolée, …", "Fatiguée, je …", "seule"."""
    start = re.match(rf"[\"«“ ]*(?:{_degree()} )*{WORD}", lower)
    if (
        start
        and gender_of(start[1])
        and (
            re.match(r"\w+", start[1])[0] in _words("elliptic")
            or (
                re.search(r"^\w+[éi]e?$|^seule?$|^assise?$", start[1])
                and re.match(r"[^,;:.!?]{0,40}, (?:je|j')", lower[start.end() :])
            )
        )
    ):
        yield start[1]
    for match in ALONE.finditer(lower):
        yield match[1]


def _has_number(word: str, number: str) -> bool:
    """Whether a form may be of a number; -is, -us, -os and -x are both."""
    if re.search(r"(?:[iauo]s|x)$", word):
        return True
    return word.endswith("s") == (number == "plural")
