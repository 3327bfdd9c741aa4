"""Pieces of a chapter's page that are neither figure nor table: what it found, how far to trust it, and what
stands in for vectors that it cannot use."""

from lib.pages.first_screen import take_away
from lib.pages.stand_in import holding_pairs
from lib.pages.trust import trust

__all__ = ["holding_pairs", "take_away", "trust"]
