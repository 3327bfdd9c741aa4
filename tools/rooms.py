"""The rooms of lib with what each holds and its lines of code: python -m tools.rooms"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

from lib.command import command
from lib.paths import LIBRARY

_LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(source: str) -> int:
    """How many lines hold code: neither blank nor comment nor docstring."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def rooms(library: Path = LIBRARY) -> list[tuple[str, str, int, int]]:
    """Each room with the first sentence of its docstring, its number of modules, and its lines of code."""
    entries = []
    for path in sorted(library.iterdir()):
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        front = path / "__init__.py" if path.is_dir() else path
        if front.suffix == ".py" and front.is_file() and path.name != "__init__.py":
            purpose = (ast.get_docstring(ast.parse(front.read_text())) or "").partition("\n\n")[0]
            modules = [file for file in files if file.name != "__init__.py"]
            lines = sum(code_lines(file.read_text()) for file in files)
            entries.append((path.stem, " ".join(purpose.split()), len(modules), lines))
    return entries


@command()
def main() -> None:
    for name, purpose, modules, lines in rooms():
        print(f"{name:16} {modules:3} modules {lines:6,} lines   {purpose}")
    print(
        f"{'all':16} {sum(r[2] for r in rooms()):3} modules {sum(r[3] for r in rooms()):6,} lines"
    )


if __name__ == "__main__":
    sys.exit(main())
