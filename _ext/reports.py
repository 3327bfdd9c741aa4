"""Sphinx extension: the directive `report`, a link to a report of an audit that `scripts.tools.examples` made, with what it took; `tried`, what
such reports said of inputs in which it is known what is to be found; and the style of these reports."""

from __future__ import annotations

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from audit.page import dressed
from lib.paths import ROOT
from lib.profiles import page_of
from scripts.tools.examples import FOLDER, Example, examples
from studies.calibration.audit_marks import MARKS, tried

TRIED = "what-the-audits-of-your-own-say-on-fair-and-planted-inputs"  # a heading of the evidence


class Report(SphinxDirective):
    """The example that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        every = {example.name: example for example in examples()}
        name = self.arguments[0]
        if name not in every:
            raise self.error(f"expected one of {', '.join(every)} in {FOLDER}, got {name!r}")
        self.env.note_dependency(str(every[name].folder / "run.json"))
        self.env.note_dependency(str(every[name].folder.parent / "examples.yml"))
        up = "../" * self.env.docname.count("/")
        return [nodes.raw("", link(every[name], up), format="html")]


class Tried(SphinxDirective):
    """What is recorded of the audit that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(MARKS))
        up = "../" * self.env.docname.count("/")
        return [nodes.raw("", said_of(self.arguments[0], up), format="html")]


def said_of(kind: str, up: str) -> str:
    """A paragraph with the marks of an audit and a link to where they are shown; `up` leads to the root of the site."""
    where = f"{up}chapters/evidence/calibration.html#{TRIED}"
    return f'<p>{escape(tried(kind))} <a href="{where}">How this was tried</a>.</p>'


def link(example: Example, up: str) -> str:
    """A paragraph with links to an example and to its chapter; `up` leads to the root of the site."""
    folder = f"{up}_static/reports/{example.name}"
    chapter = (
        f'<a href="{up}{page_of(example.chapter)}.html">{example.chapter.replace("_", " ")}</a>'
    )
    took = max(1, round(example.record["cpu_seconds"]))
    shared = (
        f"Numbers that the chapter {chapter} has as well are the same in both."
        if example.same
        else f"The chapter {chapter} measures the same in another way."
    )
    return (
        f'<p>A report to look at: <a href="{folder}/report.html">{escape(example.about)}</a>, made in {took:,} seconds of '
        f'computing, with its <a href="{folder}/scores.csv">scores</a>. {shared}</p>'
    )


def bring(app: Sphinx, error: Exception | None) -> None:
    """Bring the reports to the site, their pages in today's style, without which they are kept."""
    if error or app.builder.name != "html":
        return
    for path in sorted((ROOT / FOLDER).glob("*/*")):
        copy = Path(app.outdir, "_static", "reports", *path.parts[-2:])
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
        if path.name == "report.html":
            copy.write_text(dressed(path.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("report", Report)
    app.add_directive("tried", Tried)
    app.connect("build-finished", bring)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
