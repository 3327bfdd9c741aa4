"""Sentences said by someone: an evaluation set in which English does not say a gender and Spanish must, and its outputs.

Each adjective of `data/lexicons/first_person.json` stands in every frame of its copula, with a Spanish reference for a
woman and one for a man; the sentences to a listener have references for one and for several.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from lib.lexicons import load_lexicon
from lib.paths import DATA
from lib.translation.direct_speech import Pair, marked_pair, speaks_held_out
from lib.translation.gender import Marking, Markings, count_markings
from lib.translation.gender_spanish import audience_marking, speaker_marking
from lib.translation.prefixes import CONDITIONS, prefix_of, split_prefix
from lib.translation.tatoeba import split_pairs
from lib.translation.translators import Translator

CONTROL, BEYOND = ("someone", "none"), (("they", "none"),)
EVERY = (
    *CONDITIONS,
    CONTROL,
    *BEYOND,
)  # Table 1, a speaker without gender, and what the paper did not try


class Spoken(NamedTuple):
    """An English sentence of the first person, its Spanish as a man and as a woman says it, and the form that differs."""

    english: str
    masculine: str
    feminine: str
    form: str


class Addressed(NamedTuple):
    """An English sentence to a listener and its Spanish to a man, a woman, several, and several women."""

    english: str
    him: str
    her: str
    them: str
    women: str


@dataclass(frozen=True)
class Told:
    """Outputs without their prefix, and the prefixes that came off: None where one was given and none found."""

    texts: list[str]
    prefixes: list[str | None]
    given: str = ""

    @property
    def kept(self) -> int:
        """Outputs in which the given prefix was found."""
        return sum(prefix is not None for prefix in self.prefixes)

    def markings(self, reader: Callable[[str], Marking] = speaker_marking) -> Markings:
        """How often each gender and number is read in the outputs. reader : from an output to a `Marking`."""
        return count_markings(map(reader, self.texts))


def condition_name(speaker: str, audience: str = "none") -> str:
    """A condition as a figure names it: "She said to them:", "no prefix"."""
    return prefix_of(speaker, audience).strip() or "no prefix"


def first_person_set() -> list[Spoken]:
    """The sentences of the first person, each adjective in each frame of its copula."""
    lexicon = load_lexicon("first_person")
    return [
        Spoken(
            english.format(adjective), spanish.format(form), spanish.format(feminine(form)), form
        )
        for copula in ("estar", "ser")
        for english, spanish in lexicon[f"frames_{copula}"]
        for adjective, form in lexicon[f"being_{copula}"]
    ]


def held_out_pairs() -> tuple[list[Spoken], list[Pair]]:
    """First-person sentences with a held-out adjective, and pairs that mark no person, of Tatoeba; none of them trained on.

    One pair for each English sentence. Needs the `sample` files.
    """
    split = split_pairs()
    parts = {
        english: (english, spanish) for english, spanish in (*split.speech, *split.test)
    }.values()
    found = [
        marked
        for pair in parts
        if speaks_held_out(pair, split.stems, split.held_out)
        if (marked := marked_pair(pair, split.stems))
    ]
    plain = [
        pair
        for pair in {english: (english, spanish) for english, spanish in split.test}.values()
        if {read(pair[1]).gender for read in (speaker_marking, audience_marking)} == {"unmarked"}
    ]
    return [
        Spoken(one.english, one.masculine, one.feminine, f"{one.stem}o") for one in found
    ], plain


def listener_set() -> list[Addressed]:
    """The sentences to a listener, each adjective in each frame."""
    lexicon = load_lexicon("first_person")
    return [
        Addressed(
            english.format(adjective),
            one.format(form),
            one.format(feminine(form)),
            many.format(f"{form}s"),
            many.format(f"{feminine(form)}s"),
        )
        for english, one, many in lexicon["listener_frames"]
        for adjective, form in lexicon["listeners"]
    ]


def hand_checked() -> pd.DataFrame:
    """Outputs of the book's translators, what they say as labelled by hand, and whether `lib.translation.gender_spanish` reads the same.

    Columns: reader ("speaker" or "audience"), text, gender, number (labelled for the audience only), agrees.
    """
    table = pd.read_csv(DATA / "markings" / "spanish.csv", dtype=str, keep_default_na=False)
    readers = {"speaker": speaker_marking, "audience": audience_marking}
    found = [readers[row.reader](row.text) for row in table.itertuples()]
    agrees = [
        row.gender == one.gender and row.number in ("", one.number)
        for row, one in zip(table.itertuples(), found)
    ]
    return table.assign(agrees=agrees)


def feminine(form: str) -> str:
    """The feminine of an adjective in -o. Raises ValueError for another ending."""
    if not form.endswith("o"):
        raise ValueError(f"expected a masculine form in -o, got {form!r}")
    return form[:-1] + "a"


def told(
    translator: Translator,
    sentences: Sequence[str],
    speaker: str = "none",
    audience: str = "none",
    *,
    verb: str = "said",
    language: str = "es",
) -> Told:
    """Sentences translated behind the prefix of a condition, which is taken off again.

    speaker, audience, verb : as in `lib.translation.prefixes.prefix_of`. language : of the outputs, one of `lib.translation.prefixes.PARTS`.
    Without a speaker nothing is taken off. Raises what the translator and `prefix_of` raise.
    """
    prefix = prefix_of(speaker, audience, verb=verb)
    outputs = translator.translate([prefix + sentence for sentence in sentences])
    if not prefix:
        return Told(outputs, [None] * len(outputs))
    found = [split_prefix(output, language) for output in outputs]
    return Told([rest for _, rest in found], [said for said, _ in found], prefix)
