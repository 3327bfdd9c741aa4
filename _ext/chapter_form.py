"""Sphinx extension: the form of a chapter's page, made of its notebook.

In a notebook the cells stand in the order in which they run. On the page the answer comes first:
title, chips, question, what you will take away, picture; then one line that unfolds parameters and
set-up. Tags of the cells say what moves (`set-up`, `picture`, `take-away`) and which code is seen
(`show-input`); all other code is folded. At the end stand how to run the chapter on one's own data,
how to cite it, and what changed in its recorded numbers.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from pybtex.database import Entry, parse_file
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from lib import __version__
from lib.files import spreadsheet_csv
from lib.ledger.changes import summary as summary_of_changes
from lib.paths import ROOT
from lib.profiles import chapter_of, page_of
from runner import executed
from runner.facts import Facts, commit, facts, reading_minutes
from runner.notebooks import read_notebook
from runner.references import authors, authors_and_year
from runner.typography import typeset

FILES = "_static/files"
CITED = re.compile(r"\{cite[:a-z]*\}`([^`,]+)")
REPORT_CARD = "report_card"
MORE = "More:"


class CodeFold(nodes.Element):
    """Code behind one line that says what it does."""


class ThisRun(nodes.Element):
    """Parameters and set-up behind one line that says what was run."""


class Solution(nodes.Element):
    """The answer to an exercise behind one line."""


class More(nodes.Element):
    """A section that says more on a point, behind its heading."""


class ChapterForm(SphinxTransform):
    """Bring the page of a notebook into the form of a chapter, before its contents are collected; set the signs of all pages."""

    default_priority = 880

    def apply(self) -> None:
        shown = executed.of(self.env.app)
        chapter = shown.chapter(self.env.docname)
        if chapter is None or not self.document.children:
            set_signs(self.document)
            return
        notebook = read_notebook(shown.source(chapter))
        known = facts(shown.book, chapter.name, notebook)
        self.env.chapter_facts = {**getattr(self.env, "chapter_facts", {}), chapter.name: known}
        page = next(self.document.findall(nodes.section))
        ids = [cell.id for cell in notebook.cells]
        cells = [
            node
            for node in self.document.findall(nodes.container)
            if node.get("nb_element") == "cell_code"
        ]
        labels = {id(cell): label(cell, ids) for cell in cells}
        minutes = minutes_of(self.document)
        arrange(page, cells, known)
        for cell in cells:
            fold_code(cell, labels[id(cell)])
        join_folds(self.document)
        for cell in cells:
            move_below_figure(cell)
        for part in list(page.findall(nodes.section)):
            fold_section(part)
        set_signs(self.document)
        if shown.phone(chapter.name):
            mark_picture(cells, chapter.name)
        page.insert(1, html(chips(known, minutes, first_cited(notebook), bool(cells))))
        page.append(closing(known, chapter.title, first_cited(notebook)))


def mark_picture(cells: list[nodes.container], name: str) -> None:
    """The first picture says that there is one of it for a phone; `accessible` sets both into the page."""
    pictures = [
        image for cell in cells if tagged(cell, "picture") for image in cell.findall(nodes.image)
    ]
    for image in pictures[:1]:
        image["classes"].append(f"phone-{name}")


def tagged(cell: nodes.container, tag: str) -> bool:
    return f"tag_{tag}" in cell["classes"]


def label(cell: nodes.container, ids: list[str]) -> str:
    """What a cell's code does: its first line where that is a comment, else its id in words."""
    code = next(cell.findall(nodes.literal_block), None)
    first = code.astext().lstrip().partition("\n")[0] if code is not None else ""
    if first.startswith("#"):
        return first.lstrip("# ").rstrip(".:")
    return ids[cell["cell_index"]].replace("-", " ")


def arrange(page: nodes.section, cells: list[nodes.container], known: Facts) -> None:
    """Take-away, picture and set-up, in this order, before the first section of the page."""
    moved = {
        tag: [cell for cell in cells if tagged(cell, tag)]
        for tag in ("take-away", "picture", "set-up")
    }
    for cell in (cell for group in moved.values() for cell in group):
        cell.parent.remove(cell)
    first_screen = [*moved["take-away"], *moved["picture"]]
    if moved["set-up"]:
        for cell in moved["set-up"]:
            cell["hide_mode"] = None
        this_run = ThisRun(summary=summary(known))
        this_run.extend(moved["set-up"])
        first_screen.append(this_run)
    place = next(
        (
            number
            for number, child in enumerate(page.children)
            if isinstance(child, nodes.section | nodes.container)
        ),
        len(page.children),
    )
    page.insert(place, first_screen)


