"""What systems of the shared task said: released predictions with the passages they belong to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lib.checks import one_of
from lib.coreference.intervals import gender_intervals
from lib.coreference.predictions import aligned, codes
from lib.coreference.scores import accuracy
from lib.datasets.gap import read_gap, read_predictions, read_stage2
from lib.datasets.gap_corrections import TEAMS, corrected_answers
from lib.sources import lookup
from studies.pronoun_resolution.multiverse import blended, floored

PARTS = {
    "gap_test": "GAP test",
    "gap_development": "GAP development",
    "gap_validation": "GAP validation",
    "gap_stage2": "stage 2",
}
# places 5 and 22, their blend and six classifiers; places 5 and 9 trained again by others; early submissions of place 14
GROUPS = ("ionita", "reruns", "bao")
IONITA_FINE = {
    "gap_test": tuple(
        f"ionita_gap_test_fine_{seed}" for seed in (12802, 12803, 12804, 6400, 6402, 6404)
    ),
    "gap_stage2": tuple(
        f"ionita_stage2_fine_{seed}" for seed in (12801, 12803, 12809, 6401, 6409, 6419)
    ),
}
IONITA_FROZEN = {"gap_test": "ionita_gap_test_frozen", "gap_stage2": "ionita_stage2_frozen"}
# under the mean of the six on GAP test; the scoring code has none on stage 2
IONITA_FLOOR = {"gap_test": 0.01, "gap_stage2": 0.0}
IONITA_WEIGHT = {"gap_test": 0.5, "gap_stage2": 0.65}  # of the fine-tuned side
RERUNS = {"model5": "place 5", "model9": "place 9"}
BAO = (
    "ada_svm_0225_1647",
    "ada_svm_0225_1719",
    "bag_svm_0225_1800",
    "gbdt_0224_1025",
    "lr_0311_1902",
    "lr_0311_1945",
    "lr_0311_2024",
    "lr_0311_2026",
    "lr_0311_2031",
    "mlp_0308_1447",
    "svm_0224_1019",
    "svm_0224_1206",
    "svm_0224_1213",
    "svm_0224_1226",
    "svm_0224_1231",
    "svm_0225_1421",
    "svm_0311_1904",
    "svm_0311_1948",
    "svm_0311_2026",
    "svm_0311_2034",
    "transformer_0308_1332",
    "transformer_0308_1543",
    "transformer_0308_1548",
    "unnamed_0223_2314",
)
NAMES = ("original", "names_1", "names_2", "names_3", "names_4")


@dataclass(frozen=True, eq=False)
class Passages:
    """The passages of a part of GAP whose answers are known."""

    part: str  # one of PARTS
    frame: pd.DataFrame  # as of read_gap; of stage 2 the scored rows
    ids: list[str]  # of all rows, in the order of the file: a system answers all of them

    @property
    def answers(self) -> NDArray[np.intp]:
        """0 for A, 1 for B, 2 for NEITHER."""
        return codes(self.frame["answer"])

    @property
    def female(self) -> NDArray[np.bool_]:
        """Whether the pronoun is feminine."""
        return (self.frame["gender"] == "female").to_numpy()

    @property
    def pages(self) -> NDArray[np.object_]:
        """The page that each passage comes from."""
        return self.frame["URL"].to_numpy(object)

    @property
    def sources(self) -> str:
        """The registered files of texts and answers, with their hashes."""
        keys = (
            [self.part] if self.part != "gap_stage2" else ["gap_stage2_text", "gap_stage2_solution"]
        )
        return identities(keys)


@dataclass(frozen=True, eq=False)
class System:
    """What one system said about the passages of one part."""

    name: str
    kind: str  # systems of one kind differ in little
    part: str
    probabilities: NDArray[np.float64]  # (n, 3), in the order of the scored passages
    keys: tuple[str, ...] = ()  # the registered files it was made of; none for a file of your own

    @property
    def sources(self) -> str:
        """The files behind its scores, with their hashes; a file of your own has none."""
        return "; ".join(filter(None, [identities(self.keys), passages(self.part).sources]))

    @property
    def inputs(self) -> str:
        """The keys of these files, without hashes."""
        return "; ".join(part.partition("@")[0] for part in self.sources.split("; "))

    @property
    def own(self) -> bool:
        """Whether it is a file of your own, which counts among no team's."""
        return not self.keys

    @property
    def scores(self) -> list[str]:
        """The scores that it has: log loss needs probabilities, and a file of your own may hold answers alone."""
        answers = self.own and bool(np.isin(self.probabilities, (0, 1)).all())
        return ["accuracy", "F1"] if answers else ["log loss", "accuracy", "F1"]

    @property
    def failed(self) -> bool:
        """Whether one and the same answer to every passage would have been right as often."""
        answers = passages(self.part).answers
        return accuracy(self.probabilities, answers) <= np.bincount(answers).max() / len(answers)


@cache
def passages(part: str) -> Passages:
    """The scored passages of one of `PARTS`."""
    one_of("part", part, tuple(PARTS))
    frame = read_stage2() if part == "gap_stage2" else read_gap(part)
    ids = list(frame["ID"])
    if part == "gap_stage2":
        frame = frame[frame["scored"]].reset_index(drop=True)
    return Passages(part, frame, ids)


