"""Audits of a reader's own vectors, models and outputs: `python -m lib.audit KIND …` and the notebooks of `audit/`.

An audit checks known groups first, measures beside nulls, says what may and may not be said, and writes one folder.
Code of one kind stands in `vectors` and in the packages `messages`, `model`, `predictions` and `translator`; all kinds share the rest.
"""

from audit.report import COLUMNS, Report
from audit.rules import (
    check,
    outputs_or_translator,
    overheard,
    own_numbers,
    own_pairs,
    own_words,
    read_language,
    two_groups,
    worded,
)

__all__ = [
    "COLUMNS",
    "Report",
    "check",
    "outputs_or_translator",
    "overheard",
    "own_numbers",
    "own_pairs",
    "own_words",
    "read_language",
    "two_groups",
    "worded",
]
