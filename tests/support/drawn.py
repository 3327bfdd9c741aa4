"""What every figure of a study has to be, as tests/lib/plots asks it of those of lib."""

import io
import re
import warnings

import pandas as pd

from lib import plots
from lib.plots import layout, style

COLUMN = 690  # pixels of a page on a desktop


def check(draw, axes=True):
    """Drawn alike every time and without warnings, with named axes, legible, no wider than the page, its numbers as CSV."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = draw()
        image = plots.render(fig)
        assert image == plots.render(draw())
    named = any(ax.get_xlabel() for ax in fig.axes) or fig.get_supxlabel() or fig.get_supylabel()
    assert named or not axes
    fits_the_page(image)
    table = layout.data_of(fig)
    again = pd.read_csv(io.StringIO(table.to_csv()))
    assert len(again) == len(table) > 0 and len(again.select_dtypes("number").columns) > 0


def fits_the_page(image):
    """No wider than the page, and its text large enough."""
    width, size = (
        float(re.search(pattern, image.decode())[1])
        for pattern in (r'viewBox="0 0 ([\d.]+)', r'data-smallest-text="([\d.]+)"')
    )
    assert width <= 72 * (style.WIDTH + 0.16)  # with the white around it
    assert size >= 9 and size * COLUMN / max(width, COLUMN * 0.75) >= 9
