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
    first_person_set_french,
    plain_set,
)
from lib.translation.prefixes import CONDITIONS, CONTROL, THEY
from studies.prefix_injection.arms import (
    KEPT,
    SURVIVES,
    across_seeds,
    kept_outputs,
    live_arm,
    missing_arms,
    read_arms,
)
from studies.prefix_injection.contrasts import HE, NONE, SHE


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


def test_a_table_of_outputs_has_a_column_for_every_prefix():
    outputs = pd.read_csv(DATA / "models" / "doses" / "right-0-4000-seed0" / "outputs.csv")
    assert list(outputs)[:4] == ["set", "english", "no prefix", "He said:"]
    assert outputs["She said:"].str.startswith("Ella dijo que").mean() == pytest.approx(1, abs=0.05)


def test_a_translator_that_is_here_is_an_arm_and_says_where_its_prefix_is_lost():
    arm = live_arm(load_translator(parrot), [NONE, SHE, CONTROL])
    assert arm.taught is None and arm.label == arm.name and math.isnan(arm.bleu)
    assert arm.found([NONE, SHE, CONTROL]) == {SHE: 1, CONTROL: 0}
    assert arm.source == "function:parrot" and len(arm.plain[SHE].texts) == len(plain_set())
    french = live_arm(load_translator(parrot), [SHE], language="fr")
    assert french.plain == {} and french.found([SHE]) == {SHE: 0}
    assert len(french.speech[SHE].texts) == len(first_person_set_french())


def test_each_kept_arm_names_its_own_folder_and_keeps_its_prefixes():
    arms = read_arms(DATA / "models" / "doses")
    assert {arm.source for arm in arms} == {f"data/models/doses/{arm.name}" for arm in arms}
    for arm in arms:
        assert min(arm.found([NONE, CONTROL, HE, SHE]).values()) >= SURVIVES
        assert arm.label.startswith("taught" if arm.taught else "not taught")


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


def test_one_seed_has_no_interval_and_a_missing_arm_no_row():
    one = across_seeds(pd.DataFrame({"taught": [True, False, False], "value": [3.0, 1.0, 2.0]}))
    ends = one[["low", "high"]].isna().all(axis=1)
    assert ends.to_dict() == {"taught": True, "not taught": False, "taught − not taught": True}
    alone = across_seeds(pd.DataFrame({"taught": [True, True], "value": [3.0, 1.0]}))
    assert list(alone.index) == ["taught"]
