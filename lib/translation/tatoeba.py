"""The English–Spanish pairs of Tatoeba, split by source sentence into what our translators see and what they do not."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from lib.sources import fetch
from lib.translation.direct_speech import Pair, adjectives, held_out_adjectives, speaks_held_out

TATOEBA, DIRECTIONS = "tatoeba_spa_eng_zip", ("en-es", "es-en")


@dataclass(frozen=True)
class Split:
    """English–Spanish pairs by use, the stems of the adjectives that mark a speaker, and those held out (masculine).

    No source sentence is shared between the parts, punctuation and case aside. `speech` are first-person sentences that
    mark their speaker with a held-out adjective.
    """

    training: list[Pair]
    validation: list[Pair]
    test: list[Pair]
    speech: list[Pair]
    stems: frozenset[str]
    held_out: list[str]


def read_pairs() -> list[Pair]:
    """The English–Spanish pairs of Tatoeba, in the order of the file."""
    with zipfile.ZipFile(fetch(TATOEBA)) as archive:
        lines = archive.read("spa-eng/spa.txt").decode("utf-8").splitlines()
    return [tuple(line.split("\t")[:2]) for line in lines]


def letters(sentence: str) -> str:
    """A sentence without case, spaces and punctuation: what two sentences must not share to be different."""
    return "".join(filter(str.isalnum, sentence.casefold()))


def split_pairs(direction: str = "en-es") -> Split:
    """The pairs split by the hash of the source sentence: 1 % validation, 2 % test; and of the first-person sentences that
    mark their speaker with a held-out adjective two in three."""
    pairs = read_pairs()
    stems = adjectives(pairs)
    held_out = held_out_adjectives(stems)
    source = DIRECTIONS.index(direction)
    spoken = {letters(pair[source]) for pair in pairs if speaks_held_out(pair, stems, held_out)}
    parts = {"training": [], "validation": [], "test": [], "speech": []}
    for pair in pairs:
        key = letters(pair[source])
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")
        if key in spoken and number % 3:
            part = "speech"
        else:
            part = (
                "validation"
                if number % 100 == 0
                else "test"
                if number % 100 in (1, 2)
                else "training"
            )
        parts[part].append(pair)
    return Split(**parts, stems=stems, held_out=held_out)


def directed(pairs: Sequence[Pair], direction: str) -> list[Pair]:
    """The pairs as (source, target)."""
    return (
        list(pairs) if direction == "en-es" else [(spanish, english) for english, spanish in pairs]
    )
