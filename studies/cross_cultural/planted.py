"""Text whose associations are known: messages of invented words in which themes stand with female or male words.

Each culture has log odds for each theme: those of a female over a male context when a word of the theme is said. They follow a
gap statistic with a chosen strength, and noise comes on top. What comes out is real enough for a whole pipeline: a Zipfian
vocabulary, topics, messages with places.
"""

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
from lib.files import new_file

LENGTH = 12  # words in a message
SHIFT = 2.7  # of Zipf and Mandelbrot's law


@dataclass(frozen=True)
class Plan:
    """How text is made."""

    strength: float = 0.5  # change of the log odds for one standard deviation of the gap
    noise: float = 0.5  # standard deviation of what a culture adds
    spread: float = 0.3  # standard deviation of what a word adds, the same in all cultures
    tokens: int = 200_000  # words for each culture
    types: int = 5_000  # invented words
    topics: int = 20  # that the invented words are dealt to
    themed: float = 0.25  # share of messages with a theme word
    gendered: float = 0.35  # share of the other messages with a female or male word
    on_topic: float = 0.5  # share of words from the message's topic
    alone: float = 0.0  # share of the messages with a theme word that hold nobody


@dataclass(frozen=True, eq=False)
class PlantedText:
    """Messages of cultures and what was planted in them."""

    words: tuple[str, ...]  # female words, male words, theme words, invented ones
    # culture -> (messages, 12) places in `words`
    numbers: Mapping[str, NDArray[np.int32]] = field(repr=False)
    log_odds: pd.DataFrame  # cultures × themes, female over male
    # cultures × themes: the standardised statistic; NaN where a theme follows none
    gaps: pd.DataFrame

    def texts(self, culture: str) -> list[list[str]]:
        """The messages of a culture as lists of words."""
        return np.array(self.words, dtype=object)[self.numbers[culture]].tolist()

    @property
    def planted_r2(self) -> pd.Series:
        """Signed R² of each theme's log odds with its gap, what a perfect measure would find; NaN where it follows none."""
        r2 = {
            theme: float(signed_r2(self.log_odds[theme], gap))
            for theme, gap in self.gaps.items()
            if gap.notna().any()
        }
        return pd.Series(r2, dtype=float).reindex(self.gaps.columns)

    def log_ratio_of_people(self, female: int, male: int) -> pd.Series:
        """Log ratio of female to male words said in each culture; `female`, `male`: how many words each list has."""
        sides = {
            culture: np.histogram(numbers, bins=[0, female, female + male])[0]
            for culture, numbers in self.numbers.items()
        }
        return pd.Series({culture: np.log(side[0] / side[1]) for culture, side in sides.items()})

    def counted_log_odds(
        self,
        themes: Mapping[str, Sequence[str]],
        female: int,
        male: int,
        messages: int | None = None,
    ) -> pd.DataFrame:
        """Log odds of female over male words in the messages with a word of each theme, cultures × themes: what the text itself says, before
        any vector is trained. `female` and `male` are how many words each list has; of each culture the first `messages` are counted."""
        row, table = {word: number for number, word in enumerate(self.words)}, {}
        for culture, numbers in self.numbers.items():
            numbers = numbers[:messages]
            people = ((numbers < female).sum(axis=1), (numbers < female + male).sum(axis=1))
            table[culture] = {}
            for theme, words in themes.items():
                there = np.isin(numbers, [row[word] for word in words]).any(axis=1)
                women, all_of_them = (side[there].sum() for side in people)
                table[culture][theme] = np.log((women + 0.5) / (all_of_them - women + 0.5))
        return pd.DataFrame.from_dict(table, orient="index")

    def write_csv(
        self,
        path: Path | str,
        columns: tuple[str, str] = ("body", "where"),
        rng: np.random.Generator | int | None = None,
    ) -> Path:
        """All messages in a random order with their culture's code, as a file that `lib.cultures` reads."""
        places = [
            (culture, row) for culture, rows in self.numbers.items() for row in range(len(rows))
        ]
        words = np.array(self.words, dtype=object)
        with (
            new_file(Path(path)) as part,
            part.open("w", newline="", encoding="utf-8") as file,
        ):
            writer = csv.writer(file)
            writer.writerow(columns)
            for place in np.random.default_rng(rng).permutation(len(places)):
                culture, row = places[place]
                writer.writerow((" ".join(words[self.numbers[culture][row]]), culture))
        return Path(path)


