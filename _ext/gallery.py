"""Sphinx extension: what the chapters found, read from their executed notebooks when the site is built.

Directives `gallery` (a card for each chapter), `learned` (what to take away from each) and
`report-card-line`; the role `minutes` tells how long pages take to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from pybtex.database import parse_file
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole

from lib.ledger.claims import load_claims
from lib.ledger.report_card import headline
from lib.profiles import chapter_of, story_of
from runner import executed
from runner.facts import card_of, reading_minutes
from runner.notebooks import read_notebook, tags
from runner.references import authors_and_year

FILES = "_static/files"
CITED = re.compile(r"\{cite[:a-z]*\}`(\w+)")


@dataclass(frozen=True)
class Found:
    """What a chapter's executed notebook offers to other pages.

    Attributes
    ----------
    document : str
        Name of the page.
    title : str
        Its heading, in Markdown.
    cited : str
        The paper that it reruns, as a key of references.bib; "" for none.
    finding, number : str
        Heading and sentence of its card; "" where the notebook has no take-away.
    sentences : tuple of str
        The take-away, in Markdown.
    picture, alt : str
        Its first picture as SVG, with a description; "" where no cell is tagged so.
    """

    document: str
    title: str
    cited: str
    finding: str = ""
    number: str = ""
    sentences: tuple[str, ...] = ()
    picture: str = ""
    alt: str = ""

    @property
    def file(self) -> str:
        """The name of the file of its picture."""
        return f"{FILES}/{Path(self.document).name}.picture.svg"


class Minutes(nodes.Inline, nodes.TextElement):
    """Stands for the minutes that some pages take to read, which are known when all are read."""


class CountMinutes(SphinxTransform):
    """Note how long a page takes to read: its running text and its figures."""

    default_priority = 879  # before the form of a chapter, which shows the same minutes

    def apply(self) -> None:
        words = sum(len(one.astext().split()) for one in self.document.findall(nodes.paragraph))
        figures = sum(1 for _ in self.document.findall(nodes.image))
        known = getattr(self.env, "reading_minutes", {})
        self.env.reading_minutes = {**known, self.env.docname: reading_minutes(words, figures)}


class ChaptersDirective(SphinxDirective):
    """A directive that shows something of every chapter, in the order of the contents."""

    option_spec: ClassVar = {"without": directives.unchanged}

    def chapters(self) -> Iterator[Found]:
        """The chapters but for those that the option `without` names."""
        left_out = self.options.get("without", "").split()
        for document, path in stories(executed.of(self.env.app)):
            self.env.note_dependency(str(path))
            found = read(document, path)
            if found.document not in left_out:
                yield found

    def link(self, found: Found, text: str) -> nodes.reference:
        """A link to a chapter, its text in Markdown."""
        made = nodes.reference(internal=True, refuri=self.up() + found.document + ".html")
        made += self.parse_inline(text)[0]
        return made

    def picture(self, found: Found) -> nodes.Node:
        """The chapter's first picture."""
        size = "".join(f' {name}="{value}"' for name, value in extent(found.picture).items())
        tag = f'<img class="dark-light" src="{self.up()}{found.file}" alt="{escape(found.alt)}"{size}>'
        return nodes.raw("", f'<div class="finding-picture">{tag}</div>', format="html")

    def up(self) -> str:
        return "../" * self.env.docname.count("/")

    def source(self, found: Found) -> nodes.paragraph:
        """Paper and minutes."""
        line = nodes.paragraph(classes=["finding-source"])
        if found.cited:
            entries = parse_file(Path(self.env.srcdir) / "references.bib").entries
            line += nodes.Text(f"{authors_and_year(entries[found.cited])} · ")
        line += Minutes(documents=(found.document,))
        return line


class Gallery(ChaptersDirective):
    """A card for each chapter: picture, finding as title, one number, paper, minutes."""

    def run(self) -> list[nodes.Node]:
        cards = nodes.bullet_list(classes=["findings"])
        for found in self.chapters():
            card = nodes.list_item(classes=["finding"])
            if found.picture:
                card += self.picture(found)
            title = nodes.paragraph(classes=["finding-title"])
            title += self.link(found, found.finding or found.title)
            card += title
            if found.number:
                number = nodes.paragraph()
                number += self.parse_inline(found.number)[0]
                card += number
            card += self.source(found)
            cards += card
        return [cards]


class Learned(ChaptersDirective):
    """A section for each chapter that has a take-away: finding, sentences, picture, link."""

    def run(self) -> list[nodes.Node]:
        return [self.section(found) for found in self.chapters() if found.sentences]

    def section(self, found: Found) -> nodes.section:
        name = Path(found.document).name.replace("_", "-")
        made = nodes.section(ids=[name], names=[name], classes=["learned"])
        title = nodes.title()
        title += self.parse_inline(found.finding)[0]
        made += title
        if found.picture:
            made += self.picture(found)
        sentences = nodes.bullet_list()
        for text in found.sentences:
            item, line = nodes.list_item(), nodes.paragraph()
            line += self.parse_inline(text)[0]
            item += line
            sentences += item
        made += sentences
        source = self.source(found)
        source.insert(0, [self.link(found, found.title), nodes.Text(" · ")])
        made += source
        return made


