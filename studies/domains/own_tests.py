"""Tests of a reader's own words and pairs, beside the five of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lib.lexicons import Lexicon
from lib.own_lists import OwnWords, read_own_words, words_or

MOST_GROUPS = 9  # a test is known by a letter and a digit


def groups_or_none(name: str, value: Any) -> str:
    """A rule for a parameter: "", or a file of words in at most nine groups."""
    reference = words_or("")(name, value)
    if reference and len(groups := read_own_words(reference).groups) > MOST_GROUPS:
        raise ValueError(
            f"{name}: expected at most {MOST_GROUPS} groups of words, got {len(groups)}; run the chapter once for each part"
        )
    return reference


def with_own(
    printed: Lexicon,
    words: OwnWords | None = None,
    pairs: Sequence[tuple[str, str]] = (),
    controls: Sequence[str] = (),
) -> tuple[Lexicon, dict[str, str]]:
    """The tests of the paper and those of the reader: the lists with one's own, and what its own tests are called.

    Two groups are set against each other; one, or more than two, each against control words. Pairs, female word first, take
    the place of the printed male and female words in all tests.
    """
    lists, tests, names = dict(printed.lists), dict(printed.tests), {}
    if pairs:
        female, male = (tuple(dict.fromkeys(side)) for side in zip(*pairs))
        lists |= {"female": female, "male": male}
    groups = dict(words.groups) if words else {}
    lists |= {f"your {name}": group for name, group in groups.items()}
    contrasts = [(name, "") for name in groups]
    if len(groups) == 2:
        contrasts = [(contrasts[0][0], contrasts[1][0])]
    for number, (first, second) in enumerate(contrasts, 1):
        other = f"your {second}"
        if not second:
            other = f"control words beside {first}"
            lists[other] = tuple(word for word in controls if word not in groups[first])
        tests[f"y{number}"] = (f"your {first}", other, "male", "female")
        names[f"y{number}"] = f"Y{number} {first} vs {second or 'everyday nouns'}"
    return replace(printed, lists=lists, tests=tests), names


Lists = tuple[tuple[str, ...], ...]


def checked_lists(
    tests: Mapping[str, Sequence[Sequence[str]]], sides: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Lists], dict[str, tuple[str, ...]]]:
    """Tests of two lists of words each, and the two sides they are set against, as typed into a notebook; else what is wrong with them."""
    if not isinstance(tests, Mapping) or not tests:
        raise ValueError(
            f'tests: expected {{"a name": (["words", "of"], ["both", "lists"])}}; got {tests!r:.80}'
        )
    if not isinstance(sides, Mapping) or len(sides) != 2:
        raise ValueError(
            f'sides: expected two named lists, {{"good": ["love"], "bad": ["hate"]}}; got {sides!r:.80}'
        )
    checked = {}
    for name, two in tests.items():
        if isinstance(two, str) or len(two) != 2:
            raise ValueError(f"tests: expected two lists of words for {name!r}; got {two!r:.80}")
        checked[name] = tuple(_words(name, part) for part in two)
    return checked, {side: _words(side, words) for side, words in sides.items()}


def _words(name: str, words: Sequence[str]) -> tuple[str, ...]:
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        raise ValueError(
            f'{name}: expected a list of words, such as ["poem", "song"]; got {words!r:.80}'
        )
    return tuple(words)
