"""What of this house's code a result depends on: the definitions that are reached from a function or from the cells of a notebook,
wherever they stand.

Comments, docstrings, layout, annotations of functions and the words of errors compute nothing and do not count; nor does the module in which a definition
stands, so that code may move without anything that was kept or recorded being lost.
"""

import ast
import copy
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

from lib.files import text_hash
from lib.paths import ROOT

HOUSES = ("audit", "lib", "studies")
BODY = "<module>"  # what runs at import and defines no name: loops, registrations
# Doors with many methods, which nobody calls but our own code by their names: a method counts where something reached asks for it.
BY_METHOD = ("Embedding", "Ledger")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINING = (*_FUNCTIONS, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.AugAssign)
_NOT_AT_IMPORT = ("TYPE_CHECKING", "__name__ == '__main__'")

Place = tuple[str, str]  # a module, and a name in it


class _ElsewhereStays(ast.NodeTransformer):
    """Imports from this house become `pass`."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        return ast.Pass() if of_the_house(node) else node

    visit_Import = visit_ImportFrom  # type: ignore[assignment]


def of_the_house(node: ast.stmt) -> bool:
    """Whether a statement imports from this house alone."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] in HOUSES
    if isinstance(node, ast.Import):
        return all(alias.name.partition(".")[0] in HOUSES for alias in node.names)
    return False


@dataclass
class _Part:
    """A definition, or what runs at import."""

    nodes: list[ast.stmt] = field(default_factory=list)

    @cached_property
    def computed(self) -> str:
        """As the syntax tree is written out again, without where it imports from in this house: `used` says what the names are."""
        return ast.unparse(_ElsewhereStays().visit(ast.Module(copy.deepcopy(self.nodes), [])))

    @cached_property
    def imports(self) -> dict[str, Place]:
        """Names that are imported within."""
        return {
            name: place
            for node in self.nodes
            for inner in ast.walk(node)
            for name, place in _imported(inner)
        }

    @cached_property
    def used(self) -> list[tuple[str, ...]]:
        """Names, each with the attributes that are asked of it: `claims.one` is ("claims", "one")."""
        return sorted({path for node in self.nodes for path in _paths(node)})

    @cached_property
    def names(self) -> set[str]:
        """Attributes that are asked for, and words that may name one."""
        inner = [inner for node in self.nodes for inner in ast.walk(node)]
        words = {
            one.value
            for one in inner
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        }
        return words | {one.attr for one in inner if isinstance(one, ast.Attribute)}


class _Module:
    """A source file as its parts.

    Attributes
    ----------
    parts : dict
        Definitions by name; `BODY` is what else runs at import.
    owner : dict
        For each name that is bound here, the part that binds it.
    imports : dict
        For each name that is imported, from where.
    homes : dict
        Of a package that imports a name when it is first asked for, the modules of such names.
    """

    def __init__(self, source: str):
        self.parts: dict[str, _Part] = {}
        self.owner: dict[str, str] = {}
        self.imports: dict[str, Place] = {}
        self.homes: dict[str, str] = {}
        for node in bare(source).body:
            if isinstance(node, ast.If) and (
                ast.unparse(node.test) in _NOT_AT_IMPORT or _refuses(node)
            ):
                continue
            for inner in [node] if isinstance(node, _DEFINING) else ast.walk(node):
                self.imports.update(_imported(inner))
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            names = _bound(node)
            owner = names[0] if names and isinstance(node, _DEFINING) else BODY
            if isinstance(node, ast.ClassDef) and node.name in BY_METHOD:
                for method in [one for one in node.body if _may_wait(one)]:
                    node.body.remove(method)
                    self.parts[f"{node.name}.{method.name}"] = _Part([method])
            self.parts.setdefault(owner, _Part()).nodes.append(node)
            self.owner.update(dict.fromkeys(names, owner))
            if owner == "_HOMES" and isinstance(node, ast.Assign):
                self.homes = ast.literal_eval(node.value)


