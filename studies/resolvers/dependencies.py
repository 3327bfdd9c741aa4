"""Who depends on whom: the trees of the Penn Treebank sample that NLTK distributes, their dependencies by head rules, the best
projective tree by the scores of arcs, and arcs rewired at random.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.datasets.corpora import zipped_texts

BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
QUOTES = {"``": '"', "''": '"'}
PIECE = re.compile(r"\(|\)|[^\s()]+")


@dataclass(frozen=True)
class Tree:
    """A constituent: its label without function tags (of a word its part of speech), and its parts, or its word."""

    label: str
    parts: tuple["Tree", ...] = ()
    word: str = ""


def read_treebank(key: str = "nltk_treebank") -> dict[str, list[Tree]]:
    """The sentences of each article of the Wall Street Journal, in the order of the text, traces left out.

    A tenth of Marcus, Santorini and Marcinkiewicz (1993), "Building a large annotated corpus of English"; LDC allows
    non-commercial use.
    """
    texts = zipped_texts(key, r"treebank/combined/wsj_\d+\.mrg")
    return {name.rpartition("/")[2][:-4]: bracketed_trees(text) for name, text in texts}


def bracketed_trees(text: str) -> list[Tree]:
    """Trees written in brackets, without traces and without the unlabelled outermost bracket.

    Labels keep the part before the first "-", "=" or "|"; brackets and quotation marks are characters again.
    """
    pieces = PIECE.findall(text)
    if pieces.count("(") != pieces.count(")"):
        raise ValueError(
            f"expected as many opening as closing brackets, got {pieces.count('(')} and {pieces.count(')')}; the file "
            "is damaged"
        )
    # Every open bracket is a list: its label, its word, its finished parts.
    open_parts: list[list] = [["", "", []]]
    for before, piece in zip(["(", *pieces], pieces):
        if piece == "(":
            open_parts.append(["", "", []])
        elif piece != ")":
            # What follows the bracket is the label, what follows the label the word.
            open_parts[-1][0 if before == "(" else 1] = piece
        elif len(open_parts) > 1:
            label, word, parts = open_parts.pop()
            if word and label != "-NONE-":
                spelled = BRACKETS.get(word, QUOTES.get(word, word))
                open_parts[-1][2].append(Tree(label, word=spelled.replace("\\/", "/")))
            elif parts and not label:
                open_parts[-1][2].extend(parts)
            elif parts:
                kept = label if label.startswith("-") else re.split(r"[-=|]", label)[0]
                open_parts[-1][2].append(Tree(kept, tuple(parts)))
        else:
            raise ValueError(
                "expected an opening bracket before each closing one; the file is damaged"
            )
    return open_parts[0][2]


ROOT = -1  # the head of the word that has none
PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-"})
# More than any arc can be worth, so that one word alone hangs on the root.
SECOND_ROOT = 1e6

Rule = tuple[tuple[str, frozenset[str]], ...]


def _in_turn(side: str, labels: str) -> Rule:
    return tuple((side, frozenset({label})) for label in labels.split())


# Phrase -> for which labels its parts are searched, and from which end, the best first. After Collins (1999); as in
# spaCy's scheme the verb comes before its auxiliaries and conjunctions.
HEAD_RULES: dict[str, Rule] = {
    "ADJP": _in_turn("left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": _in_turn("right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": _in_turn("right", "CC RB IN"),
    "NAC": _in_turn("left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
    "NP": (
        ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
        ("left", frozenset({"NP", "PRP"})),
        *_in_turn("right", "$ ADJP PRN CD JJ JJS RB QP"),
    ),
    "NX": (("right", frozenset({"NN", "NNP", "NNPS", "NNS"})), *_in_turn("left", "NX NP")),
    "PP": _in_turn("left", "IN TO VBG VBN RP FW PP"),
    "PRT": _in_turn("right", "RP"),
    "QP": _in_turn("left", "$ IN NNS NN JJ RB DT CD QP JJR JJS"),
    "RRC": _in_turn("right", "VP NP ADVP ADJP PP"),
    "S": _in_turn("left", "VP S SBAR ADJP UCP NP"),
    "SBAR": _in_turn("left", "S SQ SINV SBAR FRAG WHNP WHPP WHADVP WHADJP IN DT"),
    "SBARQ": _in_turn("left", "SQ S SINV SBARQ FRAG"),
    "SINV": _in_turn("left", "VP S VBZ VBD VBP VB MD SINV ADJP NP"),
    "SQ": _in_turn("left", "VP VBZ VBD VBP VB MD SQ"),
    "VP": _in_turn("left", "VP VBD VBN VBZ VB VBG VBP MD TO ADJP NN NNS NP"),
    "WHADJP": _in_turn("left", "WRB JJ ADJP"),
    "WHADVP": _in_turn("right", "WRB"),
    "WHNP": _in_turn("left", "NN NNS WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": _in_turn("left", "IN TO FW"),
}


def dependencies(tree: Tree) -> tuple[list[str], NDArray[np.intp]]:
    """A sentence's words, and the place of each word's head by its constituents, `ROOT` for one: always a projective tree."""
    words: list[str] = []
    heads: list[int] = []
    _lay_out(tree, words, heads)
    return words, np.array(heads)


def _lay_out(tree: Tree, words: list[str], heads: list[int]) -> int:
    """Append a constituent's words; the place of its head."""
    if not tree.parts:
        words.append(tree.word)
        heads.append(ROOT)
        return len(words) - 1
    places = [_lay_out(part, words, heads) for part in tree.parts]
    head = places[head_part(tree.label, [part.label for part in tree.parts])]
    for place in places:
        if place != head:
            heads[place] = head
    return head


