"""One word list, one set of questions, seven scores of a masked language model, all female first: positive leans female.

A question is a template with a pair of targets: *{target} is the {attribute}.* with *she* and *he*.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.language_models.log_probability import log_probability_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.language_models.sentence_scores import (
    RULES,
    pair_margins,
    piece_scores,
    unmasked_likelihoods,
)

LEAN_SCORES = ("log probability bias", *RULES, "AUL", "AULA")
GAP = "{target}"


def female_first(pairs: Iterable[Sequence[str]]) -> list[tuple[str, str, str]]:
    """Pairs as a reader writes them, as `questions` takes them: ("she", "he"), or ("my {target}", "sister", "brother") with what stands around.

    Raises ValueError for anything else.
    """
    found = []
    for given in pairs:
        parts = (given,) if isinstance(given, str) else tuple(given)
        whole = (GAP, *parts) if len(parts) == 2 else parts
        words = all(isinstance(part, str) and part.strip() for part in whole)
        if len(whole) != 3 or not words or whole[0].count(GAP) != 1 or whole[1] == whole[2]:
            raise ValueError(
                f'expected ("she", "he"), or ("my {GAP}", "sister", "brother"); got {given!r}'
            )
        frame, female, male = whole
        found.append((frame, male, female))
    return list(dict.fromkeys(found))


def questions(
    words: Sequence[str],
    templates: Sequence[str],
    target_frames: Sequence[tuple[str, str, str]],
) -> pd.DataFrame:
    """Every word in every template with every (frame, male, female), word by word: a `first` (female) and a `second` sentence."""
    for name, given in (
        ("words", words),
        ("templates", templates),
        ("target_frames", target_frames),
    ):
        if isinstance(given, str) or not len(given):
            raise ValueError(f"{name}: expected a list with at least one entry, got {given!r}")
    for template in templates:
        if template.count("{target}") != 1 or template.count("{attribute}") != 1:
            raise ValueError(
                f"expected a template with one {{target}} and one {{attribute}}, got {template!r}"
            )
    for frame, *_ in target_frames:
        if frame.count("{target}") != 1:
            raise ValueError(f"expected a frame with one {{target}}, got {frame!r}")
    rows = []
    for word, template, (frame, male, female) in product(words, templates, target_frames):
        framed = template.replace("{target}", frame)
        sentences = [
            framed.replace("{target}", target).replace("{attribute}", word)
            for target in (female, male)
        ]
        rows.append((word, framed, male, female, *(s[:1].upper() + s[1:] for s in sentences)))
    return pd.DataFrame(rows, columns=["word", "template", "male", "female", "first", "second"])


def lean_scores(model: MaskedLanguageModel, rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each of `questions`, a column for each of `LEAN_SCORES`."""
    first, second = rows["first"].tolist(), rows["second"].tolist()
    margins = pair_margins(model, first, second)
    unmasked = unmasked_likelihoods(model, [*first, *second]).to_numpy()
    unmasked = unmasked[: len(rows)] - unmasked[len(rows) :]
    bias = pd.Series(np.nan, rows.index)
    for (template, male, female), part in rows.groupby(["template", "male", "female"], sort=False):
        table = log_probability_bias(
            model, part["word"].tolist(), [template], [(male, female)], pieces="marginalise"
        )
        bias[part.index] = -table["bias"].to_numpy()  # the paper's order is male first
    table = pd.concat([bias.rename("log probability bias"), margins.set_axis(rows.index)], axis=1)
    table[["AUL", "AULA"]] = unmasked
    return table[[*LEAN_SCORES]]


def by_question(scores: pd.DataFrame, rows: pd.DataFrame) -> Mapping[str, NDArray[np.float64]]:
    """Each score as an array (words, questions)."""
    n = rows["word"].nunique()
    return {name: values.to_numpy(float).reshape(n, -1) for name, values in scores.items()}


def scores_by_noun(
    model: MaskedLanguageModel,
    words: Sequence[str],
    template: str,
    nouns: Sequence[str],
    *,
    frame: str = "the {target}",
) -> dict[str, NDArray[np.float64]]:
    """What each of `LEAN_SCORES` takes the difference of, (words, nouns): a noun less another is the score of that pair.

    So that many pairs cost no more than their nouns, which have to be one piece each.
    """
    if len(nouns) < 2 or not all(map(model.is_single, nouns)):
        raise ValueError("nouns: expected two or more, each one piece of the vocabulary")
    beside = [*nouns[1:], nouns[0]]  # which noun the other is only says which pieces are shared
    twins = [(frame, other, noun) for noun, other in zip(nouns, beside)]
    rows = questions(words, [template], twins)
    pieces = piece_scores(model, rows["first"].tolist(), rows["second"].tolist())
    of_noun = np.array([of.log_p[~of.shared].sum() for of in pieces])
    found = {
        "log probability": of_noun,
        "probability": np.exp(of_noun),
        "pseudo-log-likelihood": np.array([of.log_p[of.shared].sum() for of in pieces]),
        "per piece": np.array([of.log_p.mean() for of in pieces]),
    }
    unmasked = unmasked_likelihoods(model, rows["first"].tolist())
    found |= {name: unmasked[name].to_numpy() for name in ("AUL", "AULA")}
    found = {name: values.reshape(len(words), len(nouns)) for name, values in found.items()}
    framed = template.replace(GAP, frame)
    bias = np.empty((len(words), len(nouns)))
    for column, (noun, other) in enumerate(zip(nouns, beside)):
        if column % 2 == 0 or column == len(nouns) - 1:
            table = log_probability_bias(model, words, [framed], [(noun, other)])
            bias[:, column] = table["log_p_first"] - table["log_prior_first"]
            if column + 1 < len(nouns):
                bias[:, column + 1] = table["log_p_second"] - table["log_prior_second"]
    return {LEAN_SCORES[0]: bias, **found}


def of_all_pairs(by_noun: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of every two nouns, (pairs, words), from `scores_by_noun`."""
    return np.array(
        [by_noun[:, a] - by_noun[:, b] for a, b in combinations(range(by_noun.shape[1]), 2)]
    )
