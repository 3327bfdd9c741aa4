"""The rules that GAP's paper (Webster et al. 2018) sets beside resolvers: they read no meaning, only places and titles.

A rule decides between A and B; none of them ever says NEITHER. `probabilities` turns its decisions
into probabilities, by how often each answer was true where the rule decided so before.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import unquote

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

SUBJECT, OBJECT, OTHER = "subject", "object", "other"
_OBJECTS = {"him", "them"}
_POSSESSIVES = {"his", "hers", "their", "theirs"}
_OPENERS = (
    r"after|although|and|as|because|before|but|how|if|nor|once|or|since|so|than|that|then|though|"
    r"unless|until|when|where|whereas|whether|which|while|who|whom|why"
)
_OPENS = re.compile(rf"(?:^|[.;:,!?\"'“”()\-–—]|\b(?:{_OPENERS}))\s*$")
_VERB = re.compile(rf"\b(?!(?:{_OPENERS})\b)[a-z]*(?:ed|ing|s)\s*$")


class Parser(Protocol):
    """What reads a sentence's structure: the heads and labels of the words of a text."""

    def __call__(self, text: str) -> pd.DataFrame:
        """A row a word: start (character), head (row; its own where it is a root), and label, in
        the words of Universal Dependencies, where the parser gives labels.
        """


class Rule(ABC):
    """A rule that picks A or B in every passage."""

    @abstractmethod
    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        """The decision in each passage: 0 for A, 1 for B."""

    def probabilities(
        self, passages: pd.DataFrame, known: pd.DataFrame, answers: ArrayLike
    ) -> NDArray[np.float64]:
        """How likely each answer is, given the decision, shape (n, 3).

        Shares of the answers (0, 1, 2) among known passages with the same decision, each answer counted once more than it
        occurs; no known passage should be among those to decide on.
        """
        answers = np.asarray(answers)
        if len(answers) != len(known) or not len(known):
            raise ValueError(
                f"expected one answer for each known passage, and at least one; got {len(answers)} "
                f"answers for {len(known)} passages."
            )
        counts = np.ones((3, 3))
        np.add.at(counts, (self.decide(known), answers), 1)
        shares = counts / counts.sum(axis=1, keepdims=True)
        return shares[self.decide(passages)]


@dataclass(frozen=True)
class Always(Rule):
    """One answer for all, such as the most frequent one."""

    answer: int = 0

    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        return np.full(len(passages), self.answer)


@dataclass(frozen=True)
class Random(Rule):
    """A or B with equal chance: the same for the same number of passages and seed."""

    seed: int = 0

    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        return np.random.default_rng(self.seed).integers(2, size=len(passages))


@dataclass(frozen=True)
class TokenDistance(Rule):
    """The name with fewer words between it and the pronoun; A where both have as many."""

    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        return np.array([_nearer(passage, "AB") for passage in passages.to_dict("records")], int)


@dataclass(frozen=True)
class Parallelism(Rule):
    """The nearest name with the pronoun's role, subject or object; else the nearest of all.

    With a parser, near is the number of arcs between two words, and roles are its labels. Without
    labels the words around a name say its role (`role`); without a parser near is the number of
    words between.
    """

    parser: Parser | None = None

    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        return np.array([self.choose(passage) for passage in passages.to_dict("records")], int)

    def choose(self, passage: dict[str, Any], among: str = "AB") -> int:
        """The decision in one passage, between the names that are listed."""
        parse = None if self.parser is None else self.parser(passage["Text"])
        own = _role(passage, "Pronoun", parse)
        alike = [name for name in among if own != OTHER and _role(passage, name, parse) == own]
        return _nearer(passage, alike or among, parse)


@dataclass(frozen=True)
class InTitle(Rule):
    """The name that shares a word with the title of the page; else, or where both do, Parallelism."""

    parser: Parser | None = None

    def decide(self, passages: pd.DataFrame) -> NDArray[np.int64]:
        rule = Parallelism(self.parser)
        return np.array(
            [
                rule.choose(passage, "".join(named_in_title(passage)) or "AB")
                for passage in passages.to_dict("records")
            ],
            int,
        )


