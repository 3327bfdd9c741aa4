"""Rules for the parameters of audits, beside those of `lib.parameters`."""

from __future__ import annotations

import ast
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from lib import parameters as rules
from lib.checks import as_list, one_of
from lib.own_lists import read_own_numbers, read_own_pairs, read_own_words


def check(namespace: MutableMapping[str, Any], **rule_of: rules.Rule) -> None:
    """Check the parameters of an audit and put them into the form that its notebook reads.

    Parameters
    ----------
    namespace : mutable mapping
        The notebook's `globals()`. `out` and `seed` are checked in every audit.
    **rule_of
        One for each other parameter.

    Raises
    ------
    ValueError
        Where a value breaks its rule, and where papermill set a name that is no parameter.

    Examples
    --------
    >>> given = dict(draws=100, out="", seed=0)
    >>> check(given, draws=rules.count)
    """
    all_rules = {**rule_of, "out": rules.text, "seed": rules.count_or_none}
    for source in namespace.get("In", ()):
        if source.startswith("# Parameters\n"):
            for line in ast.parse(source).body:
                for target in line.targets if isinstance(line, ast.Assign) else ():
                    one_of("parameter of this audit", ast.unparse(target), all_rules)
    for name, rule in all_rules.items():
        namespace[name] = rule(name, namespace[name])


def own_words(name: str, value: Any) -> str:
    """A rule: a file of words that `lib.own_lists.read_own_words` reads."""
    read_own_words(rules.text(name, value))
    return str(value)


def own_pairs(name: str, value: Any) -> str:
    """A rule: a file of pairs that `lib.own_lists.read_own_pairs` reads."""
    read_own_pairs(rules.text(name, value))
    return str(value)


def own_numbers(name: str, value: Any) -> str:
    """A rule: a file of words and numbers that `lib.own_lists.read_own_numbers` reads."""
    read_own_numbers(rules.text(name, value))
    return str(value)


def outputs_or_translator(name: str, value: Any) -> list[str]:
    """A rule: one file that `lib.translation.outputs.read_outputs` reads, or one translator that `load_translator` takes."""
    from lib.translation.outputs import SUFFIXES, read_outputs

    things = [rules.word(name, thing) for thing in as_list(value)]
    if len(things) != 1:
        raise ValueError(
            f"{name}: expected one file of outputs or one translator; got {len(things)}."
        )
    if Path(things[0]).suffix.lower() in SUFFIXES:
        read_outputs(things[0])
    else:
        rules.translator(name, things[0])
    return things


def read_language(name: str, value: Any) -> str:
    """A rule: the code or name of a language in which the gender of a person can be read."""
    from lib.audit.translator import LANGUAGES

    asked = rules.text(name, value).strip().casefold()
    for code, language in LANGUAGES.items():
        if asked in (code, language.casefold()):
            return code
    listed = ", ".join(f"{code} ({language})" for code, language in LANGUAGES.items())
    raise ValueError(f"{name}: no reader of gender for {value!r}; there are readers for {listed}.")
