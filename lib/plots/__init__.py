"""Figures from results: tables and arrays in, a matplotlib figure out; nothing is computed here.

What several chapters use stands here; the rest is in the module of its form.
"""

from lib.plots.against import show_against
from lib.plots.bars import shares_by_set
from lib.plots.curves import recovered_by
from lib.plots.display import not_measured, render, show, table
from lib.plots.dots import dots_by_column, scores_by_pair, share_dots, target_associations
from lib.plots.forest import show_forests
from lib.plots.intervals import dots_by_panel, interval_dots
from lib.plots.points import scatter
from lib.plots.search_table import show_search_table
from lib.plots.style import COLOUR_WORDS
from lib.plots.verdict_bars import show_verdict_bars

__all__ = [
    "COLOUR_WORDS",
    "dots_by_column",
    "dots_by_panel",
    "interval_dots",
    "not_measured",
    "recovered_by",
    "render",
    "scatter",
    "scores_by_pair",
    "share_dots",
    "shares_by_set",
    "show",
    "show_against",
    "show_forests",
    "show_search_table",
    "show_verdict_bars",
    "table",
    "target_associations",
]
