"""Synthetic biographies in which gender shows as much as one asks for, and no more.

What is said of the work depends on the occupation alone. Gender shows in three kinds of words, each
planted with a strength between 0 and 1: explicit words (she, Mr, mother), stereotyped attributes
(caring, tough), and topics that have nothing to do with work but go with gender. At strength 0
nothing in a text depends on gender but through the occupation, and every classifier is fair up to
chance. Nobody is named.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.lexicons import load_lexicon

COLUMNS = ["text", "occupation", "gender"]
OWN_WORDS = 0.3  # of the words on the work, the share that is the occupation's own
WORK_WORDS, ATTRIBUTES, TOPICS = 6, 3, 3
GENDERED_TOPICS = 0.7  # of the topics that may go with gender; the others never do

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Planted:
    """How strongly three kinds of words go with gender within an occupation.

    A strength s means that the words agree with gender with probability (1 + s) / 2: in half of the
    cases at 0, always at 1.

    Attributes
    ----------
    explicit : float
        Pronouns, form of address and family words, one choice for a text.
    attributes : float
        Three words on the person, such as "gentle" or "tough", each a choice of its own.
    topics : float
        Three words on the time after work, such as "ballet" or "golf".

    Raises
    ------
    ValueError
        For a strength outside 0 to 1.

    Examples
    --------
    >>> Planted(explicit=1)
    Planted(explicit=1, attributes=0, topics=0)
    """

    explicit: float = 0
    attributes: float = 0
    topics: float = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            strength = getattr(self, field.name)
            if not 0 <= strength <= 1:
                raise ValueError(
                    f"{field.name}: expected a strength between 0 and 1, got {strength!r}"
                )


def biographies(
    n: int,
    planted: Planted,
    counts: pd.DataFrame,
    *,
    equal_sizes: bool = True,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Synthetic biographies of people with one of 28 occupations.

    Who has which occupation and gender, the words on the work and every random choice have streams
    of their own: the same seed with other strengths gives the same people, and texts that differ in
    the words of gender alone.

    Parameters
    ----------
    n : int
        How many.
    planted : Planted
        What goes with gender.
    counts : DataFrame
        A row for each occupation of the word list `biographies`, indexed by it or with a column
        `occupation`, with columns `female` and `male`: biographies of women and men, of which the
        share of women in an occupation is taken.
    equal_sizes : bool
        Whether all occupations are equally frequent; else as frequent as in `counts`.
    rng : Generator or int, optional
        Generator or seed.

    Returns
    -------
    DataFrame
        `text`, `occupation` and `gender` ("female" or "male").

    Raises
    ------
    ValueError
        For fewer than one text, and for counts that lack a column or hold an occupation without
        words or without texts.

    Examples
    --------
    >>> counts = pd.DataFrame({"female": [17263, 2023], "male": [1738, 11637]}, ["nurse", "surgeon"])
    >>> people = biographies(1000, Planted(explicit=1), counts, rng=0)
    >>> nurses = people[people["occupation"] == "nurse"]
    >>> float((nurses["gender"] == "female").mean().round(1))
    0.9
    """
    if n < 1:
        raise ValueError(f"n: expected a number of texts, 1 or more, got {n!r}")
    table = _checked(counts)
    people, work, templates, explicit, attributes, topics = np.random.default_rng(rng).spawn(6)
    sizes = table.sum(axis=1).to_numpy(float)
    weights = np.ones(len(table)) if equal_sizes else sizes
    occupation = people.choice(len(table), n, p=weights / weights.sum())
    female = people.random(n) < (table["female"].to_numpy(float) / sizes)[occupation]
    words = load_lexicon("biographies")
    shown = female == _agrees(explicit, n, planted.explicit)
    said = _work_words(occupation, list(table.index), work)
    warmth = _leaning(
        words["female_attributes"],
        words["male_attributes"],
        female,
        attributes,
        ATTRIBUTES,
        planted.attributes,
    )
    leisure = _leaning(
        words["female_topics"],
        words["male_topics"],
        female,
        topics,
        TOPICS,
        planted.topics,
        words["neutral_topics"],
    )
    shapes = templates.integers(len(_OPENINGS), size=n)
    family = templates.integers(len(_FAMILY), size=n)
    years = templates.integers(2, 30, size=n)
    texts = [
        _write(*row)
        for row in zip(
            shown, said, warmth, leisure, shapes.tolist(), family.tolist(), years.tolist()
        )
    ]
    return pd.DataFrame(
        {
            "text": texts,
            "occupation": table.index.to_numpy()[occupation],
            "gender": np.where(female, "female", "male"),
        }
    )


