"""What a list takes when it is turned down in context, beside random lists of its size, and the smallest p that so many lists can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import false_discovery_control

from lib.association import associations, effect_size, weat
from lib.debiasing.apertures import damped
from lib.debiasing.rows import Array
from lib.debiasing.treatments import (
    Change,
    WordVectors,
    beside_random_lists,
    effect_sizes,
    stacked_tokens,
)
from lib.inference.sums import p_of_draws
from studies.conceptors_in_context.token_clouds import contrast_square

PLANTED_DRAWS = 99  # random lists beside a planted contrast, at most
ALPHA = 0.05
TAKEN = ["list", "pairs", "value", "n", "low", "median", "high", "draws", "p"]
TAKEN += ["adjusted", "smallest"]
COLUMNS = ["test", "list", "words", "before", "p before", "d", "d whole", "median", "low", "high"]
COLUMNS += ["p", "draws", "planted before", "planted d", "planted p"]


def smallest_p(lists: int, questions: int = 1) -> float:
    """The smallest p that one of some questions can have alone, beside so many random lists, adjusted for all of them (Benjamini–Hochberg)."""
    return min(questions / (1 + lists), 1.0)


def gone(
    people: Mapping[str, Array],
    words: Sequence[str],
    *kinds: Sequence[tuple[str, str]],
    aperture: float,
    paired: bool = False,
) -> list[float]:
    """The share of the squared differences of pairs of words that goes when a list is turned down, for each kind of pairs.

    `people` holds the tokens (t, d) of words. Pairs that the list holds are left out; NaN where none is left.
    """
    change = damped(np.concatenate([people[word] for word in words]), aperture)
    apart = [[pair for pair in pairs if not {*pair} & {*words}] for pairs in kinds]
    asked = list(dict.fromkeys(word for pairs in apart for pair in pairs for word in pair))
    if not asked:
        return [float("nan")] * len(kinds)
    moved = np.asarray(change(np.concatenate([people[word] for word in asked])))
    ends = np.cumsum([len(people[word]) for word in asked])[:-1]
    after = dict(zip(asked, np.split(moved, ends)))
    return [
        1 - _squares(after, pairs, paired) / before
        if (before := _squares(people, pairs, paired)) > 0
        else float("nan")
        for pairs in apart
    ]


def _squares(clouds: Mapping[str, Array], pairs: Sequence[tuple[str, str]], paired: bool) -> float:
    return sum(contrast_square([clouds[a], clouds[b]], [1, -1], paired=paired) for a, b in pairs)


def goes(
    of: Callable[..., list[float]],
    lists: Mapping[str, Sequence[str]],
    kinds: Mapping[str, Sequence[tuple[str, str]]],
    random: Mapping[int, Sequence[Sequence[str]]],
) -> tuple[pd.DataFrame, dict[tuple[str, int], Array]]:
    """What goes from each kind of pairs with each list, beside random lists of its size; and that of the random lists, by kind and size.

    `of` is `gone` of words and kinds of pairs. A row a list and kind: `value`, and of random lists `low`, `median`, `high` (central 90 %), `p`, the share
    of them, the list counted, that take as much, `adjusted` over the lists (Benjamini–Hochberg), and `smallest`, what that could be for one list
    alone.
    """
    asked = {kind: pairs for kind, pairs in kinds.items() if pairs}
    null = {
        (kind, size): values[np.isfinite(values)]
        for size, some in random.items()
        for kind, values in zip(asked, np.array([of(w, *asked.values()) for w in some]).T)
    }
    rows = []
    for name, words in lists.items() if asked else ():
        for kind, value in zip(asked, of(words, *asked.values())):
            row = {"list": name, "pairs": kind, "value": value, "n": len(asked[kind])}
            if len(by_chance := null.get((kind, len(words)), ())) and np.isfinite(value):
                ends = np.quantile(by_chance, [0.05, 0.5, 0.95])
                row |= dict(zip(("low", "median", "high"), ends)) | {"draws": len(by_chance)}
                row["p"] = p_of_draws(value, by_chance)
            rows.append(row)
    table = pd.DataFrame(rows, columns=TAKEN)
    table = table.sort_values(
        "pairs", key=lambda of_kind: of_kind.map([*asked].index), kind="stable"
    )
    for _, part in table.dropna(subset=["p"]).groupby("pairs"):
        table.loc[part.index, "adjusted"] = false_discovery_control(part["p"].astype(float))
        alone = [smallest_p(int(count), len(part)) for count in part["draws"]]
        table.loc[part.index, "smallest"] = alone
    return table.reset_index(drop=True), null


def left_of_pairs(
    pairs: Sequence[Sequence[ArrayLike]], change: Change, *, paired: bool = False
) -> float:
    """The share of the squared differences of pairs of clouds that a change leaves; NaN where they are nothing but noise."""
    before = sum(contrast_square(two, [1, -1], paired=paired) for two in pairs)
    moved = [[np.asarray(change(np.asarray(cloud, float))) for cloud in two] for two in pairs]
    after = sum(contrast_square(two, [1, -1], paired=paired) for two in moved)
    return after / before if before > 0 else float("nan")


def distinct_lists(
    words: Sequence[str],
    size: int,
    most: int,
    *,
    rng: np.random.Generator | int | None = None,
) -> list[tuple[str, ...]]:
    """Lists of so many of the words, no two of the same words: all there are, or `most` of them at random."""
    if comb(len(words), size) <= most:
        return list(combinations(words, size))
    generator, found = np.random.default_rng(rng), dict[tuple[str, ...], None]()
    while len(found) < most:
        places = generator.choice(len(words), size, replace=False)
        found[tuple(words[place] for place in sorted(places))] = None
    return list(found)


def falls(
    clouds: Mapping[str, Array],
    tests: Mapping[str, Sequence[WordVectors]],
    lists: Mapping[str, Sequence[str]],
    pool: Sequence[str],
    *,
    aperture: float,
    draws: int,
    rng: int = 0,
) -> tuple[pd.DataFrame, dict[int, list[tuple[str, ...]]]]:
    """Each test after each list without the tested words, beside random lists of that size; and the random lists, by size.

    `clouds` holds the tokens (t, d) of words in small letters, `pool` the words of which random lists are made. A row a test and list: `words` left on
    the list; `before` and its `p before`; `d` after, and `d whole` with the tested words on the list; `median`, `low` and `high` (central 90 %)
    of random lists, and `p`, the share of them, the list counted, that leave |d| as small; and the same of a contrast as in
    `planted_contrast`. A list with fewer than two words left, or with more than half as many as there are to draw from, has no row.
    """
    drawn: dict[int, list[tuple[str, ...]]] = {}
    effects: dict[int, pd.DataFrame] = {}
    rows = []
    for name, listed in lists.items():
        words = [w for w in dict.fromkeys(map(str.lower, listed)) if w in clouds]
        for test, sets in tests.items():
            tested = {word.lower() for part in sets for word in part.words}
            kept = [word for word in words if word not in tested]
            size = len(kept)
            if size < 2 or 2 * size > len(pool):
                continue
            if size not in drawn:
                drawn[size] = distinct_lists(pool, size, draws, rng=rng)
                changes = (damped(stacked_tokens(clouds, some), aperture) for some in drawn[size])
                effects[size] = pd.DataFrame([effect_sizes(tests, change) for change in changes])
            started = weat(*(part.vectors for part in sets), ddof=0)
            row: dict[str, Any] = {"test": test, "list": name, "words": size}
            row |= {"draws": len(drawn[size]), "before": started.effect_size}
            row["p before"] = started.pvalue
            for column, some in (("d whole", words), ("d", kept)):
                change = damped(stacked_tokens(clouds, some), aperture)
                row[column] = effect_sizes({"": sets}, change)[""]
            row |= beside_random_lists(row["d"], effects[size][test])
            row |= planted_contrast(
                sets,
                [clouds[word] for word in kept],
                [stacked_tokens(clouds, some) for some in drawn[size][:PLANTED_DRAWS]],
                aperture,
                rng=rng,
            )
            rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS), drawn


def there(table: pd.DataFrame) -> pd.DataFrame:
    """The rows in which a fall can be shown, with `adjusted`, p for all of them (Benjamini–Hochberg), and `smallest`, what that could be for one alone.

    As trained d is positive with p below .05; what is not there cannot fall.
    """
    rows = table[(table["before"] > 0) & (table["p before"] < ALPHA)]
    adjusted = false_discovery_control(rows["p"].astype(float)) if len(rows) else []
    smallest = [smallest_p(int(draws), len(rows)) for draws in rows["draws"]]
    return rows.assign(adjusted=adjusted, smallest=smallest)


def told_of_falls(table: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """What can be said of falls, in words that may stand in a sentence, and those that are found; what could not have been shown is counted apart.

    A fall could have been shown where the effect is there as trained, the planted contrast is noticed, and one p alone could be below .05 (or others are).
    """
    if not len(table):
        return "no test or list could be measured", table
    could = there(table)
    seen = could[could["planted p"] < ALPHA]
    found = seen[seen["adjusted"] < ALPHA]
    if not len(found):
        seen = seen[seen["smallest"] < ALPHA]
    why = {
        "the model as trained shows no effect": len(table) - len(could),
        "the planted contrast is not noticed": int((could["planted p"] >= ALPHA).sum()),
    }
    why["there are too few random lists"] = len(table) - len(seen) - sum(why.values())
    parts = [f"{reason} ({count})" for reason, count in why.items() if count]
    if not len(seen):
        falls = "the fall" if len(table) == 1 else f"none of {len(table)} falls"
        verb = "could not have been shown" if len(table) == 1 else "could have been shown"
        return f"{falls} {verb}: {' and '.join(parts)}", found
    said = []
    if len(seen) < len(table):
        lost = f"{len(table) - len(seen)} of {len(table)} falls"
        said.append(f"{lost} could not have been shown: {' and '.join(parts)}")
    which = f"{len(found)} of {len(seen)}{' others' if said else ' falls'}"
    if len(seen) == 1:
        which = ("the other" if said else "the fall") + (" is" if len(found) else " is not")
    verb = "" if len(seen) == 1 else " is" if len(found) == 1 else " are"
    said.append(f"{which}{verb} beyond random words")
    return "; ".join(said), found


def planted_contrast(
    sets: Sequence[WordVectors],
    listed: Sequence[Array],
    lists: Sequence[Array],
    aperture: float,
    *,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """What the comparison says of a contrast that the list certainly has in common with the test: the control that could have said yes.

    The words of X and Y are dealt anew at random, so that nothing of their own contrast is left. Then X and A are moved one way along a random direction,
    Y and B the other, by half the distance between the means of A and B, and so are all tokens of the words of the list, by turns of words. The
    tokens of random `lists` are not.
    """
    generator = np.random.default_rng(rng)
    X, Y, A, B = (np.asarray(part.vectors, float) for part in sets)
    along = generator.standard_normal(A.shape[1])
    along *= np.linalg.norm(A.mean(axis=0) - B.mean(axis=0)) / 2 / np.linalg.norm(along)
    mixed = generator.permutation(np.concatenate([X, Y]))
    parts = [mixed[: len(X)] + along, mixed[len(X) :] - along, A + along, B - along]
    ends = np.cumsum([len(part) for part in parts])[:-1]

    def size(change: Change) -> float:
        x, y, a, b = np.split(change(np.concatenate(parts)), ends)
        return effect_size(associations(x, a, b), associations(y, a, b), 0)

    moved = [cloud + (-along if turn % 2 else along) for turn, cloud in enumerate(listed)]
    d = size(damped(np.concatenate(moved), aperture))
    null = np.array([size(damped(rows, aperture)) for rows in lists])
    p = p_of_draws(-abs(d), -np.abs(null))
    return {"planted before": size(np.asarray), "planted d": d, "planted p": p}


def told_apart(female: ArrayLike, male: ArrayLike, direction: ArrayLike) -> tuple[int, int]:
    """Of pairs (p, d), how many have their female word further along a direction (d,) than their male word, and how many there are."""
    female, male = np.asarray(female, float), np.asarray(male, float)
    if not len(female):
        return 0, 0
    return int(((female - male) @ np.asarray(direction, float) > 0).sum()), len(female)
