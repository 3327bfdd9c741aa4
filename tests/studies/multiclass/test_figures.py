"""Rows of dots for classes."""

import numpy as np
import pandas as pd
import pytest

from studies.multiclass import figures
from tests.lib.plots.figures import row_labels

pytestmark = pytest.mark.usefixtures("figures_are_closed")


def test_the_largest_cosine_is_filled_and_named():
    cosines = pd.DataFrame({"man": [0.1, 0.4], "woman": [0.3, 0.2]}, ["nurse", "judge"])
    bars = pd.DataFrame({"low": [0.0, 0.1], "high": [0.2, 0.3]}, cosines.index)
    ax = figures.class_cosines(cosines, bars, label="cosine", band="random").axes[0]
    assert row_labels(ax) == ["judge", "nurse"]
    assert [text.get_text() for text in ax.texts] == ["man", "woman"]
    assert np.allclose(ax.collections[-2].get_offsets(), [[0.4, 0], [0.3, 1]])
    ends = [segment[:, 0].tolist() for segment in ax.collections[-1].get_segments()]
    assert ends == [[0.1, 0.3], [0.0, 0.2]]  # each word has its own bar
