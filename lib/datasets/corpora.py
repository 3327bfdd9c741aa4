"""Texts of registered corpora: what each is, the files it comes from, and its passages as plain text.

for text in corpora()["film"].texts(): ...
for sentence in brown_sentences(): ...
"""

import csv
import gzip
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lib.sources import fetch, lookup
from lib.sources.registry import registry

# Words whole, hyphens included; the English clitics (n't, 's, 're…) and punctuation marks are tokens of their own.
TOKEN = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+?(?=n't\b)|\w+(?:-\w+)*|[^\w\s]")

Reader = Callable[[Path], Iterator[str]]


@dataclass(frozen=True)
class Corpus:
    """A collection of texts.

    Parameters
    ----------
    title : str
        What the texts are.
    readers : dict of str to callable
        Registry key -> function from the file of the key to its passages.
    """

    title: str
    readers: dict[str, Reader]

    def texts(self) -> Iterator[str]:
        """The passages, in the order of the files. Raises FetchError for a file that cannot be had."""
        for key, read in self.readers.items():
            yield from read(fetch(key))

    def licenses(self) -> dict[str, str]:
        """Registry key -> licence as the registry states it."""
        return {key: lookup(key).license for key in self.readers}


def tokens(text: str, lower: bool) -> list[str]:
    """A passage as tokens: whole words, clitics, punctuation marks.

    Parameters
    ----------
    text : str
        Any English text.
    lower : bool
        Whether words are put in small letters.

    Examples
    --------
    >>> tokens("She didn't.", lower=False)
    ['She', 'did', "n't", '.']
    """
    text = text.replace("’", "'")
    return TOKEN.findall(text.lower() if lower else text)


def zipped_texts(path: Path, pattern: str) -> Iterator[tuple[str, str]]:
    """The files of an archive whose whole names match a regular expression, in the order of their names.

    Yields
    ------
    (str, str)
        The name inside the archive, and the text; bytes that are no UTF-8 become replacement characters.
    """
    with zipfile.ZipFile(path) as archive:
        for name in sorted(name for name in archive.namelist() if re.fullmatch(pattern, name)):
            yield name, archive.read(name).decode("utf-8", errors="replace")


def brown_tagged_sentences() -> Iterator[list[tuple[str, str]]]:
    """The sentences of the Brown corpus as (word, part-of-speech tag), as written in its 500 samples.

    Raises
    ------
    FetchError
        Where the file cannot be had.

    References
    ----------
    Francis & Kučera (1979), Brown Corpus Manual; tags in small letters, as NLTK distributes them.
    """
    yield from _tagged_sentences_of_brown(fetch("nltk_brown"))


def brown_sentences() -> Iterator[list[str]]:
    """The sentences of the Brown corpus as words. Raises FetchError where the file cannot be had."""
    for sentence in brown_tagged_sentences():
        yield [word for word, _ in sentence]


def _tagged_sentences_of_brown(path: Path) -> Iterator[list[tuple[str, str]]]:
    for _, text in zipped_texts(path, r"brown/c[a-r]\d\d"):
        for line in text.splitlines():
            if tagged := [token.rpartition("/")[::2] for token in line.split()]:
                yield tagged


def _sentences_of_brown(path: Path) -> Iterator[str]:
    for sentence in _tagged_sentences_of_brown(path):
        yield " ".join(word for word, _ in sentence)


def _passages_of_gap(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield row["Text"]


def _articles_of_bold(path: Path) -> Iterator[str]:
    """Group -> person or profession -> sentences of a Wikipedia article."""
    for group in json.loads(path.read_text(encoding="utf-8")).values():
        yield from (" ".join(sentences) for sentences in group.values())


def _english_of_tatoeba(path: Path) -> Iterator[str]:
    """Each English sentence once."""
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("fra.txt").decode("utf-8").splitlines()
    yield from dict.fromkeys(line.partition("\t")[0] for line in lines)


def _titles_and_leads(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield re.sub(r"#\d+;|&lt;.*?&gt;", " ", ". ".join(row[1:]).replace("\\", " "))


def _broadcasts(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r"abc/(rural|science)\.txt"):
        yield from text.splitlines()


def _packed_lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def _film_reviews(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r"movie_reviews/(neg|pos)/.*\.txt"):
        yield text


def _abstracts(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["medical_abstract"]


def _tagged_abstracts(path: Path) -> Iterator[str]:
    """One token a line with its tag, sentences parted by empty lines."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        yield " ".join(line.partition("\t")[0] for line in block.splitlines())


def _comments(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield line.partition("\t")[0].replace("[NAME]", " ").replace("[RELIGION]", " ")


def _debate(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        yield re.sub(r"^[A-Z' ]+:|\([A-Z ]+\)", " ", line)  # who speaks, and (APPLAUSE)


def _whole_texts(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r".*\.txt"):
        yield text


def _texts_of_masc(path: Path) -> Iterator[str]:
    """Tokens written word_TAG."""
    for text in _whole_texts(path):
        yield " ".join(token.rpartition("_")[0] for token in text.split())


def _plain_text(path: Path) -> Iterator[str]:
    yield path.read_text(encoding="utf-8", errors="replace")


def _book_by_twenty_sentences(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as file:
        sentences = [row["Sentences"] for row in csv.DictReader(file)]
    for start in range(0, len(sentences), 20):
        yield " ".join(sentences[start : start + 20])


def _plots_and_quotes(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r"subjectivity/.*5000"):
        yield from text.splitlines()


def _web_paragraphs(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r"webtext/(firefox|overheard|wine|singles)\.txt"):
        yield from re.split(r"\n\s*\n", text)


def _product_reviews(path: Path) -> Iterator[str]:
    for _, text in zipped_texts(path, r"product_reviews_\d/[^R].*\.txt"):
        for review in text.split("[t]"):
            yield re.sub(r"^[^\n]*?##", "", review, flags=re.MULTILINE)


@cache
def corpora() -> dict[str, Corpus]:
    """All corpora by name."""
    addresses = sorted(
        key
        for key in registry()
        if re.fullmatch(r"sots_[a-z]+", key) and key not in ("sots_index", "sots_words")
    )
    bold = ("profession", "race", "gender", "political_ideology", "religious_ideology")
    handbooks = ("boyscouts", "girlscouts", "businesshints")
    return {
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
        "film": Corpus("film reviews", {"nltk_movie_reviews": _film_reviews}),
        "medical": Corpus(
            "medical abstracts",
            {
                "medical_abstracts_test": _abstracts,
                "pubmed_bc5cdr_train": _tagged_abstracts,
                "pubmed_bc5cdr_devel": _tagged_abstracts,
                "pubmed_bc5cdr_test": _tagged_abstracts,
            },
        ),
        "social": Corpus(
            "talk: Reddit comments and the 2015–16 Republican primary debates",
            {
                "goemotions_train": _comments,
                "goemotions_dev": _comments,
                "goemotions_test": _comments,
                "gop_debates_2016": _debate,
            },
        ),
        "brown": Corpus(
            "edited American English of 1961 (Brown)", {"nltk_brown": _sentences_of_brown}
        ),
        "articles": Corpus(
            "Wikipedia articles on people and professions (BOLD)",
            {f"bold_{part}_wiki": _articles_of_bold for part in bold},
        ),
        "sentences": Corpus(
            "sentences for learners (Tatoeba, English side)",
            {"tatoeba_fra_eng_zip": _english_of_tatoeba},
        ),
        "speeches": Corpus(
            "State of the Union addresses 1945 to 2006", {"nltk_state_union": _whole_texts}
        ),
        "mixed": Corpus(
            "speech and writing of many kinds (MASC)", {"nltk_masc_tagged": _texts_of_masc}
        ),
        "captions": Corpus(
            "descriptions of photographs (Multi30k)", {"multi30k_train_en": _packed_lines}
        ),
        "books": Corpus(
            "handbooks of the 1910s (Project Gutenberg)",
            {f"hitti_book_{title}": _book_by_twenty_sentences for title in handbooks},
        ),
        "addresses": Corpus(
            "State of the State addresses 2019", dict.fromkeys(addresses, _plain_text)
        ),
        "inaugural": Corpus("inaugural addresses of presidents", {"nltk_inaugural": _whole_texts}),
        "plots": Corpus(
            "film plots and reviews by the sentence", {"nltk_subjectivity": _plots_and_quotes}
        ),
        "web": Corpus("forum posts, talk overheard", {"nltk_webtext": _web_paragraphs}),
        "products": Corpus(
            "product reviews",
            {f"nltk_product_reviews_{part}": _product_reviews for part in (1, 2)},
        ),
    }
