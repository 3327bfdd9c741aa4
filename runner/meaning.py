"""What of a chapter decides a number that it records: the statements of its code cells that lead to one, and the definitions of
lib and studies that these reach, without comments, docstrings and layout, and without what only keeps, reads, judges, words or
shows results.
"""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from nbformat import NotebookNode

from lib.definitions import Definitions, bare, of_the_house
from lib.files import text_hash
from runner.book import TELLING_TAGS
from runner.notebooks import tags

DECIDES_NOTHING = (
    "lib.definitions",
    "lib.explorables",
    "lib.kept",
    "lib.ledger.arithmetic",
    "lib.ledger.certificates",
    "lib.ledger.changes",
    "lib.ledger.reach",
    "lib.ledger.report_card",
    "lib.ledger.results",
    "lib.ledger.verdicts",
    "lib.pages",
    "lib.plots",
    "lib.wording",
)
FIGURES = "figures"  # of a study: the modules that only draw
LEDGER = "ledger"  # the name under which every chapter keeps what it records
_SHOWN_BY = {"display", "print", "pages", "plots", "explorables"}  # change nothing they are given
_SCOPES = (
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_GENERATOR = "default_rng"  # who reads what it gives changes what the next one draws


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


@dataclass
class _Statement:
    """A statement of a cell, or what one with a body of its own says before it.

    Attributes
    ----------
    reads, binds, changes : set of str
        Names that it reads, those that it binds, and those whose objects it may change.
    functions : bool
        Whether what it binds may be called, and then reads and changes the same.
    within : tuple of int
        The `id` of each statement around it, the outermost first.
    decides : bool
        Whether it counts whatever reads it.
    steers : bool
        Whether it counts where anything else in the statement around it does: `break`, `raise`.
    """

    reads: set[str]
    binds: set[str]
    changes: set[str]
    functions: bool
    within: tuple[int, ...]
    decides: bool
    steers: bool


def deciding(notebook: NotebookNode) -> list[tuple[list[str], str]]:
    """The statements of a chapter that a recorded value can depend on, in order.

    Those that name the ledger, with all that bind or may change what they read, and so on back. A generator of random
    numbers is changed by whoever draws from it.

    Returns
    -------
    list of (list of str, str)
        Tags that tell the runner to treat the cell otherwise, and the source. A statement with a body of its own keeps of it
        what decides; a cell with a magic comes whole.
    """
    cells: list[tuple[list[str], list[ast.stmt] | str]] = []
    known: dict[int, _Statement] = {}
    generators = {"rng"}
    shared: dict[str, set[str]] = {}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        telling = sorted(TELLING_TAGS & tags(cell))
        try:
            body = bare(cell.source).body
        except SyntaxError:
            cells.append((telling, cell.source))
            continue
        cells.append((telling, body))
        for node in body:
            known |= _statements(node, (), bool(telling))
            if _GENERATOR in ast.unparse(node):
                generators |= _names([node])[1]
            for names, sources in _shared([node]):
                for name in names:
                    shared.setdefault(name, set()).update(sources)
    kept = _needed(known, generators, shared)
    parts = []
    for telling, content in cells:
        if isinstance(content, str):
            parts.append((telling, content))
        else:
            parts += [(telling, ast.unparse(node)) for node in _pruned(content, kept)]
    return parts


def _statements(
    node: ast.stmt, within: tuple[int, ...], decides: bool
) -> Iterator[tuple[int, _Statement]]:
    bodies = _bodies(node)
    own = [node] if not bodies else _before(node)
    reads, binds, changes = _names(own)
    functions = not bodies and any(_callable(one) for one in ast.walk(node))
    steers = isinstance(node, ast.Break | ast.Continue | ast.Raise | ast.Assert)
    yield id(node), _Statement(reads, binds, changes, functions, within, decides, steers)
    for inner in (inner for body in bodies for inner in body):
        yield from _statements(inner, (*within, id(node)), decides)


def _bodies(node: ast.AST) -> list[list[ast.stmt]]:
    """The bodies of a statement that runs parts of it or none; a definition and a `match` are one whole."""
    if isinstance(node, ast.Try):
        handlers = [handler.body for handler in node.handlers]
        return [node.body, *handlers, node.orelse, node.finalbody]
    if isinstance(node, ast.If | ast.For | ast.While):
        return [node.body, node.orelse]
    return [node.body] if isinstance(node, ast.With) else []


def _before(node: ast.stmt) -> list[ast.AST]:
    """What such a statement says before its bodies."""
    if isinstance(node, ast.Try):
        return [handler.type for handler in node.handlers if handler.type]
    if isinstance(node, ast.For):
        return [node.target, node.iter]
    if isinstance(node, ast.With):
        return [*node.items]
    assert isinstance(node, ast.If | ast.While)
    return [node.test]


def _callable(node: ast.AST) -> bool:
    """Whether this makes a function: a definition, a lambda, or `partial`."""
    made = isinstance(node, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef)
    return made or (isinstance(node, ast.Name) and node.id == "partial")


def _needed(
    known: Mapping[int, _Statement], generators: Set[str], shared: Mapping[str, set[str]]
) -> set[int]:
    """The `id` of all statements that decide, and of those around them."""
    acting = {LEDGER, *generators}  # whoever reads one may change it
    changes = {place: one.changes | (one.reads & acting) for place, one in known.items()}
    by_calls: dict[str, set[str]] = {}  # what changes when a function of the chapter is called
    needed, kept = {LEDGER}, set[int]()
    size, before = 0, -1
    while size != before:
        for place, one in known.items():
            also = [by_calls[name] for name in one.reads & by_calls.keys()]
            also += [shared[name] for name in changes[place] & shared.keys()]
            changes[place] |= set().union(*also)
            for name in one.binds if one.functions else ():
                by_calls.setdefault(name, set()).update(changes[place])
            steers = one.steers and bool(one.within) and one.within[0] in kept
            decides = one.decides or steers or bool((one.binds | changes[place]) & needed)
            if place not in kept and decides:
                for kept_now in (*one.within, place):
                    needed |= known[kept_now].reads
                    kept.add(kept_now)
        found = [*changes.values(), *by_calls.values()]
        size, before = len(kept) + sum(len(names) for names in found), size
    return kept


def _pruned(body: Sequence[ast.stmt], kept: Set[int]) -> list[ast.stmt]:
    """The statements of a body that are kept, each with what is kept of its own bodies."""
    left = [node for node in body if id(node) in kept]
    for node in left:
        for inner in _bodies(node):
            inner[:] = _pruned(inner, kept) or ([ast.Pass()] if inner else [])
    return left


def _names(nodes: Iterable[ast.AST]) -> tuple[set[str], set[str], set[str]]:
    """The names that code reads, those that it binds, and those whose objects it may change; what lives in a comprehension or a
    function stays there.
    """
    reads: set[str] = set()
    binds: set[str] = set()
    changes: set[str] = set()
    for node in nodes:
        inner_reads, inner_binds, inner_changes = _names(ast.iter_child_nodes(node))
        if isinstance(node, _SCOPES):
            own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)} | inner_binds
            reads |= inner_reads - own
            changes |= inner_changes - own
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                binds.add(node.name)
            elif not isinstance(node, ast.Lambda):
                reads |= _names([node.generators[0].iter])[0]
            continue
        reads |= inner_reads
        binds |= inner_binds
        changes |= inner_changes
        if isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else binds).add(node.id)
        elif isinstance(node, ast.ClassDef):
            binds.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            binds |= {one.asname or one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.Attribute | ast.Subscript):
            changes |= set() if isinstance(node.ctx, ast.Load) else _roots(node)
        elif isinstance(node, ast.AugAssign):
            reads |= _roots(node.target)
            changes |= _roots(node.target)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value
            if not _roots(called.func) & _SHOWN_BY:  # called for what it does to what it is given
                given = [called.func, *called.args, *(one.value for one in called.keywords)]
                changes |= set().union(*map(_roots, given))
    return reads, binds, changes


