"""Does the score predict harm?: systems of a reader's own get a verdict of their own, whatever their table is like."""

import numpy as np
import pandas as pd
import pytest

from tests.support.chapter_runs import run_cells, run_some

pytestmark = pytest.mark.usefixtures("figures_are_closed", "one_thread")
CELLS = ["parameters", "check-parameters", "set-up", "change-me", "one-study", "planted"]
CELLS += ["first-picture", "coverage", "verdict", "verdict-read", "curves"]


def table_of(n, r):
    """Systems whose score and outcome have exactly this correlation."""
    x, noise = np.random.default_rng(0).standard_normal((2, n))
    x = (x - x.mean()) / x.std()
    noise -= noise.mean() + x * (noise @ x) / n
    y = r * x + np.sqrt(1 - r**2) * noise / noise.std()
    return pd.DataFrame({"bias": x, "harm": y}, [f"system {row}" for row in range(n)])


@pytest.mark.parametrize(
    ("n", "r", "said"),
    [
        (40, 0.8, "found"),
        (40, 0.0, "shown to be small"),
        (14, 0.3, "neither found nor ruled out"),
        (8, 0.3, "too few to say yes or no"),
    ],
)
def test_each_verdict_can_be_had_with_a_table_of_one_s_own(tmp_path, n, r, said):
    path = tmp_path / "mine.csv"
    table_of(n, r).to_csv(path, index_label="name")
    run = run_some("predictive_validity", CELLS, study=str(path), resamples=199)
    assert run.namespace["SAID"][run.namespace["stands"]] == said
    assert f"{n} systems: {said}" in run.text.replace("\n", " ") or said.capitalize() in run.text
    assert "of one's own" in run.namespace["ledger"].rows()["settings"].iloc[0]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (table_of(3, 0.5), "it takes 4 systems"),
        (table_of(6, 0.5).assign(harm=1.0), "the same harm"),
        (table_of(6, 0.5).assign(bias=np.nan), "and here are 0"),
    ],
)
def test_systems_that_have_no_correlation_end_in_a_box(tmp_path, table, why):
    path = tmp_path / "mine.csv"
    table.to_csv(path, index_label="name")
    if table["bias"].isna().all():
        path = f"{path}:bias,harm"
    run = run_cells("predictive_validity", study=str(path))
    assert why in run.text and "Not measured." in run.text
    assert "correlation of score and outcome" not in set(run.namespace["ledger"].rows()["quantity"])


def test_a_reader_s_table_in_the_notebook_takes_the_book_s_place(tmp_path):
    mine = table_of(12, 0.5).rename(index={"system 0": "<b>*system*"})
    mine.loc["twice"] = mine.loc["twice, again"] = [0.0, np.nan]
    run = run_some(
        "predictive_validity",
        [cell for cell in CELLS if cell != "change-me"],
        **{
            "systems": mine,
            "matters": 0.4,
            "resamples": 199,
        },
    )
    assert run.namespace["n"] == 12 and not run.namespace["of_book"]
    assert "2 rows lack a number" in run.text and "10 corpora" not in run.text


@pytest.mark.parametrize(
    ("score", "gap"), [("WEAT maths, arts", "sentiment"), ("RIPA", "biographies")]
)
def test_another_score_and_gap_of_the_book_run_to_the_end(score, gap):
    run = run_cells("predictive_validity", score=score, gap=gap)
    assert run.namespace["ledger"].rows()["value"].astype(float).notna().all()
