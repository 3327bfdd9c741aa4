"""The figure on the cover is a real result: its committed numbers come back."""

import re

import numpy as np
import pandas as pd
import pytest

from scripts.tools import cover


def test_the_cover_shows_what_the_library_computes():
    committed = pd.read_csv(cover.STATIC / "cover.csv", index_col="word")
    computed = cover.cover_scores()
    assert list(committed.columns) == list(computed.columns)
    assert tuple(committed.index) == cover.OCCUPATIONS
    assert np.allclose(committed, computed, atol=2e-5)
    assert (np.sign(committed).nunique(axis=1) > 1).sum() >= 2, "words change sides"


def test_the_cover_figure_is_committed_as_a_drawing():
    assert (cover.STATIC / "cover.svg").read_text(encoding="utf-8").count("<use ") >= 8 * 10


COLOURED = ("lib/plots/style.py", "_static/palette.css", "_static/favicon.svg", "_static/cover.svg")


def pages():
    """What a reader sees, and what makes it."""
    places = ("_static", "_ext", "lib", "studies", "chapters", "audit", "runner")
    found = [path for place in places for path in (cover.ROOT / place).rglob("*")]
    kinds = (".py", ".css", ".js", ".svg", ".md", ".ipynb", ".html")
    return [
        *cover.ROOT.glob("*.md"),
        *(cover.ROOT / "pages").glob("*.md"),
        *(path for path in found if path.suffix in kinds and path.is_file()),
    ]


def test_the_icon_and_the_palette_are_made_of_the_palette_of_the_figures():
    written = (cover.STATIC / "favicon.svg").read_text(encoding="utf-8")
    assert written == cover.FAVICON.format(**cover.PALETTE), "run make cover"


def test_the_colours_of_women_and_men_are_typed_in_one_place():
    colours = [cover.PALETTE[side] for side in ("female", "male")]
    assert colours[0] in (cover.STATIC / "cover.svg").read_text(encoding="utf-8"), "run make cover"
    typed = [
        path.relative_to(cover.ROOT).as_posix()
        for path in pages()
        if any(colour in path.read_text(encoding="utf-8").lower() for colour in colours)
    ]
    assert sorted(typed) == sorted(COLOURED)


def test_what_is_written_in_the_palette_is_all_of_it():
    """A colour of before would stay in a file that nobody writes again."""
    known = {*re.findall(r"#[0-9a-f]{6}", cover.css_variables())}
    for name in ("explorables.css", "palette.css"):
        text = (cover.STATIC / name).read_text(encoding="utf-8")
        named = re.findall(r"--(?:explorable|lean)-(?:fe)?male[\w-]*: *(#\w+)", text)
        assert {*named} <= known


@pytest.mark.parametrize(
    "path",
    [path for path in pages() if cover.SENTENCE.search(path.read_text(encoding="utf-8"))],
    ids=lambda path: path.name,
)
def test_prose_names_the_colours_of_the_palette(path):
    text = path.read_text(encoding="utf-8")
    right = cover.named_colours(text) == text
    assert right, "run make cover" if path in cover.prose() else "say it as lib.plots.style does"
