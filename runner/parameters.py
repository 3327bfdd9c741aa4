"""Parameters of a chapter: the defaults in its notebook, and values that a profile or the command
line gives.
"""

import ast
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import yaml

from lib.checks import as_list


def defaults(source: str) -> dict[str, Any]:
    """Names and default values in a cell of parameters, read without running it.

    Parameters
    ----------
    source : str
        The cell: assignments of plain values, and comments.

    Returns
    -------
    dict
        Values by name, in order.

    Raises
    ------
    ValueError
        Where the cell does anything else.

    Examples
    --------
    >>> defaults("seed = 0\\nothers = ['gap']")
    {'seed': 0, 'others': ['gap']}
    """
    values = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        else:
            raise ValueError(f"line {statement.lineno}: {ast.unparse(statement)}")
        name = ast.unparse(target)
        if not isinstance(target, ast.Name):
            raise ValueError(f"line {statement.lineno}: {name} is no name")
        values[name] = ast.literal_eval(value)
        json.dumps(
            values[name]
        )  # what has no JSON, such as a set, has no place in a file name either
    return values


def choices(overrides: Iterable[str], grids: Iterable[str]) -> dict[str, list[str]]:
    """The values that a command line asks for, as text.

    Parameters
    ----------
    overrides : iterable of str
        `name=value`.
    grids : iterable of str
        `name=a,b`, where a value in brackets is a list: `name=[a,b],[c]`.

    Returns
    -------
    dict
        By name, one value for an override and several for a grid, none twice.

    Raises
    ------
    ValueError
        Where a name or a value is missing, a name comes twice, or is `profile`, which has an option
        of its own.

    Examples
    --------
    >>> choices(["seed=1"], ["others=[gap,news],[film]"])
    {'seed': ['1'], 'others': ['[gap,news]', '[film]']}
    """
    texts: dict[str, list[str]] = {}
    for text, several in [(text, False) for text in overrides] + [(text, True) for text in grids]:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise ValueError(f"expected name=value{',value' if several else ''}; got {text!r}.")
        if name == "profile":
            raise ValueError("profile: set it with --profile.")
        if name in texts:
            raise ValueError(f"{name}: given more than once.")
        values = re.split(r",(?![^\[]*\])", value) if several else [value]
        texts[name] = list(dict.fromkeys(values))
    return texts


def parsed(name: str, default: object, text: str) -> object:
    """A value from the command line, in the type of the default.

    Parameters
    ----------
    name : str
        Of the parameter, for the message.
    default : object
        Where it is text, the value is taken as it was typed; where it is a list, commas part its
        items.
    text : str
        As typed.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError
        Where the value is of another type.

    Examples
    --------
    >>> parsed("seed", 0, "7"), parsed("others", [], "gap,news"), parsed("others", [], "[gap, news]")
    (7, ['gap', 'news'], ['gap', 'news'])
    """
    if isinstance(default, str | list):
        return checked(name, default, text)
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date such as 2020-13-45
        value = text
    if isinstance(default, float) and isinstance(value, str):
        with suppress(ValueError):
            value = float(value)  # YAML takes 1e-3 for text
    return checked(name, default, value)


def checked(name: str, default: object, value: object) -> object:
    """The value, if it has the type of the default.

    Whole numbers pass where the default is a decimal one, and text with commas where it is a list.

    Parameters
    ----------
    name : str
        Of the parameter, for the message.
    default, value : object
        From the notebook, and from elsewhere.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ValueError
        Where it is of another type.
    """
    if isinstance(default, float) and type(value) is int:
        return float(value)
    if isinstance(default, list) and isinstance(value, str):
        return as_list(value)
    if default is not None and type(value) is not type(default):
        raise ValueError(
            f"{name}: expected a value of type {type(default).__name__}, like its default {default!r}; "
            f"got {value!r}, of type {type(value).__name__}."
        )
    return value
