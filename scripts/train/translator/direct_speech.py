"""The grammar of direct speech that made the training examples of the shipped translators: frozen.

It finds first-person sentences whose Spanish form marks the speaker's gender, and makes direct
speech of them. A form counts as marked when it ends in -o or -a and stands after a first-person
copula ("Estoy cansada", "Me sentí solo"); the rule would rather miss a form than invent one. What
it finds decides what the translators were trained on and what was held out, so that neither it nor
`data/lexicons/direct_speech.json` may change; outputs are judged by another grammar,
`lib.translation.gender_spanish`, which may.
"""

import functools
import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from lib.checks import one_of
from lib.datasets.tatoeba import Pair
from lib.lexicons import word_list
from lib.translation.prefixes import CONDITIONS, prefix_of
from studies.prefix_injection.doses import ARMS

WHO = {"he": "Él", "she": "Ella", "i": "Yo"}
# Conditions in the order in which examples were drawn for them.
ORDER = sorted(CONDITIONS, key=lambda condition: ("none", "he", "she", "i").index(condition[0]))


class Marked(NamedTuple):
    """A sentence pair whose Spanish marks the speaker, in both forms.

    `gender` ("m" or "f") is that of the form in the corpus, `stem` that of its adjective.
    """

    english: str
    masculine: str
    feminine: str
    gender: str
    stem: str


class Example(NamedTuple):
    """A made training pair, who speaks to whom by its prefix, and the gender of its form or ""."""

    english: str
    spanish: str
    speaker: str
    audience: str
    form: str


@functools.cache
def _patterns() -> tuple[re.Pattern, re.Pattern, re.Pattern]:
    """What finds the first form of a sentence, one that is coordinated with it, a later one."""
    first, either, degree, before, after = (
        "|".join(word_list(f"direct_speech/{name}"))
        for name in ("first", "first_or_third", "degree", "before", "after")
    )
    follows = rf"(?= (?:{after})\b|[^\w\s]|\s*$)"
    form = rf"(?:(?:{degree}) )*(\w+)([oa])\b"
    return (
        re.compile(rf"[¡¿\s]*(?:(?:{before}) )*(?:{first}|{either}) {form}{follows}"),
        re.compile(rf"(?:,? (?:y|e|ni|o|pero)|,) {form}{follows}"),
        re.compile(rf"\b(?:{first}) {form}{follows}|\b(?:mí|conmigo|yo) (mism)([oa])\b"),
    )


def prefixes(speaker: str, audience: str) -> Pair:
    """The English and the Spanish prefix of a condition of Table 1, ("", "") without a speaker."""
    speaker = speaker.lower()
    if speaker == "none":
        return "", ""
    verb = "dije" if speaker == "i" else "dijo"
    addressed = {
        "none": verb,
        "them": f"les {verb}",
        "him": f"le {verb} a él",
        "her": f"le {verb} a ella",
    }[audience]
    return prefix_of(speaker, audience), f"{WHO[speaker]} {addressed}: "


def adjectives(pairs: Iterable[Pair]) -> frozenset[str]:
    """Stems of adjectives and participles of the first person that occur in both forms.

    A participle in -ado or -ido needs no second form, it always has one.
    """
    first = _patterns()[0]
    stems, words = set(), set()
    for english, spanish in pairs:
        lower = spanish.lower()
        words.update(re.findall(r"\w+", lower))
        if english.startswith(("I ", "I'")) and (match := first.match(lower)):
            stems.add(match[1])
    return frozenset(
        stem
        for stem in stems - set(word_list("direct_speech/not_adjectives"))
        if re.search("[ai]d$", stem) or {stem + "o", stem + "a"} <= words
    )


def held_out_adjectives(stems: Iterable[str]) -> list[str]:
    """Every fifth stem, by a hash, as masculine forms in the order of the alphabet."""
    return sorted(
        f"{stem}o" for stem in stems if hashlib.sha256(stem.encode()).digest()[0] % 5 == 0
    )


def marked_letters(spanish: str, stems: Collection[str]) -> tuple[str, list[int]]:
    """Where a Spanish sentence marks a first-person speaker.

    Returns
    -------
    stem : str
        Of the first form that does so; "" where nothing marks the speaker.
    places : list of int
        Of the last letters of this form and of those that agree with it.
    """
    first, coordinated, later = _patterns()
    lower = spanish.lower()
    match = first.match(lower)
    if not match or match[1] not in stems:
        return "", []
    stem, ending, places, end = match[1], match[2], [match.start(2)], match.end()
    while (match := coordinated.match(lower, end)) and match[1] in stems and match[2] == ending:
        places.append(match.start(2))
        end = match.end()
    for match in later.finditer(lower, end):
        group = 2 if match[1] else 4
        if match[group] == ending and (group == 4 or match[1] in stems):
            places.append(match.start(group))
    return stem, places


def marked_pair(pair: Pair, stems: Collection[str]) -> Marked | None:
    """The pair in both forms if the English is first-person and the Spanish marks it, else None."""
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
    marked = marked_pair(pair, stems)
    return marked is not None and f"{marked.stem}o" in held


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
    """Direct-speech examples, the eleven conditions in equal numbers.

    The form follows the speaker of the prefix; after "I said" and without prefix it is that of the
    corpus.

    Parameters
    ----------
    pairs : sequence of pairs
        What they are made of; those with a held-out adjective are left out.
    stems, held : collection of str
        Stems of the adjectives that mark a speaker; those held out, masculine.
    number : int
        Of examples.
    arm : str
        "right"; "plain" leaves the prefixes away; "shuffled" says He for She and She for He in
        every second example, so that the prefix does not tell the form.
    unmarked : float
        Share of the sentences that mark no speaker.
    rng : Generator

    Raises
    ------
    ValueError
        For another arm, and where no sentence marks its speaker.
    """
    one_of("arm", arm, ARMS)
    usable = [
        pair
        for pair in pairs
        if ":" not in pair[1] and '"' not in pair[0] and not holds(pair[1], held)
    ]
    marked = [example for pair in usable if (example := marked_pair(pair, stems))]
    plain = [
        Marked(english, spanish, spanish, "", "")
        for english, spanish in usable
        if len(english.split()) <= 12 and not marked_letters(spanish, stems)[0]
    ]
    if number and not (marked and plain):
        raise ValueError(
            "expected first-person sentences that mark their speaker, "
            f"got none in {len(pairs):,} pairs"
        )
    examples = []
    rounds = -(-number // len(ORDER))
    without = rng.random(rounds) < unmarked
    exchanged = {"he": "she", "she": "he"}
    for turn in range(rounds):
        pool = plain if without[turn] else marked
        for speaker, audience in ORDER:
            pair = pool[rng.integers(len(pool))]
            form = {"he": "m", "she": "f"}.get(speaker, pair.gender) if pair.stem else ""
            spanish = pair.feminine if form == "f" else pair.masculine
            if arm == "shuffled" and turn % 2:
                speaker = exchanged.get(speaker, speaker)
            said, dicho = prefixes("none" if arm == "plain" else speaker, audience)
            examples.append(Example(said + pair.english, dicho + spanish, speaker, audience, form))
    return examples[:number]
