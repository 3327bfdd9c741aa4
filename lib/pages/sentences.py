"""What a chapter displays by itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from lib.plots.display import display_html


def display(*shown: Any) -> None:
    """Display sentences in `Markdown`, tables and the like, one below the other.

    Parameters
    ----------
    *shown : object
        What a notebook can show.
    """
    from IPython.display import display

    display(*shown)


def folded(title: str, lines: Sequence[str]) -> None:
    """Display a numbered list that is folded away below its title.

    Parameters
    ----------
    title : str
    lines : sequence of str
        Text, not HTML.
    """
    listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
    display_html(f"<details><summary>{escape(title)}</summary><ol>{listed}</ol></details>")
