"""The translation gender bias index: how outputs for gender-neutral pronouns divide by gender.

A set of sentences scores sqrt(p_female p_male + p_neutral); the index is the mean over sets. Higher
means more neutral or more balanced: 1 where all outputs are neutral, at most 1/2 where none is, 0
where all are of one gender. Neutral is what is left, "they" and "the person" as well as "it",
copied text and failures.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.inference.sums import share_reaching, swapped_sums
from lib.lexicons import word_list

CLASSES = ("female", "male", "neutral")
RULES = ("female", "male", "first", "neutral")  # what an output with words of both genders is
WORD_LISTS = ("printed", "pronouns", "possessives", "plurals")  # the paper's, then wider ones
CLITIC = re.compile(r"(?<=[^'\s])(n't|'(?:s|m|d|ll|re|ve))$")
BREAKS = re.compile(r"[\s,;:?!()\[\]{}<>\"“”«»…@#$%&*]+|\.{2,}|--+|``|''")
EDGES = ".'‘’`"


class SetScore(NamedTuple):
    """Shares of feminine, masculine and neutral outputs in a set of n, and its score.

    The score is sqrt(p_female p_male + p_neutral), in [0, 1].
    """

    p_female: float
    p_male: float
    p_neutral: float
    score: float
    n: int

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of feminine, masculine and neutral outputs."""
        return tuple(round(share * self.n) for share in self[:3])


@dataclass(frozen=True)
class TgbiResult:
    """The translation gender bias index of a translator.

    Attributes
    ----------
    index : float
        Mean score of the sets, in [0, 1].
    sets : mapping
        Set -> its `SetScore`.
    both : mapping
        Set -> number of its outputs with words of both genders.
    """

    index: float
    sets: Mapping[str, SetScore]
    both: Mapping[str, int]

    def table(self) -> pd.DataFrame:
        """One row for each set: p_female, p_male, p_neutral, score, n, both."""
        table = pd.DataFrame.from_dict(self.sets, orient="index", columns=SetScore._fields)
        return table.assign(both=pd.Series(self.both))


@dataclass(frozen=True)
class IndexInterval:
    """Bootstrap intervals of the index.

    Attributes
    ----------
    low, high : float
        Of the index.
    sets : mapping
        Set -> (low, high) of its score.
    """

    low: float
    high: float
    sets: Mapping[str, tuple[float, float]]


class IndexDifference(NamedTuple):
    """The index of one translator less that of another.

    low and high are the ends of a 95 % percentile interval, p is two-sided, n the items.
    """

    value: float
    low: float
    high: float
    p: float
    n: int


class Coverage(NamedTuple):
    """How often a 95 % interval has the true index in it, over items and over single sentences."""

    items: float
    sentences: float
    simulations: int