def summary(known: Facts) -> str:
    """One line on what was run: the profile, and the parameters that name data or models."""
    named = [
        f"{name.replace('_', ' ')} <code>{escape(str(value))}</code>"
        for name, value in known.parameters.items()
        if isinstance(value, str) and value and name not in ("profile", "device")
    ]
    profile = f"profile <code>{escape(str(known.parameters.get('profile', '')))}</code>"
    said = ", ".join([profile, *named[:2]])
    return f"<strong>This run</strong>: {said} <span>parameters and set-up</span>"


def fold_code(cell: nodes.container, name: str) -> None:
    """Fold the code of a cell, unless it teaches or is folded with the set-up."""
    cell["hide_mode"] = None
    code = cell.children[0] if cell.children else None
    if code is None or code.get("nb_element") != "cell_code_source":
        return
    if tagged(cell, "show-input") or isinstance(cell.parent, ThisRun):
        return
    if tagged(cell, "solution"):
        cell.parent.replace(cell, wrapped(Solution(), cell))
        return
    cell.remove(code)
    if tagged(cell, "take-away"):  # the box holds the answer and nothing else
        return
    fold = wrapped(CodeFold(label=name, cells=1), code)
    picture = tagged(cell, "picture") and bool(cell.children)
    cell.insert(len(cell.children) if picture else 0, fold)


def move_below_figure(cell: nodes.container) -> None:
    """The code of a figure goes beside the data of the figure, which the next cell offers."""
    fold = next((child for child in cell.children if isinstance(child, CodeFold)), None)
    if fold is None or len(cell.children) < 2:
        return
    after = cell.next_node(descend=False, siblings=True)
    if not isinstance(after, nodes.container):
        return
    offered = next(after.findall(nodes.raw), None)
    if offered is not None and "figure-data" in offered.astext():
        cell.remove(fold)
        after.insert(0, fold)


def fold_section(part: nodes.section) -> None:
    """Fold a section whose heading begins with "More:"; it then has no line in the contents."""
    heading = part.next_node(nodes.title)
    title = heading.astext() if heading is not None else ""
    if heading is None or heading.parent is not part or not title.startswith(MORE):
        return
    more = More(title=title, ids=part["ids"])
    part.remove(heading)
    more.extend(part.children)
    part.parent.replace(part, more)


def wrapped(node: nodes.Element, child: nodes.Node) -> nodes.Element:
    node += child
    return node


def join_folds(document: nodes.document) -> None:
    """One bar for neighbouring cells of folded code, as far as none of them shows anything."""
    for cell in list(document.findall(nodes.container)):
        fold = cell.children[0] if len(cell.children) == 1 else None
        if not isinstance(fold, CodeFold) or cell.get("nb_element") != "cell_code":
            continue
        after = cell.next_node(descend=False, siblings=True)
        if not isinstance(after, nodes.container) or not after.children:
            continue
        other = after.children[0]
        if isinstance(other, CodeFold):
            cell.parent.remove(cell)
            for place, code in enumerate(list(fold.children)):
                other.insert(place, code)
            other["cells"] += fold["cells"]


def set_signs(document: nodes.document) -> None:
    """True minus signs in all that is read: running text, captions, and the answers of the box."""
    for text in list(document.findall(nodes.Text)):
        above = text.parent
        kept = isinstance(above, nodes.FixedTextElement | nodes.literal | nodes.math | nodes.raw)
        if not kept and typeset(text) != text:
            above.replace(text, nodes.Text(typeset(text)))
    for box in document.findall(nodes.raw):
        if box.astext().startswith('<dl class="trust"'):
            box.replace(box.children[0], nodes.Text(typeset(box.astext())))


