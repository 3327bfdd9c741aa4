"""The code behind an array that is kept: what of it can change a number."""

import ast
import functools
import importlib.util
from pathlib import Path

from lib.files import text_hash

_ROOM = "lib.coreference."
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@functools.cache
def code_of(module: str) -> str:
    """A hash of a module and of those of `lib.coreference` that it imports, one after another.

    Parameters
    ----------
    module : str
        Its name, as `__module__` of a function or class gives it.

    Returns
    -------
    str
        The same where only docstrings, comments or layout differ.

    Raises
    ------
    ValueError
        For a module without a file, such as a notebook: nobody could say what has changed in it.

    Examples
    --------
    >>> code_of("lib.coreference.resolvers.parsers") == code_of("lib.coreference.resolvers.graphs")
    False
    """
    trees: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in trees or (path := _file(name)) is None:
            continue
        tree = _undocumented(ast.parse(path.read_text(encoding="utf-8")))
        trees[name] = ast.dump(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_ROOM):
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    if module not in trees:
        raise ValueError(
            f"expected a module with a file, got {module!r}; what is kept for the next run has its code as a key, so "
            "write the resolver into a file and import it"
        )
    own = trees.pop(module)
    return text_hash("\n".join([own, *(trees[name] for name in sorted(trees))]))


def _undocumented(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return tree


def _file(module: str) -> Path | None:
    """Where a module is; nothing for a name within one."""
    try:
        found = importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    return Path(found.origin) if found and found.has_location and found.origin else None
