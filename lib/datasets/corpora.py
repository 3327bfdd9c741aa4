"""Texts of registered corpora: what each is, the files it comes from, and its passages as plain
text.

for text in corpora()["film"].texts(): ...
for sentence in brown_sentences(): ...
"""

import csv
import gzip
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from lib.datasets.bold import WIKIPEDIA, read_bold
from lib.datasets.gap import KEYS as GAP
from lib.datasets.gap import read_gap
from lib.sources import fetch, lookup
from lib.sources.registry import registry

# Words whole, hyphens included; the English clitics (n't, 's, 're…) and punctuation marks are
# tokens of their own.
TOKEN = re.compile(r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+?(?=n't\b)|\w+(?:-\w+)*|[^\w\s]")

Reader = Callable[[str], Iterator[str]]


@dataclass(frozen=True)
class Corpus:
    """A collection of texts.

    Parameters
    ----------
    title : str
        What the texts are.
    readers : dict of str to callable
        Registry key -> function from a key to the passages of its file.
    """

    title: str
    readers: dict[str, Reader]

    def texts(self) -> Iterator[str]:
        """The passages, in the order of the files. Raises FetchError for a file that cannot be
        had.
        """
        for key, read in self.readers.items():
            yield from read(key)

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


def zipped_texts(key: str, pattern: str) -> Iterator[tuple[str, str]]:
    """The files of a registered archive whose whole names match a regular expression, in the order
    of their names.

    Yields
    ------
    (str, str)
        The name inside the archive, and the text; bytes that are no UTF-8 become replacement
        characters.
    """
    with zipfile.ZipFile(fetch(key)) as archive:
        for name in sorted(name for name in archive.namelist() if re.fullmatch(pattern, name)):
            yield name, archive.read(name).decode("utf-8", errors="replace")


def brown_tagged_sentences(key: str = "nltk_brown") -> Iterator[list[tuple[str, str]]]:
    """The sentences of the Brown corpus as (word, part-of-speech tag), as written in its 500
    samples.

    Raises
    ------
    FetchError
        Where the file cannot be had.

    References
    ----------
    Francis & Kučera (1979), Brown Corpus Manual; tags in small letters, as NLTK distributes them.
    """
    for _, text in zipped_texts(key, r"brown/c[a-r]\d\d"):
        for line in text.splitlines():
            if sentence := [token.rpartition("/")[::2] for token in line.split()]:
                yield sentence


def brown_sentences(key: str = "nltk_brown") -> Iterator[list[str]]:
    """The sentences of the Brown corpus as words. Raises FetchError where the file cannot be
    had.
    """
    for sentence in brown_tagged_sentences(key):
        yield [word for word, _ in sentence]


def _sentences_of_brown(key: str) -> Iterator[str]:
    for sentence in brown_sentences(key):
        yield " ".join(sentence)


def _passages_of_gap(key: str) -> Iterator[str]:
    yield from read_gap(key)["Text"]


def _articles_of_bold(key: str) -> Iterator[str]:
    for _, article in read_bold(key).groupby(["group", "title"], sort=False):
        yield " ".join(article["text"])


def _english_of_tatoeba(key: str) -> Iterator[str]:
    """Each English sentence once."""
    for _, text in zipped_texts(key, r"fra\.txt"):
        yield from dict.fromkeys(line.partition("\t")[0] for line in text.splitlines())


def _titles_and_leads(key: str) -> Iterator[str]:
    with fetch(key).open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield re.sub(r"#\d+;|&lt;.*?&gt;", " ", ". ".join(row[1:]).replace("\\", " "))


def _broadcasts(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r"abc/(rural|science)\.txt"):
        yield from text.splitlines()


def _packed_lines(key: str) -> Iterator[str]:
    with gzip.open(fetch(key), "rt", encoding="utf-8") as file:
        yield from file


def _film_reviews(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r"movie_reviews/(neg|pos)/.*\.txt"):
        yield text


def _abstracts(key: str) -> Iterator[str]:
    with fetch(key).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["medical_abstract"]


def _tagged_abstracts(key: str) -> Iterator[str]:
    """One token a line with its tag, sentences parted by empty lines."""
    for block in fetch(key).read_text(encoding="utf-8").split("\n\n"):
        yield " ".join(line.partition("\t")[0] for line in block.splitlines())


def _comments(key: str) -> Iterator[str]:
    for line in fetch(key).read_text(encoding="utf-8").splitlines():
        yield line.partition("\t")[0].replace("[NAME]", " ").replace("[RELIGION]", " ")


def _debate(key: str) -> Iterator[str]:
    for line in fetch(key).read_text(encoding="utf-8", errors="replace").splitlines():
        yield re.sub(r"^[A-Z' ]+:|\([A-Z ]+\)", " ", line)  # who speaks, and (APPLAUSE)


def _whole_texts(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r".*\.txt"):
        yield text


def _texts_of_masc(key: str) -> Iterator[str]:
    """Tokens written word_TAG."""
    for text in _whole_texts(key):
        yield " ".join(token.rpartition("_")[0] for token in text.split())


def _plain_text(key: str) -> Iterator[str]:
    yield fetch(key).read_text(encoding="utf-8", errors="replace")


def _book_by_twenty_sentences(key: str) -> Iterator[str]:
    with fetch(key).open(encoding="utf-8", newline="") as file:
        sentences = [row["Sentences"] for row in csv.DictReader(file)]
    for start in range(0, len(sentences), 20):
        yield " ".join(sentences[start : start + 20])


def _plots_and_quotes(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r"subjectivity/.*5000"):
        yield from text.splitlines()


def _web_paragraphs(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r"webtext/(firefox|overheard|wine|singles)\.txt"):
        yield from re.split(r"\n\s*\n", text)


def _product_reviews(key: str) -> Iterator[str]:
    for _, text in zipped_texts(key, r"product_reviews_\d/[^R].*\.txt"):
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
    handbooks = ("boyscouts", "girlscouts", "businesshints")
    return {
        "gap": Corpus(
            "Wikipedia passages around an ambiguous pronoun, as many of women as of men (GAP)",
            dict.fromkeys(GAP, _passages_of_gap),
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
            dict.fromkeys(WIKIPEDIA, _articles_of_bold),
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
