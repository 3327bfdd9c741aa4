"""The palette and the theme that all figures, the style sheet and the cover share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib import font_manager
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.typing import ColorType
from numpy.typing import ArrayLike

P = ParamSpec("P")
PALETTE = {"female": "#7b3294", "male": "#008837", "neutral": "#737373"}
COLOUR_WORDS = {"female": "purple", "male": "green", "neutral": "grey"}
NEUTRAL, INK = PALETTE["neutral"], "#222222"
DARK_SURFACE = "#29313d"  # of the theme of the site
BAND, EDGE = "#d9d9d9", "#8c8c8c"  # a pale ground is seen by its edge
SERIES = ("#222222", "#0072b2", "#d55e00", "#56b4e9", "#e69f00", "#8c510a", "#737373", "#313695")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")
SIDE_MARKERS = {"female": "o", "male": "s", "neutral": "D"}
DASHES = ("", (4, 2), (1, 1.5), (4, 1.5, 1, 1.5), (2, 1))
DIVERGING = sns.diverging_palette(245, 35, s=85, l=45, as_cmap=True)  # blue to orange: no gender
VERDICT_COLOURS = {
    "reproduced": "#1b7837",
    "holds": "#5aae61",
    "within its randomness": "#a6dba0",
    "as released": "#2166ac",
    "adds up": "#92c5de",
    "not contradicted": "#d1e5f0",
    "agrees elsewhere": "#d9d2e9",
    "inconclusive elsewhere": "#a8a8a8",
    "disagrees elsewhere": "#c994c7",
    "does not add up": "#f1a340",
    "differs": "#b35806",
    "no result": "#dedede",
}

WIDTH = 7.2  # inches: the width of the text on a page, so that no figure is shrunk there
SOLID = 0.85  # opacity of marks in a crowd: each is still 3 : 1 on white
SMALL = 9  # points, for names and legends; 10 for everything else
THEME = {
    **sns.axes_style("ticks"),
    "axes.edgecolor": NEUTRAL,
    "axes.labelcolor": INK,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": INK,
    "ytick.labelsize": 10,
    "ytick.major.size": 0,
    "svg.fonttype": "path",
    "svg.hashsalt": "bias-measured",
}


# Families with letters that DejaVu Sans lacks, as systems have them: Han, kana and hangul, Devanagari and others.
FALLBACKS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Noto Sans Devanagari",
    "Lohit Devanagari",
    "Kohinoor Devanagari",
    "Nirmala UI",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
    "Arial Unicode MS",
    "FreeSans",
    "Unifont",
)


def families() -> list[str]:
    """The families in which figures are set: DejaVu Sans, and for letters that it lacks the reader's
    own (matplotlib's ``font.family`` outside of a figure) and those of `FALLBACKS` that are installed.

    Examples
    --------
    >>> families()[0]
    'DejaVu Sans'
    """
    own = [
        family
        for named in plt.rcParams["font.family"]
        for family in plt.rcParams.get(f"font.{named}", [named])
    ]
    installed = set(font_manager.get_font_names())
    found = (family for family in (*own, *FALLBACKS) if family in installed)
    return list(dict.fromkeys([THEME["font.family"], *found]))


def without_font(text: str) -> str:
    """The letters of a text that none of the `families` has, each once: a figure shows boxes for them.

    Examples
    --------
    >>> without_font("nurse, enfermière")
    ''
    """
    fonts = (font_manager.get_font(font_manager.findfont(family)) for family in families())
    known = {chr(code) for font in fonts for code in font.get_charmap()}
    return "".join(dict.fromkeys(c for c in text if c not in known and c.isprintable()))


@contextmanager
def in_theme() -> Iterator[None]:
    """Draw in `THEME` with all `families`; what has no letters there is said by the caption of a figure, once."""
    with plt.rc_context({**THEME, "font.family": families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from", UserWarning)
        yield


def themed(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Let a function draw its figure in the theme."""

    @wraps(draw)
    def draw_in_theme(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with in_theme():
            return draw(*args, **kwargs)

    return draw_in_theme


def lean(scores: ArrayLike) -> np.ndarray:
    """The side of each score, a key of ``PALETTE``.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Positive leans female.

    Returns
    -------
    ndarray of str, shape (n,)
        "female", "male", or "neutral" at 0 and for NaN.

    Examples
    --------
    >>> lean([0.2, -0.1, 0]).tolist()
    ['female', 'male', 'neutral']
    """
    scores = np.asarray(scores, dtype=float)
    return np.select([scores > 0, scores < 0], ["female", "male"], "neutral")


def luminance(colour: ColorType) -> float:
    """How light a colour is, from 0 (black) to 1 (white), as the WCAG define it.

    Examples
    --------
    >>> luminance("white"), luminance("black")
    (1.0, 0.0)
    """
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return round(float(linear @ [0.2126, 0.7152, 0.0722]), 12)


def contrast(first: ColorType, second: ColorType) -> float:
    """How well two colours can be told from each other, from 1 (not at all) to 21.

    Examples
    --------
    >>> contrast("white", "black")
    21.0
    """
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def ink_on(ground: ColorType) -> str:
    """Black or white, whichever is read more easily on a ground.

    Examples
    --------
    >>> ink_on("navy"), ink_on("pink")
    ('white', 'black')
    """
    return "white" if contrast("white", ground) > contrast("black", ground) else "black"


def readable(colour: ColorType, ground: ColorType, least: float = 6.0) -> str:
    """A colour, mixed with as little black or white as it takes to be read on a ground.

    Examples
    --------
    >>> readable("white", "black"), readable("yellow", "white")
    ('#ffffff', '#666600')
    """
    own, ink = np.array(to_rgb(colour)), np.array(to_rgb(ink_on(ground)))
    mixtures = (to_hex((1 - share) * own + share * ink) for share in np.linspace(0, 1, 101))
    return next(
        mixed for mixed in mixtures if mixed == to_hex(ink) or contrast(mixed, ground) >= least
    )


def css_variables() -> str:
    """The palette as custom properties of a style sheet, kept in ``_static/palette.css``: each side as it is drawn, as text on a
    white page, and as text on the lightest ground of a dark one.

    Examples
    --------
    >>> css_variables().splitlines()[1] == f"  --lean-female: {PALETTE['female']};"
    True
    """
    lines = [f"  --lean-{side}: {colour};" for side, colour in PALETTE.items()]
    for side, colour in PALETTE.items():
        lines.append(f"  --lean-{side}-text: {readable(colour, 'white')};")
        lines.append(f"  --lean-{side}-on-dark: {readable(colour, DARK_SURFACE)};")
    for verdict, colour in VERDICT_COLOURS.items():
        lines.append(f"  --verdict-{verdict.replace(' ', '-')}: {colour};")
    return "\n".join([":root {", *lines, "}", ""])