class ReportCardLine(SphinxDirective):
    """The first line of the report card, counted when the page is read."""

    def run(self) -> list[nodes.Node]:
        shown = executed.of(self.env.app)
        if path := shown.merged.get("report_card"):
            self.env.note_dependency(str(path))
        said = headline(card_of(shown.profile))
        count = said.counts
        again = sum(count[name] for name in ("reproduced", "holds", "within its randomness"))
        text = (
            f"**{said}** {again:,} of them were computed again, {count['as released']:,} are in a file "
            f"that the authors released; {count['differs']:,} differ. "
            "[The report card](/chapters/report_card.ipynb) lists all "
            f"{said.total:,} printed results and what each of them needs."
        )
        line = nodes.paragraph(classes=["report-card-line"])
        line += self.parse_inline(text)[0]
        return [line]


class MinutesRole(SphinxRole):
    """``{minutes}`chapters/ripa chapters/domains` ``: how long these pages take together."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [Minutes(documents=tuple(self.text.split()))], []


def stories(shown: executed.Executed) -> Iterator[tuple[str, Path]]:
    """The pages that tell a story, with their notebooks, in the order of the contents; evidence has no card of its own."""
    for name, path in shown.merged.items():
        if story_of(name) == name:
            yield str(Path(shown.book.chapters[name].page).with_suffix("")), path


def read(document: str, path: Path) -> Found:
    """What the executed notebook of a page offers; without tags and metadata, no more than its title and paper."""
    cells = read_notebook(path.read_bytes()).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    own = papers().get(chapter_of(document), set())
    found: dict[str, Any] = {}
    for cell in cells:
        for output in cell.get("outputs", ()):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            if "finding" in metadata and "text/markdown" in data:
                lines = data["text/markdown"].splitlines()
                found |= metadata["finding"]
                found["sentences"] = tuple(one[2:] for one in lines if one.startswith("- "))
            if "picture" in tags(cell) and "image/svg+xml" in data and "picture" not in found:
                found["picture"] = data["image/svg+xml"]
                found["alt"] = metadata.get("image/svg+xml", {}).get("alt", "")
    return Found(
        document=document,
        title=prose.partition("\n")[0].removeprefix("# ").strip(),
        cited=next((key for key in CITED.findall(prose) if key in own), ""),
        **found,
    )


@cache
def papers() -> dict[str, set[str]]:
    """The papers whose printed numbers a chapter answers, by chapter, as keys of references.bib."""
    claims = load_claims()
    keys = claims["paper"].str.partition("_")[0]
    return {name: set(own) for name, own in keys.groupby(claims["chapter"])}


def extent(svg: str) -> dict[str, int]:
    """Width and height of a picture, so that the page keeps its place.

    >>> extent('<svg viewBox="0 0 495.6 300">')
    {'width': 496, 'height': 300}
    """
    box = re.search(r'viewBox="([^"]+)"', svg)
    if not box:
        return {}
    width, height = map(float, box.group(1).split()[2:])
    return {"width": round(width), "height": round(height)}


def gather(app: Sphinx, env: BuildEnvironment, names: set[str], other: BuildEnvironment) -> None:
    """Take over what another process read."""
    read = {name: of for name, of in getattr(other, "reading_minutes", {}).items() if name in names}
    env.reading_minutes = {**getattr(env, "reading_minutes", {}), **read}


def fill_minutes(app: Sphinx, document: nodes.document, name: str) -> None:
    """Put numbers where minutes are asked for."""
    known: Mapping[str, int] = getattr(app.env, "reading_minutes", {})
    for place in list(document.findall(Minutes)):
        total = sum(known.get(one, 0) for one in place["documents"])
        place.parent.replace(place, nodes.Text(f"{total}\N{NO-BREAK SPACE}min"))


def write_pictures(app: Sphinx, error: Exception | None) -> None:
    """Write the first picture of every chapter beside the pages."""
    if error or app.builder.name != "html":
        return
    for document, path in stories(executed.of(app)):
        found = read(document, path)
        if found.picture:
            target = Path(app.outdir) / found.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(found.picture, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_node(Minutes)
    app.add_directive("gallery", Gallery)
    app.add_directive("learned", Learned)
    app.add_directive("report-card-line", ReportCardLine)
    app.add_role("minutes", MinutesRole())
    app.add_transform(CountMinutes)
    app.connect("env-merge-info", gather)
    app.connect("doctree-resolved", fill_minutes)
    app.connect("build-finished", write_pictures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
