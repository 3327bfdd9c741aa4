"""Sentence encoder association tests (May et al. 2019) of the double bind and of the angry black woman stereotype."""

import json
from typing import NamedTuple

from lib.sources import fetch


class SeatTest(NamedTuple):
    """Two lists of adjectives, two of names, and the sentence they stand in, with {target} and {attribute}."""

    first_adjectives: list[str]
    second_adjectives: list[str]
    first_names: list[str]
    second_names: list[str]
    template: str


def read_seat(key: str) -> SeatTest:
    """A test of SEAT, its sentences taken apart into names and adjectives; of one with words the sentence is plain."""
    lists = json.loads(fetch(key).read_text(encoding="utf-8"))
    adjectives, names = (
        [lists[part]["examples"] for part in parts]
        for parts in (("attr1", "attr2"), ("targ1", "targ2"))
    )
    if " " not in adjectives[0][0]:
        return SeatTest(*adjectives, *names, "{target} is {attribute}")
    name = names[0][0].split()[0]
    frame_of_adjective = " ".join([*adjectives[0][0].split()[:-1], "{attribute}"])
    template = f"{names[0][0].replace(name, '{target}', 1)} {frame_of_adjective}"
    last_words = [[text.rstrip(".").split()[-1] for text in part] for part in adjectives]
    first_words = [[text.split()[0] for text in part] for part in names]
    return SeatTest(*last_words, *first_words, template)
