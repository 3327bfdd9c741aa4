"""Real sentences to put words into: frames cut from registered texts.

A frame is a sentence with one slot, "{}", where a word goes: swapping the word and nothing else is
filling one frame twice.

    texts = read_sentences(["gap_development", "nltk_brown"])
    frames_of(texts, ["nurse"], without=["she", "he"])
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from lib.checks import one_of
from lib.datasets import bold, gap
from lib.datasets.corpora import brown_sentences

SLOT = "{}"
KEYS = (*gap.KEYS, *bold.WIKIPEDIA, "nltk_brown")
FEWEST_WORDS, MOST_WORDS = 6, 40  # in a sentence, punctuation not counted


def frame_of(sentence: str, word: str) -> str:
    """A sentence with a slot in place of a word, where it first stands whole, in any case.

    Examples
    --------
    >>> frame_of("The nursery has a Nurse.", "nurse")
    'The nursery has a {}.'
    """
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", SLOT, sentence, count=1, flags=re.IGNORECASE)


def fill(frames: Iterable[str], word: str) -> list[str]:
    """Each frame with a word in its slot, with a capital where the slot begins the sentence.

    Parameters
    ----------
    frames : iterable of str
        Sentences with one "{}" each, or one such sentence.
    word : str

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        For a frame without exactly one slot.

    Examples
    --------
    >>> fill(["{} slept.", "Then {} woke."], "she")
    ['She slept.', 'Then she woke.']
    """
    sentences = []
    for frame in [frames] if isinstance(frames, str) else frames:
        if frame.count(SLOT) != 1:
            raise ValueError(
                f"expected frames with one slot {SLOT}, got {frame!r}; frames_of makes them from sentences"
            )
        opening = frame.startswith(SLOT)
        sentences.append(frame.replace(SLOT, word[:1].upper() + word[1:] if opening else word))
    return sentences


def fill_all(frames: Mapping[str, Iterable[str]]) -> tuple[list[str], list[str]]:
    """The filled frames of several words, and beside each the word in it.

    Parameters
    ----------
    frames : mapping of str to iterable of str
        Word -> its frames.

    Returns
    -------
    sentences, words : list of str
        As long as there are frames, word after word.

    Examples
    --------
    >>> fill_all({"she": ["{} slept."], "he": ["Then {} woke.", "{} rose."]})
    (['She slept.', 'Then he woke.', 'He rose.'], ['she', 'he', 'he'])
    """
    sentences = [text for word, held in frames.items() for text in fill(held, word)]
    return sentences, [word for word, held in frames.items() for _ in held]


def frames_of(
    sentences: Sequence[str],
    words: Collection[str],
    *,
    without: Collection[str] = (),
    most: int = 10,
    rng: np.random.Generator | int | None = None,
) -> dict[str, list[str]]:
    """Frames for each word from real sentences in which it stands once, chosen at random.

    Parameters
    ----------
    sentences : sequence of str
        As `read_sentences` gives them.
    words : collection of str
        In small letters; they are found in any case.
    without : collection of str
        Sentences with any of these are not used for another word than that one.
    most : int
        So many frames for a word at most.
    rng : Generator or int, optional

    Returns
    -------
    dict of str to list of str
        Word -> frames in random order; a word that no sentence holds has none.

    Examples
    --------
    >>> frames_of(["A judge met Ann.", "She saw a judge."], ["judge"], without=["she"])
    {'judge': ['A {} met Ann.']}
    """
    generator = np.random.default_rng(rng)
    wanted, barred = set(words), {word.lower() for word in without}
    places = defaultdict(list)
    for number, sentence in enumerate(sentences):
        tokens = re.findall(r"\w+", sentence.lower())
        others = barred.intersection(tokens)
        for word in wanted.intersection(tokens):
            if tokens.count(word) == 1 and not others - {word}:
                places[word].append(number)
    chosen = {word: generator.permutation(places[word])[:most] for word in words}
    return {
        word: [frame_of(sentences[number], word) for number in numbers]
        for word, numbers in chosen.items()
    }


def read_sentences(keys: Iterable[str]) -> list[str]:
    """The sentences of registered texts, each once, in their order: those of 6 to 40 words that
    hold no braces.

    Parameters
    ----------
    keys : iterable of str
        Of `KEYS`: GAP (Wikipedia around a pronoun), BOLD's Wikipedia (people, professions), the
        Brown corpus.

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        For another key.
    FetchError
        For a file that is not at hand.
    """
    kept: dict[str, None] = {}
    for key in keys:
        one_of("a text with sentences", key, KEYS)
        for sentence in _sentences(key):
            fits = FEWEST_WORDS <= len(re.findall(r"\w+", sentence)) <= MOST_WORDS
            if fits and not {"{", "}"} & set(sentence):
                kept.setdefault(" ".join(sentence.split()))
    return list(kept)


def _sentences(key: str) -> Iterator[str]:
    if key in gap.KEYS:
        for passage in gap.read_gap(key)["Text"]:
            yield from re.split(r"(?<=[.!?])\s+(?=[A-Z\"'])", passage)
    elif key in bold.WIKIPEDIA:
        yield from bold.read_bold(key)["text"]
    else:
        for words in brown_sentences():
            text = " ".join(words).replace("``", '"').replace("''", '"')
            yield re.sub(r" (?=[,.;:?!)])|(?<=\() ", "", text)
