"""Word vectors with gender taken out in the ways of Prost et al. (2019), and a control that takes out something else.

A set is a tuple of words that should differ in gender alone, such as (she, he) or (her, hers, his, him).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.checks import one_of, unit_rows
from lib.datasets.bolukbasi2016 import read_equalize_pairs, read_gender_specific_words
from lib.debiasing.projection import pair_direction, principal_directions, project_out
from lib.lexicons import base_pairs, pair_list, word_list

Floats = NDArray[np.float64]
Sets = tuple[tuple[str, ...], ...]

NAMES = ("plain", "debiased", "strongly debiased", "project only", "equalise only")
FORMS = ("original", "printed", "as defined")

SOURCES = ("book", "published")  # of lists of pairs and words
_PRONOUNS_AND_TITLES = (
    ("she", "he"),
    ("her", "hers", "his", "him"),
    ("herself", "himself"),
    ("mrs", "ms", "mr"),
)


class GenderLists(NamedTuple):
    """Pairs (female, male) that give the direction; sets, no word in two of them; words that may keep their gender in "debiased"."""

    definitional: tuple[tuple[str, str], ...]
    sets: Sets
    specific: frozenset[str]

    @property
    def scrubbed(self) -> frozenset[str]:
        """The words that are deleted from texts instead: those of all sets."""
        return frozenset(word for words in self.sets for word in words)


def gender_lists(source: str = "book") -> GenderLists:
    """Lists in small letters: "book" has pairs and words of this book, "published" the pairs and the 1,441 words of Bolukbasi et al.

    Both add pronouns and titles: the list that was scrubbed in Bias in Bios was not published.
    """
    one_of("source", source, SOURCES)
    if source == "book":
        pairs = (
            *pair_list("themes/contrast_pairs"),
            *pair_list("zhao2018gnglove/definition_pairs"),
        )
        specific = {*word_list("gender_specific/female"), *word_list("gender_specific/male")}
    else:
        pairs = tuple(read_equalize_pairs())
        specific = {word.lower() for word in read_gender_specific_words()}
    definitional = base_pairs()
    sets = merged([*_PRONOUNS_AND_TITLES, *definitional, *pairs])
    return GenderLists(definitional, sets, frozenset(specific.union(*sets)))


def merged(sets: Iterable[Iterable[str]]) -> Sets:
    """Sets in small letters, those that share a word made one."""
    joined: list[dict[str, None]] = []
    for words in sets:
        new = dict.fromkeys(word.lower() for word in words)
        for other in [known for known in joined if known.keys() & new.keys()]:
            new = other | new
            joined.remove(other)
        joined.append(new)
    return tuple(tuple(words) for words in joined)


def variants(words: Sequence[str], vectors: ArrayLike, lists: GenderLists) -> dict[str, Floats]:
    """The vectors (n, d) of n different words in each of `NAMES`: Prost et al. (2019), Sections 3 and 6.3.

    Vectors are scaled to length 1 first, as in the paper, and have it afterwards but for the sets in "equalise only", which are means.
    """
    plain, row_of = _rows_of(words, vectors)
    sets = set_rows(words, lists.sets)
    direction = gender_direction(row_of, plain, lists.definitional)
    neutral = np.array([word not in lists.specific for word in words])
    projected = unit_rows("projected", project_out(plain, direction))
    neutralised = np.where(neutral[:, None], projected, plain)
    return {
        "plain": plain,
        "debiased": equalised(neutralised, sets, direction),
        "strongly debiased": unit_rows("averaged", averaged(projected, sets)),
        "project only": projected,
        "equalise only": averaged(plain, sets),
    }


def reduced(vectors: ArrayLike, dimensions: int) -> Floats:
    """Vectors of length 1 in the `dimensions` in which they vary most (0 for all), rounded so that every machine has the same."""
    unit = unit_rows("vectors", vectors).astype(np.float64)
    if 0 < dimensions < unit.shape[1]:
        unit = unit @ principal_directions(unit, dimensions).T
    return np.asarray(unit.round(6))


def gender_direction(
    row_of: Mapping[str, int], vectors: Floats, pairs: Iterable[tuple[str, str]]
) -> Floats:
    """The direction (d,) of the definitional pairs that a vocabulary has, of length 1, female positive."""
    kept = [(row_of[a], row_of[b]) for a, b in pairs if a in row_of and b in row_of]
    if len(kept) < 2:
        raise ValueError(
            f"definitional: expected two pairs or more in the vocabulary, got {len(kept)}; "
            "add words such as she, he, woman, man"
        )
    female, male = np.transpose(kept)
    return np.asarray(pair_direction(vectors[female], vectors[male]))


def set_rows(words: Sequence[str], sets: Sets) -> list[NDArray[np.intp]]:
    """The rows of the words of each set that has two or more of them in a vocabulary."""
    row_of = {word: row for row, word in enumerate(words)}
    rows = [[row_of[word] for word in words_ if word in row_of] for words_ in sets]
    return [np.array(known, np.intp) for known in rows if len(known) > 1]


def equalised(
    vectors: ArrayLike,
    sets: Iterable[ArrayLike],
    direction: ArrayLike,
    *,
    form: str = "original",
) -> Floats:
    """Each set put around what its words share: every word becomes nu + sqrt(1 - |nu|²) d, nu being the mean without the direction.

    What d is says `form`. "original": the word's component along the direction less that of the mean, scaled to length 1 (Bolukbasi et al.,
    and their code). "printed": its component alone, the formula of Prost et al. with w_B along the direction: two words on one side of zero
    become the same. "as defined": the same formula with w_B as that paper defines it, across the direction: no word of a set has gender left.

    Vectors (n, d) are of unit length; words in no set stay as they were.
    """
    one_of("form", form, FORMS)
    changed = np.array(vectors, np.float64)
    axis = np.asarray(direction, np.float64)
    axis = axis / np.linalg.norm(axis)
    for rows in map(np.asarray, sets):
        words = changed[rows]
        mean = words.mean(axis=0)
        along = words @ axis
        shared = mean - along.mean() * axis
        reach = np.sqrt(max(0.0, 1 - shared @ shared))
        if form == "as defined":
            across = words - along[:, None] * axis
            towards = across / np.linalg.norm(across, axis=1, keepdims=True)
        else:
            component = along - along.mean() if form == "original" else along
            towards = np.sign(component)[:, None] * axis
        changed[rows] = shared + reach * towards
    return changed


def averaged(vectors: ArrayLike, sets: Iterable[ArrayLike]) -> Floats:
    """Every word of a set with the mean vector of the set: "equalize only"."""
    changed = np.array(vectors, np.float64)
    for rows in map(np.asarray, sets):
        changed[rows] = changed[rows].mean(axis=0)
    return changed


def random_control(
    words: Sequence[str],
    vectors: ArrayLike,
    lists: GenderLists,
    *,
    rng: np.random.Generator | int | None = None,
) -> Floats:
    """As much taken out as in "strongly debiased", but of something else.

    One direction, that of as many random pairs of words as there are definitional ones, is taken out of all words; and as many sets of as many
    words are given one vector each. Their words are outside the lists, each at a rank as near to the word that it replaces as is left.
    """
    plain, row_of = _rows_of(words, vectors)
    sets = set_rows(words, lists.sets)
    n_pairs = sum(a in row_of and b in row_of for a, b in lists.definitional)
    listed = lists.specific | lists.scrubbed
    free = [row for row, word in enumerate(words) if word not in listed]
    needed = max(sum(map(len, sets)), 2 * n_pairs)
    if len(free) < needed:
        raise ValueError(
            f"words: expected {needed} or more that are in no list, got {len(free)}; "
            "pass more of the vocabulary"
        )
    generator = np.random.default_rng(rng)
    first, second = generator.choice(free, (2, n_pairs), replace=False)
    direction = pair_direction(plain[first], plain[second])
    projected = unit_rows("projected", project_out(plain, direction))
    replaced = []
    for rows in sets:
        chosen = []
        for row in rows:
            near = int(np.searchsorted(free, row)) + int(generator.integers(-3, 4))
            chosen.append(free.pop(min(max(near, 0), len(free) - 1)))
        replaced.append(chosen)
    return unit_rows("averaged", averaged(projected, replaced))


def _rows_of(words: Sequence[str], vectors: ArrayLike) -> tuple[Floats, dict[str, int]]:
    """Vectors at length 1, and the row of each word."""
    plain = unit_rows("vectors", vectors).astype(np.float64)
    row_of = {word: row for row, word in enumerate(words)}
    if not len(row_of) == len(words) == len(plain):
        raise ValueError(
            f"expected a vector for each word and no word twice, got {len(words)} words "
            f"({len(row_of)} different) and {len(plain)} vectors"
        )
    return plain, row_of
