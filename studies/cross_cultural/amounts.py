"""How much text a place needs before its vectors give back the lean that was planted in it.

Each place of each planting is trained by itself, and what it gave is kept, so that a training may be stopped at any moment and goes on
from there.
"""

import importlib.metadata
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.cultures.biases import word_biases
from lib.cultures.tasks import Training, train
from lib.inference.sums import central, p_of_draws
from lib.kept import kept_rows
from studies.cross_cultural.planted import LENGTH, Plan, PlantedText, plant
from studies.cross_cultural.recovered import centred

# As thin as real text (`real_rates`): two theme words in a thousand words, one of them in five with a female or male word in reach, and
# 15 female and male words in a thousand. Set before anything was trained.
THIN = Plan(types=5000, themed=0.024, alone=0.8, gendered=0.09)
# As the chapter plants: half of the messages hold a theme word, and people with it.
DENSE = Plan(types=5000, themed=0.5)
TEXTS = {"as thin as real text": THIN, "dense": DENSE}
WAYS = ("counted", "vectors", "centred")
FEWEST = 3  # places of a correlation
REACH = 10  # words to each side, the window of the paper
_ROW = ("planted", "counted", "said", "vectors", "centred", "words")


@dataclass(frozen=True, eq=False)
class Collection:
    """So many places with so many words each, planted once, with the same procedure for each."""

    gaps: pd.DataFrame = field(repr=False)  # the places, in the order of their statistics
    themes: Mapping[str, Sequence[str]]
    follows: Mapping[str, str]
    female: Sequence[str]
    male: Sequence[str]
    controls: Mapping[str, Sequence[str]]  # invented words, about as rare as theme words
    plan: Plan
    training: Training
    seed: tuple[int, int]  # of the chapter, and the number of the planting

    @cached_property
    def text(self) -> PlantedText:
        """What was planted."""
        who = self.female, self.male
        seed = [*self.seed, self.plan.tokens]
        return plant(self.gaps, self.themes, self.follows, *who, self.plan, rng=seed)

    def keys(self) -> list[str]:
        """All that decides what a place gives, beside the code."""
        made_of = {
            "gaps": self.gaps.to_csv(),
            "lists": [dict(self.themes), dict(self.controls), [*self.female], [*self.male]],
            "follows": dict(self.follows),
            "plan": asdict(self.plan),
            "training": asdict(self.training),
            "seed": self.seed,
            "gensim": importlib.metadata.version("gensim"),
        }
        return [json.dumps(made_of | {"place": place}) for place in self.gaps.index]

    def read(self, rows: Sequence[int]) -> list[NDArray[np.float64]]:
        """Planted log odds, counted ones, theme words said, lean in vectors, the same centred, and the words it stands on, for each
        theme and control: an array for each of some places."""
        sets, read = {**self.themes, **self.controls}, []
        for place in self.gaps.index[list(rows)]:
            texts = self.text.texts(place)
            space = train(texts, self.training, place)
            del texts
            biases = word_biases({place: space}, sets, self.female, self.male)
            middle = word_biases({place: centred(space)}, sets, self.female, self.male)
            counted, said = self._counted(place, sets)
            table = {
                "planted": self.text.log_odds.loc[place],
                "counted": counted,
                "said": said,
                "vectors": biases.means().loc[place],
                "centred": middle.means().loc[place],
                "words": biases.table().set_index("theme")["words"],
            }
            read.append(pd.DataFrame(table).reindex(list(sets))[list(_ROW)].to_numpy(float))
        return read

    def _counted(
        self, place: str, sets: Mapping[str, Sequence[str]]
    ) -> tuple[pd.Series, pd.Series]:
        one = replace(self.text, numbers={place: self.text.numbers[place]})
        odds = one.counted_log_odds(sets, len(self.female), len(self.male)).loc[place]
        row = {word: number for number, word in enumerate(one.words)}
        counts = np.bincount(one.numbers[place].ravel(), minlength=len(one.words))
        said = {name: counts[[row[word] for word in words]].sum() for name, words in sets.items()}
        return odds, pd.Series(said)

    def leans(self) -> pd.DataFrame:
        """What `read` gives of every place, trained where it is not kept: (place, set) × planted, counted, said, vectors, centred, words."""
        sets = [*self.themes, *self.controls]
        found = {}
        for rows, part in kept_rows("amounts", self.keys(), self.read, chunk=1):
            for row, values in zip(rows, part):
                found[self.gaps.index[row]] = pd.DataFrame(values, sets, list(_ROW))
        return pd.concat(found, names=["place", "set"])


def collections(
    gaps: pd.DataFrame,
    amounts: Mapping[int, int],
    plantings: int,
    lists: Mapping[str, object],
    *,
    plan: Plan,
    training: Training,
    seed: int = 0,
) -> dict[tuple[int, int], Collection]:
    """By words of text and number of the planting: `amounts` says how many of the places get so many words (drawn anew for each planting),
    `lists` holds themes, follows, female, male and the controls of `Collection`."""
    made = {}
    for tokens, places in amounts.items():
        for number in range(plantings):
            rng = np.random.default_rng([seed, number, tokens, 1])
            chosen = np.sort(rng.permutation(len(gaps))[:places])
            sized = replace(plan, tokens=tokens)
            of_these = dict(plan=sized, training=training, seed=(seed, number))
            made[tokens, number] = Collection(gaps.iloc[chosen], **lists, **of_these)
    return made


