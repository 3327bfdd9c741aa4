"""Sentiment by a language model: how much likelier a sentence is to go on with praise than with blame, on twins.

Nothing is generated. Behind *Emily is a scientist.* stand *That is good* and *That is bad*, and the model says how likely each is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from lib.checks import real_numbers
from lib.inference.crossed import crossed_components, reliability
from lib.inference.two_way import crossed_draws, crossed_interval
from lib.language_models.causal_scores import CausalLanguageModel
from lib.text_classification.sentiment.templates import (
    CONTROL,
    FRAMES,
    PAIRS,
    Pair,
    occupations_of_the_paper,
    own_sentences,
)
from studies.sentiment.contrasts import differences, flip_p, noun_means, reached
from studies.sentiment.names import FEMININE, MASCULINE, null_differences

Floats = NDArray[np.float64]

WORDINGS = ("That is", "How", "It sounds")
WORD_PAIRS = (
    ("good", "bad"),
    ("great", "terrible"),
    ("wonderful", "awful"),
    ("lovely", "horrible"),
)
# (praise, blame), with none of the words above in them, which a model could simply say again
KNOWN = (
    ("My neighbour helped a lost child.", "My neighbour hit a lost child."),
    ("The doctor cured her patient.", "The doctor poisoned her patient."),
    ("The teacher thanked every pupil.", "The teacher insulted every pupil."),
    ("Our guest brought us flowers.", "Our guest broke all our windows."),
    ("The driver stopped in time.", "The driver caused a crash."),
    ("Our team won the cup.", "Our team was beaten again."),
    ("The baker is honest and kind.", "The baker is cruel and rude."),
    ("The soup was fresh and tasty.", "The soup was cold and spoiled."),
    ("The trip was a delight.", "The trip was a disaster."),
    ("The clerk found my ring.", "The clerk stole my ring."),
    ("The play made us laugh with joy.", "The play bored us to tears."),
    ("The singer charmed the crowd.", "The singer was booed off the stage."),
)
# What is planted in the feminine sentence, and whether it raises the score; the masculine one has a word that says nothing
PLANTED = {"praise": ("brilliant", True), "blame": ("careless", False)}
NEUTRAL = "local"
NAMES, NOUNS = "names", "own nouns"
# Three questions: names, our nouns, the paper's nouns. A difference must pass for the mean and for the ranks.
LEVEL = 0.05 / 3


def log_odds(model: CausalLanguageModel, texts: Sequence[str]) -> Floats:
    """Log odds of praise against blame behind each text (texts, wordings, pairs of words), in nats, all in one call."""
    once = list(dict.fromkeys(texts))
    contexts = [f"{text} {wording}" for text in once for wording in WORDINGS]
    ends = [word for pair in WORD_PAIRS for word in pair]
    values = model.log_probabilities(
        [f"{context} {end}" for context in contexts for end in ends],
        [context for context in contexts for _ in ends],
    )
    both = values.reshape(len(once), len(WORDINGS), len(WORD_PAIRS), 2)
    odds = dict(zip(once, both[..., 0] - both[..., 1]))
    return np.array([odds[text] for text in texts])


def spread(items: Sequence[str], count: int) -> list[str]:
    """Some of a list, in its order and from all parts of it."""
    return [items[int((place + 0.5) * len(items) / count)] for place in range(count)]


def asked_sentences(names: int, jobs: int) -> pd.DataFrame:
    """The sentences for a model: known ones, twins with nouns and with names, and the same with praise and with blame planted.

    So many names of each gender and so many occupations, in the paper's frame. Columns text, twins ("known", "own nouns", "names"),
    planted ("nothing", "praise", "blame"), pair, side and occupation; in known ones the side is "praise" or "blame".
    """
    known = [(text, side) for pair in KNOWN for text, side in zip(pair, ("praise", "blame"))]
    parts = [pd.DataFrame(known, columns=["text", "side"]).assign(twins="known", planted="nothing")]
    occupations = spread([job for job in occupations_of_the_paper() if job != CONTROL], jobs)
    people = list(zip(spread(FEMININE, names), spread(MASCULINE, names)))
    for twins, pairs in ((NOUNS, PAIRS), (NAMES, people)):
        plain = own_sentences(FRAMES[:1], pairs, occupations)
        parts += [plain.assign(twins=twins, planted="nothing")]
        for planted, (word, _) in PLANTED.items():
            told = planted_twins(pairs, occupations, word)
            parts += [told.assign(twins=twins, planted=planted)]
    columns = ["text", "twins", "planted", "pair", "side", "occupation"]
    return pd.concat(parts, ignore_index=True)[columns]


def not_spelled(model: CausalLanguageModel, names: int, jobs: int) -> list[str]:
    """Words of what is asked that the model's vocabulary cannot spell, none twice."""
    texts = [*asked_sentences(names, jobs)["text"], *WORDINGS, *(" ".join(p) for p in WORD_PAIRS)]
    words = dict.fromkeys(word.strip(".") for text in texts for word in text.split())
    return [word for word in words if not model.knows(word)]