class Definitions:
    """The code below a folder, read when it is first asked for.

    Parameters
    ----------
    root : Path, optional
        The folder that holds `lib` and `studies`.
    passed_over : callable, optional
        Whether a module, given by its name, is left out: one that only shows what others compute.
    """

    def __init__(
        self, root: Path = ROOT, passed_over: Callable[[str], bool] = lambda module: False
    ):
        self.root, self.passed_over = root, passed_over
        self._modules: dict[str, _Module | None] = {}

    def of_source(self, source: str) -> dict[str, str]:
        """What code that stands in no module reaches, such as the cells of a notebook.

        Returns
        -------
        dict of str to str
            A hash for each definition, by "module:name".
        """
        part = _Part(bare(source).body)
        targets = self._targets(None, "", part)
        reached = self._reached([place for _, place in targets], part.names)
        return {"what it imports": self._edges(targets), **reached}

    def of_place(self, module: str, name: str) -> dict[str, str]:
        """What a function or class of a module that is loaded reaches, itself included, as `of_source`; of one that stands in a
        file of the reader's own, that file whole.

        Raises
        ------
        ValueError
            For one that stands in no file, as in a notebook: nobody could say what has changed in it.
        """
        if self._module(module) is not None:
            return self._reached([(module, name)])
        file = getattr(sys.modules.get(module), "__file__", None)
        if file is None:
            raise ValueError(
                f"expected a function that stands in a file; got {name} of {module!r}. What is kept for the next run has its code as "
                "a key, so write it into a file and import it."
            )
        source = Path(file).read_text(encoding="utf-8")
        own = text_hash(f"{name} of {ast.unparse(bare(source))}")
        return {f"{module}:{name}": own, **self.of_source(source)}

    def _reached(self, places: Iterable[Place], names: Iterable[str] = ()) -> dict[str, str]:
        found: dict[str, str] = {}
        waiting, asked = list(places), set(names)
        seen: set[Place] = set()
        methods: set[Place] = set()
        while waiting:
            place = waiting.pop()
            module, name = place
            known = self._module(module)
            if place not in seen and known and name in known.parts and not self.passed_over(module):
                seen.add(place)
                part = known.parts[name]
                targets = self._targets(known, module, part)
                waiting += [(home, BODY) for home in self._homes_of(module)]
                waiting += [target for _, target in targets]
                found[f"{module}:{name}"] = text_hash(self._edges(targets) + part.computed)
                asked |= part.names
                methods |= {
                    (module, other) for other in known.parts if other.startswith(f"{name}.")
                }
            if not waiting:
                waiting = [
                    (home, method) for home, method in methods if method.partition(".")[2] in asked
                ]
                methods -= {*waiting}
        return found

    def _edges(self, targets: Iterable[tuple[str, Place]]) -> str:
        return text_hash("\n".join(f"{used} = {self._says(target)}" for used, target in targets))

    def _homes_of(self, module: str) -> list[str]:
        """A module and its packages, as far as they do something at import."""
        parts = module.split(".")
        names = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
        return [name for name in names if (known := self._module(name)) and BODY in known.parts]

    def _says(self, place: Place) -> str:
        """What a name stands for, without where it stands; of a library, where it comes from."""
        module, name = place
        known = self._module(module)
        if known is None:
            return f"{module}.{name}"
        if self.passed_over(module):
            return "shown"
        return text_hash(known.parts[name].computed) if name in known.parts else name

    def _targets(self, module: _Module | None, name: str, part: _Part) -> list[tuple[str, Place]]:
        """What the names that a part uses stand for."""
        targets = []
        for first, *rest in part.used:
            if first in part.imports:
                targets += self._followed(part.imports[first], rest, first)
            elif module and first in module.owner:
                targets.append((first, (name, module.owner[first])))
            elif module and first in module.imports:
                targets += self._followed(module.imports[first], rest, first)
        return targets

    def _followed(self, place: Place, rest: list[str], used: str) -> list[tuple[str, Place]]:
        """From a name that is imported, through packages, to where it is defined."""
        module, name = place
        inner = f"{module}.{name}" if module and name else module or name
        if self._module(inner) is not None and not self._defines(module, name):
            if rest:
                return self._followed((inner, rest[0]), rest[1:], f"{used}.{rest[0]}")
            known = self._module(inner)
            assert known is not None
            return [(f"{used}.{part}", (inner, part)) for part in known.parts]
        known = self._module(module)
        if known is None:
            return [(used, place)]
        if name in known.owner:
            return [(used, (module, known.owner[name]))]
        if name in known.imports:
            return self._followed(known.imports[name], rest, used)
        if name in known.homes:
            return self._followed((f"{module}.{known.homes[name]}", name), rest, used)
        return [(used, place)]

    def _defines(self, module: str, name: str) -> bool:
        known = self._module(module)
        if known is None:
            return False
        return name in known.owner or known.imports.get(name, (module, name)) != (module, name)

    def _module(self, name: str) -> _Module | None:
        """A module of the house; None for any other."""
        if name.partition(".")[0] not in HOUSES:
            return None
        if name not in self._modules:
            path = self.root.joinpath(*name.split("."))
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            self._modules[name] = (
                _Module(file.read_text(encoding="utf-8")) if file.is_file() else None
            )
        return self._modules[name]


