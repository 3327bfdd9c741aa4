"""What of a chapter can change a number: its code cells, and the definitions of lib and studies that they reach, without comments,
docstrings and layout, and without what only shows results.
"""

import ast
import json

from nbformat import NotebookNode

from lib.definitions import Definitions, bare, of_the_house
from lib.files import text_hash
from runner.book import TELLING_TAGS
from runner.notebooks import tags

SHOWING = ("lib.plots", "lib.pages", "lib.explorables", "lib.wording")
FIGURES = "figures"  # of a study: the modules that only draw


def meaning(source: str) -> str:
    """Python code as its syntax tree is written out again, without docstrings, annotations of functions, and imports of lib and
    studies: where a definition stands computes nothing.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
        The same for two sources that differ in these, in comments, quotes or line breaks alone. What is no plain Python,
        such as a cell with a line magic, comes back as it is.

    Examples
    --------
    >>> meaning("from lib.checks import one_of\\ndef double(x):\\n    'Twice as much.'\\n    return 2*x  # not x**2")
    'def double(x):\\n    return 2 * x'
    """
    try:
        tree = bare(source)
    except SyntaxError:
        return source
    tree.body = [node for node in tree.body if not of_the_house(node)]
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


def reached(notebook: NotebookNode, definitions: Definitions) -> dict[str, str]:
    """A hash of each definition that the code cells of a chapter reach, by "module:name"; `definitions` leaves out what
    `shows_only`.
    """
    sources = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            try:
                ast.parse(cell.source)
            except SyntaxError:  # with a magic: it imports nothing of the house
                continue
            sources.append(cell.source)
    return definitions.of_source("\n".join(sources))


def shows_only(module: str) -> bool:
    """Whether a module takes results and only shows them.

    Examples
    --------
    >>> [shows_only(name) for name in ("lib.plots.dots", "lib.plotters", "studies.resolvers.figures")]
    [True, False, True]
    """
    if any(module == room or module.startswith(f"{room}.") for room in SHOWING):
        return True
    house, _, rest = module.partition(".")
    return house == "studies" and FIGURES in rest.split(".")[1:]
