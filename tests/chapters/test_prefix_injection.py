"""What the chapter `prefix_injection` found: prefixes that survive, who is heard, claims that nothing here can answer."""

import json

import pytest

from lib.datasets.winomt import PUBLISHED
from lib.ledger import report_card
from lib.ledger.claims import load_claims
from tests.chapters.runs import ROOT, run_of

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
def test_prefixes_survive_and_turn_the_speaker(profile):
    found = run_of(profile, "prefix_injection")
    survived = values(found, "survival", "speaker", "audience")
    assert len(survived) == 12  # ten prefixes of Table 1, "Someone said", "They said"
    assert found[found["quantity"] == "survival, all prefixes of Table 1"]["value"].min() >= 0.98
    share = values(found, "feminine share", "speaker", "audience")
    assert share["she", "none"] > 0.5 > max(share["he", "none"], share["someone", "none"])


@PROFILES
def test_every_output_is_counted_once(profile):
    for quantity in ("outputs by gender of the speaker", "outputs by gender of the audience"):
        counted = values(
            run_of(profile, "prefix_injection"), quantity, "speaker", "audience", "gender"
        )
        for pair in {key[:2] for key in counted}:
            assert sum(value for key, value in counted.items() if key[:2] == pair) == pytest.approx(
                1
            )


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
def test_the_untaught_translator_loses_the_clause_and_gains_no_bleu_from_the_gender(profile):
    found = run_of(profile, "prefix_injection")
    clause = values(found, "untaught: parataxis", "speaker")
    assert len(clause) == 4 and set(clause.values()) == {0}
    assert min(values(found, "untaught: survival", "speaker").values()) > 0.95
    bleu = values(found, "untaught: BLEU", "reference", "prefix")
    for reference in ("feminine", "masculine"):
        others = [score for (gender, prefix), score in bleu.items() if gender == reference]
        assert bleu[reference, "no prefix"] == max(others) and len(others) == 5
    steps = found[found["quantity"] == "change of BLEU by step"]
    settings = [json.loads(text) for text in steps["settings"]]
    gained = {
        one["translator"]: low
        for one, low in zip(settings, steps["low"])
        if one["step"] == "She instead of Someone" and one["reference"] == "feminine"
    }
    assert gained["taught"] > 8 and gained["not taught"] < 0


def test_winomt_accuracies_are_those_of_the_authors():
    found = run_of("sample", "prefix_injection")
    accuracy = values(found, "WinoMT accuracy", "system", "language")
    assert len(accuracy) == 4
    for (system, language), value in accuracy.items():
        assert value == pytest.approx(
            PUBLISHED[system, language].accuracy, abs=0.5 if language == "es" else 1.2
        )


@pytest.mark.slow
def test_the_chapter_runs_with_any_translator_s_folder(tmp_path):
    import papermill

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
    done = papermill.execute_notebook(
        ROOT / "chapters" / "prefix_injection.ipynb",
        tmp_path / "done.ipynb",
        few,
        cwd=ROOT,
        progress_bar=False,
    )
    printed = json.dumps([cell.get("outputs", []) for cell in done.cells])
    assert (
        "adds up" in printed
        and "Outputs of 2 translators, a bar with 1 training seeds or more" in printed
    )