def minutes_of(document: nodes.document) -> int:
    """Minutes of reading: the running text and the figures."""
    paragraphs = document.findall(lambda n: isinstance(n, nodes.paragraph | nodes.list_item))
    words = sum(
        len(node.astext().split()) for node in paragraphs if isinstance(node, nodes.paragraph)
    )
    return reading_minutes(words, sum(1 for _ in document.findall(nodes.image)))


def first_cited(notebook) -> str:
    """The paper that the chapter cites first, as a key of references.bib."""
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    found = CITED.search(prose)
    return found.group(1).strip() if found else ""


def reference(key: str) -> Entry:
    return bibliography()[key]


@cache
def bibliography() -> Mapping[str, Entry]:
    return parse_file(ROOT / "references.bib").entries


def chips(known: Facts, minutes: int, cited: str, with_code: bool) -> str:
    """The line below the title: what this is, how long it takes, what came out, what to download."""
    parts = []
    up = "../" * page_of(known.name).count("/")
    if cited:
        entry = reference(cited)
        name = authors_and_year(entry)
        address = entry.fields.get("url", "")
        parts.append(f'<a class="chip" href="{escape(address)}">{escape(name)}</a>')
    parts.append(f'<span class="chip">{minutes} min read</span>')
    if known.seconds is not None:
        parts.append(f'<span class="chip">runs in {duration(known.seconds)}</span>')
    if known.verdicts and known.name != REPORT_CARD:
        counts = " · ".join(f"{count:,} {verdict}" for verdict, count in known.verdicts.items())
        parts.append(
            f'<a class="chip" href="{up}{page_of(REPORT_CARD)}.html" title="Verdicts on the printed numbers '
            f'of this chapter’s papers">{escape(counts)}</a>'
        )
    parts.append(
        f'<a class="chip" href="{up}{FILES}/{known.name}.ipynb" download>⬇\N{VARIATION SELECTOR-15} notebook</a>'
    )
    if known.results:
        parts.append(
            f'<a class="chip" href="{up}{FILES}/{known.name}.results.csv" download>'
            "⬇\N{VARIATION SELECTOR-15} data of this page (CSV)</a>"
        )
    if with_code:
        parts.append(
            '<button class="chip show-all-code" type="button" aria-pressed="false" hidden>'
            "show all code</button>"
        )
    return f'<p class="chips mathjax_ignore">{" ".join(parts)}</p>'


def duration(seconds: float) -> str:
    """A length of time in words.

    >>> duration(17.4), duration(1_020)
    ('17 s', '17 min')
    """
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def closing(known: Facts, title: str, cited: str) -> nodes.section:
    """The section that ends every chapter: run it on other data, cite it, what changed in it."""
    given = next(
        (
            f"{name}=path/to/{'model' if 'model' in name or 'translator' in name else 'vectors.txt'}"
            for name in ("embedding", "model", "encoder", "translator")
            if name in known.parameters
        ),
        "seed=1",
    )
    name = known.name
    made = section(
        "Use it on yours",
        paragraph(
            "Clone the repository, and install it with ",
            nodes.literal(text="pip install -r requirements.txt"),
            ". Then type one of these lines: the first keeps the results, the second the notebook.",
        ),
        code(
            f"bias-measured run --chapter {name} -p {given}\n"
            f"papermill {page_of(name)}.ipynb out.ipynb -p {given.replace('=', ' ', 1)}",
            "bash",
        ),
        More(title="Cite this page", ids=["cite-this-page"]),
    )
    where = commit(ROOT)
    edition = f"version {__version__}" + (f", commit {where}" if where else "")
    made[-1].append(
        code(
            f"@incollection{{bias_measured_{name},\n"
            f"  author    = {{{{The Bias, Measured authors}}}},\n"
            f"  title     = {{{{{title}}}}},\n"
            f"  booktitle = {{Bias, Measured}},\n"
            f"  year      = {{2026}},\n"
            f"  note      = {{{edition}}}\n"
            "}",
            "bibtex",
        )
    )
    if cited:
        whose = authors(reference(cited))
        made[-1].append(paragraph(f"Please cite {whose}, too, whose work it reruns."))
    made.append(paragraph(nodes.strong(text="What changed. "), summary_of_changes(name)))
    return made


def section(title: str, *children: nodes.Node) -> nodes.section:
    made = nodes.section(ids=[nodes.make_id(title)], names=[title.lower()])
    made += nodes.title(text=title)
    made.extend(children)
    return made


