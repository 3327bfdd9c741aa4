"""The Penn Treebank sample that NLTK distributes: sentences of the Wall Street Journal as trees."""

import re
from dataclasses import dataclass

from lib.datasets.corpora import zipped_texts

BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
QUOTES = {"``": '"', "''": '"'}
PIECE = re.compile(r"\(|\)|[^\s()]+")


@dataclass(frozen=True)
class Tree:
    """A constituent: its label without function tags, and what it is made of.

    Attributes
    ----------
    label : str
        Such as "NP"; of a word its part of speech.
    parts : tuple of Tree
        Empty for a word.
    word : str
        Empty for a phrase.
    """

    label: str
    parts: tuple["Tree", ...] = ()
    word: str = ""


def read_treebank(key: str = "nltk_treebank") -> dict[str, list[Tree]]:
    """The sentences of each article, traces left out.

    Parameters
    ----------
    key : str
        A registered archive with files such as treebank/combined/wsj_0001.mrg.

    Returns
    -------
    dict of str to list of Tree
        Name of the article -> its sentences, in the order of the text.

    Raises
    ------
    FetchError
        Where the file is not at hand.

    References
    ----------
    Marcus, Santorini and Marcinkiewicz (1993), "Building a large annotated corpus of English". The sample is a
    tenth of it; LDC allows non-commercial use.
    """
    texts = zipped_texts(key, r"treebank/combined/wsj_\d+\.mrg")
    return {name.rpartition("/")[2][:-4]: bracketed_trees(text) for name, text in texts}


def bracketed_trees(text: str) -> list[Tree]:
    """Trees written in brackets, without traces and without the unlabelled outermost bracket.

    Parameters
    ----------
    text : str
        Such as "( (S (NP-SBJ (PRP She) ) (VP (VBZ sings) )) )".

    Returns
    -------
    list of Tree
        Labels keep the part before the first "-", "=" or "|"; brackets and quotation marks are put back
        as characters.

    Raises
    ------
    ValueError
        Where brackets do not close.

    Examples
    --------
    >>> bracketed_trees("( (S (NP-SBJ (PRP She) ) (VP (VBZ sings) )) )")[0].parts[0].label
    'NP'
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
