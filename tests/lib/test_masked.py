"""A masked array is refused by every measure: its mask would be ignored, and what it hides used as data."""

import contextlib
import doctest
import functools
import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import lib.inference
import lib.measures


def _modules() -> list[str]:
    inside = [
        f"{package.__name__}.{module.name}"
        for package in (lib.measures, lib.inference)
        for module in pkgutil.iter_modules(package.__path__)
    ]
    return ["lib.agreement", "lib.association", *inside]


def _called_by_examples(module, name: str, function) -> list[inspect.BoundArguments]:
    """How the examples of a function's docstring call it."""
    seen = []

    @functools.wraps(function)
    def kept(*args, **kwargs):
        bound = inspect.signature(function).bind(*args, **kwargs)
        seen.append(bound)
        return function(*args, **kwargs)

    test = doctest.DocTestParser().get_doctest(
        function.__doc__ or "", vars(module) | {name: kept}, name, None, None
    )
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    with contextlib.redirect_stdout(None):
        doctest.DocTestRunner(verbose=False, optionflags=options).run(test, out=lambda text: None)
    return seen


def _is_numbers(value: object) -> bool:
    if not isinstance(value, list | tuple | np.ndarray):
        return False
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    return array.dtype.kind in "iuf" and array.ndim > 0 and array.size > 0


def _takes_a_masked(function, call: inspect.BoundArguments, argument: str) -> str | None:
    """What comes of one argument masked; None where it is refused by name."""
    array = np.asarray(call.arguments[argument])
    mask = np.zeros(array.shape, bool)
    mask.flat[0] = True
    given = call.arguments | {argument: np.ma.masked_array(array, mask)}
    changed = inspect.BoundArguments(call.signature, given)
    try:
        found = function(*changed.args, **changed.kwargs)
        if inspect.isgenerator(found):
            list(found)
    except ValueError as error:
        return None if "masked array" in str(error) else str(error)
    except Exception as error:
        return repr(error)
    return "accepted"


@pytest.mark.parametrize("path", _modules())
def test_numbers_behind_a_mask_are_refused(path):
    module = importlib.import_module(path)
    taken = {}
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ != path or name.startswith("_"):
            continue
        parameters = inspect.signature(function).parameters
        calls = _called_by_examples(module, name, function)
        assert calls or "ArrayLike" not in str(parameters), name
        for call in calls[:1]:
            for argument, value in call.arguments.items():
                hint = str(parameters[argument].annotation)
                if "ArrayLike" not in hint or not _is_numbers(value):
                    continue
                if (outcome := _takes_a_masked(function, call, argument)) is not None:
                    taken[name, argument] = outcome
    assert taken == {}
