"""Sphinx extension: the directive `rooms`, a table of the rooms of lib as they are when the site is built."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.rooms import rooms


class Rooms(SphinxDirective):
    """A row for each room: name, what it holds, modules, lines of code."""

    def run(self) -> list[nodes.Node]:
        entries = rooms()
        total = ("all", "", sum(entry[2] for entry in entries), sum(entry[3] for entry in entries))
        table = nodes.table()
        group = nodes.tgroup(cols=4)
        table += group
        for width in (18, 62, 8, 12):
            group += nodes.colspec(colwidth=width)
        head, body = nodes.thead(), nodes.tbody()
        head += row(("room", "what it holds", "modules", "lines of code"))
        for name, purpose, modules, lines in [*entries, total]:
            body += row((name, purpose, str(modules), f"{lines:,}"))
        group += [head, body]
        return [table]


def row(cells: tuple[str, ...]) -> nodes.row:
    entry = nodes.row()
    for text in cells:
        cell = nodes.entry()
        cell += nodes.paragraph(text=text)
        entry += cell
    return entry


def setup(app: Sphinx) -> dict[str, object]:
    app.add_directive("rooms", Rooms)
    return {"version": "1", "parallel_read_safe": True}