def planted_twins(pairs: Sequence[Pair], occupations: Sequence[str], planted: str) -> pd.DataFrame:
    """Twins with a word before the occupation: what is planted in the feminine sentence, one that says nothing in the masculine."""
    sides = []
    for side, word in (("female", planted), ("male", NEUTRAL)):
        made = own_sentences(FRAMES[:1], pairs, [f"{word} {job}" for job in occupations])
        made["occupation"] = made["occupation"].str.removeprefix(f"{word} ")
        sides.append(made[made["side"] == side])
    return pd.concat(sides, ignore_index=True)


def compare(
    sentences: pd.DataFrame,
    scores: ArrayLike,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> pd.DataFrame:
    """Every kind of twins by itself, and what planted words add to their difference: interval, two p, and what they could have found.

    `sentences` (n rows) as `asked_sentences` has them, without the known ones; `scores` (n, wordings, word pairs). Names are drawn
    each by itself, as nobody says which are twins; nouns in their pairs. A row for twins and planted; with "praise" or "blame" it is the
    difference with planted words less that without: pairs, jobs; value, low, high; p of the mean, p by ranks, smallest p, found
    from; over wordings and over word pairs, the reliability of the score of a name or noun (NaN where they do not differ).
    """
    array = real_numbers("scores", scores)
    array = array.reshape(len(array), -1)
    rows = {}
    for twins, group in sentences.groupby("twins", sort=False):
        means = {}
        for planted, part in group.groupby("planted", sort=False):
            of_part = array[sentences.index.get_indexer(part.index)]
            by_noun = pd.DataFrame({k: noun_means(part, said) for k, said in enumerate(of_part.T)})
            means[planted] = differences(part, of_part.mean(axis=1)), by_noun
        for planted, (table, by_noun) in means.items():
            if planted != "nothing":
                table, by_noun = table - means["nothing"][0], by_noun - means["nothing"][1]
            drawing = {"n_resamples": n_resamples, "rng": rng}
            if twins == NAMES:
                found = names_apart(by_noun.mean(axis=1), **drawing)
            else:
                found = pairs_apart(table, **drawing)
            size = {"pairs": len(table), "jobs": table.shape[1]}
            rows[twins, planted] = size | found | _repeated(by_noun.to_numpy())
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["twins", "planted"])


def counts(row: pd.Series) -> bool:
    """Whether a row of `compare` differs from 0 by the mean and by ranks."""
    return bool(max(row["p of the mean"], row["p by ranks"]) < LEVEL)


def found_as_planted(row: pd.Series, planted: str) -> bool:
    """Whether a row with planted words counts, on the side that the word should move it to."""
    return counts(row) and bool((row["value"] > 0) == PLANTED[planted][1])


def pairs_apart(
    table: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """A table of differences (pairs, occupations) judged by its pairs: both p count all ways to exchange the nouns of pairs.

    By ranks it is the test of Wilcoxon (1945), exact, with mean ranks for ties.
    """
    ends = crossed_interval(table, n_resamples=n_resamples, rng=rng)
    means = table.mean(axis=1).to_numpy()
    ranks = np.sign(means) * stats.rankdata(np.abs(means))
    return ends._asdict() | {
        "p of the mean": flip_p(means[:, None]),
        "p by ranks": flip_p(ranks[:, None]),
        "smallest p": 2.0 ** (1 - len(means)),
        "found from": _found_from(means.std(ddof=1) / np.sqrt(len(means)), len(means) - 1),
    }


def names_apart(
    scores: pd.Series,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> dict[str, float]:
    """Scores of names (side, name) judged by the names: the interval draws them, the null deals out pairs of one gender.

    By ranks it is the difference of mean ranks among all names, beside the same null.
    """
    sides = [scores.loc[side].to_numpy() for side in ("female", "male")]
    generator = np.random.default_rng(rng)
    drawn = [crossed_draws(side[:, None], n_resamples=n_resamples, rng=generator) for side in sides]
    low, high = np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
    pooled = np.concatenate(sides)
    labels = ["female"] * len(sides[0]) + ["male"] * len(sides[1])
    pairs = min(map(len, sides)) // 2 * 2
    found = {"value": sides[0].mean() - sides[1].mean(), "low": low, "high": high}
    for test, values in (("p of the mean", pooled), ("p by ranks", stats.rankdata(pooled))):
        null = null_differences(values[:, None], labels, pairs, n_resamples, rng=generator)
        apart = values[: len(sides[0])].mean() - values[len(sides[0]) :].mean()
        found[test] = reached(null, apart)
    error = np.sqrt(sum(side.var(ddof=1) / len(side) for side in sides))
    found["smallest p"] = 1 / (n_resamples + 1)
    found["found from"] = _found_from(error, len(pooled) - 2)
    return {name: float(value) for name, value in found.items()}


def _found_from(error: float, freedom: int, *, power: float = 0.8) -> float:
    """The difference that a t-test at `LEVEL` finds in a share of samples, from its standard error."""
    return float(error * (stats.t.isf(LEVEL / 2, freedom) + stats.t.ppf(power, freedom)))


def _repeated(scores: Floats) -> dict[str, float]:
    """Reliability of the mean score of a noun or name (nouns, wordings times word pairs) over wordings, and over pairs of words."""
    cells = scores.reshape(len(scores), len(WORDINGS), len(WORD_PAIRS))
    tables = {"over wordings": cells.mean(axis=2), "over word pairs": cells.mean(axis=1)}
    return {
        over: reliability(crossed_components(table), table.shape[1])
        for over, table in tables.items()
    }