def gender_words(name: str = "printed") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words that make an output feminine, and masculine. name : one of `WORD_LISTS`.

    Examples
    --------
    >>> gender_words("pronouns")
    (('she', 'her'), ('he', 'him'))
    """
    one_of("words", name, WORD_LISTS)
    start = "cho2019/" if name == "printed" else f"output_gender/{name}_"
    return word_list(f"{start}female"), word_list(f"{start}male")


def translation_gender_bias_index(
    outputs: Mapping[str, Sequence[str]],
    *,
    female: Collection[str] | None = None,
    male: Collection[str] | None = None,
    both: str = "female",
) -> TgbiResult:
    """The translation gender bias index of English outputs.

    Parameters
    ----------
    outputs : mapping
        Set -> its sentences; sets may overlap, each counts once in the mean.
    female, male : collection of str, optional
        Words that count; default those that the paper prints.
    both : str
        What an output with words of both genders is: "female" (as published), "male", "first"
        (its first such word), "neutral".

    Returns
    -------
    TgbiResult
        Index and scores in [0, 1]; the same if the genders change places and `both` is "first" or
        "neutral".

    Raises
    ------
    ValueError
        Without a set, for an empty set, one string in place of a list, a word of both lists,
        another rule.

    References
    ----------
    Cho, Kim, Kim & Kim (2019), equation 2; counted as in the authors' code.

    Examples
    --------
    >>> outputs = {"a": ["She is kind.", "He is kind."], "b": ["He's a judge.", "They judge."]}
    >>> result = translation_gender_bias_index(outputs)
    >>> round(result.index, 3), result.sets["a"].score
    (0.604, 0.5)
    """
    if isinstance(outputs, str) or not isinstance(outputs, Mapping) or not outputs:
        raise ValueError(
            "outputs: expected sets of sentences by name, {'informal': [...]}, got "
            f"{type(outputs).__name__} {str(outputs)[:40]!r}"
        )
    female, male = _checked_words(female, male)
    scores, doubled = {}, {}
    for name, sentences in outputs.items():
        classes = gender_classes(sentences, female=female, male=male, both=both, name=name)
        scores[name] = set_score(*np.bincount(classes, minlength=3))
        doubled[name] = sum(len(_genders(sentence, female, male)) == 2 for sentence in sentences)
    index = sum(score.score for score in scores.values()) / len(scores)
    return TgbiResult(index, scores, doubled)


def set_score(female: int, male: int, neutral: int) -> SetScore:
    """Shares and score from numbers of feminine, masculine and neutral outputs.

    Raises
    ------
    ValueError
        For negative numbers, and where all are zero.

    Examples
    --------
    >>> set_score(50, 50, 0).score, round(set_score(0, 74, 26).score, 2)
    (0.5, 0.51)
    """
    n = int(female + male + neutral)
    if min(female, male, neutral) < 0 or not n:
        raise ValueError(
            "expected counts of outputs, 0 or more and not all 0, "
            f"got {female}, {male} and {neutral}"
        )
    shares = female / n, male / n, neutral / n
    return SetScore(*map(float, shares), sqrt(shares[0] * shares[1] + shares[2]), n)


def gender_classes(
    sentences: Sequence[str],
    *,
    female: Collection[str] | None = None,
    male: Collection[str] | None = None,
    both: str = "female",
    name: str = "sentences",
) -> NDArray[np.intp]:
    """Whether each output is feminine, masculine or neutral, by its words.

    Parameters and errors are those of the index.

    Returns
    -------
    (n,) array of int
        0, 1 or 2: a place in `CLASSES`.

    Examples
    --------
    >>> gender_classes(["She is kind.", "He's kind.", "They're kind.", "He met her."])
    array([0, 1, 2, 0])
    """
    if isinstance(sentences, str) or not len(sentences):
        raise ValueError(
            f"'{name}': expected a list of one output or more, got {sentences!r}; leave an empty "
            "set out"
        )
    one_of("both", both, RULES)
    female, male = _checked_words(female, male)
    classes = []
    for sentence in sentences:
        genders = _genders(sentence, female, male)
        if not genders:
            classes.append(2)
        elif len(genders) == 2 and both != "first":
            classes.append(CLASSES.index(both))
        else:
            classes.append(genders[0])
    return np.array(classes)


def _checked_words(
    female: Collection[str] | None, male: Collection[str] | None
) -> tuple[frozenset[str], frozenset[str]]:
    printed = gender_words() if female is None or male is None else ((), ())
    female = frozenset(printed[0] if female is None else female)
    male = frozenset(printed[1] if male is None else male)
    if shared := female & male:
        raise ValueError(
            f"expected words of one gender only, got {', '.join(sorted(shared))} in both lists"
        )
    return female, male


def _genders(sentence: str, female: Collection[str], male: Collection[str]) -> list[int]:
    """The genders of the words of a sentence, 0 and 1, in the order in which they come."""
    words = [word for word in words_of(sentence) if word in female or word in male]
    return list(dict.fromkeys(0 if word in female else 1 for word in words))


def words_of(sentence: str) -> list[str]:
    """Lower-cased words, in the manner of the word tokenizer of NLTK that the authors used.

    One contraction is cut off at a word's end, so that "he's" holds "he", and "He's're" does not.
    Hyphens and slashes stay.

    Examples
    --------
    >>> words_of("The quick-witted: 'she', isn't it?")
    ['the', 'quick-witted', 'she', 'is', "n't", 'it']
    """
    words = []
    for part in BREAKS.split(sentence.lower().replace("’", "'")):
        word = part.strip(EDGES)
        words += [piece for piece in (CLITIC.sub("", word), *CLITIC.findall(word)) if piece]
    return words


def index_interval(
    outputs: Mapping[str, Sequence[str]],
    items: Mapping[str, Sequence[int]],
    *,
    resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> IndexInterval:
    """95 % percentile bootstrap intervals of the index over items.

    They cover how much the index depends on which words were put into the sentences.

    Parameters
    ----------
    outputs : mapping
        As for the index.
    items : mapping
        Set -> the item (word) that each of its sentences was made of. The sentences of an item are
        drawn together in all sets, items that occur in the same sets among themselves.
    resamples : int
    rng : Generator, int or None

    Raises
    ------
    ValueError
        As the index, and when items do not fit the outputs.
    """
    counts = _item_counts(outputs, items)
    scores = _scores(_resampled_totals(counts, resamples, np.random.default_rng(rng)))
    low, high = np.quantile(scores, [0.025, 0.975], axis=0).tolist()
    around = np.quantile(scores.mean(axis=1), [0.025, 0.975]).tolist()
    return IndexInterval(*around, dict(zip(outputs, zip(low, high))))


def index_difference(
    first: Mapping[str, Sequence[str]],
    second: Mapping[str, Sequence[str]],
    items: Mapping[str, Sequence[int]],
    *,
    resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> IndexDifference:
    """The index of one translator less that of another, over the same sentences.

    The interval draws items, the same for both. The test exchanges what the two made of an item, in
    all sets at once, in half of the items: as if the names of the translators said nothing.

    Parameters
    ----------
    first, second : mapping
        Set -> the outputs of each, as for the index.
    items : mapping
        As for `index_interval`.
    resamples : int
        Of the interval, and exchanges of the test.
    rng : Generator, int or None

    Returns
    -------
    IndexDifference
        In [-1, 1]; above 0 where the first has the higher index.

    Raises
    ------
    ValueError
        As the index, and when items do not fit the outputs of both.

    References
    ----------
    Noreen (1989), approximate randomisation.

    Examples
    --------
    >>> he, she = ["He is kind."] * 20, ["She is kind.", "He is kind."] * 10
    >>> found = index_difference({"all": she}, {"all": he}, {"all": range(20)}, rng=0)
    >>> found.value, found.low > 0, found.p < 0.01
    (0.5, True, True)
    """
    one, two = _item_counts(first, items), _item_counts(second, items)
    if list(first) != list(second):
        raise ValueError(
            f"second: expected the sets {', '.join(first)}, got {', '.join(second)}, in this order"
        )
    generator = np.random.default_rng(rng)
    both = _resampled_totals(np.concatenate([one, two], axis=1), resamples, generator)
    drawn = _scores(both).reshape(resamples, 2, -1).mean(axis=2)
    low, high = np.quantile(drawn[:, 0] - drawn[:, 1], [0.025, 0.975]).tolist()
    rows = (counts.reshape(len(counts), -1) for counts in (one, two))
    exchanged = [
        _scores(sums.reshape(resamples, *one.shape[1:])).mean(axis=1)
        for sums in swapped_sums(*rows, n_resamples=resamples, rng=generator)
    ]
    value = float(_scores(one.sum(axis=0)).mean() - _scores(two.sum(axis=0)).mean())
    p = float(share_reaching(value, exchanged[0] - exchanged[1]))
    return IndexDifference(value, low, high, p, len(one))


def interval_coverage(
    outputs: Mapping[str, Sequence[str]],
    items: Mapping[str, Sequence[int]],
    *,
    simulations: int = 500,
    resamples: int = 500,
    rng: np.random.Generator | int | None = None,
) -> Coverage:
    """How often the 95 % interval of the index has the true one in it.

    The outputs are taken for all the words there are, so that their index is the true one. As many
    words are drawn from them again and again, and an interval is made from each draw.

    Parameters
    ----------
    outputs, items : mapping
        As for `index_interval`.
    simulations : int
        Draws of words.
    resamples : int
        Of each interval.
    rng : Generator, int or None

    Returns
    -------
    Coverage
        Shares of intervals in [0, 1]; .95 is right. `items`: of intervals over items, as
        `index_interval` makes them. `sentences`: where every sentence of every set is drawn alone.

    Raises
    ------
    ValueError
        As `index_interval`.

    Examples
    --------
    >>> said = {"all": ["She is so."] * 100 + ["He is so."] * 300}
    >>> found = interval_coverage(said, {"all": [row // 4 for row in range(400)]}, rng=0)
    >>> found.items > 0.9, found.sentences < 0.8
    (True, True)
    """
    counts = _item_counts(outputs, items)
    generator = np.random.default_rng(rng)
    true = _scores(counts.sum(axis=0)).mean()
    # Items with the same counts are the same for the index: what is drawn is how many of each.
    patterns = [np.unique(rows, axis=0, return_counts=True) for rows in _by_sets(counts)]
    sizes = counts.sum(axis=(0, 2)).astype(int)
    inside = np.zeros((simulations, 2), bool)
    for simulation in range(simulations):
        drawn, sample = np.zeros((resamples, *counts.shape[1:])), np.zeros(counts.shape[1:])
        for rows, number in patterns:
            n = number.sum()
            words = generator.multinomial(n, number / n)
            sample += np.tensordot(words, rows, 1)
            drawn += np.tensordot(generator.multinomial(n, words / n, resamples), rows, 1)
        shares = sample / sample.sum(axis=1, keepdims=True)
        single = generator.multinomial(sizes, shares, (resamples, len(sizes)))
        for column, totals in enumerate((drawn, single)):
            low, high = np.quantile(_scores(totals).mean(axis=1), [0.025, 0.975])
            inside[simulation, column] = low <= true <= high
    return Coverage(*map(float, inside.mean(axis=0)), simulations)


def _item_counts(
    outputs: Mapping[str, Sequence[str]], items: Mapping[str, Sequence[int]]
) -> NDArray:
    """How many outputs of an item are of each gender in each set: (items, sets, 3)."""
    if outputs.keys() != items.keys() or any(
        len(items[name]) != len(outputs[name]) for name in outputs
    ):
        raise ValueError(
            "items: expected the item of every sentence of every set, got other sets or other "
            "numbers"
        )
    distinct, places = np.unique(
        np.concatenate([np.asarray(rows) for rows in items.values()]), return_inverse=True
    )
    counts = np.zeros((len(distinct), len(outputs), 3))
    start = 0
    for column, (name, sentences) in enumerate(outputs.items()):
        rows = places[start : start + len(sentences)]
        np.add.at(counts, (rows, column, gender_classes(sentences, name=name)), 1)
        start += len(sentences)
    return counts


def _scores(totals: NDArray) -> NDArray:
    """The scores of sets from counts of feminine, masculine and neutral outputs (..., 3)."""
    shares = totals / totals.sum(axis=-1, keepdims=True)
    return np.sqrt(shares[..., 0] * shares[..., 1] + shares[..., 2])


def _by_sets(counts: NDArray) -> list[NDArray]:
    """The items (items, sets, 3), divided by the sets they occur in and how often."""
    _, kinds = np.unique(counts.sum(axis=2), axis=0, return_inverse=True)
    return [counts[kinds == kind] for kind in range(kinds.max() + 1)]


def _resampled_totals(counts: NDArray, resamples: int, rng: np.random.Generator) -> NDArray:
    """Sums of counts (items, sets, 3) of items drawn with replacement: (resamples, sets, 3)."""
    totals = np.zeros((resamples, counts[0].size))
    for rows in _by_sets(counts):
        weights = rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=resamples)
        totals += weights @ rows.reshape(len(rows), -1)
    return totals.reshape(resamples, *counts.shape[1:])
