"""Pieces of a chapter's page that are neither figure nor table: its sentences, what it found, how far to trust it, and
what stands in for vectors that it cannot use."""

from lib.markdown import Markdown, verbatim
from lib.pages.first_screen import take_away
from lib.pages.own_list import own_list, own_pairs
from lib.pages.sentences import display, folded
from lib.pages.stand_in import holding_pairs
from lib.pages.trust import trust

__all__ = [
    "Markdown",
    "display",
    "folded",
    "holding_pairs",
    "own_list",
    "own_pairs",
    "take_away",
    "trust",
    "verbatim",
]
