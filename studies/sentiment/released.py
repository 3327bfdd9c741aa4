"""What Bhaskaran and Bhallamudi print about their three models, from the predictions they released."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from lib.inference.two_way import Interval
from lib.ledger import claims
from studies.sentiment.bhaskaran2019 import (
    CONTROL,
    RUNS,
    SENTENCES,
    read_predictions,
    read_sentences,
)
from studies.sentiment.contrasts import differences

PAPER = "bhaskaran2019_sentiment"
TWINS = "mean difference of twin sentences"  # procedures, as data/claims names them
RANKS = "rank of the mean over the sentences that name the occupation"
MEANS = "mean over the sentences that name the occupation"
TOKENS = "phrases with a noun as a token between blanks"

# The nouns that the authors looked for in SST-2, one token each.
NOUNS = {
    "male": [
        "he",
        "boy",
        "man",
        "father",
        "son",
        "grandfather",
        "grandson",
        "uncle",
        "nephew",
        "brother",
        "boyfriend",
        "husband",
        "groom",
        "gentleman",
        "dad",
        "grandpa",
        "widower",
        "bachelor",
    ],
    "female": [
        "she",
        "girl",
        "woman",
        "mother",
        "daughter",
        "grandmother",
        "granddaughter",
        "aunt",
        "niece",
        "sister",
        "girlfriend",
        "wife",
        "bride",
        "lady",
        "mum",
        "grandma",
        "widow",
        "spinster",
    ],
}


def occupation_ranks(occupations: ArrayLike, said: ArrayLike, *, tie: float = 1e-9) -> pd.DataFrame:
    """Occupations from the most to the least positive: mean, top and bottom (ranks from each end; tied ones share the best), tied.

    `said` (n,) is how positive each sentence was taken to be; means nearer than `tie` are tied with the next; tied counts how many
    others have the same mean.
    """
    names, scores = np.asarray(occupations, str), np.asarray(said, float)
    if names.shape != scores.shape or names.ndim != 1 or not len(names):
        raise ValueError(
            f"said: expected a score for each sentence; got {scores.shape} for {names.shape}"
        )
    means = pd.Series(scores).groupby(names, sort=False).mean()
    means = means.sort_values(ascending=False, kind="stable")
    group = (means.diff().abs() > tie).cumsum()  # a new number where the mean falls
    ranks = pd.DataFrame(
        {
            "mean": means,
            "top": group.map(group.value_counts().sort_index().cumsum().shift(fill_value=0) + 1),
        }
    )
    ranks["tied"] = group.map(group.value_counts()) - 1
    ranks["bottom"] = len(ranks) - (ranks["top"] + ranks["tied"]) + 1
    return ranks[["mean", "top", "bottom", "tied"]]


def phrases_with_nouns(phrases: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The phrases that hold one of the nouns of a side as a token between blanks, as in Section 4 of the paper.

    Each once, however many nouns it holds; a phrase may be on both sides.
    """
    tokens = phrases["text"].str.split(" ")
    return {
        side: phrases[[not wanted.isdisjoint(row) for row in tokens]]
        for side, wanted in ((side, set(nouns)) for side, nouns in NOUNS.items())
    }


def phrase_groups(texts: list[str]) -> list[int]:
    """A number for each phrase, the same for phrases that are pieces of one longer phrase in the list.

    Phrases of SST-2 are cut from sentences, so that one review counts many times. The longest phrase that contains a phrase names its
    group.
    """
    longest: list[str] = []
    group = {}
    for text in sorted(set(texts), key=lambda text: (-len(text), text)):
        spaced = f" {text} "
        number = next((n for n, whole in enumerate(longest) if spaced in whole), len(longest))
        if number == len(longest):
            longest.append(spaced)
        group[text] = number
    order: dict[int, int] = {}
    return [order.setdefault(group[text], len(order)) for text in texts]


