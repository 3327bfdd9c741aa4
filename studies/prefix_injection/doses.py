"""Scores of translators that were trained with other shares of direct speech, or made otherwise."""

import json
from pathlib import Path

import pandas as pd

from lib.translation.gender import GENDERS

ARMS = ("right", "plain", "shuffled")  # how the direct speech of their training was made
RUN = ("translator", "arm", "dose", "made", "steps", "seed", "bleu")  # what a training was


def read_scores(folder: Path) -> pd.DataFrame:
    """How often each speaker's gender is marked in the outputs of a folder's translators, a row for a translator and a speaker.

    Columns translator, arm, dose (share of the training examples), made (both in words), seed, steps, bleu (one reference),
    speaker (of the prefix); feminine, masculine, ambiguous, unmarked, n, marked: numbers of outputs; share: feminine, of those
    marked, and its interval low, high, NaN where none is. The fewest steps come first, of these the right prefixes, the smallest
    dose before. A translator that was not asked behind prefixes is passed over.
    """
    rows = []
    for path in folder.glob("*/scores.json"):
        scores = json.loads(path.read_text(encoding="utf-8"))
        settings = scores["settings"]
        for speaker, counted in scores.get("heard", {}).items():
            rows.append(
                {
                    "translator": path.parent.name,
                    "arm": settings["arm"],
                    "dose": settings["speech"],
                    "made": f"{100 * settings['speech']:g} %",
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
    rows.sort(key=lambda row: (row["steps"], ARMS.index(row["arm"]), row["dose"], row["seed"]))
    columns = ["translator", "arm", "dose", "made", "seed", "steps", "bleu", "speaker", *GENDERS]
    table = pd.DataFrame(rows, columns=[*columns, "share", "low", "high"])
    table["made"] += table["arm"].map(lambda arm: "" if arm == "right" else f", {arm}")
    table["n"] = table[[*GENDERS]].sum(axis=1)
    table["marked"] = table["feminine"] + table["masculine"]
    return table.astype({"share": float, "low": float, "high": float})


def contrasts(scores: pd.DataFrame, more: str = "She", less: str = "He") -> pd.DataFrame:
    """Feminine share behind one speaker less that behind another, by translator: columns `RUN`; value; low, high: Newcombe's 95 %
    interval, which takes the outputs for independent, though both prefixes stand before the same sentences; n: marked outputs.
    A translator without a marked output behind either is left out.
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
                by_speaker.iloc[0][[*RUN]].to_dict()
                | {"value": by_speaker["share"][more] - by_speaker["share"][less]}
                | {"low": low, "high": high, "n": marked[more] + marked[less]}
            )
    return pd.DataFrame(rows, columns=[*RUN, "value", "low", "high", "n"])


def contrasts_by_dose(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The contrasts of all seeds by steps and by how the direct speech was made: mean, min, max in percentage points; clear:
    translators whose interval leaves 0 out; seeds; bleu: their mean.
    """
    clear = (contrasts["low"] > 0) | (contrasts["high"] < 0)
    groups = contrasts.assign(clear=clear).groupby(["steps", "made"], sort=False)
    summary = 100 * groups["value"].agg(["mean", "min", "max"])
    return summary.assign(
        clear=groups["clear"].sum(), seeds=groups.size(), bleu=groups["bleu"].mean()
    )
