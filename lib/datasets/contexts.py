"""Sentences to put words into: frames written for this book, and frames cut from real sentences.

A frame is a sentence with one slot, "{}", where a word goes: swapping the word and nothing else is filling one frame twice.

    fill(own_frames("she"), "he")
    texts = read_sentences(["gap_development", "nltk_brown"]); frames_of(texts, ["nurse"], without=["she", "he"])
"""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from lib.lexicons import load_lexicon
from lib.sources import fetch

SLOT = "{}"
SETTINGS = ("work", "home", "town", "sport")  # of the frames for people, as many of each
KINDS = {
    "her": "possessive",
    "his": "possessive",
    "herself": "reflexive",
    "himself": "reflexive",
    "female": "adjective",
    "male": "adjective",
}
ALONE = {"she", "he"}  # pronouns and names go without an article
WORDS = 6, 40  # a real sentence has so many words, punctuation not counted


def own_frames(word: str) -> tuple[str, ...]:
    """The frames of data/lexicons/contexts.json that a word fits: a pronoun, a name (in capitals), or a noun for people.

    Frames for people come setting by setting (`SETTINGS`), as many of each; nouns get the article "the".
    """
    lists = load_lexicon("contexts").lists
    if word.lower() in KINDS:
        return lists[KINDS[word.lower()]]
    people = [frame for setting in SETTINGS for frame in lists[_list_of(setting)]]
    alone = word.lower() in ALONE or word[:1].isupper()
    return tuple(people if alone else [frame.replace(SLOT, f"the {SLOT}") for frame in people])


def _list_of(setting: str) -> str:
    return f"people_{'at' if setting != 'town' else 'in'}_{setting}"


def fill(frames: Iterable[str], word: str) -> list[str]:
    """Each frame with the word in its slot, with a capital where the slot begins the sentence.

    Raises ValueError for a frame without exactly one slot.
    """
    frames = [frames] if isinstance(frames, str) else list(frames)
    wrong = next((frame for frame in frames if frame.count(SLOT) != 1), None)
    if wrong is not None:
        raise ValueError(
            f"expected frames with one slot {SLOT}, got {wrong!r}; frames_of makes them from sentences"
        )
    return [
        frame.replace(SLOT, word[:1].upper() + word[1:] if frame.startswith(SLOT) else word)
        for frame in frames
    ]


def frames_of(
    sentences: Sequence[str],
    words: Collection[str],
    *,
    without: Collection[str] = (),
    most: int = 10,
    rng=None,
) -> dict[str, list[str]]:
    """Frames for each word from real sentences in which it stands once, up to `most`, chosen at random.

    sentences : as `read_sentences` gives them; words : in small letters, found in any case; without : sentences with any of
    these are not used for any word (another word of this list than the one in the slot, if that is on it).
    Returns word -> frames, in random order; a word that no sentence holds has none.
    """
    generator, wanted, barred = (
        np.random.default_rng(rng),
        set(words),
        {word.lower() for word in without},
    )
    places = defaultdict(list)
    for number, sentence in enumerate(sentences):
        held = re.findall(r"\w+", sentence.lower())
        others = barred.intersection(held)
        for word in wanted.intersection(held):
            if held.count(word) == 1 and not others - {word}:
                places[word].append(number)
    return {
        word: [
            _cut(sentences[number], word) for number in generator.permutation(places[word])[:most]
        ]
        for word in words
    }


def _cut(sentence: str, word: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", SLOT, sentence, count=1, flags=re.IGNORECASE)


def read_sentences(keys: Iterable[str]) -> list[str]:
    """The sentences of registered texts, each once, in their order: those of 6 to 40 words that hold no braces.

    keys : those of GAP (Wikipedia around a pronoun), of BOLD's Wikipedia (people, professions), and "nltk_brown".
    Raises ValueError for another key, FetchError for a file that is not at hand.
    """
    found = {}
    for key in keys:
        reader = next((reader for start, reader in READERS.items() if key.startswith(start)), None)
        if reader is None:
            raise ValueError(
                f"expected a key that starts with {', '.join(READERS)}, got '{key}'; other texts lack a reader"
            )
        for sentence in reader(fetch(key)):
            if WORDS[0] <= len(re.findall(r"\w+", sentence)) <= WORDS[1] and not set("{}") & set(
                sentence
            ):
                found.setdefault(" ".join(sentence.split()))
    return list(found)


def _passages(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from re.split(r"(?<=[.!?])\s+(?=[A-Z\"'])", row["Text"])


def _articles(path: Path) -> Iterator[str]:
    for group in json.loads(path.read_text(encoding="utf-8")).values():
        for article in group.values():
            yield from article


def _tagged(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(
            name for name in archive.namelist() if re.fullmatch(r"brown/c[a-r]\d\d", name)
        ):
            for line in archive.read(name).decode().splitlines():
                text = " ".join(token.rpartition("/")[0] for token in line.split())
                yield re.sub(
                    r" (?=[,.;:?!)])|(?<=\() ", "", text.replace("``", '"').replace("''", '"')
                )


READERS = {"gap_": _passages, "bold_": _articles, "nltk_brown": _tagged}
