"""Text whose associations are known: messages of invented words in which themes stand with female or male words as told.

Each culture has log odds for each theme: those of a female over a male context when a word of the theme is said. They follow
a gap statistic with a chosen strength, and noise comes on top. What comes out is real enough for a whole pipeline: a Zipfian
vocabulary, topics, messages with places.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit

from lib.cultures.regression import signed_r2

LENGTH = 12  # words in a message
SHIFT = 2.7  # of Zipf and Mandelbrot's law


@dataclass(frozen=True)
class Plan:
    """How text is made. strength : change of the log odds for one standard deviation of the gap; noise : standard deviation
    of what a culture adds; spread : of what a word adds, the same in all cultures; themed, gendered : shares of messages
    with a theme word, and of the others with a female or male word; on_topic : share of words from the message's topic.
    """

    strength: float = 0.5
    noise: float = 0.5
    spread: float = 0.3
    tokens: int = 200_000
    types: int = 5_000
    topics: int = 20
    themed: float = 0.25
    gendered: float = 0.35
    on_topic: float = 0.5


@dataclass(frozen=True, eq=False)
class PlantedText:
    """Messages of cultures and what was planted in them.

    words : the vocabulary; numbers : culture -> (messages, 12) places in it; log_odds : cultures x themes, female over male;
    gaps : cultures x themes, the standardised statistic a theme follows (NaN for a theme that follows none).
    """

    words: tuple[str, ...]
    numbers: Mapping[str, NDArray[np.int32]] = field(repr=False)
    log_odds: pd.DataFrame
    gaps: pd.DataFrame

    def texts(self, culture: str) -> list[list[str]]:
        """The messages of a culture as lists of words."""
        return np.array(self.words, dtype=object)[self.numbers[culture]].tolist()

    @property
    def planted_r2(self) -> pd.Series:
        """Signed R² of each theme's log odds with its gap, what a perfect measure would find; NaN where it follows none."""
        followed = [theme for theme in self.gaps if self.gaps[theme].notna().any()]
        found = {
            theme: float(signed_r2(self.log_odds[theme], self.gaps[theme])) for theme in followed
        }
        return pd.Series(found, dtype=float).reindex(self.gaps.columns)

    def write_csv(
        self, path: Path | str, columns: tuple[str, str] = ("body", "where"), rng=None
    ) -> Path:
        """All messages in a random order with their culture's code, as a file that `lib.cultures` reads."""
        order = [
            (culture, row) for culture, rows in self.numbers.items() for row in range(len(rows))
        ]
        words = np.array(self.words, dtype=object)
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            for place in np.random.default_rng(rng).permutation(len(order)):
                culture, row = order[place]
                writer.writerow((" ".join(words[self.numbers[culture][row]]), culture))
        return Path(path)


def plant(
    gaps: pd.DataFrame,
    themes: Mapping[str, Sequence[str]],
    follow: Mapping[str, str | None],
    female: Sequence[str],
    male: Sequence[str],
    plan: Plan = Plan(),
    rng=None,
) -> PlantedText:
    """Text for each culture of a gap table.

    gaps : index of cultures, columns of statistics without NaN; themes : name -> words; follow : theme -> the column it
    follows, "-column" for the opposite direction, None (or absent) for a theme that follows nothing;
    female, male : words that make a context.
    Raises ValueError for a column that is not there or has NaN, and for a word that is in two lists.
    """
    _check(gaps, themes, follow, female, male)
    rng = np.random.default_rng(rng)
    standard = pd.DataFrame(
        {theme: _standardised(gaps, follow.get(theme)) for theme in themes}, index=gaps.index
    )
    noise = plan.noise * rng.standard_normal(standard.shape)
    signs = [-1 if (follow.get(theme) or "").startswith("-") else 1 for theme in themes]
    log_odds = plan.strength * standard.fillna(0.0) * signs + noise
    said = [word for words in themes.values() for word in words]
    words = (*female, *male, *said, *(f"w{number:05d}" for number in range(plan.types)))
    source = _Source(
        words, len(female), len(male), [len(words) for words in themes.values()], plan, rng
    )
    numbers = {culture: source.messages(log_odds.loc[culture].to_numpy()) for culture in gaps.index}
    return PlantedText(words, numbers, log_odds, standard)


