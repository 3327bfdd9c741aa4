"""The chapter `taxonomy` with sentences of a reader's own, without any, and without what the evidence recorded."""

import pandas as pd
import pytest

from lib.ledger import results
from studies.taxonomy.examples import EXAMPLES
from tests.support.chapter_runs import run_cells, run_some

STORY = [
    *("known-judged", "known-figure", "known-read", "people-figure", "people-read"),
    *("agree-read", "against-table", "against-read", "twins", "twins-read"),
    *("answer", "take-away", "trust-box"),
]
CELLS = ["parameters", "check-parameters", "set-up", "change-me", "first-picture"]
CELLS += ["picture-read", "data-read", *STORY]
pytestmark = pytest.mark.usefixtures("figures_are_closed")


def answer_to(run):
    return next(text for text in run.shown if "What you will take away" in text)


def test_sentences_in_a_file_are_judged_and_the_answer_counts_them(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(
        "A welder checks his mask.\nThe welder slept.\nA *nurse* <b>loses</b> her key.\n"
    )
    run = run_cells("taxonomy", own_sentences=str(path))
    assert "of 3 sentences of yours" in answer_to(run) and "45 %" in answer_to(run)
    rows = run.namespace["ledger"].rows()
    own = rows[rows["data"] == "own"]
    assert set(own["quantity"]) == {"own sentences that pass"} and "<b>loses" not in run.text


@pytest.mark.parametrize(
    ("sentences", "judged"),
    [
        ([], 0),
        pytest.param(["A cook tastes her soup."], 1, marks=pytest.mark.slow),
        pytest.param(
            {kind: said[: len(said) // 2] for kind, said in EXAMPLES.items()},
            35,
            marks=pytest.mark.slow,
        ),
        ({"anybody, he": ["A cook tastes his soup."], "mine": ["A cook sleeps."]}, 2),
    ],
)
def test_any_list_of_sentences_runs_to_the_end(sentences, judged):
    cells = [cell for cell in CELLS if cell != "change-me"]
    run = run_some("taxonomy", cells, sentences=sentences, names=())
    assert len(run.namespace["table"]) == judged and answer_to(run)
    assert "lib.taxonomy.examples" not in set(run.namespace["ledger"].rows()["data"])


def test_without_records_there_are_boxes(monkeypatch):
    monkeypatch.setattr(results, "recorded_results", lambda *given, **_: pd.DataFrame())
    monkeypatch.setattr(results, "recorded_answers", lambda *given: pd.DataFrame({"claim_id": []}))
    run = run_some("taxonomy", CELLS)
    assert run.text.count("could not be measured") == 3 and "Not measured here" in answer_to(run)


def test_the_filter_keeps_masculine_forms_whose_feminine_ones_it_drops():
    broken = run_some("taxonomy", [*CELLS[:4], "twins"]).namespace["broken"]
    assert broken.loc["-ess", "his only"] > 20 and broken.loc["-ess", "her only"] == 0
    alike = 1 - broken.loc["-woman", ["his only", "her only"]].sum() / broken.loc["-woman", "pairs"]
    assert alike > 0.9
