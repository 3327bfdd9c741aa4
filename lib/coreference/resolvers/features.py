"""What the surface of a passage says of each of two names and a pronoun: distance, order, title, place."""

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.coreference.resolvers.examples import mention_spans

Span = tuple[int, int]

# Name of a feature -> what it is. Every value lies in [0, 1] or close to it.
FEATURES = {
    "before": "the name comes before the pronoun",
    "characters": "log distance to the pronoun in characters",
    "words": "log distance to the pronoun in words",
    "sentences": "sentences between name and pronoun, 4 at most",
    "same sentence": "name and pronoun are in one sentence",
    "nearer": "the name is nearer to the pronoun than the other name",
    "last before": "of the two names, the last one before the pronoun",
    "other between": "the other name is between this one and the pronoun",
    "names between": "log count of capitalised runs between name and pronoun",
    "marks between": "log count of commas, semicolons and brackets between name and pronoun",
    "title words": "share of the name's words that the page title holds",
    "title": "the page title holds the whole name, or the name the whole title",
    "title elsewhere": "log count of title words in the text that belong to neither name",
    "title known": "the passage has a page title",
    "mentions": "log count of the name's other mentions, by full name or by a part of it",
    "mentions before": "log count of those before the pronoun",
    "last mention": "log distance in characters from the last mention before the pronoun",
    "opens sentence": "the name is among the first three words of its sentence",
    "place in sentence": "share of its sentence that lies before the name",
    "place in text": "share of the sentences that lie before the name's",
    "subject cue": "a verb form follows the name, and no preposition goes before it",
    "after preposition": "a preposition goes before the name",
    "possessive": "the name is a possessive ('s)",
    "in a list": "'and', 'or' or a comma joins the name to another one",
    "parallel": "name and pronoun have the same role by their neighbours",
    "name length": "words of the name, 4 at most",
    "pronoun subject": "the pronoun is he or she",
    "pronoun possessive": "the pronoun is his or hers, or her before a noun",
    "pronoun opens": "the pronoun is among the first two words of its sentence",
    "pronoun place": "share of the text that lies before the pronoun",
    "length": "log length of the text",
}

_PREPOSITION = re.compile(
    "of|by|with|to|for|from|at|in|on|against|after|before|about|between|under|over|like|than|into|behind|without|"
    "alongside|beside|near|toward|towards|upon|through|via|including|versus"
)
_VERB = re.compile(
    "is|was|are|were|has|had|have|does|did|do|will|would|can|could|may|might|must|shall|should|who|then|also|became|"
    "began|won|made|said|got|went|came|took|gave|told|found|met|wrote|saw|left|led|ran|held|felt|knew|"
    "[a-z]+ed|[a-z]+[^s]s"
)
_ABBREVIATIONS = r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bJr)(?<!\bMrs)(?<!\bSir)(?<!\b[A-Z])"
_SENTENCE_END = re.compile(_ABBREVIATIONS + r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])")
_WORD = re.compile(r"\w[\w'’-]*")
_NAME_RUN = re.compile(r"\b[A-Z][\w'’.-]*(?:\s+(?:(?:de|van|von|of|the|la|le)\s+)?[A-Z][\w'’.-]*)*")


@dataclass(frozen=True)
class _Passage:
    """A text cut into sentences, with its pronoun and the words of its page title."""

    text: str
    pronoun: Span
    sentences: NDArray[np.integer]  # where each sentence starts
    title: tuple[str, ...]

    def sentence(self, place: int) -> int:
        return int(np.searchsorted(self.sentences, place, side="right")) - 1


class Name(NamedTuple):
    """A candidate: what it is called and where it is."""

    text: str
    span: Span


def surface_features(passages: pd.DataFrame) -> NDArray[np.float32]:
    """The `FEATURES` of both names of each passage.

    Each is worked out for a name and the other name, without a look at which is called A: exchanging A and B exchanges
    the two rows and changes nothing else.

    Parameters
    ----------
    passages : DataFrame
        n rows with the columns of GAP: `Text`, `Pronoun`, `A`, `B` and their offsets in characters. Without a column
        `URL`, no name is in a title.

    Returns
    -------
    ndarray, shape (n, 2, f)
        By passage, name (A, B) and feature.

    Raises
    ------
    ValueError
        For missing columns, or an offset at which a name is not found.

    Examples
    --------
    >>> passages = pd.DataFrame({
    ...     "Text": ["Ann Lee met Mary Poe when she was ill."],
    ...     "Pronoun": ["she"], "Pronoun-offset": [26],
    ...     "A": ["Ann Lee"], "A-offset": [0], "B": ["Mary Poe"], "B-offset": [12],
    ... })
    >>> found = pd.DataFrame(surface_features(passages)[0], index=["A", "B"], columns=list(FEATURES))
    >>> found[["before", "nearer", "parallel", "after preposition"]].astype(int).to_dict("index")
    {'A': {'before': 1, 'nearer': 0, 'parallel': 1, 'after preposition': 0}, 'B': {'before': 1, 'nearer': 1, 'parallel': 0, 'after preposition': 0}}
    """
    urls = passages["URL"] if "URL" in passages else [""] * len(passages)
    found = np.empty((len(passages), 2, len(FEATURES)), dtype=np.float32)
    texts = zip(passages["Text"], passages["A"], passages["B"], mention_spans(passages), urls)
    for row, (text, a, b, spans, url) in enumerate(texts):
        starts = [0, *(match.end() for match in _SENTENCE_END.finditer(text))]
        passage = _Passage(text, spans[0], np.array(starts), _title_words(url))
        names = Name(a, spans[1]), Name(b, spans[2])
        found[row] = [_features(passage, *pair) for pair in (names, names[::-1])]
    return found


