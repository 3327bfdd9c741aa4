"""MT-GenEval (Currey et al. 2022) in a file of outputs: is the gender of the English, or of the sentence before, in the translation?

Scored as the authors' program does: an output is right where it has no word that the reference of the other gender has and its
own has not. No reader of gender is needed, and an output with words of neither reference counts as right, so that what shows a
gender is counted, too. Beside it a *blind translator*: of a pair of counterparts it gives the two outputs in any order; to
sentences behind a context it deals out the genders that were found, whatever the context says.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from audit.report import COLUMNS
from lib.datasets.mt_geneval import CONTEXT_LANGUAGES, LANGUAGES, read_contexts, read_counterparts
from lib.inference.sums import share_reaching
from lib.sources import FetchError

SOURCE = "MT-GenEval"
PAIRS, CONTEXTS = f"{SOURCE} pairs", f"{SOURCE} contexts"
BOTH, RIGHT = "both of a pair right", "right"
WOMEN, MEN = "women right", "men right"
LOSS, BEYOND = "men right less women right", "right beyond a blind translator"
SHOWN = "outputs that show a gender"
TESTED = (BEYOND, LOSS)
_SEPARATOR = "<sep>"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")
_BLANKS = str.maketrans(string.punctuation, " " * len(string.punctuation))

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def geneval_sentences(language: str) -> pd.DataFrame:
    """The test sentences for a language. Needs the `sample` files.

    Parameters
    ----------
    language : str
        One of `lib.datasets.mt_geneval.LANGUAGES`.

    Returns
    -------
    DataFrame
        Columns id ("geneval:feminine:1", "geneval:masculine:1", "geneval:context:1" and so on); text, of a context with the
        sentence before; english, without it; item (`PAIRS` or `CONTEXTS`); number; gender ("female", "male", or "" where the
        context names both or none); hers and his, the references.
    """
    pairs = read_counterparts(language)
    numbers = range(1, len(pairs) + 1)
    parts = [
        pd.DataFrame(
            {
                "id": [f"geneval:{name}:{number}" for number in numbers],
                "text": pairs[f"{name}_english"],
                "english": pairs[f"{name}_english"],
                "item": PAIRS,
                "number": numbers,
                "gender": gender,
                "hers": pairs["feminine"],
                "his": pairs["masculine"],
            }
        )
        for name, gender in (("feminine", "female"), ("masculine", "male"))
    ]
    if language in CONTEXT_LANGUAGES:
        table = read_contexts(language)
        woman = table["gender"] == "feminine"
        numbers = range(1, len(table) + 1)
        parts.append(
            pd.DataFrame(
                {
                    "id": [f"geneval:context:{number}" for number in numbers],
                    "text": table["context"] + " " + table["english"],
                    "english": table["english"],
                    "item": CONTEXTS,
                    "number": numbers,
                    "gender": table["gender"].replace({"feminine": "female", "masculine": "male"}),
                    # where the gender is not known "his" is the wrong one, which is all that is asked of it
                    "hers": table["right"].where(woman | (table["gender"] == ""), table["wrong"]),
                    "his": table["wrong"].where(woman | (table["gender"] == ""), table["right"]),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def asked_references(outputs: pd.DataFrame, language: str) -> pd.DataFrame:
    """Outputs to sentences of MT-GenEval, known by ids as `geneval_sentences` has, or by their source.

    Parameters
    ----------
    outputs : DataFrame
        As `lib.translation.outputs.read_outputs` gives them.
    language : str
        Any; for one that MT-GenEval has not nothing is found.

    Returns
    -------
    DataFrame
        The rows that are known, with the columns of `geneval_sentences` and output: of a context and its sentence together the
        last sentence, or what stands behind ``<sep>``.

    Raises
    ------
    ValueError
        Where ids are those of MT-GenEval and its files cannot be had.
    """
    named = outputs["id"].str.startswith("geneval:")
    nothing = outputs.iloc[:0].assign(text="", item="", number=0, hers="", his="")
    if language not in LANGUAGES or not len(outputs):
        return nothing
    try:
        known = geneval_sentences(language)
    except FetchError as error:
        if named.any():
            raise ValueError(f"MT-GenEval's references could not be had: {error}") from None
        return nothing
    places: dict[str, int] = {}
    for column in ("id", "english", "text"):
        for place, key in enumerate(known[column].map(_plain)):
            places.setdefault(key, place)
    sources = outputs["source"].str.replace(_SEPARATOR, " ")
    keys = sources.where((sources != "") & ~named, outputs["id"]).map(_plain)
    rows = outputs.assign(place=keys.map(places)).dropna(subset=["place"])
    found = known.iloc[rows["place"].astype(int)].reset_index(drop=True)
    both = (found["text"] != found["english"]) & (
        sources[rows.index].map(_plain).to_numpy() == found["text"].map(_plain)
    )
    output = [_behind_context(text, together) for text, together in zip(rows["output"], both)]
    kept = rows[["id", "ended"]].reset_index(drop=True)
    text = found["text"].where(both, found["english"])
    return found.assign(id=kept["id"], ended=kept["ended"], text=text, output=output)


def _behind_context(output: str, together: bool) -> str:
    _, separator, second = output.partition(_SEPARATOR)
    if separator:
        return second.strip()
    return _SENTENCE_END.split(output.strip())[-1] if together else output


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _words_of(text: str) -> set[str]:
    """Words as the authors' program takes them: in small letters, ASCII punctuation as blanks.

    Examples
    --------
    >>> sorted(_words_of("L'actrice, «elle» dit-il."))
    ['actrice', 'dit', 'il', 'l', '«elle»']
    """
    return {*text.lower().translate(_BLANKS).split()}


class Scores(NamedTuple):
    """Scores of one part of MT-GenEval.

    Attributes
    ----------
    table : DataFrame
        By measure, in per cent and percentage points: value, low, high over pairs or sentences, null_low, null_high, p, smallest_p,
        n, adjusted_p (once `_with_adjusted` has seen all parts), everything: the value with outputs that are no translations.
    spread : float
        Standard deviation of men right less women right over pairs, or of two sentences, in percentage points.
    """

    table: pd.DataFrame
    spread: float

    def found(self, measure: str) -> int:
        """1 or -1 where a test says that a measure is above or below its null, else 0."""
        if measure not in self.table.index:
            return 0
        row = self.table.loc[measure]
        if not row["adjusted_p"] <= 0.05:
            return 0
        return 1 if row["value"] > (row["null_low"] + row["null_high"]) / 2 else -1

    def needed(self, points: float = 10) -> int:
        """Pairs, or women and as many men, with which a loss of so many points is found in 80 of 100 samples."""
        reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
        return math.ceil(float(reach * self.spread / points) ** 2)


def score_references(
    rows: pd.DataFrame, *, draws: int = 1000, rng: np.random.Generator | int | None = None
) -> dict[str, Scores]:
    """Scores of outputs, by part. Of several answers to a sentence the first one counts.

    Parameters
    ----------
    rows : DataFrame
        As `asked_references`, with the columns problem ("" for a translation) and translation.
    draws : int
        Of the bootstrap and of every null.
    rng : Generator or int, optional

    Returns
    -------
    dict
        `PAIRS` and `CONTEXTS` -> `Scores`, where a pair or a sentence is there.

    References
    ----------
    Currey et al. (2022), section 4.1, and their program accuracy_metric.py.
    """
    generator = np.random.default_rng(rng)
    first = rows.drop_duplicates(["item", "number", "gender"])
    found = {}
    for item, part in first.groupby("item", sort=False):
        score = _pairs if item == PAIRS else _contexts
        valid = score(part[part["problem"] == ""], "translation", draws, generator)
        whole = score(part, "output", 1, generator)
        if valid is not None and whole is not None:
            everything = whole.table["value"].reindex(valid.table.index)
            found[str(item)] = valid._replace(table=valid.table.assign(everything=everything))
    return _with_adjusted(found)


def _with_adjusted(found: Mapping[str, Scores]) -> dict[str, Scores]:
    """Scores with Holm's adjusted p over the tests of all parts."""
    tests = {
        (item, measure): scores.table.loc[measure, "p"]
        for item, scores in found.items()
        for measure in TESTED
        if measure in scores.table.index and np.isfinite(scores.table.loc[measure, "p"])
    }
    p = pd.Series(tests, dtype=float).sort_values()
    adjusted = (p * np.arange(len(p), 0, -1)).cummax().clip(upper=1)
    return {
        item: scores._replace(
            table=scores.table.assign(
                adjusted_p=[adjusted.get((item, name), math.nan) for name in scores.table.index]
            )
        )
        for item, scores in found.items()
    }


