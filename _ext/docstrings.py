"""Sphinx extension: docstrings in the house style (name : meaning; Returns …; Raises …) shown one item a line."""

from __future__ import annotations

import re

ITEM = re.compile(r"(?:[a-z_][\w, ]* : |Returns |Raises |[A-Z][^.]*\((?:19|20)\d\d\))")


def lay_out(app, what, name, obj, options, lines: list[str]) -> None:
    """Start a new paragraph wherever a line opens an item, so that the page reads as the source does."""
    first = True
    laid = []
    for line in lines:
        if not first and ITEM.match(line) and laid and laid[-1].strip():
            laid.append("")
        laid.append(re.sub(r"^((?:[a-z_]\w*, )*[a-z_]\w*) : ", r"**\1** : ", plain_bars(line)))
        first = False
    lines[:] = laid


def plain_bars(line: str) -> str:
    """A line whose bars are lengths and absolute values, not substitutions."""
    return "``".join(
        part if inside % 2 else part.replace("|", r"\|")
        for inside, part in enumerate(line.split("``"))
    )


def setup(app) -> dict:
    app.connect("autodoc-process-docstring", lay_out)
    return {"version": "1", "parallel_read_safe": True}
