"""The sentence sets of SEAT: words in bland sentences, one list of sentences for each word."""

import difflib
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from lib.sources import fetch
from lib.sources.registry import registry

PREFIX = "seat_sent_"
PARTS = ("targ1", "targ2", "attr1", "attr2")

Sentences = dict[str, list[str]]


class SentenceSets(NamedTuple):
    """A test of SEAT: word -> its sentences, for the targets X and Y and the attributes A and B."""

    X: Sentences
    Y: Sentences
    A: Sentences
    B: Sentences


def sentence_tests() -> tuple[str, ...]:
    """Registry keys of the tests with sentences in `W4ngatang/sent-bias`, in alphabetical order.

    Examples
    --------
    >>> tests = sentence_tests()
    >>> len(tests), tests[0]
    (19, 'seat_sent_angry_black_woman_stereotype')
    """
    return tuple(sorted(key for key in registry() if _is_test(key)))


def read_sentence_sets(key: str) -> SentenceSets:
    """A test of SEAT with the sentences of each word together.

    The file lists sentences only. Which word a sentence is about is read from the file of the same
    test with words: a sentence belongs to the word that one of its words begins like, else (men, of
    *man*) to the word of the sentence before it, for the sentences of a word stand together.

    Parameters
    ----------
    key : str
        One of `sentence_tests`.

    Returns
    -------
    SentenceSets

    Raises
    ------
    ValueError
        For another key.
    FetchError
        Where one of the two files is not at hand.

    References
    ----------
    May, Wang, Bordia, Bowman and Rudinger (2019).
    """
    if not _is_test(key):
        raise ValueError(f"key: expected one of {', '.join(sentence_tests())}; got {key!r}")
    sentences, words = (
        json.loads(fetch(name).read_text(encoding="utf-8"))
        for name in (key, key.replace(PREFIX, "seat_"))
    )
    return SentenceSets(
        *(by_word(sentences[part]["examples"], words[part]["examples"]) for part in PARTS)
    )


def by_word(sentences: Sequence[str], words: Sequence[str]) -> Sentences:
    """Sentences by the word that they are about.

    Parameters
    ----------
    sentences : sequence of str
        Those of a word stand together.
    words : sequence of str

    Returns
    -------
    dict of str to list of str
        Words that no sentence is about are left out.

    Examples
    --------
    >>> by_word(["This is a man.", "These are men.", "This is a boy."], ["man", "boy"])
    {'man': ['This is a man.', 'These are men.'], 'boy': ['This is a boy.']}
    """
    held: Sentences = {}
    last = words[0]
    for sentence in sentences:
        last = _closest(sentence, words) or last
        held.setdefault(last, []).append(sentence)
    return held


def _closest(sentence: str, words: Sequence[str]) -> str:
    """The word that the sentence holds, or one that a word of it begins like."""
    text = sentence.lower()
    whole = [word for word in words if re.search(rf"\b{re.escape(word.lower())}\b", text)]
    if whole:
        return max(whole, key=len)
    best, closeness = "", 0.0
    for token in re.findall(r"\w+", text):
        for word in words:
            if token.startswith(word.lower()[: max(3, len(word) - 3)]):
                ratio = difflib.SequenceMatcher(None, token, word.lower()).ratio()
                best, closeness = (word, ratio) if ratio > closeness else (best, closeness)
    return best


def _is_test(key: str) -> bool:
    sources = registry()
    return key.startswith(PREFIX) and key in sources and "/sent-bias/" in sources[key].url
