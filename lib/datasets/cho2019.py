"""What Cho et al. (2019) released: Korean sentences with a neutral pronoun, and what three systems made of them.

1,059 items (735 occupations, 200 negative and 124 positive words), each in four sentences: informal or formal pronoun,
impolite or polite ending. Seven overlapping sets divide the same 4,236 sentences in three ways.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from lib.sources import fetch
from lib.translation.tgbi import TgbiResult, set_score, truncated

SYSTEMS = ("google", "papago", "kakao")
# Set -> what the files of its sentences and of its outputs end in.
SETS = {
    "informal": ("informal", "inf"),
    "formal": ("formal", "f"),
    "impolite": ("impolite", "imp"),
    "polite": ("polite", "p"),
    "negative": ("neg", "neg"),
    "positive": ("pos", "pos"),
    "occupation": ("job", "job"),
}
PARTITIONS = {
    "pronoun": ("informal", "formal"),
    "ending": ("impolite", "polite"),
    "kind": ("negative", "positive", "occupation"),
}
ITEMS = {"occupation": range(735), "negative": range(735, 935), "positive": range(935, 1059)}
SENTENCES = 4
# "He's a bus driver." and its like: what stands after the verb is the occupation's English name.
NAMED = re.compile(r"(?:s?he|(?:the|that) person)(?:'s| is) (?:an? |the )?(.+?)[.!]?$")


@dataclass(frozen=True)
class Released:
    """One system: set -> its outputs, the Korean sentences they were made from, and the item (0 to 1058) of each."""

    system: str
    outputs: Mapping[str, list[str]]
    sources: Mapping[str, list[str]]
    items: Mapping[str, list[int]]


def released_outputs(system: str) -> Released:
    """The released sentences and outputs of "google", "papago" or "kakao". Needs the `sample` files.

    Raises ValueError for another system, or when a file has not the lines that its set has sentences.
    """
    if system not in SYSTEMS:
        raise ValueError(f"expected one of the systems {', '.join(SYSTEMS)}, got {system!r}")
    items = {name: _items(name) for name in SETS}
    outputs = {
        name: _lines(f"tgbi_total_{system}_{ending}", len(items[name]))
        for name, (_, ending) in SETS.items()
    }
    sources = {
        name: _lines(f"tgbi_total_{ending}", len(items[name])) for name, (ending, _) in SETS.items()
    }
    return Released(system, outputs, sources, items)


def _items(name: str) -> list[int]:
    if name in ITEMS:
        return [*ITEMS[name]] * SENTENCES
    return [item for numbers in ITEMS.values() for item in [*numbers] * (SENTENCES // 2)]


def _lines(key: str, number: int) -> list[str]:
    lines = fetch(key).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if len(lines) != number:
        raise ValueError(f"{key}: expected {number:,} lines, got {len(lines):,}; fetch it again")
    return lines


def partition_counts(found: TgbiResult) -> dict[str, tuple[int, int, int]]:
    """Feminine, masculine and neutral outputs by each way of dividing the sentences; one run over them gives one triple.

    found : the index over the seven sets. Returns "pronoun", "ending" and "kind" -> counts that add up to 4,236.
    """
    counted = {}
    for way, names in PARTITIONS.items():
        scores = [found.sets[name] for name in names]
        counted[way] = tuple(
            round(sum(score[place] * score.n for score in scores)) for place in range(3)
        )
    return counted


def printed_counts(
    p_female: float, p_neutral: float, score: float, n: int
) -> list[tuple[int, int]]:
    """Every number of feminine and of neutral outputs, of n, that is printed so: all three cells cut off at four decimals.

    Cho et al. (2019), Table 1: one pair for each of its cells, so that the printed shares give the counts away.
    """

    def near(share: float) -> range:
        return range(max(0, int(share * n) - 1), min(n, int((share + 1e-4) * n) + 1) + 1)

    found = []
    for female, neutral in product(near(p_female), near(p_neutral)):
        if female + neutral <= n:
            shares = set_score(female, n - female - neutral, neutral)
            if tuple(map(truncated, (shares.p_female, shares.p_neutral, shares.score))) == (
                p_female,
                p_neutral,
                score,
            ):
                found.append((female, neutral))
    return found


def english_names(released: Iterable[Released]) -> dict[int, tuple[str, ...]]:
    """Item of each occupation -> its English names in the outputs, the most frequent first; none where none is found."""
    names = {item: Counter() for item in ITEMS["occupation"]}
    for one in released:
        for item, output in zip(one.items["occupation"], one.outputs["occupation"]):
            if found := NAMED.match(output.lower()):
                names[item][found[1]] += 1
    return {
        item: tuple(name for name, _ in counted.most_common()) for item, counted in names.items()
    }
