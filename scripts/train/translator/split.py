"""How Tatoeba's pairs were split when the shipped translators were trained.

python -m scripts.train.translator.split     needs the `sample` files

writes data/models/tatoeba-en-es/held_out_pairs.csv: which pairs were not trained on, and the
letters by which a held-out adjective marks who speaks.
"""

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from lib.checks import one_of
from lib.command import command
from lib.datasets import tatoeba
from lib.datasets.tatoeba import Pair, letters
from lib.files import write_whole
from lib.paths import DATA
from scripts.train.translator.direct_speech import (
    adjectives,
    held_out_adjectives,
    marked_letters,
    speaks_held_out,
)

DIRECTIONS = ("en-es", "es-en", "en-fr")


@dataclass(frozen=True)
class Split:
    """Pairs of English and another language by use.

    No source sentence is shared between the parts, punctuation and case aside.

    Attributes
    ----------
    training, validation, test : list of pairs
    speech : list of pairs
        First-person sentences that mark their speaker with a held-out adjective; none in French.
    stems : frozenset of str
        Of the adjectives that mark a speaker; none in French.
    held_out : list of str
        Those held out, masculine; none in French.
    """

    training: list[Pair]
    validation: list[Pair]
    test: list[Pair]
    speech: list[Pair]
    stems: frozenset[str]
    held_out: list[str]


def split_pairs(direction: str = "en-es") -> Split:
    """The pairs split by the hash of the source sentence: 1 % validation, 2 % test.

    Of the first-person sentences that mark their speaker with a held-out adjective two in three go
    to `speech`. The translator into French is taught no direct speech, so that no adjective is held
    out for it; what it is tested with are sentences written for this book, none of them in the file
    (`lib.translation.evaluation_sets.first_person_set_french`).
    """
    one_of("direction", direction, DIRECTIONS)
    source = 0 if direction.startswith("en-") else 1
    if direction == "en-fr":
        pairs, stems, held_out = tatoeba.read_pairs("fr"), frozenset(), []
    else:
        pairs = tatoeba.read_pairs()
        stems = adjectives(pairs)
        held_out = held_out_adjectives(stems)
    spoken = {letters(pair[source]) for pair in pairs if speaks_held_out(pair, stems, held_out)}
    parts = {"training": [], "validation": [], "test": [], "speech": []}
    for pair in pairs:
        key = letters(pair[source])
        number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big")
        if key in spoken and number % 3:
            part = "speech"
        else:
            part = {0: "validation", 1: "test", 2: "test"}.get(number % 100, "training")
        parts[part].append(pair)
    return Split(**parts, stems=stems, held_out=held_out)


def directed(pairs: Sequence[Pair], direction: str) -> list[Pair]:
    """The pairs as (source, target)."""
    return [pair if direction.startswith("en-") else pair[::-1] for pair in pairs]


def held_out_table(split: Split) -> pd.DataFrame:
    """The pairs of `speech` and `test`, as `lib.translation.evaluation_sets.held_out_pairs` reads
    them.

    Returns
    -------
    DataFrame
        Columns part; line: in the file of Tatoeba, from 0; stem: of the held-out adjective that
        marks who speaks, "" where none does; letters: places of the letters that change with the
        speaker's gender.
    """
    lines = {pair: line for line, pair in enumerate(tatoeba.read_pairs())}
    rows = []
    for part, pairs in (("speech", split.speech), ("test", split.test)):
        for pair in pairs:
            stem, places = "", []
            if speaks_held_out(pair, split.stems, split.held_out):
                stem, places = marked_letters(pair[1], split.stems)
            rows.append((part, lines[pair], stem, " ".join(map(str, places))))
    return pd.DataFrame(rows, columns=["part", "line", "stem", "letters"])


@command()
def main() -> None:
    """Write the held-out pairs of the shipped translator."""
    path = DATA / "models" / "tatoeba-en-es" / "held_out_pairs.csv"
    write_whole(path, held_out_table(split_pairs()).to_csv(index=False))


if __name__ == "__main__":
    sys.exit(main())