def _standardised(gaps: pd.DataFrame, column: str | None) -> pd.Series:
    if column is None:
        return pd.Series(np.nan, gaps.index)
    values = gaps[column.removeprefix("-")].astype(float)
    return (values - values.mean()) / values.std(ddof=0)


def _check(gaps, themes, follow, female, male) -> None:
    for theme, column in follow.items():
        name = (column or "").removeprefix("-")
        if theme not in themes or (name and (name not in gaps or gaps[name].isna().any())):
            raise ValueError(
                f"follow: expected a theme of {', '.join(themes)} and a column without gaps of "
                f"{', '.join(gaps.columns)}, got {theme!r} -> {column!r}"
            )
    said = [*female, *male, *(word for words in themes.values() for word in words)]
    twice = sorted({word for word in said if said.count(word) > 1})
    if twice:
        raise ValueError(
            f"expected each word in one list, got {', '.join(twice)} in two; take them out of one"
        )


class _Source:
    """Draws messages: invented words by topic, then female or male words and a theme word in places of their own."""

    def __init__(
        self, words: Sequence[str], female: int, male: int, themes: Sequence[int], plan: Plan, rng
    ):
        self.plan, self.rng = plan, rng
        self.female, self.male = np.arange(female), female + np.arange(male)
        starts = female + male + np.concatenate(([0], np.cumsum(themes)))
        self.themes = [np.arange(start, stop) for start, stop in pairwise(starts)]
        self.offsets = plan.spread * rng.standard_normal(starts[-1])
        fillers = np.arange(starts[-1], len(words))
        frequency = 1 / (np.arange(plan.types) + SHIFT)
        topics = min(plan.topics, plan.types)
        topic = rng.permutation(plan.types) % topics
        self.pools = [(fillers, _cumulated(frequency))]
        for number in range(topics):
            members = np.flatnonzero(topic == number)
            self.pools.append((fillers[members], _cumulated(frequency[members])))

    def messages(self, log_odds: NDArray) -> NDArray[np.int32]:
        """Messages of one culture, (tokens / 12, 12)."""
        plan, rng = self.plan, self.rng
        count = -(-plan.tokens // LENGTH)
        found = self._fillers(count)
        themed = rng.random(count) < plan.themed
        theme = rng.integers(len(self.themes), size=count)
        said = np.choose(theme, [rng.choice(words, size=count) for words in self.themes])
        odds = np.where(themed, log_odds[theme] + self.offsets[said], 0.0)
        is_female = rng.random(count) < expit(odds)
        gendered = themed | (rng.random(count) < plan.gendered)
        places = rng.random((count, LENGTH)).argsort(axis=1)[:, :3]
        rows = np.arange(count)
        for column in (0, 1):
            person = np.where(
                is_female, self._drawn(self.female, count), self._drawn(self.male, count)
            )
            found[rows[gendered], places[gendered, column]] = person[gendered]
        found[rows[themed], places[themed, 2]] = said[themed]
        return found

    def _fillers(self, count: int) -> NDArray[np.int32]:
        found = self._from_pool(0, (count, LENGTH))
        topic = self.rng.integers(1, len(self.pools), size=count)
        on_topic = self.rng.random((count, LENGTH)) < self.plan.on_topic
        for number in range(1, len(self.pools)):
            here = on_topic & (topic == number)[:, None]
            found[here] = self._from_pool(number, int(here.sum()))
        return found

    def _from_pool(self, number: int, size) -> NDArray[np.int32]:
        words, cumulated = self.pools[number]
        return words[np.searchsorted(cumulated, self.rng.random(size))].astype(np.int32)

    def _drawn(self, words: NDArray, count: int) -> NDArray:
        """Words of a list, the first the most frequent."""
        return words[
            np.searchsorted(_cumulated(1 / (np.arange(len(words)) + SHIFT)), self.rng.random(count))
        ]


def _cumulated(frequency: NDArray) -> NDArray:
    sums = np.cumsum(frequency)
    return sums / sums[-1]
