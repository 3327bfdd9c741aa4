"""Translators, each a training of its own, with what they make of the book's own sentences.

Of some the weights are here; of others the outputs are kept in their place, a folder each in
data/models/doses. `python -m scripts.train.translator.doses --keep <folder>` writes them: outputs.csv has a row for each
English sentence of the book's own sets and a column for each prefix.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from lib.paths import DATA
from lib.translation.evaluation_sets import (
    first_person_set,
    first_person_set_french,
    plain_set,
)
from lib.translation.prefixes import (
    CONDITIONS,
    CONTROL,
    THEY,
    PrefixedTranslations,
    condition_name,
    prefix_of,
    translate_with_prefix,
    without_prefix,
)
from lib.translation.translators import Translator, own_folder
from studies.prefix_injection.contrasts import ASKED, Condition

# Prefixes behind which each set of sentences is kept.
KEPT = {"first person": (*CONDITIONS, CONTROL, THEY), "no one marked": ASKED}
STEPS, SEEDS = 4000, (0, 1, 2)  # of the arms that are planned
TAUGHT = {True: "taught", False: "not taught"}
SURVIVES = 0.9  # of the outputs behind a prefix; where it is found in fewer, scores are of its rest
FRENCH = {"es": "", "fr": ", French"}


@dataclass(frozen=True)
class Arm:
    """One translator with its outputs.

    taught: whether made direct speech was among its training examples, None where that is not known; steps, seed: of its
    training, 0 where they are not known; bleu: of held-out pairs of Tatoeba, one reference, 0 to 100, or NaN; speech, plain:
    (speaker, audience) -> outputs of the first-person sentences and of `plain_set` (none in French); source: where the outputs
    are from, a folder of the book, or a translator with its hash; language: of the outputs, "es" or "fr".
    """

    name: str
    taught: bool | None
    steps: int
    seed: int
    bleu: float
    speech: dict[Condition, PrefixedTranslations]
    plain: dict[Condition, PrefixedTranslations]
    source: str
    language: str = "es"

    @property
    def label(self) -> str:
        """Taught or not, language, steps and seed, in words; the name where they are not known."""
        if self.taught is None:
            return self.name + FRENCH[self.language]
        language = FRENCH[self.language]
        return f"{TAUGHT[self.taught]}{language}, {self.steps:,} steps, seed {self.seed}"

    def found(self, conditions: Sequence[Condition]) -> dict[Condition, float]:
        """The share of outputs in which the prefix is found, for each condition with one."""
        return {
            pair: self.speech[pair].survived / len(self.speech[pair].texts)
            for pair in conditions
            if self.speech[pair].given
        }


def read_arms(folder: Path) -> list[Arm]:
    """The arms of a folder, those that were taught last, by steps and seed; a folder without outputs.csv, whose translator kept
    scores only, is passed over.
    """
    arms = []
    for path in folder.glob("*/outputs.csv"):
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        sets = dict(zip(KEPT, _outputs(path, table)))
        arms.append(
            Arm(
                path.parent.name,
                *_training(path.parent / "scores.json"),
                sets["first person"],
                sets["no one marked"],
                _in_the_book(path.parent),
            )
        )
    return sorted(arms, key=lambda arm: (arm.taught, arm.steps, arm.seed))


def live_arm(
    translator: Translator, conditions: Sequence[Condition], *, language: str = "es"
) -> Arm:
    """A translator from English to "es" or "fr" that is here, asked for the book's own sentences behind each prefix; one of
    data/models says how it was trained.
    """
    sentences = first_person_set() if language == "es" else first_person_set_french()
    asked = {"speech": sentences["english"].tolist()}
    if language == "es":
        asked["plain"] = plain_set()["english"].tolist()
    outputs = {
        name: {
            pair: translate_with_prefix(translator, english, *pair, language=language)
            for pair in conditions
        }
        for name, english in asked.items()
    }
    folder = own_folder(translator.name)
    known: tuple[bool | None, int, int, float] = (None, 0, 0, np.nan)
    if folder:
        known = _training(Path(folder) / "scores.json")
    plain = outputs.get("plain", {})
    return Arm(translator.name, *known, outputs["speech"], plain, translator.source, language)


def across_seeds(values: pd.DataFrame) -> pd.DataFrame:
    """A score of translators of equal steps that differ in the seed, by taught and not, and what teaching changes: rows "taught",
    "not taught" and "taught − not taught", those that there are. Columns value: mean, or difference of means; low, high: 95 %
    interval of Student's t over the seeds, of Welch's t for the difference, NaN with a single seed in either; least, most:
    over seeds, or over pairs of a seed each; seeds: of each.
    """
    from scipy import stats

    taught, untaught = (
        values.loc[values["taught"] == was, "value"].to_numpy() for was in (True, False)
    )
    numbers = {
        TAUGHT[True]: taught,
        TAUGHT[False]: untaught,
        "taught − not taught": np.subtract.outer(taught, untaught).ravel(),
    }
    rows = {}
    for name, each in numbers.items():
        samples = [each] if name in TAUGHT.values() else [taught, untaught]
        seeds = min(map(len, samples))
        ends = [np.nan, np.nan]
        if seeds > 1:
            test = stats.ttest_1samp(each, 0)
            if len(samples) > 1:
                test = stats.ttest_ind(taught, untaught, equal_var=False)
            ends = list(test.confidence_interval())
        if seeds:
            rows[name] = [each.mean(), *ends, each.min(), each.max(), seeds]
    columns = ["value", "low", "high", "least", "most", "seeds"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def missing_arms(arms: Sequence[Arm]) -> list[str]:
    """The planned arms that are not there: "not taught, seed 0"."""
    there = {(arm.taught, arm.seed) for arm in arms if arm.steps == STEPS}
    return [
        f"{words}, seed {seed}"
        for taught, words in sorted(TAUGHT.items())
        for seed in SEEDS
        if (taught, seed) not in there
    ]


def kept_outputs(translator: Translator) -> pd.DataFrame:
    """What a translator makes of the book's own sentences behind every prefix, to be kept.

    Columns set, english, and the name of each condition: whole outputs, the prefix in them; "" where a sentence was not asked
    for.
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


def _training(path: Path) -> tuple[bool, int, int, float]:
    """Taught or not, steps, seed and BLEU, from a scores.json."""
    scores = json.loads(path.read_text(encoding="utf-8"))
    settings = scores["settings"]
    bleu = scores["test"]["one reference"]["BLEU"]["score"]
    return settings["speech"] > 0, scores["steps"], settings["seed"], bleu


def _in_the_book(folder: Path) -> str:
    """A folder as results name it: from the book's root where it lies there."""
    inside = folder.is_relative_to(DATA.parent)
    return (folder.relative_to(DATA.parent) if inside else folder).as_posix()


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
