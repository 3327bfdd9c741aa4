"""One word list, one set of questions, several scores of a masked language model.

A question is a template with a pair of targets: *{target} is the {attribute}.* with *she* and *he*.
Every score is female first: positive leans female.
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
    """Every word in every template with every pair, as a female and a male sentence.

    Parameters
    ----------
    words : sequence of str
        n words that a person can be.
    templates : sequence of str
        With {target} and {attribute}.
    target_frames : sequence of (str, str, str)
        What stands in the target's slot around a pair, then the male and the female word:
        ("the {target}", "man", "woman").

    Returns
    -------
    DataFrame
        One row a word and question, word after word, the questions in the same order for each:
        `word`, `template` (with the frame in its slot), `male`, `female` (the targets),
        `first`, `second` (the female and the male sentence, with a capital).

    Raises
    ------
    ValueError
        For an empty list, or a template or frame without its slots.

    Examples
    --------
    >>> rows = questions(["nurse"], ["{target} is the {attribute}."], [("my {target}", "son", "daughter")])
    >>> rows.loc[0, ["first", "second"]].tolist()
    ['My daughter is the nurse.', 'My son is the nurse.']
    """
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
    """Seven scores of a masked language model for the same questions.

    Parameters
    ----------
    model : MaskedLanguageModel
    rows : DataFrame
        From `questions`.

    Returns
    -------
    DataFrame
        A row for each of `rows` and a column for each of `LEAN_SCORES`, all female first: the log
        probability bias with its sign turned, the rules of `pair_margins`, and the differences of
        `unmasked_likelihoods`.

    Raises
    ------
    ValueError
        As the functions that it calls.

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> rows = questions(["nurse", "mechanic"], ["{target} is the {attribute}."], [("{target}", "he", "she")])
    >>> scores = lean_scores(model, rows)
    >>> bool(scores["log probability bias"][0] > scores["log probability bias"][1])
    True
    """
    first, second = rows["first"].tolist(), rows["second"].tolist()
    margins = pair_margins(model, first, second)
    unmasked = unmasked_likelihoods(model, [*first, *second]).to_numpy()
    unmasked = unmasked[: len(rows)] - unmasked[len(rows) :]
    bias = pd.Series(np.nan, rows.index)
    for (template, male, female), part in rows.groupby(["template", "male", "female"], sort=False):
        table = log_probability_bias(
            model, part["word"].tolist(), [template], [(male, female)], pieces="marginalise"
        )
        bias[part.index] = -table["bias"].to_numpy()
    table = pd.concat([bias.rename("log probability bias"), margins.set_axis(rows.index)], axis=1)
    table[["AUL", "AULA"]] = unmasked
    return table[[*LEAN_SCORES]]


def by_question(scores: pd.DataFrame, rows: pd.DataFrame) -> Mapping[str, NDArray[np.float64]]:
    """Each score as an array, words by questions.

    Parameters
    ----------
    scores : DataFrame
        A row for each of `rows`, a column for each score.
    rows : DataFrame
        From `questions`.

    Returns
    -------
    dict of str to ndarray, shape (n, q)

    Examples
    --------
    >>> rows = questions(["nurse", "cook"], ["{target} is the {attribute}."], [("{target}", "he", "she")])
    >>> by_question(pd.DataFrame({"a score": [1.0, 2.0]}), rows)["a score"]
    array([[1.],
           [2.]])
    """
    n = rows["word"].nunique()
    return {name: values.to_numpy(float).reshape(n, -1) for name, values in scores.items()}