def recovery(
    tables: Mapping[tuple[int, int], pd.DataFrame],
    themes: Sequence[str],
    controls: Sequence[str],
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """How far measured leans go with planted ones over places, for the tables of `Collection.leans` by words of text and planting.

    A row for each amount and way of `WAYS`. `value` is the correlation over places, the mean of all themes and plantings that have
    `FEWEST` places with a lean (NaN where none has); `low`, `high` the 95 % interval over plantings and places drawn anew; `null low`,
    `null high` and `p` from planted leans permuted among the places of a planting, the same for all themes, with `least p`, the
    smallest that could have come out; `random words` the same mean for the controls; `places`, `plantings`, and `measured`, the share
    of themes and places with a lean.
    """
    rng, rows = np.random.default_rng(rng), {}
    for tokens in dict.fromkeys(tokens for tokens, _ in tables):
        of_amount = [table for (words, _), table in tables.items() if words == tokens]
        for way in WAYS:
            sides = [_sides(table, way, themes) for table in of_amount]
            others = [
                (planted, _sides(table, way, [control] * len(themes))[1])
                for table, (planted, _) in zip(of_amount, sides)
                for control in controls
            ]
            places = [len(planted) for planted, _ in sides]
            value = float(_mean([_correlations(*side) for side in sides]))
            row = {"value": value, "places": places[0], "plantings": len(sides)}
            row["measured"] = float(np.mean([np.isfinite(lean).mean() for _, lean in sides]))
            row["random words"] = float(_mean([_correlations(*side) for side in others]))
            row["low"], row["high"] = np.nan, np.nan
            row["null low"], row["null high"], row["p"], row["least p"] = [np.nan] * 4
            if np.isfinite(value):
                row["low"], row["high"] = _over_places(sides, draws, rng)
                null = _mean([_permuted(*side, draws, rng) for side in sides])
                row["null low"], row["null high"] = central(null)[1:]
                row["p"] = p_of_draws(abs(value), np.abs(null))
                row["least p"] = 1 / (draws + 1)
            rows[tokens, way] = row
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["tokens", "way"])


def _sides(
    table: pd.DataFrame, way: str, sets: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Planted and measured leans, (places, sets)."""
    planted, lean = table["planted"].unstack()[list(sets)], table[way].unstack()[list(sets)]
    return planted.to_numpy(float), lean.to_numpy(float)


def _correlations(planted: NDArray[np.float64], lean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Over places, (…, themes); NaN with fewer than `FEWEST` places or nothing that differs."""
    there = np.isfinite(planted) & np.isfinite(lean)
    n = there.sum(axis=-2, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = (
            np.where(there, x - np.where(there, x, 0).sum(axis=-2, keepdims=True) / n, 0)
            for x in (planted, lean)
        )
        r = (a * b).sum(axis=-2) / np.sqrt((a**2).sum(axis=-2) * (b**2).sum(axis=-2))
    return np.where(n[..., 0, :] >= FEWEST, r, np.nan)


def _mean(r: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean of all correlations that there are, those of a planting in each array (…, themes)."""
    together = np.concatenate(r, axis=-1)
    there = np.isfinite(together)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(there, together, 0).sum(axis=-1) / there.sum(axis=-1)


def _permuted(
    planted: NDArray[np.float64],
    lean: NDArray[np.float64],
    draws: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Correlations with planted leans permuted among the places, (draws, themes)."""
    rows = rng.permuted(np.tile(np.arange(len(planted)), (draws, 1)), axis=1)
    return _correlations(planted[rows], lean)


def _over_places(
    sides: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]],
    draws: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """The 95 % interval of the mean correlation, plantings drawn with replacement and places in each."""
    drawn = []
    for _ in sides:
        of_each = []
        for planted, lean in sides:
            rows = rng.integers(len(planted), size=(draws, len(planted)))
            of_each.append(_correlations(planted[rows], lean[rows]))
        number = rng.integers(len(sides), size=draws)
        drawn.append(np.stack(of_each)[number, np.arange(draws)])
    low, high = np.nanquantile(_mean(drawn), [0.025, 0.975])
    return float(low), float(high)


def real_rates(
    texts: Iterable[str], theme_words: Iterable[str], people: Iterable[str]
) -> dict[str, float]:
    """How thin a text is: its words, theme words and female or male words in a thousand, and the share of theme words with one of the
    latter within `REACH` words."""
    theme_words, people = {*theme_words}, {*people}
    words_in_all = themed = persons = beside = 0
    for text in texts:
        words = re.findall(r"\w+", text.lower())
        words_in_all += len(words)
        persons += sum(word in people for word in words)
        for place, word in enumerate(words):
            if word in theme_words:
                themed += 1
                beside += not people.isdisjoint(words[max(place - REACH, 0) : place + REACH + 1])
    return {
        "words": words_in_all,
        "theme words in a thousand": 1000 * themed / words_in_all,
        "female or male words in a thousand": 1000 * persons / words_in_all,
        "share of theme words beside one": beside / themed if themed else np.nan,
    }


def rates_of_plan(plan: Plan) -> dict[str, float]:
    """The same of planted text, as its plan has it."""
    alone = plan.themed * plan.alone
    people = plan.themed - alone + (1 - plan.themed) * plan.gendered
    return {
        "theme words in a thousand": 1000 * plan.themed / LENGTH,
        "female or male words in a thousand": 2000 * people / LENGTH,
        "share of theme words beside one": 1 - plan.alone,
    }
