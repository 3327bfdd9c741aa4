"""Pieces of a chapter's page that are neither figure nor table: its sentences, what it found, and how far to trust it."""

from lib.markdown import Markdown, verbatim
from lib.pages.first_screen import take_away
from lib.pages.sentences import display, folded
from lib.pages.trust import trust

__all__ = ["Markdown", "display", "folded", "take_away", "trust", "verbatim"]
