"""Scores of translators that differ in what their encoder started from."""

import json
import math
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from lib.paths import DATA

ARMS = ("random", "glove", "hard-debiased", "reserved", "random-projection")
NAMES = {
    "random": "random",
    "glove": "GloVe",
    "hard-debiased": "GloVe, hard-debiased",
    "reserved": "GloVe, contrast in a reserved dimension",
    "random-projection": "GloVe without a random direction",
}
SEEDS = (0, 1)
RESPONDS = math.log(2)  # log odds that the control has to change in an arm that can answer
FOLDER = DATA / "models" / "embedding-arms"
LONGER = FOLDER / "longer"  # three of the arms, trained four times as long
COLUMNS = [
    "arm",
    "seed",
    "steps",
    "bleu",
    "chrf",
    "her",
    "him",
    "Mary",
    "John",
    "pronouns",
    "names",
    "log odds, pronouns",
    "low",
    "high",
    "log odds, English alone",
    "log odds, names",
    "log odds, control",
    "control low",
    "control high",
    "log odds, no context",
    "delta_g",
    "contrast before",
    "contrast after",
]


def read_arms(folder: Path = FOLDER) -> pd.DataFrame:
    """What each translator of a folder scores: a row for a translator that is there, the arms in the order of `ARMS`.

    bleu, chrf: one reference, 0 to 100; her, him, Mary, John: per cent of the outputs with the right one of *amiga* and *amigo*;
    pronouns, names: outputs with *amiga* after her less those after him, and Mary less John, in percentage points; log odds of
    *amiga*: the same differences, that of the pronouns with its interval over occupations (low, high); her less him after a
    beginning that says no gender (English alone), that of the control with its interval (control low, control high), and the
    level without a context; delta_g: WinoMT's, in points; contrast before, after: mean absolute cosine of occupations with the
    word contrast in the encoder's matrix, before and after the training.
    """
    rows = [_scores(path) for path in folder.glob("*/scores.json")]
    rows.sort(key=lambda row: (row["seed"], ARMS.index(row["arm"])))
    return pd.DataFrame(rows, columns=COLUMNS)


def missing_arms(table: pd.DataFrame, seeds: Iterable[int] = SEEDS) -> list[str]:
    """The planned translators that have no scores: "GloVe, seed 1"."""
    there = set(zip(table["arm"], table["seed"]))
    return [
        f"{NAMES[arm]}, seed {seed}" for seed in seeds for arm in ARMS if (arm, seed) not in there
    ]


def _scores(path: Path) -> dict:
    scores = json.loads(path.read_text(encoding="utf-8"))
    found, quality = scores["equalizing"], scores["test"]["one reference"]
    friends = pd.concat(
        pd.DataFrame.from_dict(found[forms]["friend"], orient="index")
        for forms in ("two forms", "one form")
    )
    friends = friends.groupby(level=0).sum()
    shares = 100 * friends.div(friends.sum(axis=1), axis=0)
    own, alone = (found[f"change of log odds, {name} beginning"] for name in ("own", "silent"))
    amiga = shares["feminine"]
    return {
        "arm": scores["settings"]["vectors"],
        "seed": scores["settings"]["seed"],
        "steps": scores["steps"],
        "bleu": quality["BLEU"]["score"],
        "chrf": quality["chrF2"]["score"],
        "her": amiga["her"],
        "him": shares.loc["him", "masculine"],
        "Mary": amiga["Mary"],
        "John": shares.loc["John", "masculine"],
        "pronouns": amiga["her"] - amiga["him"],
        "names": amiga["Mary"] - amiga["John"],
        "log odds, pronouns": own["her − him"]["value"],
        "low": own["her − him"]["low"],
        "high": own["her − him"]["high"],
        "log odds, English alone": alone["her − him"]["value"],
        "log odds, names": own["Mary − John"]["value"],
        "log odds, control": own["She − He"]["value"],
        "control low": own["She − He"]["low"],
        "control high": own["She − He"]["high"],
        "log odds, no context": found["mean log odds of amiga, own beginning"]["someone"],
        "delta_g": scores["winomt"]["delta_g"],
        "contrast before": scores["contrast"]["start"]["occupations"],
        "contrast after": scores["contrast"]["end"]["occupations"],
    }
