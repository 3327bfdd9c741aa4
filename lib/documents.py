"""YAML and JSON that people wrote or a disk damaged: read as what they should be, or the file, the line and what was expected
are said.
"""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from lib.checks import did_you_mean

Kind = TypeVar("Kind", bound=list[Any] | dict[str, Any])
_NUMBERS = {"seconds", "cpu_seconds", "peak_megabytes"}
_TEXTS = {"chapter", "profile", "commit", "code", "device", "machine", "python", "lib"}
_NAMED = {"parameters", "data", "modules", "packages"}
_WORDS: dict[type, str] = {list: "a list", dict: "names with values"}


def read_yaml(path: Path, kind: type[Kind], needs: Iterable[str] = ()) -> Kind:
    """What a YAML file holds. Plain YAML only: no tabs before a name, no aliases, no name twice.

    Parameters
    ----------
    path : Path
    kind : {list, dict}
        What it should hold; an empty file holds an empty one.
    needs : iterable of str, optional
        Names that must be there.

    Returns
    -------
    list or dict

    Raises
    ------
    ValueError
        Where the file is not UTF-8, no YAML, or holds something else; the message names file and line.

    Examples
    --------
    >>> from lib.paths import ROOT
    >>> read_yaml(ROOT / "_toc.yml", dict)["format"]
    'jb-book'
    """
    try:
        content = yaml.load(_text(path), Loader=_PlainLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}, line {mark.line + 1}" if mark else str(path)
        raise ValueError(f"{where}: expected YAML; got an error: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(
            f"{path}: expected YAML; got an error: {' '.join(str(error).split())}"
        ) from error
    except (ValueError, TypeError, ArithmeticError, LookupError, RecursionError) as error:
        if str(path) in str(error):
            raise
        raise ValueError(f"{path}: expected YAML; got a value that is none: {error}") from error
    return _checked(path, kind() if content is None else content, kind, needs)


def read_json(path: Path, kind: type[Kind], needs: Iterable[str] = ()) -> Kind:
    """What a JSON file holds.

    Parameters
    ----------
    path : Path
    kind : {list, dict}
        What it should hold.
    needs : iterable of str, optional
        Names that must be there.

    Returns
    -------
    list or dict

    Raises
    ------
    ValueError
        Where the file is not UTF-8, no JSON, or holds something else; the message names the file.

    Examples
    --------
    >>> from lib.paths import DATA
    >>> sorted(read_json(DATA / "lexicons" / "basta2019.json", dict))
    ['lists', 'source']
    """
    try:
        content = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path}, line {error.lineno}: expected JSON; got an error: {error.msg}"
        ) from error
    except RecursionError as error:
        raise ValueError(f"{path}: expected JSON; got brackets without end") from error
    return _checked(path, content, kind, needs)


def read_run_record(path: Path, needs: Iterable[str] = ()) -> dict[str, Any]:
    """What a `.run.json` says of a run.

    Parameters
    ----------
    path : Path
        The file beside the results.
    needs : iterable of str, optional
        Names that must be there, of all that a run notes.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        Where the file is damaged; the message names it and says what to do.
    """
    try:
        record = read_json(path, dict, needs)
        for name in _NUMBERS & record.keys():
            if not isinstance(record[name], int | float) or not math.isfinite(record[name]):
                raise ValueError(f"{path}: {name}: expected a number; got {record[name]!r}.")
        for name in _TEXTS & record.keys():
            if not isinstance(record[name], str | None):
                raise ValueError(f"{path}: {name}: expected text; got {record[name]!r}.")
        for name in _NAMED & record.keys():
            if not isinstance(record[name], dict):
                raise ValueError(f"{path}: {name}: expected values by name; got {record[name]!r}.")
        for name in (_NAMED - {"parameters"}) & record.keys():
            if not all(isinstance(value, str | None) for value in record[name].values()):
                raise ValueError(f"{path}: {name}: expected texts by name; got {record[name]!r}.")
    except ValueError as error:
        chapter = path.name.partition("--")[0]
        raise ValueError(
            f"{error} Run the chapter again: python -m lib.run --chapter {chapter} --fresh"
        ) from error
    return record


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: expected text in UTF-8; byte {error.start:,} is none of it"
        ) from error


def _checked(path: Path, content: object, kind: type[Kind], needs: Iterable[str]) -> Kind:
    if not isinstance(content, kind):
        raise ValueError(
            f"{path}: expected {_WORDS[kind]}; got {type(content).__name__} {str(content)[:40]!r}"
        )
    if isinstance(content, dict):
        for name in needs:
            if name not in content:
                hint = did_you_mean(name, content)
                raise ValueError(
                    f"{path}: expected the name {name!r}; it is not there. {hint}".strip()
                )
    return content


class _PlainLoader(yaml.SafeLoader):  # type: ignore[misc]
    """Without aliases, which can hold themselves, and without names that come twice, of which one
    would be lost.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.composer.ComposerError(
                None, None, f"an alias, *{event.anchor}; write its value again", event.start_mark
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the name {key.value!r} a second time", key.start_mark
                    )
                seen.add(key.value)
        return dict(super().construct_mapping(node, deep))