def head_part(label: str, parts: Sequence[str]) -> int:
    """The place of the part that is a phrase's head: never punctuation where there is something else; before the conjunction of a coordination."""
    places = [place for place, part in enumerate(parts) if part not in PUNCTUATION]
    places = places or list(range(len(parts)))
    if "CC" in parts[places[0] + 1 :]:
        first = parts.index("CC", places[0] + 1)
        places = [place for place in places if place < first]
    for side, wanted in HEAD_RULES.get(label, ()):
        for place in places if side == "left" else reversed(places):
            if parts[place] in wanted:
                return place
    return places[0]


def best_trees(scores: ArrayLike) -> NDArray[np.intp]:
    """The projective trees whose arcs score most together (Eisner 1996), for sentences of one length.

    Scores have the shape (b, n + 1, n): of each head (row 0 the root, row i + 1 word i) for each word. The trees, (b, n),
    give the place of each word's head, `ROOT` for exactly one word of a sentence.
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 3 or scores.shape[1] != scores.shape[2] + 1 or not scores.shape[2]:
        raise ValueError(
            f"expected scores of shape (sentences, words + 1, words), got {scores.shape}; row 0 is the root"
        )
    if not np.isfinite(scores).all():
        raise ValueError(
            "expected finite scores, got NaN or infinity; look at the states they come from"
        )
    b, n = scores.shape[0], scores.shape[2] + 1
    arcs = np.zeros((b, n, n))  # arcs[:, head, word], both counted from the root
    arcs[:, :, 1:] = scores
    arcs[:, 0, 1:] -= SECOND_ROOT
    # Best value of the stretch from i to j: its head at the left or right end (0, 1), open at the other end
    # (it still takes dependents there) or with the arc between the ends just drawn.
    whole = np.zeros((2, b, n, n))
    drawn = np.full((2, b, n, n), -np.inf)
    cut_whole = np.zeros((2, b, n, n), dtype=np.intp)
    cut_drawn = np.zeros((b, n, n), dtype=np.intp)
    for width in range(1, n):
        i = np.arange(n - width)
        j = i + width
        inner = i[:, None] + np.arange(width)  # cut after the word k = i … j − 1
        middle = whole[0][:, i[:, None], inner] + whole[1][:, inner + 1, j[:, None]]
        cut_drawn[:, i, j] = i + middle.argmax(2)
        best = middle.max(2)
        drawn[0][:, i, j] = best + arcs[:, i, j]
        drawn[1][:, i, j] = best + arcs[:, j, i]
        right = drawn[0][:, i[:, None], inner + 1] + whole[0][:, inner + 1, j[:, None]]
        cut_whole[0][:, i, j] = i + 1 + right.argmax(2)
        whole[0][:, i, j] = right.max(2)
        left = whole[1][:, i[:, None], inner] + drawn[1][:, inner, j[:, None]]
        cut_whole[1][:, i, j] = i + left.argmax(2)
        whole[1][:, i, j] = left.max(2)
    heads = np.zeros((b, n), dtype=np.intp)
    for row in range(b):
        todo = [(0, n - 1, 0, False)]  # from, to, side of the head, whether its arc was just drawn
        while todo:
            i, j, side, arc = todo.pop()
            if i == j:
                continue
            if arc:
                heads[row, i if side else j] = j if side else i
                k = cut_drawn[row, i, j]
                todo += [(i, k, 0, False), (k + 1, j, 1, False)]
            else:
                k = cut_whole[side, row, i, j]
                todo += (
                    [(i, k, 1, False), (k, j, 1, True)]
                    if side
                    else [(i, k, 0, True), (k, j, 0, False)]
                )
    return heads[:, 1:] - 1


def rewired(arcs: ArrayLike, *, rng: np.random.Generator | int | None = None) -> NDArray[np.intp]:
    """The same words and degrees, and random arcs between them, head and dependent each.

    Every word keeps the number of its heads and of its dependents; which words those are is random. What is left
    knows how busy a word is, and nothing else of the syntax. No word is its own head, unless nothing else fits.
    """
    moved = np.array(arcs, dtype=np.intp).reshape(-1, 2)
    heads, words = moved.T
    rng = np.random.default_rng(rng)
    heads[:] = rng.permutation(heads)
    for arc in np.flatnonzero(heads == words):
        fits = np.flatnonzero((heads != words[arc]) & (words != heads[arc]))
        if len(fits):  # an exchange that leaves neither word its own head
            other = rng.choice(fits)
            heads[[arc, other]] = heads[[other, arc]]
    return moved
