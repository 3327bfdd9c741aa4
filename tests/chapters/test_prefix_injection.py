"""What the chapter `prefix_injection` found: prefixes that survive, who is heard, claims that nothing here can answer."""

import json

import pandas as pd
import pytest

from lib.ledger import report_card
from lib.ledger.claims import load_claims
from studies.prefix_injection.arms import SURVIVES
from studies.prefix_injection.contrasts import MEASURES, STEPS, gender_gain
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_cells

PAPER = "moryossef2019_mt_injection"
PROFILES = pytest.mark.parametrize("profile", ["embedded", "sample"])


def values(found, quantity, *names):
    """The values of a quantity by some of its settings."""
    rows = found[found["quantity"] == quantity]
    settings = [json.loads(text) for text in rows["settings"]]
    return {
        tuple(one[name] for name in names): value for one, value in zip(settings, rows["value"])
    }


@PROFILES
def test_taught_prefixes_survive_and_turn_the_speaker(profile):
    found = run_of(profile, "prefix_injection")
    survived = values(found, "survival", "system", "speaker", "audience")
    taught = {key: value for key, value in survived.items() if key[0] == "taught"}
    assert len(taught) == 12  # ten prefixes of Table 1, "Someone said", "They said"
    assert sum(taught.values()) / len(taught) >= 0.98
    share = values(found, "feminine share", "system", "speaker", "audience")
    others = [share["taught", speaker, "none"] for speaker in ("he", "someone", "none")]
    assert share["taught", "she", "none"] > 0.5 > max(others)


@PROFILES
def test_every_output_is_counted_once(profile):
    found = run_of(profile, "prefix_injection")
    for quantity, by in (
        ("outputs by gender of the speaker", ("system", "speaker")),
        ("outputs by gender of the audience", ("speaker", "audience")),
    ):
        counted = values(found, quantity, *by, "gender")
        for pair in {key[:2] for key in counted}:
            shares = [value for key, value in counted.items() if key[:2] == pair]
            assert sum(shares) == pytest.approx(1)


@PROFILES
def test_no_score_of_another_language_or_translator_is_recorded_against_the_paper(profile):
    found = run_of(profile, "prefix_injection")
    assert (found["claim_id"] == "").all()
    claims = load_claims()
    mine = claims[(claims["paper"] == PAPER) & (claims["kind"] == "result")]
    card = report_card(found).set_index("claim_id")
    assert set(card.loc[mine["claim_id"], "verdict"]) <= {"no result", "adds up"}
    assert set(card.loc[mine["claim_id"], "reach"]) == {"never", "public"}


@PROFILES
def test_untaught_any_prefix_costs_and_its_gender_brings_less_than_where_it_was_taught(profile):
    found = run_of(profile, "prefix_injection")
    clause = values(found, "parataxis", "system", "speaker", "audience")
    untaught = [value for key, value in clause.items() if key[0] == "not taught"]
    assert len(untaught) == 5 and set(untaught) == {0}
    rows = found[found["quantity"] == "contrast of prefixes"]
    settings = [json.loads(text) for text in rows["settings"]]
    ends = {
        (one["system"], one["contrast"], one["measure"], one["reference"]): (low, high)
        for one, low, high in zip(settings, rows["low"], rows["high"])
    }
    bleu = ("BLEU", "feminine")
    gained = {
        name: ends[name, "She said − Someone said", *bleu] for name in ("taught", "not taught")
    }
    assert gained["not taught"][1] < gained["taught"][1]
    assert ends["not taught", "Someone said − no prefix", *bleu][1] < 3
    assert ends["not taught", "Someone said − no prefix", "gender-blind BLEU", "either"][1] < -5
    assert gained["taught"][0] > 5
    low, high = ends["taught", "Someone said − no prefix", "gender-blind BLEU", "either"]
    assert low < 0 < high or abs(low) < 5


@PROFILES
def test_every_training_has_every_score_and_its_own_source(profile):
    found = run_of(profile, "prefix_injection")
    own = found[found["quantity"].str.endswith(", own sentences")]
    settings = pd.DataFrame([json.loads(text) for text in own["settings"]], index=own.index)
    own = own.join(settings[["translator", "speaker", "reference"]])
    scores = own[own["quantity"] != "contrast of prefixes, own sentences"]
    by_training = scores[scores["speaker"] == "she"].groupby("translator")
    assert len(by_training) == 9  # two of 10,000 steps, six of 4,000, one into French
    assert (by_training.size() == len(MEASURES)).all()
    assert own["low"].le(own["value"] + 1e-9).all() and own["high"].ge(own["value"] - 1e-9).all()
    assert own.groupby("translator")["data"].nunique().eq(1).all()
    assert own.groupby("data")["translator"].nunique().eq(1).all()
    survival = scores[scores["quantity"] == "survival, own sentences"]
    least = survival.groupby("translator")["value"].min()
    assert [name for name, share in least.items() if share < SURVIVES] == [
        "not taught, French, 4,000 steps, seed 0"
    ]


@PROFILES
def test_over_seeds_teaching_changes_the_gender_and_the_untaught_shows_none(profile):
    found = run_of(profile, "prefix_injection")
    rows = found[found["quantity"] == "contrast over seeds"]
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], index=rows.index)
    assert set(rows["n"]) == {3} and set(settings["steps"]) == {4000}
    rows = rows.join(settings)
    rows = rows[(rows["measure"] == "BLEU") & (rows["reference"] == "feminine")]
    ends = rows.set_index(["arm", "contrast"])[["low", "high"]]
    verdict = {
        arm: gender_gain(*(ends.loc[(arm, step)] for step in STEPS[1:]))
        for arm in ("taught", "not taught", "taught − not taught")
    }
    assert verdict == {"taught": "gain", "not taught": "none", "taught − not taught": "gain"}


@pytest.mark.slow
def test_the_chapter_runs_with_any_translator_s_folder(tmp_path, monkeypatch):
    from tests.support.tiny_models import build_translator

    folder = str(build_translator("marian", tmp_path / "tiny"))
    for dose in (0.0, 0.1):
        heard = {
            speaker: dict(
                feminine=3,
                masculine=3,
                ambiguous=0,
                unmarked=3,
                feminine_share=0.5,
                low=0.2,
                high=0.8,
            )
            for speaker in ("none", "He", "I", "She")
        }
        scores = dict(
            settings=dict(speech=dose, arm="right", seed=0),
            heard=heard,
            steps=6,
            test={"one reference": {"BLEU": {"score": 7.0}}},
        )
        (tmp_path / "doses" / str(dose)).mkdir(parents=True)
        (tmp_path / "doses" / str(dose) / "scores.json").write_text(json.dumps(scores))
    few = dict(
        translator=folder, untaught=folder, doses=str(tmp_path / "doses"), draws=20, fewer=60
    )
    # The rule takes folders of data/models alone; a small one stands in for them.
    monkeypatch.setattr("lib.parameters.kept_folder", lambda name, value: value)
    run = run_cells("prefix_injection", **few)
    assert "adds up" in run.text and "Feminine share behind She said" in run.text
    assert run.unnamed("tatoeba").empty and run.namespace["leaks"].empty
    assert "nothing recorded with tiny" in run.text
