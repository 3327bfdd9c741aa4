"""What a prefix does to the outputs of a translator, and what the gender in it adds.

Table 1 of Moryossef, Aharoni & Goldberg (2019) for any system: each output is compared with the
references of a woman and of a man, with the gender left out, and read. Every score is made of
counts that are summed over sentences, so that intervals can be drawn over what sentences share (an
adjective), and a test can exchange the outputs of two conditions for one adjective at a time.
"""

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from lib.inference.sums import p_of_draws
from lib.translation.gender import Marking, Markings
from lib.translation.prefixes import (
    CONTROL,
    PrefixedTranslations,
    condition_name,
    translate_with_prefix,
)
from lib.translation.translators import Translator
from studies.prefix_injection.quality import (
    bleu_counts,
    bleu_of_counts,
    chrf_counts,
    chrf_of_counts,
    gender_blind,
)

Condition = tuple[str, str]
REMEMBERED = 50_000  # outputs whose counts are kept

NONE, SHE, HE, I_SAID = ("none", "none"), ("she", "none"), ("he", "none"), ("i", "none")
# What is compared: the first condition is taken off the second.
CONTRASTS = {
    "Someone said − no prefix": (NONE, CONTROL),
    "I said − no prefix": (NONE, I_SAID),
    "She said − Someone said": (CONTROL, SHE),
    "He said − Someone said": (CONTROL, HE),
    "She said − He said": (HE, SHE),
    "She said to them − She said": (SHE, ("she", "them")),
}
# What any prefix does, what She adds to it, and whether that is its gender: He is a pronoun, too.
STEPS = ("Someone said − no prefix", "She said − Someone said", "She said − He said")
GENDER = STEPS[1:]
# Those that `table_one` asks for: no prefix first.
ASKED = tuple(dict.fromkeys(pair for pairs in CONTRASTS.values() for pair in pairs))


class Measure(NamedTuple):
    """A score of outputs, and the references that it is against: of a woman, of a man, or either."""

    name: str
    reference: str = "either"


BLEU, BLEU_MAN = Measure("BLEU", "feminine"), Measure("BLEU", "masculine")
CHRF, CHRF_MAN = Measure("chrF2", "feminine"), Measure("chrF2", "masculine")
BLIND = Measure("gender-blind BLEU")
SHARE, MARKED = Measure("feminine share"), Measure("outputs that mark a gender")
SURVIVAL, PARATAXIS = Measure("survival"), Measure("parataxis")
MEASURES = (BLEU, BLEU_MAN, CHRF, CHRF_MAN, BLIND, SHARE, MARKED, SURVIVAL, PARATAXIS)


def table_one(
    translator: Translator,
    sentences: pd.DataFrame,
    *,
    reader: Callable[[str], Marking],
    language: str = "es",
    measures: Sequence[Measure] = (BLEU, BLEU_MAN, BLIND, SHARE),
    resamples: int = 1000,
    rng: int = 0,
) -> pd.DataFrame:
    """The contrasts of Table 1, as `prefix_contrasts`, for any translator from English.

    sentences: columns english; feminine and masculine, references of the same words; form, what sentences share (an adjective).
    reader: says who speaks in an output without its prefix, `speaker_marking` of a language.
    """
    outputs = {
        pair: translate_with_prefix(
            translator, sentences["english"].tolist(), *pair, language=language
        )
        for pair in ASKED
    }
    return prefix_contrasts(
        outputs, sentences, reader=reader, measures=measures, resamples=resamples, rng=rng
    )