def _has(rows: pd.DataFrame, column: str) -> tuple[Bools, Bools]:
    """Whether outputs have words that only the reference of a woman has, and that only that of a man has."""
    sets = [tuple(map(_words_of, each)) for each in zip(rows[column], rows["hers"], rows["his"])]
    hers = np.array([bool(output & (a - b)) for output, a, b in sets], bool)
    his = np.array([bool(output & (b - a)) for output, a, b in sets], bool)
    return hers, his


def _pairs(
    rows: pd.DataFrame, column: str, draws: int, generator: np.random.Generator
) -> Scores | None:
    women, men = (
        rows[rows["gender"] == gender].set_index("number") for gender in ("female", "male")
    )
    numbers = women.index.intersection(men.index)
    n = len(numbers)
    if n < 2:
        return None
    women_hers, women_his = _has(women.loc[numbers], column)
    men_hers, men_his = _has(men.loc[numbers], column)
    own = np.stack([~women_his, ~men_hers])
    exchanged = np.stack([~men_his, ~women_hers])
    shown = (women_hers | women_his) + (men_hers | men_his).astype(float)
    drawn = generator.multinomial(n, np.full(n, 1 / n), size=draws) / n
    swap = generator.random((draws, n)) < 0.5

    def values(weights: Floats, right: Floats) -> dict[str, Floats]:
        """Of draws (draws, n), where right is (2, draws or 1, n)."""
        of_women, of_men = ((weights * each).sum(axis=1) for each in right)
        both = (weights * right[0] * right[1]).sum(axis=1)
        return {BOTH: both, WOMEN: of_women, MEN: of_men, LOSS: of_men - of_women}

    even, ones = np.full((1, n), 1 / n), own[:, None].astype(float)
    blind = np.where(swap, exchanged[:, None], own[:, None]).astype(float)
    value, sample, null = values(even, ones), values(drawn, ones), values(even, blind)
    expected = (
        own.sum(axis=0) + exchanged.sum(axis=0)
    ) / 4  # of a pair's two outputs, with a blind translator
    value[BEYOND] = (own.mean(axis=0) - expected).mean(keepdims=True)
    sample[BEYOND] = drawn @ (own.mean(axis=0) - expected)
    null[BEYOND] = blind.mean(axis=(0, 2)) - expected.mean()
    apart = own[1].astype(float) - own[0]
    signs = generator.choice([-1.0, 1.0], (draws, n))
    null[LOSS] = signs @ apart / n
    value[SHOWN], sample[SHOWN] = even @ shown / 2, drawn @ shown / 2
    moved = {
        LOSS: int((apart != 0).sum()),
        BEYOND: int((own.sum(axis=0) != exchanged.sum(axis=0)).sum()),
    }
    return _table(value, sample, null, moved, draws, dict.fromkeys(value, n), apart)


