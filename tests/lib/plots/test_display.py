"""What a page shows: description, caption, data; boxes."""

import base64
import io
import re

import pandas as pd
import pytest

from lib import plots
from lib.plots import display
from tests.lib.plots.figures import FIGURES, INTERVALS

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def downloaded(html):
    name, content = re.search(
        r'download="([^"]+)" href="data:text/csv;charset=utf-8;base64,([^"]+)"', html
    ).groups()
    return name, pd.read_csv(io.BytesIO(base64.b64decode(content)), index_col=0)


def test_show_hands_description_and_caption_to_the_book(displayed):
    plots.show(
        FIGURES["scatter"](),
        alt="A cloud of four named points around two zero lines.",
        caption="Four points.",
    )
    data, options = displayed[0]
    assert data["text/plain"] == "Four points."
    assert options["metadata"]["image/svg+xml"]["alt"].startswith("A cloud")
    assert base64.b64encode(data["image/png"]).startswith(b"iVBOR")


def test_caption_and_description_are_also_an_output_for_other_readers(displayed):
    alt = "Three dots with intervals, <one> of them with a diamond."
    plots.show(FIGURES["interval_dots"](), "Three rows, *a* first.", alt)
    data, options = displayed[1]
    assert "Three rows, *a* first." in data["text/markdown"]
    assert "<small>Description: Three dots" in data["text/markdown"]
    assert "&lt;one&gt; of them" in data["text/markdown"]
    assert options["metadata"] == {display.CAPTION_OUTPUT: True}


def test_a_figure_for_a_phone_has_its_panels_below_one_another(displayed, monkeypatch):
    monkeypatch.setenv(display.FOR_A_PHONE, "1")
    for name, stacked in {"dots_by_panel": True, "scores_by_pair": False}.items():
        figure = FIGURES[name]()
        width, height = figure.get_size_inches()
        plots.show(
            figure, alt="A figure that is wider than a phone, with its rows.", caption="Two."
        )
        narrow, tall = figure.get_size_inches()
        assert narrow < width and (tall > height) == stacked
    wide = [options for _, options in displayed if "image/svg+xml" in options.get("metadata", {})]
    assert all("<svg" in said["metadata"]["image/svg+xml"]["phone"] for said in wide) and wide
    assert all("phone" not in said["metadata"]["image/png"] for said in wide)


def test_a_figure_is_drawn_for_a_phone_only_where_it_is_asked_for(displayed):
    figure = FIGURES["scores_by_pair"]()
    plots.show(figure, alt="A figure that is wider than a phone, with its rows.", caption="Two.")
    assert "phone" not in displayed[0][1]["metadata"]["image/svg+xml"]


def test_on_a_phone_no_name_of_a_dot_lies_on_the_names_of_the_rows(displayed, monkeypatch):
    monkeypatch.setenv(display.FOR_A_PHONE, "1")
    pairs = [("herself", "himself"), ("she", "he")]
    figure = plots.scores_by_pair([[-0.18, 0.02]], ["engineer"], pairs, measure="score")
    (ax,) = figure.axes
    before = ax.get_xlim()
    plots.show(figure, alt="One row with two dots, the left one has a long name.", caption="Two.")
    figure.draw_without_rendering()
    (name,) = [text for text in ax.texts if text.get_text() == "herself–himself"]
    assert name.get_window_extent().x0 >= ax.get_window_extent().x0
    assert ax.get_xlim()[0] < before[0] and ax.get_xlim()[1] == before[1]


def test_a_figure_is_followed_by_the_table_it_was_drawn_from(displayed):
    alt = "Three dots with intervals, one of them with a diamond."
    plots.show(FIGURES["interval_dots"](), "Three rows: <a> & b.", alt)
    html = displayed[2][0].data
    name, table = downloaded(html)
    assert html.startswith("<details") and name == "three-rows-a-b.csv"
    pd.testing.assert_frame_equal(table, INTERVALS)


@pytest.mark.parametrize("alt, caption", [("too short", "Four points."), ("x" * 50, "x" * 50)])
def test_a_figure_without_a_description_is_refused(alt, caption, refuses):
    refuses(
        lambda: plots.show(FIGURES["scatter"](), alt=alt, caption=caption),
        ["alt", "40 characters", "not the caption"],
    )


def test_what_could_not_be_measured_is_said_in_a_box(displayed):
    plots.not_measured("Kappa < chance", "30 words & 50 are needed")
    html = displayed[0][0].data
    assert 'class="not-measured"' in html
    assert "Kappa &lt; chance</strong> could not be measured: 30 words &amp; 50 are needed" in html


def test_a_table_with_verdicts_shows_them_first_and_the_id_not_at_all(displayed):
    rows = pd.DataFrame(
        {
            "claim_id": ["a.1", "a.2"],
            "what": ["d", "p"],
            "paper": ["1", "2"],
            "run": ["1", "3"],
            "difference": [float("nan"), 0.5],
            "verdict": ["reproduced", "differs"],
        }
    )
    plots.table(rows, name="against")
    html = displayed[0][0].data
    assert re.findall(r'<th scope="col"( hidden)?>([^<]+)<', html) == [
        ("", "verdict"),
        ("", "paper"),
        ("", "run"),
        ("", "difference"),
        (" hidden", "claim_id"),
        ("", "what"),
    ]
    assert 'data-label="difference">50.0%<' in html and 'data-label="difference"><' in html


def test_the_data_of_a_figure_hold_no_formula():
    data = pd.DataFrame(
        {"=f()": [-0.5, 2.0]}, pd.Index(["=cmd|' /C calc'!A0", "nurse"], name="word")
    )
    _, table = downloaded(display.csv_download(data, "A figure"))
    assert list(table.columns) == ["'=f()"] and table["'=f()"].tolist() == [-0.5, 2.0]
    assert list(table.index) == ["'=cmd|' /C calc'!A0", "nurse"]


def test_a_figure_whose_panels_do_not_fit_a_phone_is_not_drawn_for_one(
    displayed, monkeypatch, recwarn
):
    monkeypatch.setenv(display.FOR_A_PHONE, "1")
    figure = FIGURES["dots_by_panel"]()
    figure.axes[0].set_ylabel("a label that is far longer than the side it stands at " * 3)
    for ax in figure.axes:
        ax.set_yticks(
            ax.get_yticks(),
            ["a name as long as a phone is wide, and longer still " * 2] * len(ax.get_yticks()),
        )
    figure.set_size_inches(30, 4)
    plots.show(
        figure, alt="Two panels with names of rows that are as wide as a page.", caption="No."
    )
    described = [options["metadata"] for _, options in displayed if "metadata" in options]
    assert all("phone" not in one.get("image/svg+xml", {}) for one in described)
    assert not [one for one in recwarn if "constrained" in str(one.message)]
