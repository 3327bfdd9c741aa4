"""What Cho et al. (2019) released: Korean sentences with a neutral pronoun, and their translations.

1,059 items (735 occupations, 200 negative and 124 positive words), each in four sentences: informal
or formal pronoun, impolite or polite ending. Seven overlapping sets divide the same 4,236 sentences
in three ways.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lib.checks import one_of
from lib.sources import fetch

SYSTEMS = {
    "google": "Google Translator",
    "papago": "Naver Papago",
    "kakao": "Kakao Translator",
}
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
SENTENCES = 4  # of an item


@dataclass(frozen=True)
class Released:
    """What one system, of `SYSTEMS`, made of the sentences.

    Set -> its outputs, the Korean sentences they were made from, and the item (0 to 1058) of each.
    """

    system: str
    outputs: Mapping[str, list[str]]
    sources: Mapping[str, list[str]]
    items: Mapping[str, list[int]]


def released_outputs(system: str) -> Released:
    """The released sentences and outputs of a system."""
    one_of("system", system, SYSTEMS)
    items = {
        name: [*ITEMS[name]] * SENTENCES
        if name in ITEMS
        else [item for numbers in ITEMS.values() for item in [*numbers] * (SENTENCES // 2)]
        for name in SETS
    }
    outputs, sources = {}, {}
    for name, (sentences, ending) in SETS.items():
        outputs[name] = _lines(f"tgbi_total_{system}_{ending}", len(items[name]))
        sources[name] = _lines(f"tgbi_total_{sentences}", len(items[name]))
    return Released(system, outputs, sources, items)


def _lines(key: str, number: int) -> list[str]:
    lines = fetch(key).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if len(lines) != number:
        raise ValueError(f"{key}: expected {number:,} lines, got {len(lines):,}; fetch it again")
    return lines


def english_names(released: Iterable[Released]) -> dict[int, tuple[str, ...]]:
    """The English names of the occupations in the outputs, such as "He's a bus driver.": item of each occupation -> its names,
    the most frequent first; none where none is found.
    """
    named = re.compile(r"(?:s?he|(?:the|that) person)(?:'s| is) (?:an? |the )?(.+?)[.!]?$")
    names = {item: Counter() for item in ITEMS["occupation"]}
    for system in released:
        for item, output in zip(system.items["occupation"], system.outputs["occupation"]):
            if match := named.match(output.lower()):
                names[item][match[1]] += 1
    return {item: tuple(name for name, _ in found.most_common()) for item, found in names.items()}
