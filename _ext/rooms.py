"""Sphinx extension: the directives `rooms` and `houses`, tables of the rooms of a house and of the houses of the checkout as they are
when the site is built.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib.paths import ROOT
from scripts.tools.rooms import Size, houses, rooms


class Rooms(SphinxDirective):
    """A row for each room of a house, or of lib: name, what it holds, modules, lines of code."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()  # what it shows stands in other files than its page
        entries = rooms(ROOT / (self.arguments or ["lib"])[0])
        total = ("all", "", sum(entry[2] for entry in entries), sum(entry[3] for entry in entries))
        rows = [
            (name, purpose, str(modules), f"{lines:,}")
            for name, purpose, modules, lines in [*entries, total]
        ]
        return [table((18, 62, 8, 12), ("room", "what it holds", "modules", "lines of code"), rows)]


class Houses(SphinxDirective):
    """A row for each house: name, files, lines of code, of docstrings and of comments."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        found = houses()
        rows = [
            (name, *(f"{count:,}" for count in (one.files, one.code, one.docstring, one.comment)))
            for name, one in [*found.items(), ("all", sum(found.values(), Size()))]
        ]
        head = ("house", "files", "lines of code", "of docstrings", "of comments")
        return [table((36, 12, 18, 18, 16), head, rows)]


def table(widths: Sequence[int], head: Sequence[str], rows: Iterable[Sequence[str]]) -> nodes.table:
    made = nodes.table()
    group = nodes.tgroup(cols=len(widths))
    made += group
    for width in widths:
        group += nodes.colspec(colwidth=width)
    top, body = nodes.thead(), nodes.tbody()
    top += row(head)
    for one in rows:
        body += row(one)
    group += [top, body]
    return made


def row(cells: Sequence[str]) -> nodes.row:
    entry = nodes.row()
    for text in cells:
        cell = nodes.entry()
        cell += nodes.paragraph(text=text)
        entry += cell
    return entry


def setup(app: Sphinx) -> dict[str, object]:
    app.add_directive("rooms", Rooms)
    app.add_directive("houses", Houses)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
