"""The texts of the domains: small corpora from the registry, read whole as lists of tokens."""

from __future__ import annotations

import csv
import gzip
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lib.sources import fetch, lookup

# Words whole, hyphens included; the English clitics (n't, 's, 're…) and punctuation marks are tokens of their own.
TOKEN = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+?(?=n't\b)|\w+(?:-\w+)*|[^\w\s]")


@dataclass(frozen=True)
class Corpus:
    """A domain: what its texts are, the registry keys they come from, and how a file of each key is read."""

    title: str
    readers: dict[str, Callable[[Path], Iterator[str]]]

    def texts(self) -> Iterator[str]:
        """The passages, in the order of the files."""
        for key, read in self.readers.items():
            yield from read(fetch(key))

    def licenses(self) -> dict[str, str]:
        """Registry key -> licence as the registry states it."""
        return {key: lookup(key).license for key in self.readers}


def tokens(text: str, lower: bool) -> list[str]:
    """A passage as tokens: "She didn't." gives She, did, n't and a full stop."""
    text = text.replace("’", "'")
    return TOKEN.findall(text.lower() if lower else text)


def sentences(domain: str, lower: bool) -> list[list[str]]:
    """The passages of a domain as lists of tokens. Raises KeyError for an unknown domain, FetchError for a missing file."""
    return [found for text in DOMAINS[domain].texts() if (found := tokens(text, lower))]


def _passages_of_gap(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["Text"]


def _titles_and_leads(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield re.sub(r"#\d+;|&lt;.*?&gt;", " ", ". ".join(row[1:]).replace("\\", " "))


def _packed_lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def _abstracts(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["medical_abstract"]


def _tagged_sentences(path: Path) -> Iterator[str]:
    """One token a line with its tag, sentences parted by empty lines."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        yield " ".join(line.partition("\t")[0] for line in block.splitlines())


def _first_column(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield line.partition("\t")[0].replace("[NAME]", " ").replace("[RELIGION]", " ")


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        yield re.sub(r"^[A-Z' ]+:|\([A-Z ]+\)", " ", line)  # who speaks, and (APPLAUSE)


def _members(path: Path, pattern: str) -> Iterator[str]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(name for name in archive.namelist() if re.fullmatch(pattern, name)):
            yield archive.read(name).decode("utf-8", errors="replace")


def _broadcasts(path: Path) -> Iterator[str]:
    for text in _members(path, r"abc/(rural|science)\.txt"):
        yield from text.splitlines()


def _reviews(path: Path) -> Iterator[str]:
    yield from _members(path, r"movie_reviews/(neg|pos)/.*\.txt")


def _paragraphs_of_brown(path: Path) -> Iterator[str]:
    for text in _members(path, r"brown/c[a-r]\d\d"):
        for line in text.splitlines():
            yield " ".join(word.rpartition("/")[0] for word in line.split())


DOMAINS = {
    "gap": Corpus(
        "Wikipedia passages around an ambiguous pronoun, as many of women as of men (GAP)",
        dict.fromkeys(("gap_development", "gap_test", "gap_validation"), _passages_of_gap),
    ),
    "news": Corpus(
        "news: AG News leads, ABC rural and science news, headlines",
        {
            "ag_news_test": _titles_and_leads,
            "nltk_abc": _broadcasts,
            "headlines_non_clickbait": _packed_lines,
        },
    ),
    "film": Corpus("film reviews", {"nltk_movie_reviews": _reviews}),
    "medical": Corpus(
        "medical abstracts",
        {
            "medical_abstracts_test": _abstracts,
            "pubmed_bc5cdr_train": _tagged_sentences,
            "pubmed_bc5cdr_devel": _tagged_sentences,
            "pubmed_bc5cdr_test": _tagged_sentences,
        },
    ),
    "social": Corpus(
        "talk: Reddit comments and the 2015–16 Republican primary debates",
        {
            **dict.fromkeys(
                ("goemotions_train", "goemotions_dev", "goemotions_test"), _first_column
            ),
            "gop_debates_2016": _lines,
        },
    ),
    "brown": Corpus(
        "edited American English of 1961 (Brown)", {"nltk_brown": _paragraphs_of_brown}
    ),
}
