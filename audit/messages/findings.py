"""What can be said of messages by place: known groups in each place's vectors first, then each theme beside random words and over halves of the messages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from audit.messages.places import Counted
from audit.report import COLUMNS
from lib.cultures.controls import shared_words
from lib.cultures.regression import theme_bias
from lib.embeddings import Embedding
from lib.inference.correlation import correlation
from lib.inference.random_words import random_words
from lib.inference.reliability import spearman_brown
from lib.measures.known_groups import separation
from lib.measures.word_bias import axis_projection

Floats = NDArray[np.float64]

FEWEST_KNOWN = 4  # known words a side: three against three fall in order by chance once in 20
FEWEST_PLACES = 5  # whose order can be asked for
FEWEST_DIVIDED = 20  # states from which a fact is also permuted inside census divisions
DRAWS_A_TEST = 20  # so that one test alone could pass when p is adjusted
ALL = "all places"
TOGETHER = "all together"  # messages of all places as one text
LEAN, ORDER = "lean beside random words", "order repeats in the other half"
ALIKE = 25  # words of like frequency
TOLERANCE = 1e-12


@dataclass(frozen=True, eq=False)
class Standard:
    """Leans of one theme in some spaces, in standard deviations of random words there, counted from where these lie.

    Attributes
    ----------
    value : ndarray of shape (places,)
        NaN where it cannot be had.
    random : ndarray of shape (places, draws)
        Of random sets of as many words, as frequent.
    """

    value: Floats
    random: Floats


@dataclass(frozen=True, eq=False)
class MessagesAudit:
    """What was found in the messages of some places.

    Attributes
    ----------
    gate : DataFrame
        A row for each place: words of text, known female and known male (words there), AUC, low, high, passed.
    themes : mapping of str to tuple of str
    missing : mapping of str to tuple of str
        Place that passed -> words of themes that it lacks.
    table : DataFrame
        Rows of scores with `COLUMNS`, question, theme, place, tested parts of p, and leans.
    reliability : DataFrame
        A row for each theme with five places or more: r (of the halves), whole, low, high, needed (words of text a place
        for .8; NaN where there is none to begin with).
    errors : mapping of (str, str) to (float, float, float)
        Theme and place -> standard error of the lean over halves, the 97.5 % point of its t, and how far random words reach.
    power : DataFrame
        A row for each place that passed: words of text, seen (lean that eight of ten such texts would show), random
        (that random words alone reach), words for half (for half a standard deviation).
    alike : mapping of str to float
        Theme -> correlation over places of its plain lean with that of random words.
    counted : DataFrame or None
        `Counted.log_odds`.
    sides : (tuple of str, tuple of str)
        Known female and known male words.
    known_needed : float
        Words of text a place that hold known words enough times, inf where these are never said, NaN where it was not counted.
    draws : int
        Random sets behind each p; 0 where the places share too few words.
    """

    gate: pd.DataFrame
    themes: Mapping[str, tuple[str, ...]]
    missing: Mapping[str, tuple[str, ...]]
    table: pd.DataFrame = field(repr=False)
    reliability: pd.DataFrame
    errors: Mapping[tuple[str, str], tuple[float, float, float]] = field(repr=False)
    power: pd.DataFrame
    alike: Mapping[str, float]
    counted: pd.DataFrame | None = field(repr=False)
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    known_needed: float
    draws: int

    @property
    def passed(self) -> list[str]:
        """Places in which known groups are told apart."""
        return [str(place) for place in self.gate.index[self.gate["passed"]]]

    def leans(self, *, overall: bool = False) -> pd.DataFrame:
        """Rows about leans: of single places, or over all of them."""
        rows = self.table[self.table["measure"] == LEAN]
        return rows[(rows["place"] == ALL) == overall]

    @property
    def found(self) -> pd.DataFrame:
        """Rows that say more than what is fair could."""
        return self.table[self.table["beyond"].astype(bool)]


def audit_messages(
    whole: Mapping[str, Embedding],
    halves: Mapping[str, tuple[Embedding, Embedding]],
    themes: Mapping[str, Sequence[str]],
    female: Sequence[str],
    male: Sequence[str],
    known: Sequence[tuple[str, str]],
    *,
    words: Mapping[str, int],
    counted: Counted | None = None,
    min_count: int = 5,
    gaps: Mapping[str, pd.Series] | None = None,
    divisions: pd.Series | None = None,
    draws: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> MessagesAudit:
    """Measure themes in the vectors of some places.

    Parameters
    ----------
    whole : mapping of str to Embedding
        Place -> vectors of its messages, the most frequent word first.
    halves : mapping of str to (Embedding, Embedding)
        Place -> vectors of two halves of its messages.
    themes : mapping of str to sequence of str
    female, male : sequence of str
        Words of the two poles.
    known : sequence of (str, str)
        Pairs whose sides are known, the female word first; words of the poles and of themes are left out.
    words : mapping of str to int
        Words of text of each place.
    counted : Counted, optional
        What the messages say when counted, and how often known words are said.
    min_count : int
        Least occurrences of a word in training.
    gaps : mapping of str to Series, optional
        Facts about places, by their code.
    divisions : Series, optional
        Group of each place, such as a census division; facts are then permuted inside groups as well.
    draws : int
        Random sets of words and permutations, at least; twenty for each test where that is more.
    rng : Generator or int, optional

    Returns
    -------
    MessagesAudit
    """
    generator, facts = np.random.default_rng(rng), dict(gaps or {})
    themes = {name: tuple(listed) for name, listed in themes.items()}
    lists = {*female, *male, *(word for listed in themes.values() for word in listed)}
    sides = [
        list(dict.fromkeys(pair[side] for pair in known if not lists & {*pair})) for side in (0, 1)
    ]
    gate = known_groups(whole, female, male, sides, words, rng=generator)
    needed = math.nan if counted is None else _known_needed(sides, counted, words, min_count)
    places = [place for place in gate.index if gate.at[place, "passed"]]
    said_of_themes = [word for listed in themes.values() for word in listed]
    missing = {}
    for place in places:
        there = set(whole[place].words)
        missing[place] = tuple(word for word in said_of_themes if word not in there)
    asked = (len(places) + (len(places) > 1)) * len(themes)
    questions = 1 + (len(places) >= FEWEST_PLACES) + (len(places) >= FEWEST_PLACES and bool(facts))
    draws = max(draws, DRAWS_A_TEST * asked * questions)
    without = {*female, *male, *sides[0], *sides[1]}
    spaces = {
        "whole": [whole[place] for place in places],
        "first": [halves[place][0] if place in halves else None for place in places],
        "second": [halves[place][1] if place in halves else None for place in places],
    }
    drawn = _random_sets(
        {place: whole[place] for place in places}, themes, without, draws, generator
    )
    rows: list[dict[str, object]] = []
    errors: dict[tuple[str, str], tuple[float, float, float]] = {}
    reliability, alike = {}, {}
    if drawn is not None:
        vocabulary, sets = drawn
        plain = {
            part: [_leans(space, vocabulary, female, male) for space in listed]
            for part, listed in spaces.items()
        }
        used = np.unique(np.concatenate([rows_of.ravel() for rows_of in sets.values()]))
        read = {}
        for theme, listed in themes.items():
            own = {
                part: np.array([_leans(space, listed, female, male) for space in listed_spaces])
                for part, listed_spaces in spaces.items()
            }
            both = np.isfinite(own["first"]) & np.isfinite(own["second"])
            own["first"], own["second"] = (
                np.where(both, own[part], np.nan) for part in ("first", "second")
            )
            read[theme] = {
                part: _standardised(own[part], np.array(plain[part]), sets[theme], used)
                for part in spaces
            }
            alike[theme] = _together(
                theme_bias(own["whole"]), np.nanmean(np.array(plain["whole"])[:, used], axis=1)
            )
            rows += _lean_rows(theme, places, own["whole"], np.array(plain["whole"])[:, used])
        agree = np.array(
            [
                _agreement(first[used], second[used])
                for first, second in zip(plain["first"], plain["second"])
            ]
        )
        errors = _add_intervals(rows, read, places, agree)
        for theme, parts in read.items():
            order = _order_row(theme, parts, [words[place] for place in places], draws, generator)
            if order is not None:
                rows.append(order[0])
                reliability[theme] = order[1]
            for name, fact in facts.items():
                row = _fact_row(
                    theme, name, parts["whole"], fact, places, divisions, draws, generator
                )
                if row is not None:
                    rows.append(row)
    return MessagesAudit(
        gate,
        themes,
        missing,
        _table(rows, draws),
        pd.DataFrame.from_dict(reliability, orient="index"),
        errors,
        _power(errors, places, words),
        alike,
        None if counted is None else counted.log_odds(),
        (tuple(sides[0]), tuple(sides[1])),
        needed,
        draws if drawn is not None else 0,
    )


def known_groups(
    whole: Mapping[str, Embedding],
    female: Sequence[str],
    male: Sequence[str],
    sides: Sequence[Sequence[str]],
    words: Mapping[str, int],
    *,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Whether the axis of each place tells known female from known male words (`sides`): the gate of `MessagesAudit`."""
    generator = np.random.default_rng(rng)
    rows = {}
    for place, space in whole.items():
        scores = [_leans(space, side, female, male) for side in sides]
        scores = [one[np.isfinite(one)] for one in scores]
        row = {"words of text": words[place], "known female": len(scores[0])}
        row |= {"known male": len(scores[1]), "AUC": np.nan, "low": np.nan, "high": np.nan}
        if min(map(len, scores)) >= FEWEST_KNOWN:
            found = separation(*(one[:, None] for one in scores), rng=generator)
            row |= {"AUC": found.auc, "low": found.low, "high": found.high}
        rows[place] = row | {"passed": bool(row["low"] > 0.5)}
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.rename_axis("place").sort_values("words of text", ascending=False)