def paragraph(*parts: str | nodes.Node) -> nodes.paragraph:
    made = nodes.paragraph()
    made.extend(nodes.Text(part) if isinstance(part, str) else part for part in parts)
    return made


def code(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language)


def html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def visit_code_fold(translator, node: CodeFold) -> None:
    several = f" ({node['cells']} cells)" if node["cells"] > 1 else ""
    said = escape(f"Code: {node['label']}{several}")
    translator.body.append(f'<details class="code-fold"><summary>{said}</summary>\n')


def visit_this_run(translator, node: ThisRun) -> None:
    translator.body.append(
        f'<details class="this-run mathjax_ignore"><summary>{node["summary"]}</summary>\n'
        "<p>In the notebook these cells come first, and the answer where its numbers are known. "
        "The page shows the answer first.</p>\n"
    )


def visit_solution(translator, node: Solution) -> None:
    translator.body.append('<details class="solution"><summary>Solution</summary>\n')


def visit_more(translator, node: More) -> None:
    title = escape(node["title"])
    translator.body.append(
        f'<details class="more" id="{node["ids"][0]}"><summary>{title}</summary>\n'
    )


def depart_details(translator, node: nodes.Element) -> None:
    translator.body.append("</details>\n")


def number_by_chapter(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Figure 3 of the second chapter is Fig. 2.3: set after the collector has counted through."""
    env.fignumbers_of_the_book = copy.deepcopy(env.toc_fignumbers)
    known = getattr(env, "chapter_facts", {})
    for document, kinds in env.toc_fignumbers.items():
        chapter = known.get(chapter_of(document))
        if chapter:
            for numbers in kinds.values():
                for place, key in enumerate(numbers, start=1):
                    numbers[key] = (chapter.number, place)
    return []


def gather(app: Sphinx, env: BuildEnvironment, names: set[str], other: BuildEnvironment) -> None:
    """Take over what another process read."""
    chapters = {chapter_of(name) for name in names}
    read = {
        name: of for name, of in getattr(other, "chapter_facts", {}).items() if name in chapters
    }
    env.chapter_facts = {**getattr(env, "chapter_facts", {}), **read}


def count_through(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give the collector the numbers that it made, so that it sees which ones changed."""
    env.toc_fignumbers = getattr(env, "fignumbers_of_the_book", env.toc_fignumbers)
    return []


def write_downloads(app: Sphinx, error: Exception | None) -> None:
    """The notebook as it lies in the book, and the results of its run, beside the page. Of hashes
    the first twelve digits; the page of certificates has them whole.
    """
    if error or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "_static" / "files"
    for name, known in getattr(app.env, "chapter_facts", {}).items():
        folder.mkdir(parents=True, exist_ok=True)
        if phone := executed.of(app).phone(name):
            copy = Path(app.outdir) / "_static" / "phone" / phone.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(phone.read_bytes())
        notebook = ROOT / f"{page_of(name)}.ipynb"
        source = json.loads(notebook.read_bytes())
        short_json = json.dumps(source, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.ipynb").write_text(f"{short_json}\n", encoding="utf-8")
        if known.results and known.results.is_file():
            results = known.results.read_text(encoding="utf-8")
            short = re.sub(r"(sha256:[0-9a-f]{12})[0-9a-f]{52}", r"\1", results)
            (folder / f"{name}.results.csv").write_text(spreadsheet_csv(short), encoding="utf-8")


def read_results(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Read all results once, before several processes read pages: they share what is there already."""
    shown = executed.of(app)
    for chapter in filter(None, map(shown.chapter, names)):
        facts(shown.book, chapter.name, read_notebook(shown.source(chapter)))
        return


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    for node, visit in (
        (CodeFold, visit_code_fold),
        (ThisRun, visit_this_run),
        (Solution, visit_solution),
        (More, visit_more),
    ):
        app.add_node(node, html=(visit, depart_details))
    app.add_transform(ChapterForm)
    app.connect("env-before-read-docs", read_results)
    app.connect("env-merge-info", gather)
    app.connect("env-get-updated", count_through, priority=400)
    app.connect("env-get-updated", number_by_chapter, priority=600)
    app.connect("build-finished", write_downloads)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