def prefix_scores(
    outputs: Mapping[Condition, PrefixedTranslations],
    sentences: pd.DataFrame,
    *,
    reader: Callable[[str], Marking],
    measures: Sequence[Measure] = MEASURES,
    resamples: int = 1000,
    rng: int = 0,
) -> pd.DataFrame:
    """Every score behind every prefix, (speaker, audience) -> outputs of all sentences, with 95 % bootstrap intervals over what
    sentences share. Columns speaker, audience, measure, reference; value, low, high: BLEU and chrF from 0 to 100, shares in
    [0, 1], NaN where nothing is marked, and for the survival of no prefix. rng is a seed: all conditions are scored on the
    same resamples.
    """
    counted = _counted(outputs, sentences, reader, measures)
    drawn = _drawn(sentences, resamples, rng)
    rows = []
    for (measure, pair), counts in counted.items():
        value = SCORES[measure.name](counts.sum(axis=0)[None])[0]
        low, high = _ends(SCORES[measure.name](drawn @ counts))
        rows.append((*pair, *measure, value, low, high))
    columns = ["speaker", "audience", "measure", "reference", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def prefix_contrasts(
    outputs: Mapping[Condition, PrefixedTranslations],
    sentences: pd.DataFrame,
    contrasts: Mapping[str, tuple[Condition, Condition]] | None = None,
    *,
    reader: Callable[[str], Marking],
    measures: Sequence[Measure] = (BLEU, BLEU_MAN, BLIND, SHARE),
    resamples: int = 1000,
    rng: int = 0,
) -> pd.DataFrame:
    """Differences between prefixes on the same sentences, with intervals, tests and Holm's rule.

    contrasts: name -> the condition that is taken off, and the other; those of `CONTRASTS` that have outputs. Columns contrast,
    measure, reference; value: positive where the second condition scores more, in the unit of the score; low, high: 95 %
    bootstrap interval over what sentences share; p: two-sided, of an approximate randomisation (Riezler & Maxwell 2005) that
    exchanges both conditions for one adjective at a time; p_holm: corrected over the contrasts of a measure; n: sentences;
    groups: adjectives.
    """
    if contrasts is None:
        contrasts = {name: pairs for name, pairs in CONTRASTS.items() if {*pairs} <= outputs.keys()}
    for name, pairs in contrasts.items():
        if missing := {*pairs} - outputs.keys():
            raise ValueError(
                f"{name}: expected outputs behind both prefixes, got none behind "
                f"{' and '.join(condition_name(*pair) for pair in sorted(missing))}; translate "
                "those sentences, too"
            )
    used = dict.fromkeys(pair for pairs in contrasts.values() for pair in pairs)
    counted = _counted({pair: outputs[pair] for pair in used}, sentences, reader, measures)
    drawn, groups = _drawn(sentences, resamples, rng), sentences["form"].nunique()
    exchanged = (np.random.default_rng([rng, 1]).random((resamples, groups)) < 0.5).astype(float)
    rows = []
    for measure in measures:
        score = SCORES[measure.name]
        resampled = {pair: score(drawn @ counted[measure, pair]) for pair in used}
        for name, (less, more) in contrasts.items():
            first, second = counted[measure, less], counted[measure, more]
            value = np.subtract(*(score(part.sum(axis=0)[None])[0] for part in (second, first)))
            low, high = _ends(resampled[more] - resampled[less])
            swap = exchanged @ (first - second)
            null = score(second.sum(axis=0) + swap) - score(first.sum(axis=0) - swap)
            p = p_of_draws(abs(value), np.abs(null), tolerance=1e-9)
            rows.append((name, *measure, value, low, high, p))
    columns = ["contrast", "measure", "reference", "value", "low", "high", "p"]
    table = pd.DataFrame(rows, columns=columns)
    table["p_holm"] = np.nan
    for _, family in table[table["p"].notna()].groupby(["measure", "reference"]):
        table.loc[family.index, "p_holm"] = _holm(family["p"])
    return table.assign(n=len(sentences), groups=groups)


def markings_table(
    markings: Mapping[Hashable, Markings], index: Sequence[str], *, by: str = "gender"
) -> pd.DataFrame:
    """Counted markings, by name (a tuple, whose parts index names), as a table.

    Columns `GENDERS`, or by "number" `NUMBERS`: shares of all sentences, in [0, 1]; n and marked: numbers of sentences; value:
    the feminine share of the marked ones; low, high: its interval. Shares are NaN where there is nothing to divide by.
    """
    rows = []
    for counted in markings.values():
        counts = counted.genders if by == "gender" else counted.numbers
        rows.append(
            {kind: count / counted.n if counted.n else None for kind, count in counts.items()}
            | {"n": counted.n, "marked": counted.marked, "value": counted.feminine_share}
            | {"low": counted.low, "high": counted.high}
        )
    table = pd.DataFrame(rows, pd.MultiIndex.from_tuples(list(markings), names=index), dtype=float)
    return table.astype({"n": int, "marked": int})


def woman_less_man(
    outputs: Mapping[Condition, PrefixedTranslations],
    sentences: pd.DataFrame,
    *,
    contrasts: Sequence[str] = GENDER,
    resamples: int = 1000,
    rng: int = 0,
) -> pd.DataFrame:
    """What the gender in a prefix does to BLEU against a woman's text, less what it does to BLEU against a man's.

    A prefix that makes all outputs better or worse moves both; the gender in it moves them apart. Rows: the two contrasts of
    `GENDER`, or others of `CONTRASTS`. Columns value (positive where the second prefix is for the woman's text), low, high: 95 %
    bootstrap interval over what sentences share; p: two-sided, outputs exchanged between both prefixes for one adjective at a
    time; least p; found: the difference that would be found in 80 % of cases; woman, woman low, woman high: the change of BLEU
    against a woman's text alone; blind, blind low, blind high: that of gender-blind BLEU; quality, quality low, quality high: what
    the value would be if both scores changed as gender-blind BLEU does, in proportion; n: sentences; groups: adjectives.
    """
    pairs = dict.fromkeys(pair for name in contrasts for pair in CONTRASTS[name])
    measures = (BLEU, BLEU_MAN, BLIND)
    used = {pair: outputs[pair] for pair in pairs}
    counted = _counted(used, sentences, lambda text: Marking("unmarked", "unmarked", ()), measures)
    drawn, groups = _drawn(sentences, resamples, rng), sentences["form"].nunique()
    exchanged = (np.random.default_rng([rng, 1]).random((resamples, groups)) < 0.5).astype(float)
    ones = np.ones((1, groups))
    rows = []
    for name in contrasts:
        less, more = CONTRASTS[name]
        sides = [(counted[measure, less], counted[measure, more]) for measure in measures[:2]]
        value, resampled = _apart(sides, ones)[0], _apart(sides, drawn)
        null = _apart(sides, ones, exchanged)
        p = p_of_draws(abs(value), np.abs(null), tolerance=1e-9)
        woman, blind = (
            [
                [bleu_of_counts(weights @ counted[measure, pair]) for pair in (less, more)]
                for weights in (ones, drawn)
            ]
            for measure in (BLEU, BLIND)
        )
        gaps = [
            np.subtract(*(bleu_of_counts(weights @ first) for first, _ in sides))
            for weights in (ones, drawn)
        ]
        with np.errstate(divide="ignore", invalid="ignore"):
            (quality,), qualities = (
                (after / before - 1) * gap for (before, after), gap in zip(blind, gaps)
            )
        rows.append(
            {
                "contrast": name,
                "value": value,
                **dict(zip(("low", "high"), _ends(resampled))),
                "p": p,
                "least p": max(1 / (resamples + 1), 2.0 ** (1 - groups)),
                "found": (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * resampled.std(),
                **_change("woman", woman),
                **_change("blind", blind),
                "quality": quality,
                **dict(zip(("quality low", "quality high"), _ends(qualities))),
                "n": len(sentences),
                "groups": groups,
            }
        )
    return pd.DataFrame(rows)


def _change(name: str, scores: Sequence[Sequence[NDArray]]) -> dict[str, float]:
    """A change between two prefixes with its ends: both scores of all sentences, and both of each resample."""
    (before,), (after,) = scores[0]
    ends = _ends(scores[1][1] - scores[1][0])
    return dict(zip((name, f"{name} low", f"{name} high"), (after - before, *ends)))


def _apart(
    sides: Sequence[tuple[NDArray, NDArray]], weights: NDArray, exchanged: NDArray | float = 0.0
) -> NDArray[np.float64]:
    """The change of the first BLEU less that of the second, for weights of adjectives, or with some of them exchanged."""
    changes = []
    for first, second in sides:
        swap = exchanged @ (first - second) if np.ndim(exchanged) else 0.0
        changes.append(
            bleu_of_counts(weights @ second + swap) - bleu_of_counts(weights @ first - swap)
        )
    return changes[0] - changes[1]


def gender_found(table: pd.DataFrame, level: float = 0.05) -> str:
    """What the two rows of `woman_less_man` say together, by their p.

    "gain" where both values are above zero with p below the level, "loss" where both are below with such a p, else "none". Both have to
    hold, so the level is that of the verdict: nothing is to be corrected. "quality" in place of "gain" or "loss" where a mere change of
    quality could be the reason: in a row it would bring, at the end of its interval, half of the value or more.
    """
    signs = {*np.sign(table["value"])}
    if len(signs) > 1 or not (table["p"] < level).all():
        return "none"
    sign = signs.pop()
    most = (sign * table[["quality low", "quality high"]]).max(axis=1)
    if not (most < (sign * table["value"]) / 2).all():
        return "quality"
    return "gain" if sign > 0 else "loss"


def together(
    parts: Sequence[tuple[Mapping[Condition, PrefixedTranslations], pd.DataFrame]],
) -> tuple[dict[Condition, PrefixedTranslations], pd.DataFrame]:
    """Several sets of sentences with their outputs as one, behind the prefixes that all have; an adjective of two sets is one."""
    shared = set.intersection(*({*outputs} for outputs, _ in parts))
    joined = {
        pair: PrefixedTranslations(
            [text for outputs, _ in parts for text in outputs[pair].texts],
            [prefix for outputs, _ in parts for prefix in outputs[pair].prefixes],
            parts[0][0][pair].given,
        )
        for pair in shared
    }
    columns = ["english", "feminine", "masculine", "form"]
    return joined, pd.concat([table[columns] for _, table in parts], ignore_index=True)


def _counted(
    outputs: Mapping[Condition, PrefixedTranslations],
    sentences: pd.DataFrame,
    reader: Callable[[str], Marking],
    measures: Sequence[Measure],
) -> dict[tuple[Measure, Condition], NDArray]:
    """Counts of each measure and condition, summed over the sentences of an adjective."""
    if unknown := [measure for measure in measures if measure not in MEASURES]:
        raise ValueError(f"measures: expected some of {MEASURES}, got {unknown[0]!r}")
    forms, counted = pd.factorize(sentences["form"])[0], {}
    for pair, found in outputs.items():
        if not len(found.texts) or len(found.texts) != len(sentences):
            raise ValueError(
                f"{condition_name(*pair)}: expected an output for each of {len(sentences)} "
                f"sentences, got {len(found.texts)}"
            )
        for measure in measures:
            counts = np.array(_counts_of(measure, found, sentences, reader))
            summed = np.zeros((forms.max() + 1, counts.shape[1]))
            np.add.at(summed, forms, counts)
            counted[measure, pair] = summed
    return counted


def _counts_of(
    measure: Measure,
    found: PrefixedTranslations,
    sentences: pd.DataFrame,
    reader: Callable[[str], Marking],
) -> list[list[int]]:
    """A row of counts for each output."""
    if measure in (SURVIVAL, PARATAXIS):
        kept = [
            prefix is not None and (measure == SURVIVAL or ":" in prefix)
            for prefix in found.prefixes
        ]
        return [[int(one), int(bool(found.given))] for one in kept]
    if measure in (SHARE, MARKED):
        genders = [_gender(reader, text) for text in found.texts]
        marked = [int(gender in ("feminine", "masculine")) for gender in genders]
        if measure == MARKED:
            return [[one, 1] for one in marked]
        return [[int(gender == "feminine"), one] for gender, one in zip(genders, marked)]
    texts, reference = found.texts, measure.reference
    if measure == BLIND:
        reference = "masculine"
        references = zip(found.texts, sentences["feminine"], sentences["masculine"])
        texts = [gender_blind(*row) for row in references]
    counts = _chrf if measure.name == "chrF2" else _bleu
    return [counts(text, right) for text, right in zip(texts, sentences[reference])]


# The same outputs are scored again for levels, contrasts and translators that agree.
_bleu = functools.lru_cache(REMEMBERED)(bleu_counts)
_chrf = functools.lru_cache(REMEMBERED)(chrf_counts)


@functools.lru_cache(REMEMBERED)
def _gender(reader: Callable[[str], Marking], text: str) -> str:
    return reader(text).gender


def _share(totals: NDArray) -> NDArray[np.float64]:
    """The first of two counts as a share of the second; NaN where that is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(totals[:, 0] / totals[:, 1], float)


SCORES: dict[str, Callable[[NDArray], NDArray]] = dict.fromkeys(
    [measure.name for measure in MEASURES], _share
) | {"BLEU": bleu_of_counts, "gender-blind BLEU": bleu_of_counts, "chrF2": chrf_of_counts}


def _drawn(sentences: pd.DataFrame, resamples: int, rng: int) -> NDArray:
    """How often each adjective is in each resample."""
    groups = sentences["form"].nunique()
    uniform = np.full(groups, 1 / groups)
    return np.random.default_rng([rng, 0]).multinomial(groups, uniform, resamples).astype(float)


def _holm(p: pd.Series) -> NDArray[np.float64]:
    """p-values after Holm's rule; statsmodels clears the memory of the process at each call."""
    order = np.argsort(p)
    corrected = np.empty(len(p))
    corrected[order] = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1))
    return np.minimum(corrected, 1)


def _ends(resampled: NDArray) -> tuple[float, float]:
    """The central 95 %; NaN where nothing could be scored."""
    if np.isnan(resampled).all():
        return np.nan, np.nan
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return float(low), float(high)