def plant(
    gaps: pd.DataFrame,
    themes: Mapping[str, Sequence[str]],
    follow: Mapping[str, str | None],
    female: Sequence[str],
    male: Sequence[str],
    plan: Plan = Plan(),
    rng: np.random.Generator | int | None = None,
) -> PlantedText:
    """Text for each culture of a gap table (cultures × statistics); `follow` has the column that a theme follows, "-column" for the
    opposite direction, None (or nothing) for a theme that follows none."""
    _check(gaps, themes, follow, female, male)
    rng = np.random.default_rng(rng)
    standard = pd.DataFrame(
        {theme: _standardised(gaps, follow.get(theme)) for theme in themes}, index=gaps.index
    )
    noise = plan.noise * rng.standard_normal(standard.shape)
    signs = [-1 if (follow.get(theme) or "").startswith("-") else 1 for theme in themes]
    log_odds = plan.strength * standard.fillna(0.0) * signs + noise
    source = _MessageSource(female, male, themes, plan, rng)
    numbers = {culture: source.messages(log_odds.loc[culture].to_numpy()) for culture in gaps.index}
    return PlantedText(source.words, numbers, log_odds, standard)


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
    words = [*female, *male, *(word for listed in themes.values() for word in listed)]
    if twice := sorted({word for word in words if words.count(word) > 1}):
        raise ValueError(
            f"expected each word in one list, got {', '.join(twice)} in two; take them out of one"
        )


class _MessageSource:
    """Draws messages: invented words by topic, then female or male words and a theme word in places of their own."""

    def __init__(
        self,
        female: Sequence[str],
        male: Sequence[str],
        themes: Mapping[str, Sequence[str]],
        plan: Plan,
        rng: np.random.Generator,
    ):
        self.plan, self.rng = plan, rng
        lists = [female, male, *themes.values()]
        invented = [f"w{number:05d}" for number in range(plan.types)]
        self.words = tuple(word for listed in (*lists, invented) for word in listed)
        ends = np.cumsum([0, *map(len, lists)])
        self.female, self.male, *self.themes = (np.arange(*span) for span in pairwise(ends))
        self.offsets = plan.spread * rng.standard_normal(ends[-1])
        fillers = np.arange(ends[-1], len(self.words))
        frequency = _zipfian(plan.types)
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
        messages = self._fillers(count)
        themed = rng.random(count) < plan.themed
        theme = rng.integers(len(self.themes), size=count)
        theme_word = np.choose(theme, [rng.choice(words, size=count) for words in self.themes])
        odds = np.where(themed, log_odds[theme] + self.offsets[theme_word], 0.0)
        is_female = rng.random(count) < expit(odds)
        gendered = themed | (rng.random(count) < plan.gendered)
        if plan.alone:
            gendered &= ~(themed & (rng.random(count) < plan.alone))
        places = rng.random((count, LENGTH)).argsort(axis=1)[:, :3]
        rows = np.arange(count)
        for column in (0, 1):
            person = np.where(
                is_female, self._frequent(self.female, count), self._frequent(self.male, count)
            )
            messages[rows[gendered], places[gendered, column]] = person[gendered]
        messages[rows[themed], places[themed, 2]] = theme_word[themed]
        return messages

    def _fillers(self, count: int) -> NDArray[np.int32]:
        messages = self._from_pool(0, (count, LENGTH))
        topic = self.rng.integers(1, len(self.pools), size=count)
        on_topic = self.rng.random((count, LENGTH)) < self.plan.on_topic
        for number in range(1, len(self.pools)):
            chosen = on_topic & (topic == number)[:, None]
            messages[chosen] = self._from_pool(number, int(chosen.sum()))
        return messages

    def _from_pool(self, number: int, size: int | tuple[int, int]) -> NDArray[np.int32]:
        words, cumulated = self.pools[number]
        return words[np.searchsorted(cumulated, self.rng.random(size))].astype(np.int32)

    def _frequent(self, words: NDArray, count: int) -> NDArray:
        """Words of a list, the first the most frequent."""
        cumulated = _cumulated(_zipfian(len(words)))
        return words[np.searchsorted(cumulated, self.rng.random(count))]


def _zipfian(types: int) -> NDArray:
    return 1 / (np.arange(types) + SHIFT)


def _cumulated(frequency: NDArray) -> NDArray:
    sums = np.cumsum(frequency)
    return sums / sums[-1]
