"""One word list, one set of questions, seven scores of a masked language model, all female first: positive leans female.

A question is a template with a pair of targets: *{target} is the {attribute}.* with *she* and *he*.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.language_models.log_probability import log_probability_bias
from lib.language_models.masked import MaskedLanguageModel
from lib.language_models.sentence_scores import RULES, pair_margins, unmasked_likelihoods

LEAN_SCORES = ("log probability bias", *RULES, "AUL", "AULA")


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
