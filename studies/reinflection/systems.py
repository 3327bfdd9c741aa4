"""All systems on the same Spanish sentences: copy, rules, letters, each on all or in two steps, and controls.

The controls know nothing of who speaks.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from lib.checks import one_of
from studies.reinflection.identify import SHIPPED
from studies.reinflection.spanish import LABELS, OTHER, rewrite

ENDING = {"masculine": "o", "feminine": "a"}


def two_step(
    sentences: Sequence[str], labels: Sequence[str], rewritten: Sequence[str], gender: str
) -> list[str]:
    """Sentences identified as of the other gender rewritten, all others copied.

    rewritten: each in the gender asked for, as a system that is applied to every sentence writes it, Single of Habash et al.
    (2019).
    """
    one_of("gender", gender, OTHER)
    for label in set(labels):
        one_of("label", label, LABELS)
    if not len(sentences) == len(labels) == len(rewritten):
        raise ValueError(
            f"expected a label and a rewritten sentence each, got {len(sentences)} sentences, "
            f"{len(labels)} labels and {len(rewritten)} rewritten"
        )
    return [
        new if label == OTHER[gender] else old
        for old, label, new in zip(sentences, labels, rewritten)
    ]


def flip_endings(sentence: str, gender: str) -> str:
    """A control that knows endings, and nothing of who speaks: every last -o or -a, -os or -as of a word turned into that of a
    gender.
    """
    one_of("gender", gender, OTHER)
    return re.sub(r"[oa](?=s?\b)(?<=\w\w)", ENDING[gender], sentence)


def random_letters(
    sentences: Sequence[str], rewritten: Sequence[str], *, rng: np.random.Generator
) -> list[str]:
    """A control that changes as many letters as a system changed, at random places; they are drawn from all those of the
    sentences.
    """
    alphabet = sorted({letter for text in sentences for letter in text.lower() if letter.isalpha()})
    written = []
    for sentence, other in zip(sentences, rewritten, strict=True):
        letters = list(sentence)
        changes = sum(a != b for a, b in zip(sentence, other)) + abs(len(sentence) - len(other))
        places = [place for place, letter in enumerate(letters) if letter.isalpha()]
        for place in rng.permutation(places)[:changes]:
            legal = [letter for letter in alphabet if letter != letters[place].lower()]
            letters[place] = legal[rng.integers(len(legal))]
        written.append("".join(letters))
    return written


TRUE_LABELS = "true labels"


def in_both_directions(sentences: pd.DataFrame) -> pd.DataFrame:
    """Each sentence with each gender asked for, the masculine first: columns asked, target and other (what the sentence is in the
    gender asked for and in the other) beside its own, of which sentence, masculine, feminine are needed.
    """
    return pd.concat(
        [
            sentences.assign(asked=gender, target=sentences[gender], other=sentences[other])
            for gender, other in OTHER.items()
        ],
        ignore_index=True,
    )


def written_by(system: Callable[[list[str], str], Sequence[str]], asked: pd.DataFrame) -> list[str]:
    """What a function, (sentences, "masculine" or "feminine") -> sentences, makes of each row of asked (`in_both_directions`)."""
    written = [""] * len(asked)
    for gender, rows in asked.reset_index(drop=True).groupby("asked"):
        made = [str(text) for text in system(rows["sentence"].tolist(), str(gender))]
        if len(made) != len(rows):
            raise ValueError(f"expected {len(rows)} sentences from the system, got {len(made)}")
        for place, text in zip(rows.index, made):
            written[place] = text
    return written


def outputs_of_systems(
    asked: pd.DataFrame,
    labels: Mapping[str, Sequence[str]],
    rewriter,
    *,
    rng: np.random.Generator,
) -> dict[str, list[str]]:
    """System -> a sentence for each row of asked (`in_both_directions`).

    "Copy" is the first. "Single" rewrites every sentence, "Two Step" those that an identifier says are of the other gender. The
    rules hold the reader inside, so that their Single is their Two Step with it. labels: identifier -> its label of each row;
    `TRUE_LABELS`, the column given, need not be in it.
    """
    labels = {**labels, TRUE_LABELS: asked["given"].tolist()}
    sentences, single = asked["sentence"].tolist(), {}
    single["Rules"] = [rewrite(*row) for row in zip(sentences, asked["asked"])]
    single["Letters"] = written_by(rewriter.rewrite, asked)
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
    """Sentence accuracy, in [0, 1], if another share of the sentences marked who speaks: columns system, share, value."""
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
    """The sentences that a system got wrong: columns of `asked`, written, and error.

    "left": nothing was changed that had to be; "over-corrected": something was changed in a sentence that was to stay; "more than
    the forms": the forms are right, another word is not; "misspelt": a form is neither of the two; "half done": some forms only.
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
    """What the character model reached when it was trained with other random numbers, a row a seed; 0 is the one that ships.

    Shares in [0, 1] of `sentences`: "to masculine", "to feminine", "kept", "somebody else" and "nobody" (sentences left as they
    were), "words".
    """
    return (
        pd.DataFrame(_trained()["seeds"])
        .T.drop(columns="seconds")
        .rename_axis("seed")
        .rename(index=int)
    )


def scores_on_held_out() -> tuple[pd.DataFrame, int, int]:
    """Scores (columns seed, system and `MEASURES`) on sentences of Tatoeba that nothing was trained on, computed when the models
    were trained; how many these are, and how many of them mark who speaks.
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
