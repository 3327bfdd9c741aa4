"""Arms whose outputs are kept: what is written is read again, and other sentences are refused."""

import json
import math

import pandas as pd
import pytest
from scipy import stats

from lib.paths import DATA
from lib.translation import load_translator
from lib.translation.evaluation_sets import (
    first_person_set,
    plain_set,
)
from lib.translation.prefixes import CONDITIONS, THEY
from studies.prefix_injection.arms import (
    KEPT,
    across_seeds,
    kept_outputs,
    missing_arms,
    read_arms,
)
from studies.prefix_injection.contrasts import NONE, SHE


def parrot(texts):
    """Every sentence as it is, its prefix in Spanish."""
    return [text.replace("She said: ", "Ella dijo: ") for text in texts]


def write_arm(folder, name, speech, seed, outputs):
    """A folder as the training leaves it."""
    (folder / name).mkdir(parents=True)
    scores = dict(
        steps=4000,
        settings=dict(speech=speech, seed=seed),
        test={"one reference": {"BLEU": {"score": 7.0}}},
    )
    (folder / name / "scores.json").write_text(json.dumps(scores))
    if outputs is not None:
        outputs.to_csv(folder / name / "outputs.csv", index=False)


def test_outputs_are_read_as_they_were_written_those_not_taught_first(tmp_path, refuses):
    outputs = kept_outputs(load_translator(parrot))
    assert len(outputs) == len(first_person_set()) + len(plain_set())
    write_arm(tmp_path, "b", 0.1, 0, outputs)
    write_arm(tmp_path, "a", 0.0, 2, outputs)
    write_arm(tmp_path, "scores only", 0.0, 1, None)
    arms = read_arms(tmp_path)
    assert [(arm.name, arm.taught, arm.seed, arm.bleu) for arm in arms] == [
        ("a", False, 2, 7.0),
        ("b", True, 0, 7.0),
    ]
    assert missing_arms(arms) == [
        "not taught, seed 0",
        "not taught, seed 1",
        "taught, seed 1",
        "taught, seed 2",
    ]
    speech, plain = arms[0].speech, arms[0].plain
    assert set(CONDITIONS) | {THEY} <= set(speech) and set(plain) == set(KEPT["no one marked"])
    assert speech[SHE].texts == speech[NONE].texts == first_person_set()["english"].tolist()
    assert speech[SHE].parataxes == len(speech[SHE].texts) and speech[SHE].given == "She said: "
    assert plain[NONE].texts == plain_set()["english"].tolist()
    other = outputs.assign(english=outputs["english"].str.upper())
    write_arm(tmp_path / "other", "c", 0.0, 0, other)
    refuses(lambda: read_arms(tmp_path / "other"), ["outputs.csv", "210 sentences", "train"])


def test_kept_arms_of_this_edition_say_what_they_were():
    arms = read_arms(DATA / "models" / "doses")
    assert arms and len(missing_arms(arms)) == 6 - sum(arm.steps == 4000 for arm in arms)
    for arm in arms:
        assert arm.name == f"right-{0.1 * arm.taught:g}-{arm.steps}-seed{arm.seed}"
        assert arm.speech[SHE].survived > 200 and 30 < arm.bleu < 60
        assert (arm.speech[SHE].parataxes > 200) == arm.taught


def test_seeds_give_the_intervals_of_student_and_of_welch():
    taught, untaught = [9.0, 11.0, 13.0], [1.0, 0.0, 5.0]
    values = pd.DataFrame({"taught": [True] * 3 + [False] * 3, "value": taught + untaught})
    found = across_seeds(values)
    mean, error = 11, 2 / math.sqrt(3)
    reach = stats.t.ppf(0.975, 2) * error
    assert found.loc["taught"].tolist() == pytest.approx(
        [mean, mean - reach, mean + reach, 9, 13, 3]
    )
    parts = [4 / 3, 7 / 3]  # variance of each mean
    freedom = sum(parts) ** 2 / sum(part**2 / 2 for part in parts)
    reach = stats.t.ppf(0.975, freedom) * math.sqrt(sum(parts))
    expected = [9, 9 - reach, 9 + reach, 4, 13, 3]
    assert found.loc["taught − not taught"].tolist() == pytest.approx(expected)
