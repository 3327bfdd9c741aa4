"""How a file spells its words: another case, something before or after each, composed or decomposed accents."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lib.checks import one_of

FORMS = ("exact", "either", "NFC", "NFD", "NFKC", "NFKD")
LOOKED_AT = 20_000  # words of a vocabulary from which prefixes and suffixes are learned
MOST = 12  # of which so many are tried
# `/c/en/she` (ConceptNet), `en:she`, `▁she`, `Ġshe`; `she_PRON` (NLPL), `she|NN`, `she/n`, `she#a`, `she</w>`
AFFIXED = re.compile(
    r"(?P<prefix>(?:/\w+)*/|\w{2,3}:|[▁Ġ]|)(?P<word>[^\W\d_]+)(?P<suffix>[_|/#][A-Z]{1,5}|[|/#][a-z]{1,4}|</w>|)"
)


@dataclass(frozen=True)
class Spelling:
    """How to find words that a file spells in its own way. A word that is there as asked for is taken as it is.

    Parameters
    ----------
    case : {"exact", "either"}
        "either": after the word itself, the word in small letters, with a capital, with capitals, the first that is
        there.
    prefix, suffix : str
        What stands before and after every word of the file, such as ``/c/en/`` or ``_NOUN``.
    form : {"exact", "either", "NFC", "NFD", "NFKC", "NFKD"}
        The Unicode form of the file's words; "either": composed or decomposed accents.

    Examples
    --------
    >>> list(Spelling(case="either", prefix="/c/en/").forms("she"))
    ['she', '/c/en/she', '/c/en/She', '/c/en/SHE']
    >>> Spelling.of("case=either prefix=/c/en/") == Spelling(case="either", prefix="/c/en/")
    True
    """

    case: str = "exact"
    prefix: str = ""
    suffix: str = ""
    form: str = "exact"

    def __post_init__(self) -> None:
        one_of("spelling, case", self.case, ("exact", "either"))
        one_of("spelling, form", self.form, FORMS)

    def __str__(self) -> str:
        given = {name: getattr(self, name) for name in ("case", "prefix", "suffix", "form")}
        return " ".join(
            f"{name}={text}" for name, text in given.items() if text not in ("", "exact")
        )

    @classmethod
    def of(cls, spelling: str | Spelling) -> Spelling:
        """A spelling from its text, as a parameter of a chapter holds it: ``"case=either suffix=_NOUN"``.

        Raises
        ------
        ValueError
            For a text of another shape.
        """
        if isinstance(spelling, Spelling):
            return spelling
        if not isinstance(spelling, str):
            raise ValueError(
                f"spelling: expected a text like 'case=either prefix=/c/en/', got {spelling!r}"
            )
        given = {}
        for part in spelling.split():
            name, equals, text = part.partition("=")
            if not equals:
                raise ValueError(
                    f"spelling: expected parts like case=either or prefix=/c/en/, got {part!r} in {spelling!r}"
                )
            one_of("spelling", name, ("case", "prefix", "suffix", "form"))
            given[name] = text
        return cls(**given)

    def forms(self, word: str) -> Iterator[str]:
        """The forms to look for, the first one first."""
        cases = [word]
        if self.case == "either":
            cases += [word.lower(), word.capitalize(), word.title(), word.upper()]
        kinds = {"exact": (), "either": ("NFC", "NFD")}.get(self.form, (self.form,))
        spelled = [word]
        for form in ("", *kinds):
            for one in cases:
                one = unicodedata.normalize(form, one) if form else one
                spelled.append(f"{self.prefix}{one}{self.suffix}")
        return iter(dict.fromkeys(spelled))

    def bare(self, word: str) -> str:
        """A word of the file without what stands before and after it; itself where that is not so."""
        end = len(word) - len(self.suffix)
        whole = word.startswith(self.prefix) and word.endswith(self.suffix)
        return word[len(self.prefix) : end] if whole and end > len(self.prefix) else word


class SpelledWords(Sequence[str]):
    """A vocabulary by its bare words, looked up as a file spells them.

    Parameters
    ----------
    words : ListedWords or StoredWords
        The words of the file.
    spelling : Spelling
    """

    def __init__(self, words, spelling: Spelling):
        self.plain = words
        self.spelling = spelling

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, item):
        found = self.plain[item]
        return self._shown(found) if isinstance(found, str) else tuple(map(self._shown, found))

    def __iter__(self) -> Iterator[str]:
        return map(self._shown, self.plain)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and any(
            form in self.plain for form in self.spelling.forms(word)
        )

    def _shown(self, word: str) -> str:
        """The bare word, unless that is another word of the file."""
        bare = self.spelling.bare(word)
        return word if bare in self.plain else bare

    def positions(self, words: Sequence[str]) -> np.ndarray:
        """The row of each word, -1 for a word that is in no form there."""
        found = (
            next((form for form in self.spelling.forms(word) if form in self.plain), word)
            for word in words
        )
        positions: np.ndarray = self.plain.positions(list(found))
        return positions

    def first(self, count: int) -> SpelledWords:
        """The first `count` words."""
        return SpelledWords(self.plain.first(count), self.spelling)


def affixes(words: Sequence[str]) -> list[tuple[str, str]]:
    """What most words of a vocabulary have before and after them, the commonest first.

    Parameters
    ----------
    words : sequence of str
        A vocabulary; its first 20,000 words are looked at.

    Returns
    -------
    list of (str, str)
        Prefix and suffix, one of them not empty.

    Examples
    --------
    >>> affixes(["/c/en/she", "/c/en/nurse", "tree", "run_VERB"])
    [('/c/en/', ''), ('', '_VERB')]
    """
    matches = (AFFIXED.fullmatch(word) for word in itertools.islice(words, LOOKED_AT))
    found = Counter((match["prefix"], match["suffix"]) for match in matches if match)
    del found["", ""]
    return [pair for pair, _ in found.most_common(MOST)]


def suggestion(words: Sequence[str], asked: Sequence[str]) -> Spelling | None:
    """The spelling by which a vocabulary holds most of some words that it does not hold as they are.

    Parameters
    ----------
    words : sequence of str
        A vocabulary.
    asked : sequence of str
        Words that are not in it.

    Returns
    -------
    Spelling or None
        The plainest of those that find most; None where none finds a word.

    Examples
    --------
    >>> print(suggestion(["She_PRON", "He_PRON", "nurse_NOUN"], ["she", "he"]))
    case=either suffix=_PRON
    >>> suggestion(["tree"], ["she"]) is None
    True
    """
    tried = [Spelling(case="either"), Spelling(form="either"), Spelling("either", form="either")]
    tried += [Spelling(case, *affix) for affix in affixes(words) for case in ("exact", "either")]
    found = {
        spelling: sum(word in SpelledWords(words, spelling) for word in asked) for spelling in tried
    }
    best = max(tried, key=lambda spelling: found[spelling])
    return best if found[best] else None
