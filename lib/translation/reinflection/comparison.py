"""All systems on the same Spanish sentences: copy, rules, letters, each applied to all or in two
steps, and controls.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.translation.reinflection.identify import SHIPPED
from lib.translation.reinflection.spanish import OTHER, rewrite
from lib.translation.reinflection.systems import flip_endings, random_letters, two_step

TRUE_LABELS = "true labels"


def in_both_directions(sentences: pd.DataFrame) -> pd.DataFrame:
    """Each sentence with each gender asked for, the masculine first.

    Parameters
    ----------
    sentences : DataFrame
        Columns sentence, masculine, feminine, and any others.

    Returns
    -------
    DataFrame
        With columns asked, target and other besides: what the sentence is in the gender asked for
        and in the other.
    """
    return pd.concat(
        [
            sentences.assign(asked=gender, target=sentences[gender], other=sentences[other])
            for gender, other in OTHER.items()
        ],
        ignore_index=True,
    )


def outputs_of_systems(
    asked: pd.DataFrame,
    labels: Mapping[str, Sequence[str]],
    rewriter,
    *,
    rng: np.random.Generator,
) -> dict[str, list[str]]:
    """What each system writes.

    Parameters
    ----------
    asked : DataFrame
        As `in_both_directions` gives it.
    labels : mapping
        Identifier -> its label of each row; `TRUE_LABELS` (column given) need not be in it.
    rewriter : Rewriter
        `lib.translation.reinflection.identify.load_rewriter`.
    rng : Generator
        For the random letters.

    Returns
    -------
    dict
        System -> a sentence for each row. "Copy" is the first. "Single" rewrites every sentence,
        "Two Step" those that an identifier says are of the other gender. The rules hold the reader
        inside, so that their Single is their Two Step with it.
    """
    labels = {**labels, TRUE_LABELS: asked["given"].tolist()}
    sentences, single = asked["sentence"].tolist(), {}
    single["Rules"] = [rewrite(*row) for row in zip(sentences, asked["asked"])]
    single["Letters"] = [""] * len(asked)
    for gender, rows in asked.reset_index(drop=True).groupby("asked"):
        written = rewriter.rewrite(rows["sentence"].tolist(), gender)
        for place, text in zip(rows.index, written):
            single["Letters"][place] = text
    single["Flips"] = [flip_endings(*row) for row in zip(sentences, asked["asked"])]
    outputs = {"Copy": sentences}
    for method, written in single.items():
        outputs[f"{method}: Single"] = written
        for name, own in labels.items():
            outputs[f"{method}: Two Step, {name}"] = [
                two_step([old], [label], [new], gender)[0]
                for old, label, new, gender in zip(sentences, own, written, asked["asked"])
            ]
    outputs["Random letters"] = random_letters(sentences, single["Rules"], rng=rng)
    return outputs


def by_share(
    asked: pd.DataFrame, outputs: Mapping[str, Sequence[str]], shares: Sequence[float]
) -> pd.DataFrame:
    """Sentence accuracy if another share of the sentences marked who speaks.

    Parameters
    ----------
    asked, outputs
        As in `outputs_of_systems`.
    shares : sequence of float
        Of sentences that mark who speaks, in [0, 1].

    Returns
    -------
    DataFrame
        Columns system, share, value: share of the sentences that are as they should be, in [0, 1].

    Examples
    --------
    >>> asked = in_both_directions(
    ...     pd.DataFrame({"given": ["masculine", "neither"], "sentence": ["Soy alto.", "Ya voy."],
    ...                   "masculine": ["Soy alto.", "Ya voy."], "feminine": ["Soy alta.", "Ya voy."]})
    ... )
    >>> by_share(asked, {"Copy": asked["sentence"]}, [0, 0.5, 1])["value"].tolist()
    [1.0, 0.75, 0.5]
    """
    marked = (asked["given"] != "neither").to_numpy()
    rows = []
    for system, written in outputs.items():
        right = np.asarray(written, object) == asked["target"].to_numpy()
        of_marked, of_others = right[marked].mean(), right[~marked].mean()
        rows += [
            (system, share, float(share * of_marked + (1 - share) * of_others)) for share in shares
        ]
    return pd.DataFrame(rows, columns=["system", "share", "value"])


def errors(asked: pd.DataFrame, written: Sequence[str]) -> pd.DataFrame:
    """The sentences that a system got wrong, by what went wrong.

    Returns
    -------
    DataFrame
        Columns of `asked`, written, and error: "left" (nothing was changed that had to be),
        "over-corrected" (something was changed in a sentence that was to stay), "more than the
        forms" (the forms are right, another word is not), "misspelt" (a form is neither of the
        two), "half done" (some forms only).
    """
    rows = []
    for row, text in zip(asked.to_dict("records"), written):
        if text == row["target"]:
            continue
        words = [row[name].split() for name in ("target", "other")]
        own = text.split()
        if text == row["sentence"]:
            error = "left"
        elif row["sentence"] == row["target"]:
            error = "over-corrected"
        elif len(own) != len(words[0]):
            error = "misspelt"
        else:
            forms = [(a, b, c) for a, b, c in zip(own, *words) if b != c]
            if all(a == b for a, b, _ in forms):
                error = "more than the forms"
            elif all(a in (b, c) for a, b, c in forms):
                error = "half done"
            else:
                error = "misspelt"
        rows.append(row | {"written": text, "error": error})
    return pd.DataFrame(rows, columns=[*asked.columns, "written", "error"])


def scores_by_seed() -> pd.DataFrame:
    """What the character model reached when it was trained with other random numbers.

    Returns
    -------
    DataFrame
        A row for each seed; shares in [0, 1] of `lib.translation.reinflection.sentences`: "to
        masculine", "to feminine", "kept", "somebody else" and "nobody" (sentences left as they
        were), "words". Seed 0 is the one that ships.
    """
    return (
        pd.DataFrame(_trained()["seeds"])
        .T.drop(columns="seconds")
        .rename_axis("seed")
        .rename(index=int)
    )


def scores_on_held_out() -> tuple[pd.DataFrame, int, int]:
    """Scores on sentences of Tatoeba that nothing was trained on, one in ten of which marks who
    speaks; computed when the models were trained.

    Returns
    -------
    scores : DataFrame
        Columns seed, system and the measures of `lib.translation.reinflection.scores`.
    sentences, marked : int
        Of the sentences, and of those that mark who speaks.

    Examples
    --------
    >>> scores, sentences, marked = scores_on_held_out()
    >>> scores["system"].unique().tolist()[:2], round(marked / sentences, 1)
    (['Copy', 'Letters: Single'], 0.1)
    """
    found = _trained()["held out"]
    rows = [
        {"seed": int(seed), "system": system, **values}
        for seed, systems in found["seeds"].items()
        for system, values in systems.items()
    ]
    return pd.DataFrame(rows), found["sentences"], found["marked"]


def _trained() -> dict:
    return json.loads((SHIPPED.parent / "scores.json").read_text(encoding="utf-8"))
