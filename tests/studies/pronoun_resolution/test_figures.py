"""Feminine beside masculine: dots where the values are, those of feminine above, and the intervals."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

from lib.plots.style import PALETTE
from studies.pronoun_resolution import figures
from tests.lib.plots.figures import GENDERS, marked, row_labels


def shown(ax):
    """Colour of a line -> its ends."""
    lines = [c for c in ax.collections if isinstance(c, LineCollection)]
    return {to_hex(c.get_color()[0]): np.array(c.get_segments()) for c in lines}


def test_rows_hold_both_genders_in_their_colours():
    ax = figures.gender_rows(GENDERS, label="temperature", line=1).axes[0]
    assert row_labels(ax)[:2] == ["blend", "frozen"]
    assert sorted(marked(ax)[:, 0]) == pytest.approx([0.9, 1.0, 1.2])
    ends = shown(ax)
    assert ends[PALETTE["male"]][0][:, 0] == pytest.approx([0.8, 1.0])
    # the axis runs downwards: feminine is drawn above
    assert ends[PALETTE["female"]][0][0, 1] < ends[PALETTE["male"]][0][0, 1]
