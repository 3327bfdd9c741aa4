"""The palette: one place for figures, style sheet and words."""

import colorsys
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.colors import to_rgb

from lib import plots
from lib.paths import ROOT
from lib.plots import display, style


def test_colours_follow_the_sign_and_zero_and_nan_are_neutral():
    assert style.lean([0.2, -0.1, 0, float("nan")]).tolist() == [
        "female",
        "male",
        "neutral",
        "neutral",
    ]


def test_the_style_sheet_has_the_palette_of_the_figures():
    written = (ROOT / "_static" / "palette.css").read_text()
    assert written == style.css_variables(), "run make cover"
    sheet = (ROOT / "_static" / "book.css").read_text()
    assert not [colour for colour in style.PALETTE.values() if colour in sheet.lower()]


HUES = {  # where each word ends on the circle of hues, red beginning before 0
    "red": 0.03,
    "orange": 0.12,
    "yellow": 0.19,
    "green": 0.45,
    "turquoise": 0.52,
    "blue": 0.7,
    "purple": 0.86,
    "pink": 0.96,
}


def word_for(colour):
    """The everyday word for a colour; a pale, dark or brownish one is named after its hue."""
    hue, _, saturation = colorsys.rgb_to_hls(*to_rgb(colour))
    if saturation == 0:
        return "grey"
    return next((word for word, end in HUES.items() if hue < end), "red")


@pytest.mark.parametrize("side", style.PALETTE)
def test_a_colour_is_what_its_word_says(side):
    word = word_for(style.PALETTE[side])
    assert style.COLOUR_WORDS[side] == word, f"COLOUR_WORDS in lib/plots/style.py: say {word!r}"


@pytest.mark.parametrize("side", style.PALETTE)
def test_a_side_can_be_read_as_text_on_white_and_on_dark_ground(side):
    colour = style.PALETTE[side]
    assert style.contrast(style.readable(colour, "white"), "white") >= 6
    assert style.contrast(style.readable(colour, style.DARK_SURFACE), style.DARK_SURFACE) >= 6


def in_the_dark(colour):
    """What the style sheet makes of a colour: invert(0.9) hue-rotate(180deg)."""
    inverted = 0.9 - 0.8 * np.array(to_rgb(colour))
    turned = np.array(
        [[-0.574, 1.43, 0.144], [0.426, 0.43, 0.144], [0.426, 1.43, -0.856]]
    )  # the matrix of the filter for half a turn
    return np.clip(turned @ inverted, 0, 1)


def seen(colour):
    """A colour of marks in a crowd, on white."""
    return style.SOLID * np.array(to_rgb(colour)) + 1 - style.SOLID


TEXT = {*style.PALETTE.values(), style.INK}
MARKS = {*TEXT, *style.SERIES[:3], style.EDGE}


def test_text_and_marks_are_seen_on_white_and_in_the_dark():
    dark = in_the_dark("white")
    for colours, least in ((TEXT, 4.5), (MARKS, 3)):
        for colour in colours:
            assert style.contrast(colour, "white") >= least, colour
            assert style.contrast(in_the_dark(colour), dark) >= least, colour
    for colour in TEXT:  # marks in a crowd are drawn a little transparent
        assert style.contrast(seen(colour), "white") >= 3, colour
        assert style.contrast(in_the_dark(seen(colour)), dark) >= 3, colour


def test_a_pale_band_has_an_edge_that_is_seen_from_both_sides():
    assert style.contrast(style.BAND, "white") < 3 <= style.contrast(style.EDGE, "white")
    assert style.contrast(style.INK, style.BAND) >= 4.5


def test_numbers_on_a_shaded_cell_can_be_read():
    for shade in style.DIVERGING(np.linspace(0, 1, 101)):
        ink = style.ink_on(shade)
        assert style.contrast(ink, shade) >= 4.5


def test_families_of_the_reader_stand_behind_dejavu_sans_and_latin_looks_the_same():
    draw = style.themed(lambda: plt.figure(figsize=(2, 1)))
    images = []
    for own in ("DejaVu Sans", ["STIXGeneral", "no such family", "DejaVu Sans"]):
        with plt.rc_context({"font.family": own}):
            fig = draw()
            fig.text(0, 0.5, "nurse, enfermière, 3 − 1", family=style.families())
            images.append(display.render(fig))
            plt.close(fig)
            families = style.families()
    assert families[:2] == ["DejaVu Sans", "STIXGeneral"] and "no such family" not in families
    assert images[0] == images[1]


def test_letters_that_only_a_family_of_the_reader_has_are_drawn_and_others_are_named_once(
    displayed,
):
    only = sorted(charmap("STIXGeneral") - charmap("DejaVu Sans"))
    letter = next(chr(code) for code in only if chr(code).isalpha() and not 0xE000 <= code < 0xF900)
    assert style.without_font(f"a{letter}") == letter
    with plt.rc_context({"font.family": "STIXGeneral"}):
        assert style.without_font(f"a{letter}") == ""
    nowhere = "".join(map(chr, (0x12000, 0x12001)))  # cuneiform
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = plots.scatter([0.0, 1.0], [0.0, 1.0], [nowhere, nowhere], x="x", y="y")
        plots.show(fig, "Two words.", "Two points, each of them named by a word in cuneiform.")
    assert displayed[0][0]["text/plain"].count(nowhere) == 1
    assert "boxes stand for them" in displayed[0][0]["text/plain"]


def charmap(family):
    return set(font_manager.get_font(font_manager.findfont(family)).get_charmap())
