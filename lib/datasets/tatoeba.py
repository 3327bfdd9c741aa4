"""The sentence pairs of Tatoeba, English with Spanish or French (Tiedemann 2020; tatoeba.org)."""

import zipfile

from lib.checks import one_of
from lib.sources import fetch

KEYS = {"es": "tatoeba_spa_eng_zip", "fr": "tatoeba_fra_eng_zip"}
FILES = {"es": "spa-eng/spa.txt", "fr": "fra.txt"}

Pair = tuple[str, str]  # an English sentence and its Spanish or French


def read_pairs(language: str = "es") -> list[Pair]:
    """The pairs in the order of the file. Needs the `sample` files.

    Parameters
    ----------
    language : str
        "es" for Spanish, as it is in the file; "fr" for French, whose file has several kinds of
        space before "!" and two kinds of apostrophe: each becomes the plain one.

    Raises
    ------
    ValueError
        For another language.
    """
    one_of("language", language, KEYS)
    with zipfile.ZipFile(fetch(KEYS[language])) as archive:
        lines = archive.read(FILES[language]).decode("utf-8").splitlines()
    if language == "fr":
        lines = [
            "\t".join(" ".join(side.split()) for side in line.replace("’", "'").split("\t"))
            for line in lines
        ]
    return [tuple(line.split("\t")[:2]) for line in lines]


def letters(sentence: str) -> str:
    """A sentence without case, spaces and punctuation, to tell whether two are the same.

    Examples
    --------
    >>> letters("I'm tired!") == letters("Im tired")
    True
    """
    return "".join(filter(str.isalnum, sentence.casefold()))