def _contexts(
    rows: pd.DataFrame, column: str, draws: int, generator: np.random.Generator
) -> Scores | None:
    n = len(rows)
    if n < 2:
        return None
    hers, his = _has(rows, column)
    gender = rows["gender"].to_numpy()
    right = np.where(gender == "male", ~hers, ~his)
    drawn = generator.multinomial(n, np.full(n, 1 / n), size=draws) / n
    even = np.full((1, n), 1 / n)
    value = {RIGHT: even @ right, SHOWN: even @ (hers | his)}
    sample = {RIGHT: drawn @ right, SHOWN: drawn @ (hers | his)}
    null: dict[str, Floats] = {}
    counts = dict.fromkeys(value, n)
    women, men = gender == "female", gender == "male"
    apart = np.zeros(0)
    moved: dict[str, int] = {}
    if min(women.sum(), men.sum()) >= 2:
        known = np.flatnonzero(women | men)
        order = np.argsort(generator.random((draws, len(known))), axis=1)
        dealt = np.where(women[known], ~his[known][order], ~hers[known][order])
        for measure, who in ((WOMEN, women), (MEN, men)):
            value[measure] = np.array([right[who].mean()])
            with np.errstate(invalid="ignore"):
                sample[measure] = (drawn @ (right & who)) / (drawn @ who)
            null[measure] = dealt[:, who[known]].mean(axis=1)
            counts[measure] = int(who.sum())
        null[RIGHT] = (dealt.sum(axis=1) + right[~(women | men)].sum()) / n
        middle = (np.mean(~his[known]) + np.mean(~hers[known])) / 2
        for each in (value, sample):
            each[LOSS] = each[MEN] - each[WOMEN]
            each[BEYOND] = (each[MEN] + each[WOMEN]) / 2 - middle
        null[BEYOND] = (null[MEN] + null[WOMEN]) / 2 - middle
        at_random = right[known][order]
        is_man = men[known]
        null[LOSS] = at_random[:, is_man].mean(axis=1) - at_random[:, ~is_man].mean(axis=1)
        counts[LOSS] = counts[BEYOND] = len(known)
        apart = np.sqrt(right[women].var() + right[men].var()) * np.array([-1.0, 1.0])
        # more than enough arrangements, unless all outputs are alike
        moved = {LOSS: len(known) * (0 < right[known].mean() < 1), BEYOND: len(known)}
    return _table(value, sample, null, moved, draws, counts, apart)


def _table(
    value: Mapping[str, Floats],
    sample: Mapping[str, Floats],
    null: Mapping[str, Floats],
    moved: Mapping[str, int],
    draws: int,
    n: Mapping[str, int],
    apart: Floats,
) -> Scores:
    """All measures in per cent. moved: pairs, or sentences, of which a null can make something else."""
    rows = {}
    for measure, found in value.items():
        low, high = np.nanquantile(100 * sample[measure], [0.025, 0.975])
        row = {"value": 100 * float(found[0]), "low": low, "high": high, "n": n[measure]}
        if measure in null:
            row["null_low"], row["null_high"] = np.quantile(100 * null[measure], [0.025, 0.975])
        if measure in TESTED and measure in null:
            row["p"] = float(share_reaching(found[0], null[measure]))
            row["smallest_p"] = min(1.0, max(1 / (1 + draws), 2.0 ** (1 - moved[measure])))
        rows[measure] = row
    columns = ["value", "low", "high", "null_low", "null_high", "p", "smallest_p", "n"]
    table = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=columns)
    spread = 100 * float(np.std(apart)) if len(apart) else math.nan
    return Scores(table, spread)


def references_table(item: str, scores: Scores) -> pd.DataFrame:
    """The measures with the columns of `audit.COLUMNS`."""
    table = scores.table.rename_axis("measure").reset_index().assign(item=item)
    return table.reindex(columns=list(COLUMNS))
