"""The palette: one place for figures, style sheet and words."""

import colorsys

import pytest
from matplotlib.colors import to_rgb

from lib.paths import ROOT
from lib.plots import style


def test_colours_follow_the_sign_and_zero_and_nan_are_neutral():
    assert style.lean([0.2, -0.1, 0, float("nan")]).tolist() == [
        "female",
        "male",
        "neutral",
        "neutral",
    ]


def test_the_style_sheet_has_the_palette_of_the_figures():
    assert (ROOT / "_static" / "palette.css").read_text() == style.css_variables()
    sheet = (ROOT / "_static" / "book.css").read_text()
    assert not [colour for colour in style.PALETTE.values() if colour in sheet.lower()]


@pytest.mark.parametrize("side", style.PALETTE)
def test_a_colour_is_what_its_word_says(side):
    hue, _, saturation = colorsys.rgb_to_hls(*to_rgb(style.PALETTE[side]))
    hues = {"purple": (0.72, 0.86), "green": (0.25, 0.45)}
    word = style.COLOUR_WORDS[side]
    if word == "grey":
        assert saturation == 0
    else:
        assert hues[word][0] < hue < hues[word][1] and saturation > 0.3


@pytest.mark.parametrize("colour", [*style.PALETTE.values(), style.INK])
def test_text_in_a_colour_can_be_read_on_white(colour):
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in to_rgb(colour)]
    luminance = sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear))
    assert 1.05 / (luminance + 0.05) >= 4.5
