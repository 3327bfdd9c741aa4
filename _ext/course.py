"""Sphinx extension: the chapters as a course, from `data/course.yml`.

Directive `course`: a section for each part with what one can do afterwards, its chapters in order,
what to read before and how long it takes. On the page of a chapter a line says the same of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from lib.paths import ROOT
from lib.profiles import chapter_of

COURSE = Path("data", "course.yml")


@dataclass(frozen=True)
class Lesson:
    """A chapter of the course: what its reader can do afterwards, and which chapters come before."""

    goal: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A part of the course with its chapters, by name."""

    title: str
    goal: str
    lessons: Mapping[str, Lesson]


def course(root: Path = ROOT) -> list[Part]:
    """The parts of the course in order; none where a book has no course."""
    path = root / COURSE
    read = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {"parts": []}
    return [
        Part(
            part["title"],
            part["goal"],
            {
                name: Lesson(entry["goal"], tuple(entry.get("needs", ())))
                for name, entry in part["chapters"].items()
            },
        )
        for part in read["parts"]
    ]


class Course(SphinxDirective):
    """A section for each part: goal, minutes, and a row for each chapter."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(ROOT / COURSE))
        return [self.section(part) for part in course()]

    def section(self, part: Part) -> nodes.section:
        name = nodes.make_id(part.title)
        made = nodes.section(ids=[name], names=[name])
        made += nodes.title(text=part.title)
        pages = " ".join(f"chapters/{name}" for name in part.lessons)
        line = nodes.paragraph()
        line += self.parse_inline(f"After it you can {part.goal}. {{minutes}}`{pages}` to read.")[0]
        made += line
        table = [
            "| chapter | after this page you can | read before | to read |",
            "|---|---|---|---|",
        ]
        table += [self.row(name, lesson) for name, lesson in part.lessons.items()]
        made += self.parse_text_to_nodes("\n".join(table))
        return made

    def row(self, name: str, lesson: Lesson) -> str:
        before = ", ".join(f"[](/chapters/{other}.ipynb)" for other in lesson.needs)
        return f"| [](/chapters/{name}.ipynb) | {lesson.goal} | {before} | {{minutes}}`chapters/{name}` |"


class LearningGoal(SphinxTransform):
    """On a chapter's page, below the picture: what its reader can do afterwards, what to read before."""

    default_priority = 881  # when the page has the form of a chapter

    def apply(self) -> None:
        name = chapter_of(self.env.docname)
        lesson = dict(lessons()).get(name)
        page = next(self.document.findall(nodes.section), None)
        if lesson is None or page is None or not self.env.docname.startswith("chapters/"):
            return
        self.env.note_dependency(str(ROOT / COURSE))
        titles = {other: self.title(other) for other in lesson.needs}
        line = nodes.paragraph(classes=["learning-goal"])
        line += [nodes.strong(text="After this page you can "), nodes.Text(f"{lesson.goal}.")]
        for place, (other, title) in enumerate(titles.items()):
            line += nodes.Text(", " if place else " Read before: ")
            line += nodes.reference(text=title, refuri=f"{other}.html", internal=True)
        if titles:
            line += nodes.Text(".")
        page.insert(self.place(page), line)

    def title(self, name: str) -> str:
        """The title of another chapter, as its notebook has it."""
        from runner.book import Book

        return Book.open(ROOT).chapters[name].title

    def place(self, page: nodes.section) -> int:
        """Below the picture: before the fold of the set-up, or the first section where there is none."""
        for number, child in enumerate(page.children):
            if isinstance(child, nodes.section) or type(child).__name__ == "ThisRun":
                return number
        return len(page.children)


def lessons(root: Path = ROOT) -> Iterator[tuple[str, Lesson]]:
    """The chapters of the course in order."""
    for part in course(root):
        yield from part.lessons.items()


def setup(app: Sphinx) -> dict[str, object]:
    """Sphinx calls this."""
    app.add_directive("course", Course)
    app.add_transform(LearningGoal)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
