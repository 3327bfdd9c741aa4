"""Figures: described, labelled at both poles, the same bytes every time, and drawn from numbers without computing any."""

import base64
import io
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from lib import plots
from lib.ledger import results
from lib.plots import curves, dots, intervals, points, style, tables

pytestmark = pytest.mark.usefixtures("figures_are_closed")

RNG = np.random.default_rng(0)
SCORES, PAIRS = RNG.standard_normal((4, 3)), [("she", "he"), ("her", "his"), ("woman", "man")]
WORDS = ["nurse", "teacher", "judge", "engineer"]
TABLE = pd.DataFrame(
    {"value": [0.1, 0.4], "low": [0.0, 0.2], "high": [0.3, 0.5], "paper": [0.45, np.nan]},
    index=["a", "b"],
)
CARD = pd.DataFrame({"paper": ["p", "p", "q"], "verdict": ["reproduced", "not run", "not run"]})

FIGURES = {
    "scores by pair": lambda: dots.scores_by_pair(SCORES, WORDS, PAIRS, measure="RIPA"),
    "a word across pairs": lambda: dots.word_across_pairs(
        {"RIPA": SCORES[:2], "NBM": SCORES[2:]},
        ["judge", "judges"],
        PAIRS,
        {"RIPA": (0, 1), "NBM": (0, 1)},
    ),
    "dots with intervals": lambda: intervals.interval_dots(TABLE, label="kappa", null=(-0.1, 0.1)),
    "dots by column": lambda: dots.dots_by_column(TABLE[["low", "high"]], label="change in kappa"),
    "agreement against cosine": lambda: points.agreement_against_cosine(
        [0.1, 0.5], [0.2, 0.4], ([0, 1], [0, 1])
    ),
    "scatter": lambda: points.scatter(
        SCORES[:, 0], SCORES[:, 1], WORDS, x="intrinsic", y="extrinsic"
    ),
    "odds moved by words": lambda: dots.odds_moved_by(
        pd.DataFrame({"hidden": [0.5, 0.5], "shown": [1.2, -0.3]}, ["engineer", "nurse"]),
        label="← she     he →",
    ),
    "strips": lambda: dots.strips(
        {"jobs": {word: pd.Series(row, ["a", "b", "c"]) for word, row in zip(WORDS, SCORES)}},
        labels={"jobs": "← she     he →"},
    ),
    "verdicts": lambda: tables.verdict_counts(CARD),
    "token clouds": lambda: points.token_clouds(
        {
            "he, she": pd.DataFrame(
                {"x": SCORES[:, 0], "y": SCORES[:, 1], "word": ["he", "he", "she", "she"]}
            )
        },
        {"he": ("male", True), "she": ("female", False)},
        x="first component",
        y="second component",
    ),
    "biases by culture": lambda: dots.biases_by_culture(
        pd.DataFrame({"threat": [0.1, -0.2], "excellent": [np.nan, 0.3]}, ["TX", "OH"]),
        label="male  ←  →  female",
    ),
    "curves": lambda: curves.curves_by_panel(
        {"d": TABLE[["value"]].set_axis([1.0, 8.0])}, x="aperture", marked=2
    ),
}


@pytest.fixture
def displayed(monkeypatch):
    seen = []
    monkeypatch.setattr(
        "IPython.display.display", lambda *data, **options: seen.append((data[0], options))
    )
    return seen


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_alike_every_time(name):
    first, second = FIGURES[name](), FIGURES[name]()
    assert isinstance(first, Figure)
    assert plots.render(first) == plots.render(second)
    assert plots.render(first).lstrip().startswith(b"<?xml")


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "verdicts"])
def test_axes_are_labelled(name):
    assert any(axes.get_xlabel() for axes in FIGURES[name]().axes)


@pytest.mark.parametrize("name", ["scores by pair", "a word across pairs"])
def test_an_axis_of_a_contrast_names_both_poles(name):
    label = FIGURES[name]().axes[0].get_xlabel()
    assert "female" in label and "male" in label.replace("female", "")


def test_colours_follow_the_sign_and_zero_is_grey():
    assert list(style.lean_colours([0.2, -0.1, 0])) == [style.FEMALE, plots.MALE, plots.NEUTRAL]


def test_every_score_is_a_dot():
    axes = dots.scores_by_pair(SCORES, WORDS, PAIRS, measure="RIPA").axes[0]
    drawn = np.concatenate(
        [dots.get_offsets()[:, 0] for dots in axes.collections if len(dots.get_offsets()) == 3]
    )
    assert np.allclose(np.sort(drawn), np.sort(SCORES.ravel()))
    means = SCORES.mean(axis=1)
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        WORDS[row] for row in np.argsort(means)
    ]


def test_show_hands_description_and_caption_to_the_book(displayed):
    plots.show(
        FIGURES["scatter"](),
        alt="A cloud of four named points around two zero lines.",
        caption="Four points.",
    )
    data, options = displayed[0]
    assert data["text/plain"] == "Four points."
    assert options["metadata"]["image/svg+xml"]["alt"].startswith("A cloud")


def test_a_figure_is_followed_by_the_table_it_was_drawn_from(displayed):
    plots.show(
        FIGURES["dots with intervals"](),
        alt="Two dots with intervals, one of them with a diamond.",
        caption="Two rows: <a> & b.",
        data=TABLE,
    )
    html = displayed[1][0].data
    name, content = re.search(
        r'download="([^"]+)" href="data:text/csv;charset=utf-8;base64,([^"]+)"', html
    ).groups()
    assert html.startswith("<details") and name == "two-rows-a-b.csv"
    again = pd.read_csv(io.BytesIO(base64.b64decode(content)), index_col=0)
    pd.testing.assert_frame_equal(again, TABLE)


def test_what_could_not_be_measured_is_said_in_a_box(displayed):
    plots.not_measured("Kappa < chance", "30 words & 50 are needed")
    html = displayed[0][0].data
    assert 'class="not-measured"' in html
    assert "Kappa &lt; chance</strong> could not be measured: 30 words &amp; 50 are needed" in html


@pytest.mark.parametrize("alt, caption", [("too short", "Four points."), ("x" * 50, "x" * 50)])
def test_a_figure_without_a_description_is_refused(alt, caption, refuses):
    refuses(
        lambda: plots.show(FIGURES["scatter"](), alt=alt, caption=caption),
        ["alt", "40 characters", "not the caption"],
    )


def test_what_was_recorded_is_shown_with_its_settings_or_said_to_be_missing(
    displayed, tmp_path, monkeypatch
):
    kept = tmp_path / "data" / "results" / "sample"
    kept.mkdir(parents=True)
    row = 'ripa,sample,effect size,,0.5,,,7,"{""test"": ""career""}",sgns@sha256:1'
    (kept / "ripa--seed=0.csv").write_text(",".join(results.RESULT_COLUMNS) + f"\n{row}\n")
    monkeypatch.setattr(results, "ROOT", tmp_path)
    plots.recorded("ripa", "effect size", ["test", "unknown"])
    shown = displayed[0][0].data
    assert list(shown) == ["test", "value", "n", "commit"] and shown.test.tolist() == ["career"]
    plots.recorded("ripa", "p value")
    assert displayed[1][0].data == "*P value: nothing was recorded for this edition.*"


def test_a_trust_box_shows_text_as_text(displayed):
    plots.trust_box({"reliability": "kappa < 0.5 & falling"})
    assert "kappa &lt; 0.5 &amp; falling" in displayed[0][0].data
