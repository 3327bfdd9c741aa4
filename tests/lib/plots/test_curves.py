"""Figures of values that depend on a number."""

import numpy as np
import pytest

from tests.lib.plots.figures import AGAINST_NULL, CURVES, FIGURES

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def lines(ax):
    """The y values of the curves of an axes, in the order of drawing, without helping lines."""
    return [line.get_ydata() for line in ax.lines if len(set(line.get_xdata())) > 2]


def test_random_words_are_drawn_dashed():
    ax = FIGURES["recovered_by"]().axes[0]
    threat, control = ax.lines[:2]
    assert not threat.is_dashed() and control.is_dashed()
    assert np.allclose(control.get_ydata(), CURVES["random words"])


def test_all_values_lie_inside_shared_scales_that_begin_at_zero():
    first, second = FIGURES["curves_against_null"]().axes
    low, high = first.get_ylim()
    assert low == 0 and high > AGAINST_NULL["value"].max() and second.get_ylim() == (low, high)
    assert np.allclose(lines(first), [AGAINST_NULL["value"], AGAINST_NULL["plural"]])
