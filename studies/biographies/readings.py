"""What is left of gender in word vectors after each variant, read out in ways that see different things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from lib.association import associations, effect_size
from lib.checks import real_numbers
from lib.debiasing.recoverability import recoverability
from lib.embeddings import Embedding
from lib.lexicons import load_lexicon
from lib.text_classification.occupations.classifiers import words_in
from studies.biographies.variants import (
    FORMS,
    GenderLists,
    equalised,
    gender_direction,
    random_control,
    set_rows,
    variants,
)

Floats = NDArray[np.float64]

CONTROLS = ("random, least", "random, greatest")
SAME = 1e-9  # vectors nearer than that are one
LEFT = "left in neutral words"
SETS = "sets with one vector"
TESTS = {"weat6": "d, test with names", "weat7": "d, test with gender words"}
RECOVERED = "sides recovered"
FEWEST_HELD = 100  # words of the texts
_FREQUENT = 5000  # words that are changed, besides those of the lists and tests


class Readings(NamedTuple):
    """A row for each variant, and two for the least and the greatest value of the random controls; how many sets and neutral words were read."""

    table: pd.DataFrame
    sets: int
    neutral: int


def what_is_missing(e: Embedding, lists: GenderLists, texts: Iterable[str]) -> str:
    """Why a vocabulary is too small for the variants and for the texts, in words a reader can act on; "" where it is not."""
    pairs = sum(a in e and b in e for a, b in lists.definitional)
    if pairs < 2:
        return f"two definitional pairs, such as woman and man, are needed, and {pairs} is there"
    held = len(words_in(texts, e.words))
    if held < FEWEST_HELD:
        return f"{FEWEST_HELD} words of the texts are needed, and {held} are there"
    listed = lists.specific | lists.scrubbed
    free = sum(word not in listed for word in _words_read(e, lists))
    needed = FEWEST_HELD + sum(word in e for word in listed)
    if free < needed:
        return f"{needed} words that are in no list of gender are needed, and {free} are there"
    return ""


def read_variants(
    e: Embedding,
    lists: GenderLists,
    *,
    k: int = 200,
    controls: int = 10,
    rng: np.random.Generator | int | None = None,
) -> Readings:
    """Five read-outs of each variant, and of as many random `controls`: a column each.

    Sets with one vector; the mean size of the component of neutral words along the direction; the effect size of two association tests
    of Caliskan et al. (2017), positive in the direction of the stereotype; how often a classifier that is taught on one half names the side
    of the `k` neutral words that leaned most to either before (Gonen and Goldberg, 2019).
    """
    generator = np.random.default_rng(rng)
    words = _words_read(e, lists)
    vectors = e.rows(words).vectors
    by_name = variants(words, vectors, lists)
    row_of = {word: row for row, word in enumerate(words)}
    sets = set_rows(words, lists.sets)
    direction = gender_direction(row_of, by_name["plain"], lists.definitional)
    neutral = np.array([word not in lists.specific for word in words])
    k = min(k, int(neutral.sum()) // 2)
    leaning, sides = extremes(by_name["plain"] @ direction, k, leave_out=np.flatnonzero(~neutral))
    seed = int(generator.integers(2**31))

    def read(changed: Floats) -> dict[str, float]:
        return {
            SETS: sum(np.ptp(changed[rows], axis=0).max() < SAME for rows in sets),
            LEFT: float(np.abs(changed[neutral] @ direction).mean()),
            **{title: _effect(test, changed, row_of) for test, title in TESTS.items()},
            RECOVERED: recoverability(changed[leaning], sides, rng=seed).classifier,
        }

    table = pd.DataFrame({name: read(changed) for name, changed in by_name.items()})
    drawn = pd.DataFrame(
        read(random_control(words, vectors, lists, rng=generator)) for _ in range(controls)
    )
    for name, ends in zip(CONTROLS, (drawn.min(), drawn.max())):
        table[name] = ends
    return Readings(table.T.rename_axis("variant"), len(sets), int(neutral.sum()))


def move_beside_controls(
    e: Embedding,
    lists: GenderLists,
    *,
    test: str = "weat6",
    controls: int = 99,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How far each variant moves the effect size of an association test, beside random controls: value, p and smallest p by variant.

    p is two-sided: the share of controls, the variant itself counted, that move it from that of plain vectors at least as far. NaN where
    either is undefined.
    """
    generator = np.random.default_rng(rng)
    words = _words_read(e, lists)
    vectors = e.rows(words).vectors
    row_of = {word: row for row, word in enumerate(words)}
    of_variant = {
        name: _effect(test, changed, row_of)
        for name, changed in variants(words, vectors, lists).items()
    }
    plain = of_variant.pop("plain")
    drawn = [
        _effect(test, random_control(words, vectors, lists, rng=generator), row_of)
        for _ in range(controls)
    ]
    far = np.abs(np.asarray(drawn) - plain)
    rows = {}
    for name, value in of_variant.items():
        p = np.nan
        if np.isfinite([value, plain, *far]).all():
            p = (1 + (far >= abs(value - plain)).sum()) / (1 + controls)
        rows[name] = {"value": value, "p": p, "smallest p": 1 / (1 + controls)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("variant")


def forms_of_equalising(e: Embedding, lists: GenderLists) -> pd.DataFrame:
    """For each of `FORMS`, of how many sets of two words no difference along the direction is left, with the first as an example."""
    words = _words_read(e, lists)
    row_of = {word: row for row, word in enumerate(words)}
    plain = variants(words, e.rows(words).vectors, lists)["plain"]
    direction = gender_direction(row_of, plain, lists.definitional)
    pairs = [rows for rows in set_rows(words, lists.sets) if len(rows) == 2]
    table = {}
    for form in FORMS:
        along = equalised(plain, pairs, direction, form=form) @ direction
        without = [rows for rows in pairs if abs(along[rows[0]] - along[rows[1]]) < SAME]
        example = "–".join(words[row] for row in without[0]) if without else ""
        table[form] = {"pairs": len(pairs), "without gender": len(without), "example": example}
    return pd.DataFrame.from_dict(table, orient="index").rename_axis("form")


def extremes(
    scores: ArrayLike, k: int, *, leave_out: Sequence[int] = ()
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Rows (2k,) of the k words with the highest scores and the k with the lowest, and which are high."""
    scores = real_numbers("scores", scores)
    kept = np.setdiff1d(np.arange(len(scores)), leave_out)
    if not 1 <= k <= len(kept) // 2:
        raise ValueError(
            f"k: expected 1 to {len(kept) // 2}, half of the {len(kept)} words that may be taken, "
            f"got {k!r}"
        )
    order = kept[np.argsort(-scores[kept], kind="stable")]
    return np.concatenate([order[:k], order[::-1][:k]]), np.arange(2 * k) < k


def _words_read(e: Embedding, lists: GenderLists) -> list[str]:
    """The 5,000 first words of the vocabulary, then those of lists and tests that it has."""
    tests = load_lexicon("caliskan2017")
    tested = [word for name in TESTS for part in tests.test(name) for word in part]
    listed = [word for part in (*lists.definitional, *lists.sets) for word in part]
    wanted = [*e.words[:_FREQUENT], *listed, *(word.lower() for word in tested)]
    return [word for word in dict.fromkeys(wanted) if word in e]


def _effect(test: str, vectors: Floats, row_of: Mapping[str, int]) -> float:
    """Effect size of an association test; NaN where both poles have the same mean vector, or a list has fewer than two words."""
    parts = [_known(part, vectors, row_of) for part in load_lexicon("caliskan2017").test(test)]
    if min(map(len, parts)) < 2:
        return float("nan")
    x, y, a, b = parts
    leans = associations(x, a, b), associations(y, a, b)
    both_poles_are_one = np.abs(np.concatenate(leans)).max() < SAME
    return float("nan") if both_poles_are_one else effect_size(*leans)


def _known(words: Sequence[str], vectors: Floats, row_of: Mapping[str, int]) -> Floats:
    rows = [row_of[word.lower()] for word in words if word.lower() in row_of]
    return vectors[rows]
