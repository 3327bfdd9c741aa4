"""What can be said of messages by place: known groups in each place's vectors first, then each theme beside random words and over halves of the messages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib import wording
from lib.audit.messages.places import Counted
from lib.audit.report import COLUMNS, Sentences
from lib.cultures.controls import MOSTLY_SHARED, shared_words
from lib.cultures.regression import theme_bias
from lib.embeddings import Embedding
from lib.inference.correlation import correlation, points_needed
from lib.inference.random_words import random_words
from lib.inference.reliability import spearman_brown
from lib.markdown import verbatim
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
    asked = (len(places) + 1) * len(themes)
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
    """Rows of a theme in each place and over all, with its plain lean; intervals come later."""
    there = np.isfinite(own).sum(axis=1)
    plain_lean, of_random = theme_bias(own), np.nanmean(plain, axis=1)
    rows: list[dict[str, object]] = [
        {"theme": theme, "place": place, "n": int(n), "plain": lean, "random_words": random}
        for place, n, lean, random in zip(places, there, plain_lean, of_random)
    ]
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
            "p_random_words": p_words if tested else math.nan,
            "p_halves": p_halves if tested else math.nan,
            "smallest_p": 1 / (1 + len(usable)),
        }
        if tested:
            errors[key] = error, reach, float(max(-low, high))
    return errors


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
        "p_random_words": p_words,
        "p_halves": p_shuffled,
        "n": n,
        "smallest_p": max(1 / (1 + draws), 1 / math.factorial(n)),
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
        "p_random_words": p_words,
        "p_halves": p_places,
        "p_inside_divisions": p_inside,
        "n": n,
        "smallest_p": max(1 / (1 + draws), 1 / math.factorial(n)),
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


def said(audit: MessagesAudit, together: pd.Series | None = None) -> Sentences:
    """What came out, and what may and may not be said.

    Parameters
    ----------
    audit : MessagesAudit
    together : Series, optional
        Row of `known_groups` for all messages together, where no place passes.
    """
    if not audit.passed or not len(audit.errors):
        return _refused(audit, together)
    gate, places = audit.gate, audit.passed
    answers, may, may_not = [_of_gate(audit)], [], []
    for about, sentences in (
        ("leans", _of_leans(audit)),
        ("order", _of_order(audit)),
        ("facts", _of_facts(audit)),
    ):
        answers += sentences.answers
        may += sentences.may
        may_not += sentences.may_not
        if about == "leans" and not sentences.may:
            seen = audit.power["seen"]
            may.append(
                f"That known groups are told apart in {_places(places)} and no theme leans beyond what is fair, in text of which eight of ten such would have shown a lean of "
                f"{wording.number(seen.min(), 1)} to {wording.number(seen.max(), 1)} standard deviations of random words."
            )
    if failed := [place for place in gate.index if place not in places]:
        may_not.append(
            f"Anything of {_listed(failed)}: known groups are not told apart there. {_takes(audit)}"
        )
    shared = {theme: r for theme, r in audit.alike.items() if r >= MOSTLY_SHARED}
    if shared:
        r = wording.interval(min(shared.values()), max(shared.values()))
        may_not.append(
            f"Which place leans more by plain leans, without random words: those of {_listed(shared)} rise and fall with the leans of random words (r {r}), which is training."
        )
    may_not += [
        "Anything about people: these are associations in messages, and the two poles leave out everybody who is neither.",
        "That other words of a theme, other people of a place, or another training would show the same: intervals are over messages like these.",
    ]
    return Sentences(tuple(answers[:4]), tuple(may), tuple(may_not))


def _refused(audit: MessagesAudit, together: pd.Series | None) -> Sentences:
    n, largest = len(audit.gate), int(audit.gate["words of text"].max())
    if audit.passed:
        why = "the places share too few words for random sets beside the themes, or halves of their messages are too small"
        if all(
            len(words) == sum(map(len, audit.themes.values())) for words in audit.missing.values()
        ):
            why = "no word of a theme is said often enough"
        first = f"**Nothing is ranked**: {why} (the largest place has {largest:,} words)."
        return Sentences(
            (first, _of_gate(audit)),
            (),
            ("Anything about leans: more text is needed, or words that are said more often.",),
        )
    where = "the one place" if n == 1 else f"any of {n} places"
    first = f"**No known group can be told apart in {where}: nothing is ranked.** {_takes(audit, together)}"
    return Sentences(
        (first,), (), ("Anything about leans of themes, here or beside another place.",)
    )


def _takes(audit: MessagesAudit, together: pd.Series | None = None) -> str:
    """How much text a place needs for its known groups, in a sentence."""
    gate, needed = audit.gate, audit.known_needed
    failed = gate[~gate["passed"]]
    largest = int(failed["words of text"].max())
    if math.isinf(needed):
        return f"Fewer than {FEWEST_KNOWN} known words a side are said at all: name others with --known."
    if math.isfinite(needed) and needed > largest:
        text = (
            f"Four known words a side are said often enough in about {wording.count(_round(needed))} words of text a place; "
            f"the largest of these has {largest:,}."
        )
        if together is None:
            return f"{text} To tell them apart may take more."
        every = f"All messages together, {int(together['words of text']):,} words,"
        if together["passed"]:
            return f"{text} {every} do tell them apart."
        return f"{text} {every} do not tell them apart either: it takes more, or more passes over them (--epochs)."
    if audit.passed:
        least = int(gate.loc[gate["passed"], "words of text"].min())
        return f"The smallest place in which they are has {least:,} words; the largest in which they are not {largest:,}."
    if together is not None:
        every = int(together["words of text"])
        if together["passed"]:
            return f"All messages together, {every:,} words, do tell them apart: a place takes more than the {largest:,} words of the largest, and at most about so many."
        return f"Nor do all messages together: a place takes more than {every:,} words, or more passes over them (--epochs)."
    return f"The largest place has {largest:,} words: a place takes more, or more passes over them (--epochs)."


def _round(x: float) -> float:
    """Two digits that count."""
    return float(f"{x:.1e}")


def _of_gate(audit: MessagesAudit) -> str:
    gate, places = audit.gate, audit.passed
    least, most = gate.loc[places, "AUC"].agg(["min", "max"])
    auc = wording.interval(least, most) if least < most else wording.number(least)
    return (
        f"Known female and male words are told apart in **{len(places)} of {len(gate)} places** "
        f"(AUC {auc}, where one half is blind)."
    )


def _of_leans(audit: MessagesAudit) -> Sentences:
    single, overall = audit.leans(), audit.leans(overall=True)
    own, whole = single[single["beyond"]], overall[overall["beyond"]]
    tested = single["p"].notna().sum()
    untold = single[single["p"].isna()].groupby("theme", sort=False)["place"].nunique()
    own = own.sort_values("value", key=np.abs, ascending=False)
    named = ", ".join(_named(row) for _, row in own.head(4).iterrows())
    named += " …" if len(own) > 4 else "."
    answer = f"**{len(own)} of {tested} leans** of a theme in one place stand out beyond random words and over halves of the messages{f': {named}' if len(own) else '.'}"
    may, may_not = [], []
    for _, row in whole.iterrows():
        may.append(
            f"In the messages of {_places(audit.passed)} *{verbatim(row['theme'])}* leans {row['leans']}: {_value(row)}, where random words lie between "
            f"{wording.interval(row['null_low'], row['null_high'], sign=True)} (adjusted p {wording.p_equals(row['adjusted_p'])})."
        )
    if len(whole):
        listed = ", ".join(
            f"*{verbatim(row['theme'])}* {_value(row)}" for _, row in whole.iterrows()
        )
        answer = f"Over all places {len(whole)} of {overall['p'].notna().sum()} themes lean: {listed}. {answer}"
    if len(own):
        what = "one lean stands" if len(own) == 1 else f"{len(own)} leans stand"
        may.append(
            f"That {what} out by {'itself' if len(own) == 1 else 'themselves'}, adjusted for {tested + overall['p'].notna().sum()} tests: {named}"
        )
    else:
        may_not.append(
            f"That a theme leans in any one place: none of {tested} passes for itself; places are listed, not ranked."
        )
    flat = overall[~overall["beyond"] & overall["p"].notna()]
    if len(flat):
        may_not.append(
            f"That {_listed(flat['theme'])} {'leans' if len(flat) == 1 else 'lean'} over all places: smallest adjusted p {wording.p_equals(flat['adjusted_p'].min())}."
        )
    nowhere = [theme for theme, n in untold.items() if n == len(audit.passed)]
    if nowhere:
        may_not.append(
            f"Anything of {_listed(nowhere)}: too few of the words are said often enough."
        )
    if len(untold) > len(nowhere):
        may_not.append(
            f"Anything of {_listed(theme for theme in untold.index if theme not in nowhere)} in the places in which the words are not said often enough in both halves."
        )
    return Sentences((answer,), tuple(may), tuple(may_not))


def _of_order(audit: MessagesAudit) -> Sentences:
    rows = audit.table[audit.table["measure"] == ORDER]
    if not len(rows):
        return Sentences(
            (),
            (),
            (
                f"Which place leans more: it takes {FEWEST_PLACES} places that pass to ask for an order, here are {len(audit.passed)}.",
            ),
        )
    repeated, not_ = rows[rows["beyond"]], rows[~rows["beyond"]]
    may, may_not = [], []
    for _, row in repeated.iterrows():
        found = audit.reliability.loc[row["theme"]]
        may.append(
            f"That places differ in how *{verbatim(row['theme'])}* leans: their order repeats in the other half of the messages (r {wording.signed(row['value'])}, "
            f"{wording.interval(row['low'], row['high'], sign=True)} over {row['n']} places, adjusted p {wording.p_equals(row['adjusted_p'])}); "
            f"of all messages its reliability is {wording.number(found['whole'])}."
        )
    best = rows.sort_values("value", ascending=False).iloc[0]
    answer = (
        f"The order of {best['n']} places repeats in the other half of their messages for **{len(repeated)} of {len(rows)} themes**; the nearest is *{verbatim(best['theme'])}* "
        f"(r {wording.signed(best['value'])}, random words {wording.interval(best['null_low'], best['null_high'], sign=True)})."
    )
    if len(not_):
        text = f"Which of two places leans more in {_listed(not_['theme'])}: the order does not repeat beyond random words."
        needed = audit.reliability.loc[list(not_["theme"]), "needed"].dropna()
        needed = needed[needed > audit.power["words of text"].median()]
        if len(needed):
            theme = needed.idxmin()
            text += (
                f" If what there is of it is no chance, *{verbatim(theme)}* takes about {wording.count(_round(needed[theme]))} words of text a place "
                f"for a reliability of .8 (the middle place has {wording.count(audit.power['words of text'].median())})."
            )
        may_not.append(text)
    return Sentences((answer,), tuple(may), tuple(may_not))


def _of_facts(audit: MessagesAudit) -> Sentences:
    rows = audit.table[audit.table["question"] == "facts"]
    if not len(rows):
        return Sentences((), (), ())
    may, may_not = [], []
    for _, row in rows[rows["beyond"]].iterrows():
        may.append(
            f"That over these {row['n']} places *{verbatim(row['theme'])}* {verbatim(row['measure'])}: r {wording.signed(row['value'])}, "
            f"{wording.interval(row['low'], row['high'], sign=True)}, random words {wording.interval(row['null_low'], row['null_high'], sign=True)} (adjusted p {wording.p_equals(row['adjusted_p'])})."
        )
    rest = rows[~rows["beyond"]]
    if len(rest):
        may_not.append(
            f"That {'any theme' if len(rest) == len(rows) else 'another theme'} goes with a fact: smallest adjusted p {wording.p_equals(rest['adjusted_p'].min())} "
            f"over {rest['n'].max()} places; a correlation of .5 takes {points_needed(0.5)}."
        )
    if may:
        may_not.append(
            "That a fact makes or follows a lean, or that either is true of the people of a place: places are not people, and neighbours are alike."
        )
    best = rows.sort_values("p").iloc[0]
    answer = (
        f"**{len(rows) - len(rest)} of {len(rows)} correlations** with a fact stand out; the nearest is *{verbatim(best['theme'])}*, which {verbatim(best['measure'])} by "
        f"{wording.signed(best['value'])} ({wording.interval(best['low'], best['high'], sign=True)}, {best['n']} places)."
    )
    return Sentences((answer,), tuple(may), tuple(may_not))


def _named(row: pd.Series) -> str:
    return f"*{verbatim(row['theme'])}* in {row['place']} ({row['leans']}, {wording.signed(row['value'])})"


def _value(row: pd.Series) -> str:
    ends = wording.interval(row["low"], row["high"], sign=True)
    return f"{wording.signed(row['value'])} standard deviations of random words ({ends})"


def _listed(names: Iterable[object], most: int = 8) -> str:
    every = [verbatim(str(name)) for name in names]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")


def _places(places: Sequence[str]) -> str:
    return f"{len(places)} places" if len(places) != 1 else f"one place ({places[0]})"