def lines_of(definitions: Definitions, module: str) -> dict[int, str]:
    """The definition that each line of a module belongs to, by the number of the line; lines that belong to none are left out."""
    known = definitions._module(module)
    owners: dict[int, str] = {}
    # what stands in a class and is a part of its own comes after the class
    for name, part in sorted(known.parts.items() if known else (), key=lambda one: "." in one[0]):
        for node in part.nodes:
            first = min(one.lineno for one in (node, *getattr(node, "decorator_list", [])))
            owners.update(dict.fromkeys(range(first, (node.end_lineno or first) + 1), name))
    return owners


def code_of(function: Callable[..., Any]) -> str:
    """A hash of all code of this house that a function or class reaches, itself included: a key for what it has computed.

    Raises
    ------
    ValueError
        For one that stands in no file, as in a notebook.

    Examples
    --------
    >>> from lib.association import effect_size, weat
    >>> code_of(weat) == code_of(effect_size)
    False
    """
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    return _code_of(function.__module__, function.__qualname__.partition(".")[0])


@functools.cache
def _code_of(module: str, name: str) -> str:
    return code_hash(_as_it_is().of_place(module, name))


@functools.cache
def _as_it_is() -> Definitions:
    """The code of this checkout, read once."""
    return Definitions()


def code_hash(definitions: Mapping[str, str]) -> str:
    """One hash for all that is reached, wherever it stands."""
    return text_hash("\n".join(sorted({*definitions.values()})))


def bare(source: str) -> ast.Module:
    """A syntax tree without docstrings, the annotations of functions, and what an error says when it is raised."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args, node.exc.keywords = [], []
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
        if isinstance(node, _FUNCTIONS):
            node.returns = None
            given = node.args
            for argument in (
                *given.posonlyargs,
                *given.args,
                *given.kwonlyargs,
                given.vararg,
                given.kwarg,
            ):
                if argument is not None:
                    argument.annotation = None
    return tree


def _imported(node: ast.AST) -> Iterator[tuple[str, Place]]:
    """The names that an import binds, each with the module and the name there."""
    if isinstance(node, ast.ImportFrom) and not node.level:
        for alias in node.names:
            yield alias.asname or alias.name, (node.module or "", alias.name)
    elif isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                module, _, name = alias.name.rpartition(".")
                yield alias.asname, (module, name)
            else:
                yield alias.name.partition(".")[0], ("", alias.name.partition(".")[0])


def _refuses(node: ast.If) -> bool:
    """Whether a condition can only end the import, as where the package cannot work."""
    return not node.orelse and all(isinstance(inner, ast.Raise) for inner in node.body)


def _may_wait(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether this is a method that Python does not call by itself."""
    return isinstance(node, ast.FunctionDef) and not node.name.startswith("__")


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module binds."""
    targets: list[ast.AST] = [node]
    if isinstance(node, ast.Assign):
        targets = [*node.targets]
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        targets = [node.target]
    elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return [node.name]
    inner = [inner for target in targets for inner in ast.walk(target)]
    names = [one.name for one in inner if isinstance(one, (*_FUNCTIONS, ast.ClassDef))]
    names += [
        one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]
    return list(dict.fromkeys(names))


def _paths(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Dotted names, the longest each time."""
    if isinstance(node, ast.Attribute):
        names: list[str] = [node.attr]
        inner = node.value
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield (inner.id, *reversed(names))
            return
        yield from _paths(inner)
        return
    if isinstance(node, ast.Name):
        yield (node.id,)
        return
    for child in ast.iter_child_nodes(node):
        yield from _paths(child)
