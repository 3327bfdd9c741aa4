"""What of code can change a number: Python without comments, docstrings and layout, and without the
modules that only show results.
"""

import ast
import json

from nbformat import NotebookNode

from lib.book.book import TELLING_TAGS
from lib.book.depfile import module_files
from lib.book.notebooks import tags
from lib.files import text_hash

SHOWING = ("lib.plots", "lib.pages", "lib.explorables")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def meaning(source: str) -> str:
    """Python code as its syntax tree is written out again, without docstrings.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
        The same for two sources that differ in comments, docstrings, quotes or line breaks alone. What is no plain Python,
        such as a cell with a line magic, comes back as it is.

    Examples
    --------
    >>> meaning("def double(x):\\n    'Twice as much.'\\n    return 2*x  # not x**2")
    'def double(x):\\n    return 2 * x'
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
    return ast.unparse(tree)


def code_meaning(notebook: NotebookNode) -> str:
    """Hash of what the code cells of a chapter compute, in order.

    How it is split into cells does not count, except where a tag tells the runner to treat a cell
    otherwise.
    """
    parts: list[object] = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and (computed := meaning(cell.source)):
            telling = sorted(TELLING_TAGS & tags(cell))
            parts += [[telling, computed]] if telling else computed.splitlines()
    return text_hash(json.dumps(parts))


def module_meanings() -> dict[str, str]:
    """Hash of what each module of `lib` computes, by module name, for those that can change a
    number.
    """
    return {
        name: text_hash(meaning(path.read_text(encoding="utf-8")))
        for name, path in module_files().items()
        if not shows_only(name)
    }


def shows_only(module: str) -> bool:
    """Whether a module takes results and only shows them.

    Examples
    --------
    >>> shows_only("lib.plots.dots"), shows_only("lib.plotters")
    (True, False)
    """
    return any(module == room or module.startswith(f"{room}.") for room in SHOWING)