def explicit_words() -> tuple[str, ...]:
    """All explicit words of gender in the texts, which scrubbing deletes.

    Examples
    --------
    >>> explicit_words()[:4]
    ('she', 'he', 'her', 'his')
    """
    return tuple(word for pair in load_lexicon("biographies")["explicit"] for word in pair)


_OPENINGS = (
    "{Subject} works with {0} and {1}, and has done so for {years} years. {Address} also deals with {2} "
    "and {3}; most days bring {4} and {5}.",
    "For {years} years {possessive} days have been about {0}, {1} and {2}. At present {subject} turns to {3} "
    "and {4}, and sometimes to {5}.",
    "{Address} began with {0} and {1} some {years} years ago. Today {subject} is asked about {2}, {3} and "
    "{4}, and {possessive} latest project has to do with {5}.",
)
_FAMILY = (
    "{Subject} is the {child} of a farmer.",
    "{Subject} lives near the coast, as a {parent} of two.",
    "{Subject} is a proud {sibling}, and a {spouse}.",
    "{Subject} is a {adult} from a small town.",
)
_FORMS = tuple(
    dict(
        zip(
            ("subject", "possessive", "address", "parent", "spouse", "child", "sibling", "adult"),
            side,
        )
    )
    for side in zip(*((pair[1], pair[0]) for pair in load_lexicon("biographies")["explicit"]))
)


def _write(shown, said, warmth, leisure, shape, family, years) -> str:
    """One text; the explicit words are the feminine ones where `shown`."""
    forms = _FORMS[int(shown)]
    capitals = {
        "Subject": forms["subject"].capitalize(),
        "Address": f"{forms['address'].capitalize()}. X",
    }
    opening = _OPENINGS[shape].format(*said, years=years, **forms, **capitals)
    home = _FAMILY[family].format(**forms, **capitals)
    return (
        f"{opening} Colleagues call {forms['possessive']} manner {warmth[0]}, {warmth[1]} and {warmth[2]}. "
        f"{home} After work it is {leisure[0]}, {leisure[1]} and {leisure[2]}."
    )


def _agrees(
    rng: np.random.Generator, shape: int | tuple[int, int], strength: float
) -> NDArray[np.bool_]:
    """Whether words agree with gender; the same draws for every strength."""
    return rng.random(shape) < (1 + strength) / 2


def _work_words(occupation: Codes, names: list[str], rng: np.random.Generator) -> list[list[str]]:
    """Words on the work of each text: the occupation's own, or those of its group."""
    words = load_lexicon("biographies")
    group = dict(words["groups"])
    shared = {name: pool for name, *pool in words["shared"]}
    own = {name: pool for name, *pool in words["own"]}
    pools = np.array([own[name] for name in names])
    group_pools = np.array([shared[group[name]] for name in names])
    size = (len(occupation), WORK_WORDS)
    rows = occupation[:, None]
    is_own = rng.random(size) < OWN_WORDS
    first = pools[rows, rng.integers(pools.shape[1], size=size)]
    second = group_pools[rows, rng.integers(group_pools.shape[1], size=size)]
    return np.where(is_own, first, second).tolist()


def _leaning(
    feminine, masculine, female, rng, width: int, strength: float, neutral=()
) -> list[list[str]]:
    """Words of each text from the list of its gender as often as the strength says, or neutral."""
    size = (len(female), width)
    to_female = female[:, None] == _agrees(rng, size, strength)
    pools = np.array([masculine, feminine])
    drawn = pools[to_female.astype(int), rng.integers(pools.shape[1], size=size)]
    if neutral:
        others = np.array(neutral)[rng.integers(len(neutral), size=size)]
        drawn = np.where(rng.random(size) < GENDERED_TOPICS, drawn, others)
    return drawn.tolist()


def _checked(counts: pd.DataFrame) -> pd.DataFrame:
    table = counts.set_index("occupation") if "occupation" in counts else counts
    if missing := {"female", "male"} - set(table.columns):
        raise ValueError(
            f"counts: expected columns female and male, got {list(table.columns)}: "
            f"{' and '.join(sorted(missing))} missing"
        )
    table = table[["female", "male"]]
    known = dict(load_lexicon("biographies")["groups"])
    if unknown := [name for name in table.index if name not in known]:
        raise ValueError(
            f"counts: expected occupations that the word list `biographies` has words for, "
            f"got {unknown[0]!r}; they are {', '.join(known)}"
        )
    if table.empty or not (table.sum(axis=1) > 0).all() or (table < 0).any(axis=None):
        raise ValueError("counts: expected texts in every occupation, got none in one or below 0")
    return table
