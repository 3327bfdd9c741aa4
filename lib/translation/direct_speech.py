"""First-person sentences whose Spanish form marks the speaker's gender, and direct speech made of them.

A form counts as marked when it ends in -o or -a and stands after a first-person copula ("Estoy cansada", "Me sentí solo").
Adjectives of one form, nouns with an article and everything else are unmarked: the rule would rather miss a form than
invent one. Speakers whom neither form names are outside what it can see.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lib.translation.prefixes import prefix_of

Pair = tuple[str, str]  # an English sentence and a Spanish one
ARMS = ("right", "plain", "shuffled")

SURE = (
    "estoy|soy|estuve|fui|estaré|seré|me siento|me sentí|me sentiré|me quedo|me quedé|quedé|me pongo|me puse|me vuelvo|"
    "me volví|me encuentro|me mantuve|(?:me )?he (?:sido|estado|sentido|vuelto|quedado|puesto)|"
    "(?:quiero|debo|puedo|voy a|necesito|tengo que|prefiero|espero|odio) (?:ser|estar)|"
    "me estoy (?:volviendo|poniendo|sintiendo)"
)
EITHER = (
    "estaba|era|estaría|sería|me sentía|me quedaba|me ponía|me encontraba|había (?:sido|estado)|"
    "(?:quería|debía|podía|podría|debería|iba a|quisiera) (?:ser|estar)"
)  # first person or third
DEGREE = (
    "muy|tan|un poco|un tanto|algo|demasiado|bastante|completamente|totalmente|realmente|verdaderamente|absolutamente|"
    "perfectamente|profundamente|extremadamente|tremendamente|terriblemente|increíblemente|casi|más|menos|medio|ya|"
    "también|siempre|aún|todavía|lo suficientemente|lo bastante|siendo|así de"
)
BEFORE = "yo|no|ya|hoy|ahora|todavía|aún|también|siempre|nunca|jamás|anoche|ayer|a veces|realmente"
AFTER = (
    "de|del|con|conmigo|contigo|por|en|a|al|para|que|como|y|e|ni|o|pero|cuando|porque|hoy|ahora|ayer|anoche|aquí|ya|"
    "sin|desde|hasta|mientras|si|aunque|todavía|aún|también|sobre|ante|entre|tras|después|antes|últimamente|ahí|allí|acá|"
    "contra|cada|mañana|siempre|otra"
)
FOLLOWS = rf"(?= (?:{AFTER})\b|[^\w\s]|\s*$)"
FORM = rf"(?:(?:{DEGREE}) )*(\w+)([oa])\b"
FIRST = re.compile(rf"[¡¿\s]*(?:(?:{BEFORE}) )*(?:{SURE}|{EITHER}) {FORM}{FOLLOWS}")
COORDINATED = re.compile(rf"(?:,? (?:y|e|ni|o|pero)|,) {FORM}{FOLLOWS}")
LATER = re.compile(rf"\b(?:{SURE}) {FORM}{FOLLOWS}|\b(?:mí|conmigo|yo) (mism)([oa])\b")
# Stems that take both endings without being one adjective in two forms, or that say more of the speaker than a gender.
OTHERWISE = (
    "l un y nad cad tod much poc com hast otr demasiad medi baj just fuer afuer cerc dentr hech clar contrari "
    "derech direct inclus nuev sin san junt par tiemp miembr embarazad frí es haci mañan ahor alg cuatr bebid "
    "policí vuestr id lad cort complet lej prim padr tí leyend viviend tocad recordad observad"
)
WHO = {"He": "Él", "She": "Ella", "I": "Yo"}
# The eleven conditions of Moryossef et al. (2019), Table 1: speaker and audience. What is drawn for a sentence depends on
# their order, which stays as it was when the translators were trained.
CONDITIONS = (
    ("none", "none"),
    *(
        (speaker, audience)
        for speaker in ("He", "She")
        for audience in ("none", "him", "her", "them")
    ),
    ("I", "none"),
    ("I", "them"),
)


class Marked(NamedTuple):
    """A sentence pair whose Spanish marks the speaker: both forms of it, the one found ("m" or "f"), the stem."""

    english: str
    masculine: str
    feminine: str
    found: str
    stem: str

    @property
    def spanish(self) -> str:
        return self.feminine if self.found == "f" else self.masculine


class Example(NamedTuple):
    """A made training pair, who speaks to whom according to its prefix, and the gender of its form ("" if unmarked)."""

    english: str
    spanish: str
    speaker: str
    audience: str
    form: str


def prefixes(speaker: str, audience: str) -> Pair:
    """The English and the Spanish prefix of a condition of Table 1, ("", "") for that without one."""
    if speaker == "none":
        return "", ""
    verb = "dije" if speaker == "I" else "dijo"
    addressed = {
        "none": verb,
        "them": f"les {verb}",
        "him": f"le {verb} a él",
        "her": f"le {verb} a ella",
    }[audience]
    return prefix_of(speaker, audience), f"{WHO[speaker]} {addressed}: "


def adjectives(pairs: Iterable[Pair]) -> frozenset[str]:
    """Stems of the adjectives and participles found in the first person, of which the Spanish sentences show both forms.

    A participle in -ado or -ido needs no second form, it always has one.
    """
    stems, words = set(), set()
    for english, spanish in pairs:
        lower = spanish.lower()
        words.update(re.findall(r"\w+", lower))
        if english.startswith(("I ", "I'")) and (match := FIRST.match(lower)):
            stems.add(match[1])
    return frozenset(
        stem
        for stem in stems - set(OTHERWISE.split())
        if re.search("[ai]d$", stem) or {stem + "o", stem + "a"} <= words
    )


def held_out_adjectives(stems: Iterable[str]) -> list[str]:
    """Every fifth stem, by a hash, as masculine forms in the order of the alphabet."""
    return sorted(
        f"{stem}o" for stem in stems if hashlib.sha256(stem.encode()).digest()[0] % 5 == 0
    )


def marked_letters(spanish: str, stems: Collection[str]) -> tuple[str, list[int]]:
    """The stem of the form that marks a first-person speaker and where its last letter and those that agree with it
    stand; ("", []) when nothing marks the speaker."""
    lower = spanish.lower()
    match = FIRST.match(lower)
    if not match or match[1] not in stems:
        return "", []
    stem, ending, places, end = match[1], match[2], [match.start(2)], match.end()
    while (match := COORDINATED.match(lower, end)) and match[1] in stems and match[2] == ending:
        places.append(match.start(2))
        end = match.end()
    for match in LATER.finditer(lower, end):
        group = 2 if match[1] else 4
        if match[group] == ending and (group == 4 or match[1] in stems):
            places.append(match.start(group))
    return stem, places


def speaker_gender(spanish: str, stems: Collection[str]) -> str:
    """ "f", "m" or "" for a Spanish sentence: the ending of the first form that marks a first-person speaker."""
    _, places = marked_letters(spanish, stems)
    return {"a": "f", "o": "m"}[spanish[places[0]].lower()] if places else ""


def marked_pair(pair: Pair, stems: Collection[str]) -> Marked | None:
    """The pair with both forms when the English speaks in the first person and the Spanish marks it, else None."""
    english, spanish = pair
    if not english.startswith(("I ", "I'")) or ":" in spanish or '"' in english:
        return None
    stem, places = marked_letters(spanish, stems)
    if not stem:
        return None
    letters = list(spanish)
    forms = {}
    for gender, ending in (("m", "o"), ("f", "a")):
        for place in places:
            letters[place] = ending
        forms[gender] = "".join(letters)
    return Marked(english, forms["m"], forms["f"], {"a": "f", "o": "m"}[spanish[places[0]]], stem)


def speaks_held_out(pair: Pair, stems: Collection[str], held: Collection[str]) -> bool:
    """Whether the pair marks its first-person speaker with a held-out adjective."""
    found = marked_pair(pair, stems)
    return found is not None and f"{found.stem}o" in held


def holds(spanish: str, held: Collection[str]) -> bool:
    """Whether a Spanish sentence has a held-out adjective in any form."""
    return any(re.sub("[oa]s?$", "o", word) in held for word in re.findall(r"\w+", spanish.lower()))


def made_examples(
    pairs: Sequence[Pair],
    stems: Collection[str],
    held: Collection[str],
    number: int,
    arm: str = "right",
    unmarked: float = 0.25,
    *,
    rng: np.random.Generator,
) -> list[Example]:
    """So many direct-speech examples, the eleven conditions in equal numbers, from pairs without a held-out adjective.

    The form follows the speaker of the prefix; after "I said" and without prefix it is the one found. A share `unmarked`
    of the sentences marks no speaker. arm : "right"; "plain" leaves the prefixes away; "shuffled" says He for She and She
    for He in every second example, so that the prefix does not tell the form.
    """
    if arm not in ARMS:
        raise ValueError(f"arm must be one of {', '.join(ARMS)}, got '{arm}'")
    usable = [
        pair
        for pair in pairs
        if ":" not in pair[1] and '"' not in pair[0] and not holds(pair[1], held)
    ]
    marked = [found for pair in usable if (found := marked_pair(pair, stems))]
    plain = [
        Marked(english, spanish, spanish, "", "")
        for english, spanish in usable
        if len(english.split()) <= 12 and not marked_letters(spanish, stems)[0]
    ]
    if number and not (marked and plain):
        raise ValueError(
            f"expected first-person sentences that mark their speaker, got none in {len(pairs):,} pairs"
        )
    examples = []
    rounds = -(-number // len(CONDITIONS))
    without = rng.random(rounds) < unmarked
    for turn in range(rounds):
        pool = plain if without[turn] else marked
        for speaker, audience in CONDITIONS:
            found = pool[rng.integers(len(pool))]
            form = {"He": "m", "She": "f"}.get(speaker, found.found) if found.stem else ""
            spanish = found.feminine if form == "f" else found.masculine
            if arm == "shuffled" and turn % 2:
                speaker = {"He": "She", "She": "He"}.get(speaker, speaker)
            said, dicho = prefixes(*(("none", "none") if arm == "plain" else (speaker, audience)))
            examples.append(Example(said + found.english, dicho + spanish, speaker, audience, form))
    return examples[:number]
