"""Translators whose outputs are kept in place of their weights, one folder each in data/models/doses.

`python -m lib.training.translator.doses --keep <folder>` writes them: outputs.csv has a row for each
English sentence of the book's own sets and a column for each prefix.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from lib.translation.contrasts import ASKED, Condition
from lib.translation.evaluation_sets import first_person_set, plain_set
from lib.translation.prefixes import (
    CONDITIONS,
    CONTROL,
    THEY,
    PrefixedTranslations,
    condition_name,
    prefix_of,
    without_prefix,
)
from lib.translation.translators import Translator

# Prefixes behind which each set of sentences is kept.
KEPT = {"first person": (*CONDITIONS, CONTROL, THEY), "no one marked": ASKED}
STEPS, SEEDS = 4000, (0, 1, 2)  # of the arms that are planned
TAUGHT = {True: "taught", False: "not taught"}


@dataclass(frozen=True)
class Arm:
    """One translator whose outputs were kept.

    Attributes
    ----------
    name : str
        Of its folder.
    taught : bool
        Whether made direct speech was among its training examples.
    steps, seed : int
        Of its training.
    bleu : float
        Of held-out pairs of Tatoeba, one reference, 0 to 100.
    speech, plain : dict
        (speaker, audience) -> outputs of `first_person_set` and of `plain_set`.
    """

    name: str
    taught: bool
    steps: int
    seed: int
    bleu: float
    speech: dict[Condition, PrefixedTranslations]
    plain: dict[Condition, PrefixedTranslations]


def read_arms(folder: Path) -> list[Arm]:
    """The arms of a folder, those that were taught last, by steps and seed.

    A folder without outputs.csv is passed over: its translator kept scores only.

    Raises
    ------
    ValueError
        When outputs are of other sentences than the book's sets have now.

    Examples
    --------
    >>> read_arms(Path("no such folder"))
    []
    """
    arms = []
    for path in folder.glob("*/outputs.csv"):
        scores = json.loads((path.parent / "scores.json").read_text(encoding="utf-8"))
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        sets = dict(zip(KEPT, _outputs(path, table)))
        arms.append(
            Arm(
                path.parent.name,
                scores["settings"]["speech"] > 0,
                scores["steps"],
                scores["settings"]["seed"],
                scores["test"]["one reference"]["BLEU"]["score"],
                sets["first person"],
                sets["no one marked"],
            )
        )
    return sorted(arms, key=lambda arm: (arm.taught, arm.steps, arm.seed))


def missing_arms(arms: Sequence[Arm]) -> list[str]:
    """The planned arms that are not there, in words.

    Examples
    --------
    >>> missing_arms([])[0], len(missing_arms([]))
    ('not taught, seed 0', 6)
    """
    there = {(arm.taught, arm.seed) for arm in arms if arm.steps == STEPS}
    return [
        f"{words}, seed {seed}"
        for taught, words in sorted(TAUGHT.items())
        for seed in SEEDS
        if (taught, seed) not in there
    ]


def kept_outputs(translator: Translator) -> pd.DataFrame:
    """What a translator makes of the book's own sentences behind every prefix, to be kept.

    Returns
    -------
    DataFrame
        Columns set, english, and the name of each condition: whole outputs, the prefix in them; ""
        where a sentence was not asked for.
    """
    parts = []
    for (name, conditions), english in zip(KEPT.items(), _sentences()):
        columns = {
            condition_name(*pair): translator.translate(
                [prefix_of(*pair) + text for text in english]
            )
            for pair in conditions
        }
        parts.append(pd.DataFrame({"set": name, "english": english} | columns))
    return pd.concat(parts, ignore_index=True).fillna("")


def _sentences() -> tuple[list[str], list[str]]:
    """The English of both sets, in the order of `KEPT`."""
    return first_person_set()["english"].tolist(), plain_set()["english"].tolist()


def _outputs(path: Path, table: pd.DataFrame) -> Iterator[dict[Condition, PrefixedTranslations]]:
    """The outputs of each set by condition."""
    for (name, conditions), english in zip(KEPT.items(), _sentences()):
        rows = table[table["set"] == name]
        if rows["english"].tolist() != english:
            raise ValueError(
                f"{path}: expected outputs of the {len(english)} sentences of the set {name!r}, "
                f"got {len(rows)} of others; train that translator again and keep its outputs"
            )
        yield {
            pair: without_prefix(rows[condition_name(*pair)].tolist(), prefix_of(*pair))
            for pair in conditions
        }
