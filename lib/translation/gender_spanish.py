"""Who speaks and who is spoken to in a Spanish sentence: gender and number by lexicon and endings.

A form counts when it stands after a copula of the person in question ("Estoy cansada", "Me sentí solo", "¿Estáis listas?").
Adjectives of one form, nouns with an article and everything else say nothing: the rule would rather miss a form than invent
one. Persons whom neither form names are outside what it can see; "cansade", "cansadx" and "cansad@" count as ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lib.translation.gender import Marking, one_of

DEGREE = (
    "muy|tan|un poco|un tanto|algo|demasiado|bastante|completamente|totalmente|realmente|verdaderamente|absolutamente|"
    "casi|más|menos|medio|ya|nada|\\w+mente|"
    "también|siempre|aún|todavía|lo suficientemente|lo bastante|siendo|así de|de nuevo|bien"
)
# What may follow a predicate: else "Estoy todo el día" and "Fui cosa de" would be adjectives.
AFTER = (
    "de|del|con|conmigo|contigo|por|en|a|al|para|que|como|y|e|ni|o|u|pero|cuando|porque|hoy|ahora|ayer|anoche|aquí|ya|"
    "sin|desde|hasta|mientras|si|aunque|todavía|aún|también|sobre|ante|entre|tras|después|antes|últimamente|ahí|allí|"
    "acá|contra|cada|mañana|siempre|otra|hace|durante|allá|entonces|nunca|según|esta|este|"
    "estos|tampoco"
)
FIRST = (
    "(?:estoy|soy|estuve|fui|estaré|seré|me siento|me sentí|me sentiré|me quedo|me quedé|me quedaré|quedé|me pongo|"
    "me puse|me pondré|me vuelvo|me volví|me volveré|me encuentro|me mantuve|me veo|ando|sigo|parezco|"
    "(?:me )?he (?:sido|estado|sentido|vuelto|quedado|puesto)|"
    "(?:quiero|debo|puedo|voy a|necesito|tengo que|prefiero|espero|odio|suelo|acabo de) "
    "(?:ser|estar|sentirme|quedarme)|"
    "me estoy (?:volviendo|poniendo|sintiendo|quedando)|estoy siendo)"
)
# First person or third: read as the first where the sentence begins with them, or says yo.
EITHER = (
    "(?:estaba|era|estaría|sería|me sentía|me sentiría|me quedaba|me ponía|me encontraba|esté|sea|estuviera|fuera|"
    "había (?:sido|estado)|"
    "(?:quería|debía|podía|podría|debería|iba a|quisiera|solía) (?:ser|estar))"
)
WE = (
    "(?:estamos|somos|estuvimos|fuimos|estábamos|éramos|estaremos|seremos|estaríamos|nos sentimos|nos quedamos|"
    "hemos estado|nos sentíamos|quedamos)"
)
SINGULAR_YOU = (
    "(?:estás|eres|estuviste|fuiste|estabas|eras|estarás|serás|estarías|serías|estés|seas|te sientes|"
    "te sentiste|te quedaste|te quedas|te pusiste|te ves|pareces|has (?:sido|estado)|"
    "(?:usted|tú) (?:está|es|estaba|era|parece)|(?:está|es) usted|sé|no estés|no seas)"
)
PLURAL_YOU = (
    "(?:estáis|sois|estuvisteis|fuisteis|estabais|erais|estaréis|seréis|os sentís|os quedasteis|parecéis|"
    "habéis (?:sido|estado)|no estéis|no seáis|"
    "ustedes (?:están|son|estaban|eran|parecen)|(?:están|son) ustedes)"
)
BEGIN = (
    r"[¡¿\s\"«“—-]*(?:(?:yo|no|ya|hoy|ahora|todavía|aún|también|siempre|nunca|jamás|anoche|ayer|a veces|"
    r"realmente|y|pero) )*"
)
FOLLOWS = rf"(?= (?:{AFTER})\b|[^\w\s@/]|\s*$)"
WORD = r"(\w+(?:[@/](?:\w+)?)?)"
PREDICATE = rf" (?:(?:{DEGREE}) )*{WORD}{FOLLOWS}"
COORDINATED = re.compile(rf"(?:,? (?:y|e|ni|o|u|pero)|,)(?: no)?(?: (?:{DEGREE}))* {WORD}{FOLLOWS}")
SELF = re.compile(r"\b(?:mí|conmigo|yo) (mism[oa])\b")
# Words in -o or -a after a copula that are no adjective of two forms.
NEITHER = frozenset(
    """
    a la lo las los uno una cada nada todo toda mucho mucha poco poca como otra otro otras otros demasiado demasiada
    medio media bajo justo afuera fuera cerca dentro hecho contrario derecho inclusive luego sino junto aparte tiempo
    miembro frío hacia mañana ahora nunca algo cuatro ocho cinco bebida comida ropa ida lado lejos hasta idea lugar yo
    esto eso aquello no ello ella ellos ellas esta este para entra debajo encima abajo arriba delante contra tarea
    parte acaso tanto cuanto noche mediodía medianoche mentira turno acuerdo camino servicio trabajo duda broma
    regreso vuelta salida compras pena moda prisa visita viaje paso baja huelga guardia dieta deuda vida cama casa
    escuela oficina iglesia tienda mitad hora cualquiera nuestra nuestro pero testigo modelo soldado piloto genio
    víctima persona estrella leyenda hombre mujer mí
    """.split()  # noqa: SIM905
)
ONE_FORM = re.compile(
    r"(?:(?!l?ista).*(?:ista)|.*(?:ócrata|crata|ícola|homicida|suicida|iatra|arca)|idiota|hipócrita|belga|croata|nómada|indígena|"
    r"persa|patriota|atleta|astronauta|cosmopolita|autodidacta|entusiasta|pirata|gimnasta|espía|guía|policía|alerta|poeta|colega|azteca|"
    r"maya|israelita|vietnamita|moscovita|lila|rosa|naranja|violeta|gallina)$|.*(?:ndo|mente)(?:[mtsl]e|nos|l[oa])?s?$"
)
MASCULINE = re.compile(
    r"os?$|[dts]or(?:es)?$|[^i]ón$|[^i]ones$|(?<!cort)(?<!mont)(?<!despu)(?<!trav)(?<!rev)és$|eses$|"
    r"[ae]?ín$|ines$|án$|anes$|ñol(?:es)?$"
)
NO_GENDER = re.compile(
    r"(?:mej|pe|may|men|superi|inferi|anteri|posteri|interi|exteri|juni|seni)or(?:es)?$"
)


def gender_of(word: str) -> str:
    """Gender of a predicate by its ending: "feminine", "masculine", "ambiguous" ("cansad@", "cansado/a"), or ""."""
    word = word.lower()
    if (
        "@" in word
        or re.search(r"o/a|a/o|/", word)
        or re.search(r"(?:[ai]d|os|iv)x|[ai]dxs?$|[ai]des?$", word)
    ):
        return "ambiguous"
    stem = word.removesuffix("s")
    if word in NEITHER or stem in NEITHER or ONE_FORM.match(stem) or NO_GENDER.match(word):
        return ""
    if re.search(r"(?:a|triz)$", stem):
        return "feminine"
    return "masculine" if MASCULINE.search(word) else ""


def number_of(word: str) -> str:
    """ "plural" for a predicate in -s that is not -és, else "singular"."""
    return (
        "plural"
        if word.lower().endswith("s") and not word.lower().endswith(("és", "ús", "is"))
        else "singular"
    )


def speaker_marking(sentence: str) -> Marking:
    """Gender and number of the first person in a Spanish sentence, by the forms that agree with it.

    "Estoy cansada" is feminine, "Estoy feliz" unmarked, "Estoy cansado/a" ambiguous. A third person's sentence is unmarked.
    Take off a prefix first (`lib.translation.prefixes.strip_prefix`). Number is that of the person ("Estamos listas": plural).
    """
    lower = _plain(sentence)
    forms = [
        *_predicates(lower, rf"\b{FIRST}"),
        *_predicates(lower, rf"^{BEGIN}{EITHER}"),
        *_predicates(lower, rf"\byo (?:no |ya |también |siempre |nunca )?{EITHER}"),
    ]
    forms = list(dict.fromkeys(form for form in forms if number_of(form) == "singular"))
    forms += [match[1] for match in SELF.finditer(lower)]
    plural = [form for form in _predicates(lower, rf"\b{WE}") if number_of(form) == "plural"]
    plural += re.findall(
        r"(?<!con )(?<!de )(?<!a )(?<!por )(?<!para )(?<!en )(?<!sin )(?<!entre )\bnosotr[oa]s\b",
        lower,
    )
    said = [*(["singular"] if forms else []), *(["plural"] if plural else [])]
    spoken = (
        re.search(rf"\b(?:yo|mí|conmigo|{FIRST})\b", lower),
        re.search(rf"\b(?:nosotr[oa]s|{WE})\b", lower),
    )
    said = said or [number for number, found in zip(("singular", "plural"), spoken) if found]
    return _marking([*forms, *plural], said)


def audience_marking(sentence: str) -> Marking:
    """Gender and number of the second person in a Spanish sentence, by pronouns, verbs and the forms that agree with it.

    "¿Estáis cansadas?" is feminine and plural, "¿Tienes hambre?" singular and unmarked. tú and usted are singular, vosotros
    and ustedes plural; su, le and les say nothing, they may be a third person's.
    """
    lower = _plain(sentence)
    singular = [
        form for form in _predicates(lower, rf"\b{SINGULAR_YOU}") if number_of(form) == "singular"
    ]
    plural = [
        form for form in _predicates(lower, rf"\b{PLURAL_YOU}") if number_of(form) == "plural"
    ]
    plural += re.findall(r"\bvosotr[oa]s\b", lower)
    one = re.search(
        rf"\b(?:tú|te|ti|contigo|tus?|tuy[oa]s?|usted|{SINGULAR_YOU})\b|{VERBS['singular']}", lower
    )
    many = re.search(
        rf"\b(?:vosotr[oa]s|os|vuestr[oa]s?|ustedes|{PLURAL_YOU})\b|{VERBS['plural']}", lower
    )
    return _marking(
        [*singular, *plural], [*(["singular"] if one else []), *(["plural"] if many else [])]
    )


# Endings that only a second person has, and common verbs whose form it is.
VERBS = {
    "singular": r"\b\w*[aei]rás\b|\b(?!(?:tr|ex|cons|res|ins|pers|as|ch|des)iste\b|alpiste)\w{2,}(?:aste|iste)\b|"
    r"\b(?:tienes|puedes|quieres|sabes|vas|haces|dices|vienes|debes|ves|crees|necesitas|piensas|has|eres|estás|"
    r"hablas|vives|trabajas|comes|llegas|conoces|gustas|esperas|dejas|sientes|entiendes|oyes|sales|pones|juegas)\b",
    "plural": r"\b(?!(?:dieci|veinti)séis)\w+[áé]is\b|\b\w+(?:asteis|isteis|abais|íais)\b|"
    r"\b(?:vais|dais|veis|sois|ibais|erais|decís|vivís|venís|sentís|pedís|salís|oís|venid|id|mirad|decid|sabéis)\b",
}


def _plain(sentence: str) -> str:
    return re.sub(r"\s+", " ", sentence.lower().replace("’", "'")).strip()


def _predicates(lower: str, copula: str) -> Iterator[str]:
    """The gendered words that stand after a copula, with those that are coordinated with the first."""
    for match in re.finditer(copula + PREDICATE, lower):
        word = match[match.lastindex]
        gender = gender_of(word)
        while match and gender and gender_of(word) == gender:
            yield word
            match = COORDINATED.match(lower, match.end())
            word = match[1] if match else ""


def _marking(forms: list[str], numbers: list[str]) -> Marking:
    return Marking(one_of(map(gender_of, forms)), one_of(numbers), tuple(forms))
