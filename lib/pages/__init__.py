"""Pieces of a chapter's page that are neither figure nor table: what it found, and how far to trust it."""

from lib.pages.first_screen import take_away
from lib.pages.trust import trust

__all__ = ["take_away", "trust"]