def other_mentions(text: str, name: Name, other: Name) -> list[Span]:
    """Where else a name is meant, by the full name or by a part that is not also a part of the other.

    Parameters
    ----------
    text : str
    name, other : Name

    Returns
    -------
    list of (int, int)
        In the order of the text; the name's own place and the other name's are left out.

    Examples
    --------
    >>> other_mentions("Ann Lee met Mary Lee. Ann fell.", Name("Ann Lee", (0, 7)), Name("Mary Lee", (12, 20)))
    [(22, 25)]
    """
    theirs = set(_WORD.findall(other.text))
    parts = [
        word
        for word in _WORD.findall(name.text)
        if len(word) > 1 and word[0].isupper() and word not in theirs
    ]
    either = "|".join(map(re.escape, [name.text, *parts]))
    places = (match.span() for match in re.finditer(rf"(?<!\w)(?:{either})(?!\w)", text))
    return [place for place in places if not any(_overlap(place, n.span) for n in (name, other))]


def _features(passage: _Passage, name: Name, other: Name) -> list[float]:
    text, (start, stop) = passage.text, name.span
    pronoun_start, pronoun_stop = passage.pronoun
    before = start < pronoun_start
    between = text[stop:pronoun_start] if before else text[pronoun_stop:start]
    distance, others_distance = (_distance(n.span, passage.pronoun) for n in (name, other))
    own_sentence, pronouns_sentence = (passage.sentence(at) for at in (start, pronoun_start))
    sentence_start = passage.sentences[own_sentence]
    ends = [*passage.sentences[1:], len(text)]
    into_sentence = text[sentence_start:start]
    previous, following = _previous_word(text, start), _next_word(text, stop)
    own_words = _WORD.findall(name.text.lower())
    in_title = np.mean([word in passage.title for word in own_words]) if own_words else 0.0
    mentions = other_mentions(text, name, other)
    earlier = [place for place in [name.span, *mentions] if place[1] <= pronoun_start]
    last = pronoun_start - max(place[1] for place in earlier) if earlier else 2000
    follows_preposition = _PREPOSITION.fullmatch(previous) is not None
    subject = _VERB.fullmatch(following) is not None and not follows_preposition
    pronoun = text[pronoun_start:pronoun_stop].lower()
    pronoun_subject = pronoun in ("he", "she")
    possessive_pronoun = pronoun in ("his", "hers") or (
        pronoun == "her" and re.match(r"\s\w", text[pronoun_stop:]) is not None
    )
    possessive = text[stop : stop + 2] in ("'s", "’s")
    other_titled = set(_WORD.findall(other.text.lower())) | set(own_words)
    elsewhere = [word for word in passage.title if word not in other_titled and len(word) > 2]
    lower = text.lower()
    sentence_of_pronoun = text[passage.sentences[pronouns_sentence] : pronoun_start]
    if pronoun_subject:
        parallel = subject
    elif possessive_pronoun:
        parallel = possessive
    else:
        parallel = follows_preposition or not subject
    return [
        before,
        np.log1p(distance) / 6,
        np.log1p(len(_WORD.findall(between))) / 5,
        min(abs(own_sentence - pronouns_sentence), 4) / 4,
        own_sentence == pronouns_sentence,
        0.5 if distance == others_distance else distance < others_distance,
        before and not start < other.span[0] < pronoun_start,
        _is_between(other.span, name.span, passage.pronoun),
        np.log1p(len(_NAME_RUN.findall(between))) / 3,
        np.log1p(len(re.findall(r"[,;:()\[\]]", between))) / 3,
        in_title,
        bool(passage.title) and (in_title == 1 or set(passage.title) <= set(own_words)),
        np.log1p(sum(len(re.findall(rf"\b{re.escape(word)}\b", lower)) for word in elsewhere)) / 2,
        bool(passage.title),
        np.log1p(len(mentions)) / 2,
        np.log1p(sum(place[1] <= pronoun_start for place in mentions)) / 2,
        np.log1p(last) / 6,
        len(_WORD.findall(into_sentence)) < 3,
        len(into_sentence) / max(ends[own_sentence] - sentence_start, 1),
        own_sentence / len(passage.sentences),
        subject,
        follows_preposition,
        possessive,
        previous in ("and", "or", ",", "&") or following in ("and", "or", ",", "&"),
        parallel,
        min(len(own_words), 4) / 4,
        pronoun_subject,
        possessive_pronoun,
        len(_WORD.findall(sentence_of_pronoun)) < 2,
        pronoun_start / max(len(text), 1),
        np.log1p(len(text)) / 8,
    ]


def _title_words(url: str) -> tuple[str, ...]:
    title = unquote(str(url).rstrip("/").rpartition("/")[2]).replace("_", " ")
    return tuple(_WORD.findall(re.sub(r"\(.*?\)", "", title).lower()))


def _overlap(one: Span, two: Span) -> bool:
    return one[0] < two[1] and two[0] < one[1]


def _distance(one: Span, two: Span) -> int:
    return max(one[0] - two[1], two[0] - one[1], 0)


def _is_between(middle: Span, one: Span, two: Span) -> bool:
    return min(one[1], two[1]) <= middle[0] and middle[1] <= max(one[0], two[0])


def _previous_word(text: str, start: int) -> str:
    found = re.search(r"([\w'’-]+|[^\w\s])\W*$", text[max(start - 40, 0) : start])
    return found[1].lower() if found else ""


def _next_word(text: str, stop: int) -> str:
    found = re.match(r"\s*([\w'’-]+|[^\w\s])", text[stop : stop + 40])
    return found[1] if found else ""