def released_systems(groups: Sequence[str]) -> list[System]:
    """The systems of some of `GROUPS`, each distinct file once."""
    for group in groups:
        one_of("group", group, GROUPS)
    found: list[System] = []
    if "ionita" in groups:
        found += ionita_systems("gap_test") + ionita_classifiers() + ionita_systems("gap_stage2")
    if "reruns" in groups:
        found += rerun_systems()
    if "bao" in groups:
        found += bao_systems()
    return found


def ionita_systems(part: str) -> list[System]:
    """The fine-tuned system, the frozen one and their blend, as the authors' scoring code makes them (Ionita et al. 2019, 5.4)."""
    one_of("part", part, tuple(IONITA_FINE))
    fine_keys, frozen_key = IONITA_FINE[part], IONITA_FROZEN[part]
    mean = blended([probabilities(key, part) for key in fine_keys])
    fine, frozen = floored(mean, IONITA_FLOOR[part]), probabilities(frozen_key, part)
    weight = IONITA_WEIGHT[part]
    kind = "Ionita et al."
    return [
        System("fine-tuned", kind, part, fine, fine_keys),
        System("frozen", kind, part, frozen, (frozen_key,)),
        System(
            "blend",
            kind,
            part,
            blended([fine, frozen], [weight, 1 - weight]),
            (*fine_keys, frozen_key),
        ),
    ]


def ionita_classifiers() -> list[System]:
    """The six classifiers behind the fine-tuned system, each by itself, on GAP test."""
    kind, part = "Ionita et al., one classifier", "gap_test"
    return [
        System(f"classifier {key.rpartition('_')[2]}", kind, part, probabilities(key, part), (key,))
        for key in IONITA_FINE[part]
    ]


def rerun_systems() -> list[System]:
    """Places 5 and 9, trained again by others on texts with the original and with four sets of other names."""
    return [
        System(
            f"{place}, {names.replace('_', ' ')}",
            f"{place}, trained again",
            "gap_test",
            probabilities(f"gap_rerun_{model}_{names}", "gap_test"),
            (f"gap_rerun_{model}_{names}",),
        )
        for model, place in RERUNS.items()
        for names in NAMES
    ]


def bao_systems() -> list[System]:
    """Early submissions of place 14: each distinct file once, its kind from its name, the keys of equal files joined."""
    found: dict[bytes, System] = {}
    for name in BAO:
        key = f"bao_stage1_{name}"
        rows = probabilities(key, "gap_development")
        known = found.get(rows.tobytes())
        if known:
            keys = (*known.keys, key)
            found[rows.tobytes()] = System(known.name, known.kind, known.part, rows, keys)
            continue
        kind = name[:-10].replace("_", " ").replace("svm", "SVM")
        found[rows.tobytes()] = System(
            f"{kind} {name[-9:].replace('_', ' ')}",
            f"Bao and Qiao, {kind}",
            "gap_development",
            rows,
            (key,),
        )
    return list(found.values())


def own_system(path: str | Path) -> System:
    """Predictions of your own, for all rows of the part of GAP that their IDs name; marked "(yours)" to be taken for no other."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(
            f"predictions: expected a file with ID, A, B and NEITHER; there is none at {path}"
        )
    frame = read_predictions(path)
    first = str(frame["ID"].iloc[0]) if len(frame) else ""
    name = first.partition("-")[0]
    part = f"gap_{name}" if f"gap_{name}" in PARTS else "gap_stage2"
    if part == "gap_stage2" and not re.fullmatch(r"[0-9a-f]{32}", first):
        raise ValueError(
            f"{path}: expected the IDs of a part of GAP, such as test-1, or of stage 2; got {first!r}"
        )
    chosen = passages(part)
    try:
        rows = aligned(frame, chosen.ids)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return System(f"{path.stem} (yours)", "yours", part, _scored(rows, chosen))


def own_scores(system: System, *, n_resamples: int = 2000, rng: int = 0) -> dict[str, pd.DataFrame]:
    """Scores of one system with intervals, by labels: GAP's and, on GAP test, those that each team corrected."""
    on = passages(system.part)
    answers = {"GAP's": on.answers}
    if system.part == "gap_test":
        answers |= {t: codes(corrected_answers(t, system.part)) for t in TEAMS}
    options = dict(pages=on.pages, n_resamples=n_resamples, rng=rng)
    found = {
        name: gender_intervals(system.probabilities, labels, on.female, **options)
        for name, labels in answers.items()
    }
    return {name: table.loc[system.scores] for name, table in found.items()}


def probabilities(key: str, part: str) -> NDArray[np.float64]:
    """A released file, in the order of the scored passages of a part, (n, 3)."""
    chosen = passages(part)
    return _scored(aligned(read_predictions(key), chosen.ids), chosen)


def identities(keys: Sequence[str]) -> str:
    """Registered files with their hashes, as the ledger records where a number came from."""
    return "; ".join(lookup(key).identity for key in keys)


def _scored(rows: NDArray[np.float64], chosen: Passages) -> NDArray[np.float64]:
    """The rows of the passages that are scored, of all rows of a part."""
    return rows[pd.Index(chosen.ids).get_indexer(chosen.frame["ID"])]
