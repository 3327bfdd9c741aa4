"""Sentence encoder association tests (SEAT) of the double bind and of the angry black woman
stereotype.
"""

import json
from typing import NamedTuple

from lib.sources import fetch


class SeatTest(NamedTuple):
    """A test: two lists of adjectives, two of names, and the sentence they stand in."""

    first_adjectives: list[str]
    second_adjectives: list[str]
    first_names: list[str]
    second_names: list[str]
    template: str


def read_seat(key: str) -> SeatTest:
    """A test of SEAT, its sentences taken apart into names and adjectives.

    Parameters
    ----------
    key : str
        A registry key that starts with ``seat_``.

    Returns
    -------
    SeatTest
        Its template has the slots {target} and {attribute}: that of a test with sentences joins the frame of a name
        with the frame of an adjective; that of a test with words is "{target} is {attribute}".

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    May, Wang, Bordia, Bowman and Rudinger (2019).
    """
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
