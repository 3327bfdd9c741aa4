"""Your word: the side of any word with each base pair, against what random pairs give it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lib.agreement import direction_kappa
from lib.embeddings import Embedding
from lib.explorables.codes import packed, quantised
from lib.explorables.mount import LARGEST, example_table, show
from lib.inference.random_words import random_pairs
from lib.markdown import Markdown
from lib.measures import ripa

NAME = "your-word"
EXAMPLES = ("nurse", "teacher", "judge", "journalist", "doctor", "surgeon", "engineer", "carpenter")
BAND = (0.05, 0.95)  # central 90 % of what random pairs give a word
WORDS_AT_A_TIME = 2_000
FOR_ALL_ELSE = 60_000  # bytes of the data that are not words and their scores


def your_word(
    e: Embedding,
    pairs: Iterable[tuple[str, str]],
    occupations: Iterable[str],
    *,
    draws: int = 1000,
    raters: int = 400,
    limit: int = 22_000,
    rng: int | None = 0,
) -> dict[str, object]:
    """RIPA of many words with every base pair, in codes, and what random pairs give them.

    Parameters
    ----------
    e : Embedding
        The most frequent words of it are offered, as many as fit on a page.
    pairs : iterable of (str, str)
        Base pairs, the female word first; those that the vocabulary lacks are named.
    occupations : iterable of str
        Words whose kappa and order are shown.
    draws : int
        Random pairs behind each word's band, at least.
    raters : int
        Random pairs whose signs over the occupations travel along, for the kappa of random pairs.
    limit : int
        Words at most.
    rng : int, optional
        Seed of the random pairs.

    Returns
    -------
    dict
        What the script reads. `scores`, (words, pairs), and `band`, (words, 2) with the 5 % and
        95 % quantiles over random pairs, are codes of one scale; `band` is "" where the vocabulary
        has too few words to draw from.

    Raises
    ------
    ValueError
        Where the vocabulary has no base pair.

    Examples
    --------
    >>> e = Embedding(["she", "he", "nurse"], [[1, 0], [0, 1], [3, 4]], name="three")
    >>> content = your_word(e, [("she", "he"), ("her", "him")], ["nurse", "judge"])
    >>> content["words"], content["missing"], content["occupations"]
    ('she\\nhe\\nnurse', ['her–him'], [2])
    """
    found = e.pairs(pairs, missing="drop")
    if not found.kept:
        raise ValueError("expected a base pair of the vocabulary or more, got none")
    jobs = list(dict.fromkeys(word for word in occupations if word in e))
    words = _words_that_fit(e, jobs, limit, len(found.kept))
    vectors = e.rows(words).vectors
    scores = ripa(vectors, found.female, found.male)
    random_scores = _random_pair_vectors(e, found.kept, max(draws, raters), rng)
    band = np.empty((0, 2)) if random_scores is None else _band(vectors, random_scores)
    codes, scale = quantised(np.concatenate([scores.ravel(), band.ravel()]))
    place = {word: row for row, word in enumerate(words)}
    rows = [place[job] for job in jobs]
    signs = np.empty((0, len(rows)), bool)
    if random_scores is not None and rows:
        some = random_scores[0][:raters], random_scores[1][:raters]
        signs = ripa(vectors[rows], *some).T > 0
    return {
        "name": e.name,
        "size": len(e),
        "words": "\n".join(words),
        "pairs": ["–".join(pair) for pair in found.kept],
        "missing": ["–".join(pair) for pair in found.missing],
        "scale": scale,
        "scores": packed(codes[: scores.size]),
        "band": packed(codes[scores.size :]),
        "occupations": rows,
        "random_signs": packed(np.packbits(signs.ravel(), bitorder="little")),
        "random_pairs": len(signs),
    }


def show_your_word(
    e: Embedding,
    pairs: Sequence[tuple[str, str]],
    occupations: Sequence[str],
    *,
    examples: Iterable[str] = EXAMPLES,
    rng: int | None = 0,
) -> None:
    """Display the widget that shows any word with every base pair, and its table of examples.

    Parameters
    ----------
    e, pairs, occupations, rng
        As in `your_word`.
    examples : iterable of str
        Words of the table that is read where no script runs.
    """
    found = e.pairs(pairs, missing="drop") if pairs else None
    if found is None or not found.kept:
        from IPython.display import display

        display(Markdown("*No base pair is in this vocabulary, so that no word can be tried.*"))
        return
    content = your_word(e, pairs, occupations, rng=rng)
    shown = e.rows([word for word in examples if word in e] or list(e.words[:5]))
    values = ripa(shown.vectors, found.female, found.male)
    labels, rows = content["pairs"], []
    for word, scores in zip(shown.words, values):
        low, high = int(scores.argmin()), int(scores.argmax())
        ends = [f"{labels[end]} ({_signed(scores[end])})" for end in (low, high)]
        rows.append([word, f"{(scores > 0).sum()} of {len(scores)}", *ends])
    jobs = e.rows(occupations, missing="drop") if len(occupations) else None
    note = f"RIPA in {e.name}; positive leans female."
    if jobs is not None and jobs.words and len(found.kept) > 1:
        kappa = direction_kappa(ripa(jobs.vectors, found.female, found.male))
        if np.isfinite(kappa):
            note += f" Over {len(jobs.words)} occupations the {len(found.kept)} pairs agree with Fleiss' kappa {kappa:.2f}."
    columns = ["word", "pairs that say female", "most male with", "most female with"]
    fallback = example_table("The side of a word, by base pair", columns, rows, note)
    show(NAME, content, fallback=fallback, text=note)


def _words_that_fit(e: Embedding, jobs: list[str], limit: int, pairs: int) -> list[str]:
    """The most frequent words and the occupations, as many as a page may bring along."""
    top = list(e.words[:limit])
    candidates = list(dict.fromkeys([*jobs, *(word for word in top if "\n" not in word)]))[:limit]
    scores = 2 * (pairs + 2) * 4 / 3
    sizes = np.cumsum([len(word.encode()) + 1 + scores for word in candidates])
    fits = set(candidates[: int(np.searchsorted(sizes, LARGEST - FOR_ALL_ELSE))])
    return list(dict.fromkeys(word for word in [*top, *jobs] if word in fits))


def _random_pair_vectors(
    e: Embedding, kept: Sequence[tuple[str, str]], count: int, rng: int | None
) -> tuple[NDArray[np.floating], NDArray[np.floating]] | None:
    """Vectors of random pairs in place of the base pairs, as frequent where that is known."""
    positions = np.array([e.words.positions(pair) for pair in kept])
    draws = -(-count // len(kept))
    try:
        drawn = random_pairs(positions, len(e), draws, matched=e.ranked, rng=rng).reshape(-1, 2)
    except ValueError:  # too few words to draw from
        return None
    first, second = e.vectors[drawn[:count, 0]], e.vectors[drawn[:count, 1]]
    differ = (first != second).any(axis=1)
    return first[differ], second[differ]


def _band(
    vectors: NDArray[np.floating], random: tuple[NDArray[np.floating], NDArray[np.floating]]
) -> NDArray[np.floating]:
    """Quantiles of each word's scores with random pairs, (n, 2)."""
    blocks = [
        np.quantile(ripa(vectors[start : start + WORDS_AT_A_TIME], *random), BAND, axis=1).T
        for start in range(0, len(vectors), WORDS_AT_A_TIME)
    ]
    return np.concatenate(blocks)


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
