"""Your WEAT: an association test of the reader's own words, against random words in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from lib.association import weat
from lib.checks import unit_rows
from lib.embeddings import Embedding
from lib.explorables.codes import packed, quantised
from lib.explorables.mount import LARGEST, example_table, show
from lib.lexicons import WordSets

NAME = "your-weat"
FREQUENT = re.compile("[a-zA-Z]{3,}")
FOR_ALL_ELSE = 60_000  # bytes of the data that are not vectors
FEWEST = 2  # words of a list that a test needs


def your_weat(
    e: Embedding,
    tests: Mapping[str, WordSets],
    words: Iterable[str] = (),
    *,
    limit: int = 1500,
) -> dict[str, object]:
    """Vectors of the words of some tests, of other words and of frequent ones, in codes.

    Parameters
    ----------
    e : Embedding
        A word that it lacks as written is looked up in lower case.
    tests : mapping of str to WordSets
        Title -> X, Y, A and B of a test that the reader may choose.
    words : iterable of str
        Further words to have.
    limit : int
        Words at most; long vectors leave room for fewer.

    Returns
    -------
    dict
        What the script reads: `words`, of which those from `frequent_from` on are there because
        they are frequent, and `vectors`, a row of int8 codes for each; the length of a row means
        nothing, its direction does. Tests with fewer than two words in a list are left out.

    Examples
    --------
    >>> e = Embedding(["she", "he", "nurse", "judge", "the"], np.eye(5), name="five")
    >>> test = WordSets(("Nurse",), ("judge",), ("he",), ("she",))
    >>> content = your_weat(e, {"jobs": test}, ["the"])
    >>> content["words"], content["tests"]
    ('nurse\\njudge\\nhe\\nshe\\nthe', [])
    """
    sets = {title: [_written(e, part) for part in test] for title, test in tests.items()}
    sets = {title: parts for title, parts in sets.items() if min(map(len, parts)) >= FEWEST}
    listed = [_written(e, part) for test in tests.values() for part in test]
    wanted = list(dict.fromkeys([word for part in listed for word in part] + _written(e, words)))
    dimensions = e.vectors.shape[1]
    room = min(limit, int((LARGEST - FOR_ALL_ELSE) / (dimensions * 4 / 3)))
    wanted = wanted[:room]
    frequent = (word for word in e.words[: 10 * limit] if FREQUENT.fullmatch(word))
    kept = list(dict.fromkeys([*wanted, *frequent]))[:room]
    return {
        "name": e.name,
        "words": "\n".join(kept),
        "frequent_from": len(wanted),
        "dimensions": dimensions,
        "vectors": packed(_rows(e, kept)),
        "tests": [
            {"title": title, "sets": [[w for w in part if w in kept] for part in parts]}
            for title, parts in sets.items()
        ],
    }


def show_your_weat(
    e: Embedding,
    tests: Mapping[str, WordSets],
    words: Iterable[str] = (),
) -> None:
    """Display the widget that tests the reader's own lists, and its table of published tests.

    Parameters
    ----------
    e, tests, words
        As in `your_weat`.
    """
    content = your_weat(e, tests, words)
    rows = []
    for test in content["tests"]:
        try:
            result = weat(*(_rows(e, part) for part in test["sets"]))
        except ValueError:  # undefined: one vector on both sides, or no word nearer to either
            continue
        p = f"{result.pvalue:.3f}".lstrip("0") if result.pvalue >= 0.001 else "< .001"
        sizes = " and ".join(str(len(part)) for part in test["sets"][:2])
        rows.append([test["title"], sizes, f"{result.effect_size:.2f}".replace("-", "−"), p])
    note = (
        f"In {e.name}, its vectors rounded to one byte a number. "
        "Positive d: the first list of words goes with the first list of attributes."
    )
    columns = ["test", "words", "effect size d", "p"]
    fallback = example_table("Published tests", columns, rows, note)
    show(NAME, content, fallback=fallback, text=note)


def _written(e: Embedding, words: Iterable[str]) -> list[str]:
    """The words as the vocabulary has them, as written or else in lower case, each once."""
    found = (word if word in e else word.lower() for word in words)
    return list(dict.fromkeys(word for word in found if word in e and "\n" not in word))


def _rows(e: Embedding, words: list[str]) -> np.ndarray:
    """Directions of words as int8 codes, each row in a scale of its own."""
    if not words:  # of the published lists, or of any, in these vectors
        return np.zeros((0, e.vectors.shape[1]), np.int8)
    rows = unit_rows("vectors", e.rows(words).vectors)
    rows = rows / np.abs(rows).max(axis=1, keepdims=True)
    return quantised(rows, np.int8).codes
