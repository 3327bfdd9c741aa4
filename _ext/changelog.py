"""Sphinx extension: the directive `changelog`, the changelog with its entries sorted by chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib.profiles import chapter_of, page_of

VERSION = re.compile(r"## \[(?P<version>[^]]+)\] - (?P<date>.+)")
OF_CHAPTER = re.compile(r"(?P<In>In )?`(?P<name>\w+)`(?P<mark>:|,(?! `)|(?=\s(?!and `)))\s*")


class Changelog(SphinxDirective):
    """The file that the argument names, as sections; entries about a chapter below its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir) / self.arguments[0]
        self.env.note_dependency(str(path))
        documents = self.env.found_docs
        known = {chapter_of(name) for name in documents if name.startswith("chapters/")}
        text = readable(path.read_text(encoding="utf-8"), known)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def readable(text: str, chapters: Iterable[str]) -> str:
    """The changelog as Markdown for a page: from the first version on, entries sorted by chapter."""
    lines: list[str] = []
    for block in re.split(r"^(?=##)", text, flags=re.MULTILINE)[1:]:
        heading, _, body = block.partition("\n")
        version = VERSION.match(heading)
        lines += [f"## {version['version']} ({version['date']})" if version else heading, ""]
        lines += sorted_entries(body, set(chapters))
    return "\n".join(lines)


def sorted_entries(body: str, chapters: set[str]) -> list[str]:
    """Prose, entries about no one chapter, then those of each chapter."""
    prose, *entries = re.split(r"^- ", body.strip(), flags=re.MULTILINE)
    general, of_chapter = [], {}
    for entry in (" ".join(entry.split()) for entry in entries):
        about = OF_CHAPTER.match(entry)
        if not about or about["name"] not in chapters:
            general.append(f"- {entry}")
            continue
        said = entry[about.end() :]
        if about["In"]:
            said = f"Here {said}"
        elif about["mark"] != ":":
            said = f"The page {said}"
        of_chapter.setdefault(about["name"], []).append(f"  - {said[0].upper()}{said[1:]}")
    lines = [prose, *general]
    for name in sorted(of_chapter):
        lines += [f"- **[](/{page_of(name)}.ipynb)**", *of_chapter[name]]
    return [*lines, ""]


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("changelog", Changelog)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
