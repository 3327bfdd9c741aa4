"""What Habash, Bouamor and Chung (2019) released: Arabic sentences in both genders, and what their systems made of them.

New York University Abu Dhabi grants internal research and evaluation only. So the files are fetched at run time, beside
their licence; no sentence of them belongs on a page, into a test or among recorded results.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

# split -> its sentences
SPLITS = {"train": 8566, "dev": 1224, "test": 2448}
SCORED = ("dev", "test")  # the splits with outputs of systems
TARGETS = {"m": "M", "f": "F"}
INPUTS = {"arabic": "", "google": "gt_"}
SYSTEMS = {"baseline": "Baseline", "single": "Single", "two_step": "Two Step"}
LABELS = ("B", "F", "M")


@dataclass(frozen=True)
class Outputs:
    """What the three systems made of one split.

    references: target, M or F -> the normalised sentences that outputs are scored against. outputs: (system, target), as in "Two
    Step", "F" -> its sentences; Baseline is the input itself, the same for both targets.
    """

    references: Mapping[str, list[str]]
    outputs: Mapping[tuple[str, str], list[str]]


def read_sentences(split: str) -> pd.DataFrame:
    """The balanced corpus: each sentence that marks the gender of its speaker occurs in both forms.

    Columns input, label (B, F or M), features (of MADAMIRA, a token or more a word), masculine and feminine (both versions, with
    as many words as the input), and pair: rows of one number are the two forms of one sentence.
    """
    one_of("split", split, SPLITS)
    fetch("habash_licence")  # has to lie beside every copy
    columns = ("input", "labels", "features", "target_m", "target_f")
    names = ("input", "label", "features", "masculine", "feminine")
    keys = [f"habash_d_set_{split}_{column}" for column in columns]
    table = pd.DataFrame(dict(zip(names, [_lines(key, SPLITS[split]) for key in keys])))
    unknown = set(table["label"]) - set(LABELS)
    if unknown:
        raise ValueError(f"{keys[1]}: expected labels B, F and M; got {sorted(unknown)}")
    words = table[["input", "masculine", "feminine"]].map(lambda text: len(text.split()))
    if words.nunique(axis=1).gt(1).any():
        row = int(words.nunique(axis=1).argmax()) + 1
        raise ValueError(f"{split}: expected versions of equal length; those of line {row} are not")
    return table.assign(pair=table.groupby(["masculine", "feminine"], sort=False).ngroup())


def read_outputs(split: str, given: str = "arabic") -> Outputs:
    """References and outputs of the three systems, as normalised by the authors; they were given the "arabic" sentences, or what
    "google" Translate made of their English side in 2019.
    """
    one_of("split", split, SCORED)
    one_of("given", given, INPUTS)
    fetch("habash_licence")
    n = SPLITS[split]
    references = {name: _lines(f"habash_ref_{split}_{key}", n) for key, name in TARGETS.items()}
    outputs = {
        (SYSTEMS[system], name): _lines(output_key(system, split, key, given), n)
        for system in SYSTEMS
        for key, name in TARGETS.items()
    }
    return Outputs(references, outputs)


def output_key(system: str, split: str, target: str, given: str = "arabic") -> str:
    """The registry key of one file of outputs: "habash_gt_two_step_test_f", "habash_baseline_dev"."""
    one_of("system", system, SYSTEMS)
    one_of("split", split, SCORED)
    one_of("target", target, TARGETS)
    one_of("given", given, INPUTS)
    ending = "" if system == "baseline" else f"_{target}"
    return f"habash_{INPUTS[given]}{system}_{split}{ending}"


def _lines(key: str, number: int) -> list[str]:
    lines = fetch(key).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if len(lines) != number:
        raise ValueError(f"{key}: expected {number:,} lines, got {len(lines):,}; fetch it again")
    return lines
