"""Scores of translators that were trained with other shares of direct speech, or made otherwise."""

import json
from pathlib import Path

import pandas as pd

from lib.translation.gender import GENDERS

ARMS = ("right", "plain", "shuffled")  # how the direct speech of their training was made


def read_scores(folder: Path) -> pd.DataFrame:
    """How often each speaker's gender is marked in the outputs of the translators of a folder.

    Parameters
    ----------
    folder : Path
        With a scores.json in a folder for each translator.

    Returns
    -------
    DataFrame
        A row for a translator and a speaker; none where the folder holds no scores. Columns:
        translator, arm, dose (share of the training examples), seed, steps, bleu (one reference),
        speaker (of the prefix); feminine, masculine, ambiguous, unmarked: numbers of outputs;
        share: feminine, of those marked, and its interval low, high, NaN where none is. Right
        prefixes come first, the smallest dose before.
    """
    rows = []
    for path in folder.glob("*/scores.json"):
        scores = json.loads(path.read_text(encoding="utf-8"))
        settings = scores["settings"]
        for speaker, counted in scores["heard"].items():
            rows.append(
                {
                    "translator": path.parent.name,
                    "arm": settings["arm"],
                    "dose": settings["speech"],
                    "seed": settings["seed"],
                    "steps": scores["steps"],
                    "bleu": scores["test"]["one reference"]["BLEU"]["score"],
                    "speaker": speaker,
                    **{gender: counted[gender] for gender in GENDERS},
                    "share": counted["feminine_share"],
                    "low": counted["low"],
                    "high": counted["high"],
                }
            )
    rows.sort(key=lambda row: (ARMS.index(row["arm"]), row["dose"], row["seed"]))
    columns = ["translator", "arm", "dose", "seed", "steps", "bleu", "speaker", *GENDERS]
    table = pd.DataFrame(rows, columns=[*columns, "share", "low", "high"])
    return table.astype({"share": float, "low": float, "high": float})


def contrasts(scores: pd.DataFrame, more: str = "She", less: str = "He") -> pd.DataFrame:
    """Feminine share behind one speaker less that behind another, by translator.

    Parameters
    ----------
    scores : DataFrame
        As `read_scores`.
    more, less : str
        Speakers.

    Returns
    -------
    DataFrame
        Columns translator, arm, dose, seed, bleu; value: positive where more is feminine behind
        `more`; low, high: Newcombe's 95 % interval, which takes the outputs for independent,
        though both prefixes stand before the same sentences; n: marked outputs. A translator
        without a marked output behind either is left out.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    rows = []
    for _, table in scores.groupby("translator", sort=False):
        by_speaker = table.set_index("speaker")
        feminine = by_speaker["feminine"]
        marked = feminine + by_speaker["masculine"]
        if marked[more] and marked[less]:
            low, high = confint_proportions_2indep(
                feminine[more],
                marked[more],
                feminine[less],
                marked[less],
                compare="diff",
                method="newcomb",
            )
            rows.append(
                by_speaker.iloc[0][["translator", "arm", "dose", "seed", "bleu"]].to_dict()
                | {"value": by_speaker["share"][more] - by_speaker["share"][less]}
                | {"low": low, "high": high, "n": marked[more] + marked[less]}
            )
    columns = ["translator", "arm", "dose", "seed", "bleu", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)