def _shared(nodes: Iterable[ast.AST]) -> Iterator[tuple[set[str], set[str]]]:
    """Names that may stand for a part of the same object: `row` in `for row in table`, `part` in `part = table["a"]`."""
    for node in (inner for one in nodes for inner in ast.walk(one)):
        if isinstance(node, ast.For):
            yield _names([node.target])[1], _names([node.iter])[0]
        elif isinstance(node, ast.Assign):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            yield _names(node.targets)[1], set().union(*map(_roots, values))


def _roots(node: ast.AST) -> set[str]:
    """The name at the beginning of `name.attribute[key].method()`, where there is one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def code_meaning(notebook: NotebookNode) -> str:
    """Hash of the statements of a chapter that decide what it records, in order.

    How they are split into cells does not count, except where a tag tells the runner to treat a cell otherwise; a sentence, a
    table or a figure that nothing recorded depends on does not count either.
    """
    parts: list[object] = []
    for telling, source in deciding(notebook):
        if computed := meaning(source):
            parts += [[telling, computed]] if telling else computed.splitlines()
    return text_hash(json.dumps(parts))


def reached(notebook: NotebookNode, definitions: Definitions) -> dict[str, str]:
    """A hash of each definition that the deciding statements of a chapter reach, by "module:name"; `definitions` leaves out what
    `shows_only`.
    """
    sources = []
    for _, source in deciding(notebook):
        try:
            ast.parse(source)
        except SyntaxError:  # with a magic: it imports nothing of the house
            continue
        sources.append(source)
    return definitions.of_source("\n".join(sources))


def shows_only(module: str) -> bool:
    """Whether a module takes results and only keeps, reads, judges, words or shows them.

    Examples
    --------
    >>> [shows_only(name) for name in ("lib.plots.dots", "lib.plotters", "studies.resolvers.figures")]
    [True, False, True]
    """
    if any(module == room or module.startswith(f"{room}.") for room in DECIDES_NOTHING):
        return True
    house, _, rest = module.partition(".")
    return house == "studies" and FIGURES in rest.split(".")[1:]