def _known_needed(
    sides: Sequence[Sequence[str]], counted: Counted, words: Mapping[str, int], min_count: int
) -> float:
    """Words of text in which the fourth commonest known word of each side is said often enough, at the rate of all places."""
    total, needed = sum(words.values()), 0.0
    for side in sides:
        said = sorted((counted.words.get(word, 0) for word in side), reverse=True)
        fourth = said[FEWEST_KNOWN - 1] if len(said) >= FEWEST_KNOWN else 0
        needed = max(needed, total * min_count / fourth if fourth else math.inf)
    return needed


def _leans(
    space: Embedding | None, words: Sequence[str], female: Sequence[str], male: Sequence[str]
) -> Floats:
    """Lean of each word, NaN where the space lacks it or a pole."""
    leans = np.full(len(words), np.nan)
    if space is None:
        return leans
    there, *poles = (space.rows(listed, missing="drop") for listed in (words, female, male))
    if there.words and all(pole.words for pole in poles):
        place = {word: row for row, word in enumerate(words)}
        values = axis_projection(there.vectors, *(pole.vectors for pole in poles))
        leans[[place[word] for word in there.words]] = values
    return leans


def _random_sets(
    spaces: Mapping[str, Embedding],
    themes: Mapping[str, Sequence[str]],
    without: set[str],
    draws: int,
    generator: np.random.Generator,
) -> tuple[list[str], dict[str, NDArray[np.int64]]] | None:
    """Words that half of the places have, and rows of them that stand for each theme's; None where these are too few."""
    shared = shared_words(spaces, without)
    of_themes = {word for listed in themes.values() for word in listed}
    free = [word for word in shared if word not in of_themes]
    before = np.cumsum([0, *(word not in of_themes for word in shared)])
    place = {word: int(before[row]) for row, word in enumerate(shared)}
    sets = {}
    try:
        for theme, listed in themes.items():
            positions = [min(place.get(word, -1), len(free) - 1) for word in listed]
            sets[theme] = random_words(positions, len(free), draws, rng=generator)
    except ValueError:
        return None
    return free, sets


