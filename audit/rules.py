"""Rules for the parameters of audits, beside those of `lib.parameters`."""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from lib import parameters as rules
from lib.checks import as_list, one_of
from lib.own_lists import OwnWords, read_own_numbers, read_own_pairs, read_own_words

_OTHER_FORMATS = {  # of tables, by their first bytes
    b"\x80": "a pickle, which can run code when it is opened, and is not; save it as CSV: `table.to_csv(path, index=False)`",
    b"PAR1": "parquet; save it as CSV: `pandas.read_parquet(path).to_csv(path, index=False)`",
    b"PK": "a spreadsheet or another packed file; save it as CSV in UTF-8",
    b"\x1f\x8b": "gzip; unpack it first (`gunzip`)",
    b"\x93NUMPY": "arrays of numpy; save a table with a heading as CSV",
}


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
    _with_commas(rules.text(name, value))
    read_own_words(value)
    return str(value)


def two_groups(name: str, value: Any) -> str:
    """A rule: a file of words in two groups."""
    groups = read_own_words(own_words(name, value)).groups
    if len(groups) != 2:
        raise ValueError(
            f"{name}: expected words in two groups, such as the columns women and men; got {len(groups)} in {value}: {', '.join(groups)!r:.100}"
        )
    return str(value)


def own_pairs(name: str, value: Any) -> str:
    """A rule: a file of pairs that `lib.own_lists.read_own_pairs` reads."""
    _with_commas(rules.text(name, value))
    read_own_pairs(value)
    return str(value)


def as_text(path: Path) -> None:
    """Refuse files of tables that are no text. Raises ValueError, which says what to do."""
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError:
        return  # who reads it says so
    mark = next((mark for mark in _OTHER_FORMATS if head.startswith(mark)), b"")
    if path.suffix.lower() in (".pkl", ".pickle"):
        mark = b"\x80"
    if mark:
        raise ValueError(f"{path}: expected text, got {_OTHER_FORMATS[mark]}")


def _with_commas(reference: str) -> None:
    """Raises ValueError for what is no text, and for a CSV whose cells have semicolons between them: each line would be read as one word."""
    path = Path(reference).expanduser()
    path = path if path.is_file() else Path(str(path).rpartition(":")[0])
    as_text(path)
    if path.suffix.lower() != ".csv" or not path.is_file():
        return
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = [line for line in islice(file, 10) if line.strip()]
    except (OSError, UnicodeDecodeError):
        return  # who reads it says so
    if lines and all(line.count(";") == lines[0].count(";") > line.count(",") for line in lines):
        raise ValueError(
            f"{path}: expected commas between cells, got semicolons ({lines[0].strip()!r:.60}); put commas in their place: "
            "`tr ';' ',' < old.csv > new.csv`"
        )


def worded(own: OwnWords) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Groups of words of one's own without columns that hold numbers alone, and the notes of all.

    Examples
    --------
    >>> worded(OwnWords({"job": ("nurse",), "pay": ("100", "2,5")}))
    ({'job': ('nurse',)}, ['The column pay holds numbers alone and is not read as words.'])
    """
    numbers = [name for name, words in own.groups.items() if all(map(_is_number, words))]
    if len(numbers) == len(own.groups):
        numbers = []
    groups = {name: words for name, words in own.groups.items() if name not in numbers}
    said = [f"The column {name} holds numbers alone and is not read as words." for name in numbers]
    return groups, [*own.notes, *said]


def _is_number(word: str) -> bool:
    return bool(re.fullmatch(r"[-+−]?[\d.,\s]*\d\s*%?", word))


@contextmanager
def overheard() -> Iterator[list[str]]:
    """What readers of this book warn of meanwhile, such as rows that are left out, for a report to say."""
    heard: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("lib")
    log.addHandler(handler)
    try:
        yield heard
    finally:
        log.removeHandler(handler)


def own_numbers(name: str, value: Any) -> str:
    """A rule: a file of words and numbers that `lib.own_lists.read_own_numbers` reads."""
    as_text(Path(rules.text(name, value)).expanduser())
    read_own_numbers(value)
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
    from audit.translator import LANGUAGES

    asked = rules.text(name, value).strip().casefold()
    for code, language in LANGUAGES.items():
        if asked in (code, language.casefold()):
            return code
    listed = ", ".join(f"{code} ({language})" for code, language in LANGUAGES.items())
    raise ValueError(f"{name}: no reader of gender for {value!r}; there are readers for {listed}.")