def named_in_title(passage: dict[str, Any]) -> list[str]:
    """Which of the two names, "A" and "B", share a word with the title of the page, where a row of GAP has one."""
    title = unquote(str(passage.get("URL", "")).rpartition("/")[2])
    words = set(re.findall(r"[^\W_]+", title.lower()))
    return [
        name for name in "AB" if words.intersection(re.findall(r"[^\W_]+", passage[name].lower()))
    ]


def role(text: str, start: int, mention: str) -> str:
    """The role of a name or pronoun by the words around it, where no parser is at hand: "subject", "object" or "other".

    *He* and *she* are subjects, *him* is an object, as is *her* before anything but another
    word. A name is a subject where a sentence or clause begins with it and a word in small
    letters follows, perhaps behind words between commas; and an object where it comes right after
    a word in small letters that could be a verb.
    """
    word = mention.lower()
    before, after = text[max(start - 40, 0) : start], text[start + len(mention) :]
    if word in {"he", "she", "they"}:
        return SUBJECT
    if word in _OBJECTS or (word == "her" and not re.match(r"\s+\w", after)):
        return OBJECT
    if word in _POSSESSIVES or word == "her":
        return OTHER
    if _OPENS.search(before) and re.match(r"\s+[a-z]|,[^,.]*,\s+[a-z]", after):
        return SUBJECT
    return OBJECT if _VERB.search(before) else OTHER


def _role(passage: dict[str, Any], name: str, parse: pd.DataFrame | None) -> str:
    start, mention = passage[f"{name}-offset"], passage[name]
    if parse is None or "label" not in parse:
        return role(passage["Text"], start, mention)
    label = parse["label"].iloc[_word(parse, start, mention)]
    subject = str(label).startswith(("nsubj", "csubj"))
    return SUBJECT if subject else OBJECT if str(label) in {"dobj", "obj"} else OTHER


def _nearer(
    passage: dict[str, Any], among: str | list[str], parse: pd.DataFrame | None = None
) -> int:
    return "AB".index(min(among, key=lambda name: _distance(passage, name, parse)))


def _distance(
    passage: dict[str, Any], name: str, parse: pd.DataFrame | None
) -> tuple[float, float]:
    """Arcs between the two words where there is a parse, then words between them."""
    ends = sorted((passage[f"{key}-offset"], len(passage[key])) for key in (name, "Pronoun"))
    between = passage["Text"][sum(ends[0]) : ends[1][0]]
    words = len(re.findall(r"\w+", between))
    if parse is None:
        return 0, words
    places = (_word(parse, passage[f"{key}-offset"], passage[key]) for key in (name, "Pronoun"))
    paths = [_to_root(parse, place) for place in places]
    shared = [node for node in paths[0] if node in paths[1]]
    arcs = sum(path.index(shared[0]) for path in paths) if shared else np.inf
    return arcs, words


def _word(parse: pd.DataFrame, start: int, mention: str) -> int:
    """The word of a mention that the others hang on: the first whose head lies outside of it."""
    starts = parse["start"].to_numpy()
    first = max(int(np.searchsorted(starts, start, side="right")) - 1, 0)
    end = max(int(np.searchsorted(starts, start + len(mention))), first + 1)
    heads = parse["head"].to_numpy()[first:end]
    outside = np.flatnonzero((heads < first) | (heads >= end) | (heads == np.arange(first, end)))
    return first + int(outside[0]) if len(outside) else first


def _to_root(parse: pd.DataFrame, place: int) -> list[int]:
    path, heads = [place], parse["head"].to_numpy()
    while heads[path[-1]] != path[-1] and len(path) <= len(heads):
        path.append(int(heads[path[-1]]))
    return path