def _standardised(
    own: Floats, plain: Floats, sets: NDArray[np.int64], used: NDArray[np.int64]
) -> Standard:
    """Leans of a theme and its random sets, from the mean of the sets, in standard deviations of random words.

    own : (places, words); plain : (places, vocabulary).
    """
    value = np.full(len(own), np.nan)
    random = np.full((len(own), len(sets)), np.nan, np.float32)  # of many places and draws
    for place, (leans, row) in enumerate(zip(own, plain)):
        there = np.isfinite(leans)
        known = row[used][np.isfinite(row[used])]
        if not there.any() or len(known) < 2 or not np.ptp(known) > 0:
            continue
        drawn = theme_bias(row[sets[:, there]])
        centre, scale = np.nanmean(drawn), known.std()
        value[place] = (leans[there].mean() - centre) / scale
        random[place] = (drawn - centre) / scale
    return Standard(value, random)


def _together(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's correlation over what both have; NaN with fewer than five or where one does not vary."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < FEWEST_PLACES or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return math.nan
    return float(np.corrcoef(x[both], y[both])[0, 1])


def _lean_rows(
    theme: str, places: Sequence[str], own: Floats, plain: Floats
) -> list[dict[str, object]]:
    """Rows of a theme in each place, and over all where there are several, with its plain lean; intervals come later."""
    there = np.isfinite(own).sum(axis=1)
    plain_lean, of_random = theme_bias(own), np.nanmean(plain, axis=1)
    rows: list[dict[str, object]] = [
        {"theme": theme, "place": place, "n": int(n), "plain": lean, "random_words": random}
        for place, n, lean, random in zip(places, there, plain_lean, of_random)
    ]
    if len(places) < 2:
        return rows
    several = {"n": len(places), "plain": np.nan, "random_words": np.nan}
    return [*rows, {"theme": theme, "place": ALL, **several}]


def _add_intervals(
    rows: Sequence[dict[str, object]],
    read: Mapping[str, Mapping[str, Standard]],
    places: Sequence[str],
    agree: Floats,
) -> dict[tuple[str, str], tuple[float, float, float]]:
    """Values, intervals over halves and p for rows of leans. Returns the error, t's 97.5 % point and the random reach by theme and place.

    How far a theme's halves lie apart is known badly in one place. How far random words agree in both halves (`agree`) is
    known well there: it says which share of their leans is noise of the messages. How much more the themes' halves lie
    apart than so much noise would have it is pooled over places and themes.
    """
    values, drawn, apart, noise, errors_of = {}, {}, {}, {}, {}
    for theme, parts in read.items():
        whole = parts["whole"]
        difference = (parts["first"].value - parts["second"].value) / 2
        both = np.isfinite(difference) & np.isfinite(whole.value) & np.isfinite(agree)
        for number, place in enumerate(places):
            key = theme, place
            values[key], drawn[key] = whole.value[number], whole.random[number]
            if both[number]:
                size, r = _size(drawn[key]), agree[number]
                apart[key], noise[key] = difference[number], size * math.sqrt((1 - r) / 2)
                errors_of[key] = size * math.sqrt((1 - r) / (1 + r))
        key = theme, ALL
        values[key], drawn[key] = np.nan, np.full(whole.random.shape[1], np.nan)
        if both.any():
            values[key] = whole.value[both].mean()
            drawn[key] = whole.random[both].mean(axis=0)
            share = ((1 - agree[both]) / (1 + agree[both])).mean()
            errors_of[key] = _size(drawn[key]) * math.sqrt(share)
    shares = [(apart[key] / noise[key]) ** 2 for key in apart if noise[key] > 0]
    df = len(shares)
    more = math.sqrt(max(1.0, float(np.mean(shares)))) if df else math.nan
    reach = float(stats.t.ppf(0.975, df)) if df else math.nan
    errors = {}
    for row in rows:
        key = str(row["theme"]), str(row["place"])
        value, error = values[key], more * errors_of.get(key, math.nan)
        usable = drawn[key][np.isfinite(drawn[key])]
        low, high = np.quantile(usable, [0.025, 0.975]) if len(usable) else (np.nan, np.nan)
        least = smallest_share(usable)
        p_words = (1 + (np.abs(usable) >= abs(value) - TOLERANCE).sum()) / (1 + len(usable))
        p_halves = 2 * stats.t.sf(abs(value) / error, df) if error > 0 else math.nan
        tested = np.isfinite(value) and np.isfinite(p_halves)
        row |= {
            "item": f"{row['theme']}, {row['place']}",
            "measure": LEAN,
            "value": value,
            "low": value - reach * error,
            "high": value + reach * error,
            "null_low": low,
            "null_high": high,
            "p_random_words": max(p_words, least) if tested else math.nan,
            "p_halves": p_halves if tested else math.nan,
            "smallest_p": least,
        }
        if tested:
            errors[key] = error, reach, float(max(-low, high))
    return errors


def smallest_share(drawn: ArrayLike) -> float:
    """The smallest p beside random sets: where few different sets are to be had, more draws of them show no more.

    Examples
    --------
    >>> smallest_share(np.arange(99.0)), smallest_share(np.arange(100.0) % 4)
    (0.01, 0.2)
    """
    values = np.asarray(drawn, float)
    different = len(np.unique(values.round(5)))
    return 1 / (1 + (different if 2 * different < len(values) else len(values)))


def _agreement(first: Floats, second: Floats) -> float:
    """Correlation of the leans of random words in two halves, 0 at least, without what words of like frequency share."""
    there = np.isfinite(first) & np.isfinite(second)
    if there.sum() < ALIKE:
        return math.nan
    halves = np.array([first[there], second[there]])  # in order of frequency
    for part in np.array_split(np.arange(halves.shape[1]), max(1, halves.shape[1] // ALIKE)):
        halves[:, part] -= halves[:, part].mean(axis=1, keepdims=True)
    return float(np.clip(_together(*halves), 0, 1 - TOLERANCE))


def _size(values: Floats) -> float:
    """Root of the mean square of what is there."""
    return math.sqrt(np.nanmean(np.asarray(values, float) ** 2))


def _order_row(
    theme: str,
    parts: Mapping[str, Standard],
    words: Sequence[int],
    draws: int,
    generator: np.random.Generator,
) -> tuple[dict[str, object], dict[str, float]] | None:
    """Whether the places come in the same order in both halves, beside shuffled places and random sets."""
    first, second = parts["first"], parts["second"]
    both = np.isfinite(first.value) & np.isfinite(second.value)
    r = _together(first.value, second.value)
    if np.isnan(r):
        return None
    n = int(both.sum())
    x, y = _standard(first.value[both]), _standard(second.value[both])
    shuffled = generator.permuted(np.broadcast_to(y, (draws, n)), axis=1) @ x
    of_sets = (_standard(first.random[both].T) * _standard(second.random[both].T)).sum(axis=1)
    of_sets = of_sets[np.isfinite(of_sets)]
    p_shuffled = (1 + (shuffled >= r - TOLERANCE).sum()) / (1 + draws)
    p_words = (1 + (of_sets >= r - TOLERANCE).sum()) / (1 + len(of_sets))
    least = smallest_share(of_sets)
    reach = 1.959964 / math.sqrt(n - 3)
    low, high = np.tanh(np.arctanh(np.clip(r, -1 + 1e-9, 1 - 1e-9)) + np.array([-reach, reach]))
    whole = spearman_brown(float(np.clip(r, -1, 1)))
    needed = float(np.median(words)) * 4 * (1 - whole) / whole if whole > 0 else math.nan
    null = np.quantile(of_sets, [0.025, 0.975]) if len(of_sets) else (np.nan, np.nan)
    row: dict[str, object] = {
        "item": theme,
        "theme": theme,
        "place": "",
        "measure": ORDER,
        "value": r,
        "low": float(low),
        "high": float(high),
        "null_low": null[0],
        "null_high": null[1],
        "p_random_words": max(p_words, least),
        "p_halves": p_shuffled,
        "n": n,
        "smallest_p": max(least, 1 / (1 + draws), 1 / math.factorial(n)),
    }
    ends = (spearman_brown(float(end)) for end in (low, high))
    return row, dict(zip(("r", "whole", "low", "high", "needed"), (r, whole, *ends, needed)))


def _fact_row(
    theme: str,
    name: str,
    leans: Standard,
    fact: pd.Series,
    places: Sequence[str],
    divisions: pd.Series | None,
    draws: int,
    generator: np.random.Generator,
) -> dict[str, object] | None:
    """Correlation of a theme's lean with a fact, beside permuted places and random sets."""
    y = fact.reindex(places).to_numpy(float)
    both = np.isfinite(leans.value) & np.isfinite(y)
    n = int(both.sum())
    if n < FEWEST_PLACES or np.ptp(y[both]) == 0 or np.ptp(leans.value[both]) == 0:
        return None
    x, y = leans.value[both], y[both]
    found = correlation(x, y, n_resamples=draws, rng=generator)
    of_sets = _standard(leans.random[both].T) @ _standard(y)
    of_sets = of_sets[np.isfinite(of_sets)]
    p_words = (1 + (np.abs(of_sets) >= abs(found.r) - TOLERANCE).sum()) / (1 + len(of_sets))
    least = smallest_share(of_sets)
    p_places, p_inside = found.pvalue, math.nan
    if divisions is not None and n >= FEWEST_DIVIDED:
        groups = pd.factorize(divisions.reindex(np.array(places)[both]))[0]
        order = np.argsort(groups, kind="stable")  # places of one division side by side
        keys = groups[order] + generator.random((draws, n))
        inside = y[order][np.argsort(keys, axis=1)]
        size = np.abs(_standard(inside) @ _standard(x[order]))
        p_inside = (1 + (size >= abs(found.r) - TOLERANCE).sum()) / (1 + draws)
    return {
        "item": f"{theme}, {name}",
        "theme": theme,
        "place": "",
        "measure": f"goes with {name}",
        "value": found.r,
        "low": found.low,
        "high": found.high,
        "null_low": float(np.quantile(of_sets, 0.025)),
        "null_high": float(np.quantile(of_sets, 0.975)),
        "p_random_words": max(p_words, least),
        "p_halves": p_places,
        "p_inside_divisions": p_inside,
        "n": n,
        "smallest_p": max(least, 1 / (1 + draws), 1 / math.factorial(n)),
    }


def _standard(rows: Floats) -> Floats:
    """Rows at mean zero and length one, so that products are correlations; NaN where a row does not vary."""
    apart = rows - rows.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(apart, axis=-1, keepdims=True)
    return np.asarray(np.divide(apart, length, out=np.full_like(apart, np.nan), where=length > 0))


def _table(rows: Sequence[Mapping[str, object]], draws: int) -> pd.DataFrame:
    """All rows with p, adjusted p and what they say. p is adjusted over the rows of a question, and for the number of questions."""
    parts = ["p_random_words", "p_halves", "p_inside_divisions"]
    others = ["question", "theme", "place", "plain", "random_words", *parts, "leans", "beyond"]
    table = pd.DataFrame(list(rows)).reindex(columns=[*COLUMNS, *others])
    if not len(table):
        return table
    table["p"] = table[parts].astype(float).max(axis=1)
    table["p"] = table["p"].where(table["p_random_words"].notna() & table["p_halves"].notna())
    about = table["measure"].where(table["measure"].isin([LEAN, ORDER]), "facts")
    table["question"] = about
    tested = table["p"].notna()
    questions = about[tested].nunique()
    for _, group in table[tested].groupby(about[tested]):
        adjusted = stats.false_discovery_control(group["p"].astype(float))
        table.loc[group.index, "adjusted_p"] = np.minimum(1, questions * adjusted)
    value, low, high = (table[name].astype(float) for name in ("value", "low", "high"))
    beyond = (table["adjusted_p"].astype(float) <= 0.05) & ((low > 0) | (high < 0))
    table["beyond"] = beyond & ((about != ORDER) | (value > 0))
    side = np.where(value > 0, "female", "male")
    table["leans"] = np.where(table["beyond"] & (about == LEAN), side, "")
    return table


def _power(
    errors: Mapping[tuple[str, str], tuple[float, float, float]],
    places: Sequence[str],
    words: Mapping[str, int],
) -> pd.DataFrame:
    """What the text of each place could have shown, by its theme in the middle."""
    rows = {}
    for place in places:
        here = np.array([three for (_, at), three in errors.items() if at == place])
        if not len(here):
            continue
        error, reach, random = np.median(here, axis=0)
        seen = (reach + stats.norm.ppf(0.8)) * error
        rows[place] = {
            "words of text": words[place],
            "seen": seen,
            "random words": random,
            "words for half": words[place] * (seen / 0.5) ** 2,
        }
    return pd.DataFrame.from_dict(rows, orient="index")
