"""Train the translators of dose and response: other shares of made direct speech, and other ways to make it.

python -m lib.training.translator.doses [--steps 1000] [--seeds 3]     needs the `sample` files

Each is the network of `lib.training.translator.train`, trained for fewer steps. What is kept is its scores.json, under
data/models/doses; a translator that has one is not trained again, so that a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from lib.files import write_whole
from lib.paths import DATA
from lib.training.loop import best_precision
from lib.training.translator.train import Settings, prepare, train
from lib.translation.direct_speech import ARMS
from lib.translation.gender import GENDERS
from lib.translation.tatoeba import split_pairs

# Share of the training examples that is made direct speech, and how it is made (`lib.translation.direct_speech.ARMS`).
RUNS = (
    (0.1, "right"),
    (0.0, "right"),
    (0.1, "shuffled"),
    (0.1, "plain"),
    (0.01, "right"),
    (0.001, "right"),
    (0.05, "right"),
)

log = logging.getLogger("lib")


def name_of(settings: Settings) -> str:
    """The folder of a run: "right-0.01-seed0"."""
    return f"{settings.arm}-{settings.speech:g}-seed{settings.seed}"


def runs(steps: int, seeds: int, precision: str) -> Iterator[Settings]:
    """The settings of all translators, seed by seed, so that a stopped run has whole seeds."""
    for seed in range(seeds):
        for speech, arm in RUNS:
            yield Settings(speech=speech, arm=arm, steps=steps, seed=seed, precision=precision)


def train_all(
    kept: Path, work_folder: Path, planned: Sequence[Settings], device: str = "cpu"
) -> int:
    """Train those that have no scores in `kept` yet. Returns how many were trained."""
    missing = [
        settings for settings in planned if not (kept / name_of(settings) / "scores.json").is_file()
    ]
    split = split_pairs() if missing else None
    for number, settings in enumerate(missing, 1):
        name = name_of(settings)
        log.info("%d of %d: %s", number, len(missing), name)
        train(work_folder / name, split, prepare(split, settings), device)
        scores = (work_folder / name / "scores.json").read_text(encoding="utf-8")
        (kept / name).mkdir(parents=True, exist_ok=True)
        write_whole(kept / name / "scores.json", scores)
        shutil.rmtree(work_folder / name)
    return len(missing)


def read_scores(folder: Path) -> pd.DataFrame:
    """Who is heard in the outputs of the translators whose scores lie in a folder: a row for a translator and a speaker.

    Columns: translator, arm, dose (share of the training examples), seed, steps, bleu (one reference), speaker (of the
    prefix), feminine, masculine, ambiguous and unmarked (numbers of outputs), share (feminine, of those marked; NaN where
    none is), low, high. Right prefixes come first, the smallest dose before. No row where the folder holds no scores.
    """
    rows = []
    for path in folder.glob("*/scores.json"):
        scored = json.loads(path.read_text(encoding="utf-8"))
        settings, bleu = scored["settings"], scored["test"]["one reference"]["BLEU"]["score"]
        about = (
            path.parent.name,
            settings["arm"],
            settings["speech"],
            settings["seed"],
            scored["steps"],
            bleu,
        )
        for speaker, one in scored["heard"].items():
            share = [
                math.nan if one[name] is None else one[name]
                for name in ("feminine_share", "low", "high")
            ]
            rows.append((*about, speaker, *(one[gender] for gender in GENDERS), *share))
    rows.sort(key=lambda row: (ARMS.index(row[1]), row[2], row[3]))
    return pd.DataFrame(
        rows,
        columns=[
            "translator",
            "arm",
            "dose",
            "seed",
            "steps",
            "bleu",
            "speaker",
            *GENDERS,
            "share",
            "low",
            "high",
        ],
    )


def contrasts(scores: pd.DataFrame, more: str = "She", less: str = "He") -> pd.DataFrame:
    """Feminine share behind one speaker less that behind another, by translator, with Newcombe's interval.

    scores : as `read_scores` gives them. Columns: translator, arm, dose, seed, bleu, value (positive: more feminine behind
    `more`), low, high, n (marked outputs). The interval takes the outputs for independent, though both prefixes stand
    before the same sentences. A translator without a marked output behind either is left out.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep

    rows = []
    for _, of in scores.groupby("translator", sort=False):
        of = of.set_index("speaker")
        marked = of["feminine"] + of["masculine"]
        if marked[more] and marked[less]:
            low, high = confint_proportions_2indep(
                of["feminine"][more],
                marked[more],
                of["feminine"][less],
                marked[less],
                compare="diff",
                method="newcomb",
            )
            rows.append(
                (
                    *of.iloc[0][["translator", "arm", "dose", "seed", "bleu"]],
                    of["share"][more] - of["share"][less],
                    low,
                    high,
                    marked[more] + marked[less],
                )
            )
    return pd.DataFrame(
        rows, columns=["translator", "arm", "dose", "seed", "bleu", "value", "low", "high", "n"]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m lib.training.translator.doses",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--steps", type=int, default=1000, help="of each translator (1000)")
    parser.add_argument("--seeds", type=int, default=3, help="of each share and arm (3)")
    parser.add_argument(
        "--folder", type=Path, default=Path(".cache/doses"), help="for checkpoints (.cache/doses)"
    )
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    options = parser.parse_args(arguments)
    if options.steps < 1 or options.seeds < 1:
        parser.error(
            f"expected a positive number of steps and seeds, got {options.steps} and {options.seeds}"
        )
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    planned = list(runs(options.steps, options.seeds, best_precision(options.device)))
    log.info(
        "trained %d of %d",
        train_all(DATA / "models" / "doses", options.folder, planned, options.device),
        len(planned),
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