def grouped_difference(
    phrases: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """The mean label of phrases with a female noun, less that of phrases with a male one, with a 95 % percentile interval.

    Columns side ("female" or "male"), label, and group: phrases of one group are drawn together.
    """
    sums = phrases.groupby(["group", "side"])["label"].agg(["sum", "count"]).unstack(fill_value=0)
    if {*phrases["side"]} != {"female", "male"} or len(sums) < 2:
        raise ValueError(
            f"phrases: expected both sides in two groups or more; got {len(sums)} groups and {sorted({*phrases['side']})}"
        )
    generator = np.random.default_rng(rng)
    even = np.full(len(sums), 1 / len(sums))
    weights = np.vstack(
        [np.ones(len(sums)), generator.multinomial(len(sums), even, size=n_resamples)]
    )
    drawn = weights @ sums.to_numpy()  # one row a draw: sums of female, male, then counts
    columns = {name: drawn[:, place] for place, name in enumerate(sums.columns)}
    with np.errstate(invalid="ignore"):
        means = {side: columns["sum", side] / columns["count", side] for side in ("female", "male")}
    differences_drawn = means["female"] - means["male"]
    low, high = np.nanquantile(differences_drawn[1:], [0.025, 0.975])
    return Interval(float(differences_drawn[0]), float(low), float(high))


class PrintedNumber(NamedTuple):
    """A number of the paper, in plain units, computed from a released file.

    `about` holds the settings that single it out in data/claims, `beside` what else tells it from its neighbours; `procedure` and
    `data` say how it was computed, and from which registry keys.
    """

    location: str
    metric: str
    value: float
    about: dict[str, str]
    beside: dict[str, str]
    procedure: str
    data: str


def answers(found: list[PrintedNumber]) -> pd.DataFrame:
    """A row a number, as the ledger takes it: with the printed one as `claim`, and what tells it from its neighbours."""
    rows = []
    for number in found:
        where = {"paper": PAPER, "location": number.location, "metric": number.metric}
        row = {"quantity": number.metric.replace("_", " "), "value": number.value}
        row |= {"claim": claims.one(**where, **number.about), "data": number.data}
        rows.append(row | {"procedure": number.procedure} | number.about | number.beside)
    return pd.DataFrame(rows)


def printed_numbers() -> pd.DataFrame:
    """All numbers of Tables 1 and 2 and of Sections 4.1 and 4.2 that the predictions of the three models answer: `answers`."""
    every = read_sentences(control=True)
    sentences = every[every["occupation"] != CONTROL]
    found = []
    for system, key in RUNS.items():
        said = read_predictions(system)
        about, data = {"system": system}, f"{key}; {SENTENCES}"
        table = differences(sentences, said[: len(sentences)])
        mean = float(table.to_numpy().mean())
        found.append(PrintedNumber("Table 1", "prob_diff_f_minus_m", mean, about, {}, TWINS, data))
        ranks = occupation_ranks(sentences["occupation"], said[: len(sentences)])
        printed = claims.table(paper=PAPER, location="Table 2")
        for row in printed[printed["system"] == system].itertuples():
            place = about | {"list": row.list, "profession": row.profession}
            value = float(ranks.loc[row.profession, row.list.removesuffix(" 3")])
            found.append(PrintedNumber("Table 2", "rank", value, place, {}, RANKS, data))
        if len(said) == len(every):
            found += _details(every, said, table, ranks["mean"], about, data)
    return answers(found)


def _details(
    every: pd.DataFrame,
    said: ArrayLike,
    table: pd.DataFrame,
    means: pd.Series,
    about: dict[str, str],
    data: str,
) -> list[PrintedNumber]:
    """Sections 4.1 and 4.2: single occupations, one pair of nouns, and the control sentences."""
    rows = []
    for profession, order in (("scientist", "highest"), ("truck driver", "lowest")):
        place = about | {"profession": profession, "order": order}
        value = float(means[profession])
        rows.append(
            PrintedNumber("Section 4.1", "mean_positive_prob", value, place, {}, MEANS, data)
        )
    control = (every["occupation"] == CONTROL).to_numpy()
    of_person = differences(every[control], np.asarray(said)[control])
    by_job = table.mean()
    by_job[CONTROL] = of_person.to_numpy().mean()
    metric = "prob_diff_f_minus_m"
    for profession in (CONTROL, "flight attendant", "bartender", "clerk"):
        dataset = "control sentences" if profession == CONTROL else "occupation sentences (800)"
        place, value = about | {"profession": profession}, float(by_job[profession])
        beside = {"dataset": dataset, "noun pair": "all 20"}
        rows.append(PrintedNumber("Section 4.2", metric, value, place, beside, TWINS, data))
    beside = {"dataset": "occupation sentences (800)", "profession": "all 20"}
    place = about | {"noun pair": "spinster minus bachelor"}
    value = float(table.loc["spinster–bachelor"].mean())
    rows.append(PrintedNumber("Section 4.2", metric, value, place, beside, TWINS, data))
    return rows


def printed_phrase_numbers(phrases: pd.DataFrame) -> pd.DataFrame:
    """The counts and mean labels of Section 4, from the phrases of SST-2: `answers`."""
    rows = []
    for side, found in phrases_with_nouns(phrases).items():
        about = {"kind": "data", "split": "train", "sentences containing": f"{side} noun"}
        count, mean = float(len(found)), float(found["label"].mean())
        for metric, value in (("n_sentences", count), ("mean_sentiment", mean)):
            rows.append(
                PrintedNumber("Section 4", metric, value, about, {}, TOKENS, "glue_sst2_train")
            )
    return answers(rows)
