"""Sphinx extension: the directive `certificates`, a section for each chapter with the records of its runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib.ledger.certificates import RECORDED, Certificate, read_certificate
from lib.paths import ROOT
from lib.profiles import PROFILES
from runner.book import Book


class Certificates(SphinxDirective):
    """Recorded runs first, then those that made this site."""

    def run(self) -> list[nodes.Node]:
        book = Book.open(ROOT)
        recorded = [path for name in PROFILES for path in sorted((RECORDED / name).glob("*.json"))]
        own = [
            path
            for name in PROFILES
            for run in book.runs(name)
            if (path := book.results(name) / f"{run.name}.run.json").is_file()
        ]
        for path in (*recorded, *own):
            self.env.note_dependency(str(path))
        all_records = [*map(read_certificate, recorded), *map(read_certificate, own)]
        return [
            section(chapter.name, chapter.title, records)
            for chapter in book.chapters.values()
            if (records := [one for one in all_records if one.chapter == chapter.name])
        ]


def section(chapter: str, heading: str, records: list[Certificate]) -> nodes.section:
    made = nodes.section(ids=[chapter.replace("_", "-")], names=[chapter])
    made += nodes.title(text=heading)
    body = "".join(block(record) for record in records)
    made += nodes.raw("", f'<div class="mathjax_ignore">{body}</div>', format="html")
    return made


def block(record: Certificate) -> str:
    """One record as a small table, with what is long folded away."""
    state = "recorded" if record.commit else "last run where this site was built"
    rows = {
        "commit": record.commit or "not recorded",
        "took": f"{record.seconds:,.1f} s, {record.megabytes:,} MB of memory",
        "machine": record.machine,
        "Python": record.python,
        "results": f"{record.rows:,} rows, SHA-256 {record.results}",
        "library": f"SHA-256 {record.library}",
    }
    lines = "".join(
        f'<tr><th scope="row">{name}</th><td>{escape(text)}</td></tr>'
        for name, text in rows.items()
    )
    parameters = {name: json.dumps(value) for name, value in record.parameters.items()}
    return (
        f'<table class="certificate"><caption>Profile {escape(record.profile)}, {state}</caption>'
        f"<tbody>{lines}</tbody></table>"
        + folded("Parameters", parameters)
        + folded("Inputs, with their SHA-256", record.inputs)
        + folded("Versions of packages", record.packages)
    )


def folded(name: str, values: Mapping[str, str]) -> str:
    if not values:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{escape(Path(key).as_posix())}</th><td>{escape(value)}</td></tr>'
        for key, value in values.items()
    )
    return (
        f'<details class="certificate"><summary>{name} ({len(values)})</summary>'
        f'<table class="certificate"><tbody>{rows}</tbody></table></details>'
    )


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("certificates", Certificates)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
