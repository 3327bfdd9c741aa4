"""How large each house of the checkout is, whom the code of lib serves, and the rooms of lib: python -m scripts.tools.rooms

A line of code is one that holds neither only a comment nor only a docstring. Whom code serves is read from what the cells of each
notebook reach (`lib.definitions`); what is named by a string alone is not seen. Import lines belong to no definition.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

from lib.command import command
from lib.definitions import HOUSES as CHAPTERS_CODE
from lib.definitions import Definitions, lines_of
from lib.paths import LIBRARY, ROOT

HOUSES = {
    "lib": ("lib",),
    "audit": ("audit",),
    "studies": ("studies",),
    "runner": ("runner",),
    "scripts": ("scripts",),
    "_ext": ("_ext",),
    "tests": ("tests", "conftest.py"),
    "notebooks": ("chapters", "audit"),
}
SERVED = ("no chapter", "one chapter", "two chapters", "three chapters or more")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Size:
    """Of one or more files, in lines."""

    files: int = 0
    code: int = 0
    docstring: int = 0
    comment: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(*map(sum, zip(astuple(self), astuple(other))))


def _lines(source: str) -> tuple[set[int], set[int], set[int]]:
    """The numbers of the lines that hold code, belong to a docstring, and hold only a comment."""
    docstrings: set[int] = set()
    strings: set[int] = set()  # of several lines, blank ones and those that begin with # among them
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
        elif isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno != node.lineno:
            strings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = {number: line.strip() for number, line in enumerate(source.split("\n"), start=1)}
    comments = {number for number, line in lines.items() if line.startswith("#")} - strings
    code = strings | {number for number, line in lines.items() if line} - comments
    return code - docstrings, docstrings, comments - docstrings


def code_lines(source: str) -> int:
    """How many lines hold code: neither blank nor comment nor docstring."""
    return len(_lines(source)[0])


def size(source: str) -> Size:
    """The size of one file, or of one notebook's cells."""
    return Size(1, *map(len, _lines(source)))


def cells(notebook: Path) -> str:
    """The code cells of a notebook, one after another; those that are no plain Python, such as one with a magic, left out."""
    sources = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            try:
                ast.parse(source)
            except SyntaxError:
                continue
            sources.append(source)
    return "\n".join(sources)


def houses(root: Path = ROOT) -> dict[str, Size]:
    """What each house holds; an empty one is left out."""
    found = {
        name: sum(map(size, _sources(root, places, name == "notebooks")), Size())
        for name, places in HOUSES.items()
    }
    return {name: known for name, known in found.items() if known.files}


def _sources(root: Path, places: Iterable[str], notebooks: bool) -> Iterator[str]:
    """The code of modules, or of notebooks, below some places."""
    for place in places:
        path = root / place
        files = path.rglob("*") if path.is_dir() else [path]
        for file in sorted(file for file in files if file.is_file()):
            if file.suffix == ".ipynb" and notebooks:
                yield cells(file)
            elif file.suffix == ".py" and not notebooks:
                yield file.read_text(encoding="utf-8")


def notebooks(root: Path = ROOT) -> list[Path]:
    """The notebooks whose code counts as that of a chapter."""
    return sorted(path for place in HOUSES["notebooks"] for path in (root / place).rglob("*.ipynb"))


def served(root: Path = ROOT) -> dict[str, Counter[int]]:
    """Of lib and of studies, lines of code in definitions by the number of chapters that reach them."""
    definitions = Definitions(root)
    users = Counter(
        place for notebook in notebooks(root) for place in definitions.of_source(cells(notebook))
    )
    found: dict[str, Counter[int]] = {}
    for house in CHAPTERS_CODE:
        found[house] = Counter()
        for path in sorted((root / house).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            owners = lines_of(definitions, module)
            for line in _lines(path.read_text(encoding="utf-8"))[0] & owners.keys():
                found[house][users[f"{module}:{owners[line]}"]] += 1
    return found


def shares(found: Counter[int]) -> dict[str, tuple[int, float]]:
    """Lines and share of all lines by whom they serve, in the words of `SERVED`."""
    last = len(SERVED) - 1
    lines = dict.fromkeys(SERVED, 0)
    for users, count in found.items():
        lines[SERVED[min(users, last)]] += count
    return {name: (count, count / max(1, found.total())) for name, count in lines.items()}


def purpose_of(module: Path) -> str:
    """The first paragraph of a module's docstring."""
    first = (ast.get_docstring(ast.parse(module.read_text())) or "").partition("\n\n")[0]
    return " ".join(first.split())


def rooms(library: Path = LIBRARY) -> list[tuple[str, str, int, int]]:
    """Each room with the first sentence of its docstring, its number of modules, and its lines of code."""
    entries = []
    for path in sorted(library.iterdir()):
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        front = path / "__init__.py" if path.is_dir() else path
        if front.suffix == ".py" and front.is_file() and path.name != "__init__.py":
            modules = [file for file in files if file.name != "__init__.py"]
            lines = sum(code_lines(file.read_text()) for file in files)
            entries.append((path.stem, purpose_of(front), len(modules), lines))
    return entries


@command()
def main() -> None:
    found = houses()
    print(f"{'':24}{'files':>7}{'code':>9}{'docstring':>11}{'comment':>9}   (lines)")
    for name, known in [*found.items(), ("all", sum(found.values(), Size()))]:
        print(f"{name:24}{known.files:7,}{known.code:9,}{known.docstring:11,}{known.comment:9,}")
    for house, reached in served().items():
        if reached.total():
            print(f"\n{reached.total():,} lines in the definitions of {house} serve")
            for name, (lines, share) in shares(reached).items():
                print(f"  {name:24}{lines:7,}{share:7.0%}")
    print("\nthe rooms of lib")
    for name, purpose, modules, lines in rooms():
        print(f"  {name:20}{modules:4} modules {lines:6,} lines   {purpose}")


if __name__ == "__main__":
    sys.exit(main())
