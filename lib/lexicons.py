"""Word lists with their sources: what the papers print, and lists written for this book (data/lexicons)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lib.paths import DATA

FOLDER = DATA / "lexicons"

Words = tuple[str, ...]
Rows = tuple[tuple[str, ...], ...]


class WordSets(NamedTuple):
    """The four word sets of an association test: targets X and Y, attributes A and B."""

    X: Words
    Y: Words
    A: Words
    B: Words


@dataclass(frozen=True)
class Lexicon:
    """The word lists of one source; `lexicon["bsri_female"]` is one of them.

    source : the file's name in data/lexicons; citation : its key in references.bib, None for lists written for this book;
    lists : name -> words, or rows of words (pairs are (female, male) unless the note says otherwise);
    where : the place in the paper; license, note : as the file states; tests : name -> the lists X, Y, A, B it joins.
    """

    source: str
    citation: str | None
    lists: Mapping[str, Words | Rows]
    where: str = ""
    license: str = ""
    note: str = ""
    tests: Mapping[str, tuple[str, str, str, str]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Words | Rows:
        """One list. Raises KeyError, which names the lists there are."""
        return self.lists[_known(name, self.lists, f"list of {self.source}")]

    def test(self, name: str) -> WordSets:
        """The sets of an association test: ``load_lexicon("caliskan2017").test("weat6")``. Raises KeyError as above."""
        return WordSets(
            *(
                self.lists[part]
                for part in self.tests[_known(name, self.tests, f"test of {self.source}")]
            )
        )


def available() -> Words:
    """The names of all sources, in alphabetical order."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


def load_lexicon(source: str) -> Lexicon:
    """The word lists of a source: `load_lexicon("zhang2020")`. Raises KeyError, which names the sources there are."""
    path = FOLDER / f"{_known(source, available(), 'source of word lists')}.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    lists = {
        name: tuple(tuple(item) if isinstance(item, list) else item for item in items)
        for name, items in content["lists"].items()
    }
    tests = {name: tuple(parts) for name, parts in content.get("tests", {}).items()}
    return Lexicon(source=source, lists=lists, tests=tests, **content["source"])


def word_list(name: str) -> Words | Rows:
    """One list by "source/list": `word_list("zhang2020/bsri_female")`.

    Raises ValueError for a name of another form, KeyError for an unknown source or list.
    """
    source, slash, part = name.partition("/") if isinstance(name, str) else ("", "", "")
    if not (source and slash and part):
        raise ValueError(
            f'word list: expected "source/list" such as "zhang2020/bsri_female", got {name!r}; '
            "lib.lexicons.available() names the sources"
        )
    return load_lexicon(source)[part]


def base_pairs(name: str = "zhang2020") -> tuple[tuple[str, str], ...]:
    """The (female, male) base pairs of a source; by default the ten that Zhang, Sneyd & Stevenson (2020) compare.

    Raises KeyError for an unknown source and for one without base pairs.
    """
    return load_lexicon(name)["base_pairs"]


def _known(name: str, legal: Iterable[str], kind: str) -> str:
    legal = sorted(legal)
    if name in legal:
        return name
    near = difflib.get_close_matches(str(name), legal, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise KeyError(f"{kind}: expected one of {', '.join(legal) or '(none)'}; got {name!r}{hint}")
