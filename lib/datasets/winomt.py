"""WinoMT (Stanovsky, Smith & Zettlemoyer 2019): 3,888 sentences, translations, human judgements.

A sentence names two people, and a pronoun says the gender of one. Outputs of four services and two
research systems are released, the logs of some of them, and the gender that people read in 100
outputs for each of several languages; the gender that the authors' own program read in each output
is not. Read here: Google's and Bing's outputs into Spanish and Hebrew.
"""

import re
from typing import NamedTuple

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

SUBSETS = ("all", "pro", "anti")
# Language -> what people read; each is of one system, which its file does not always name.
HUMAN = {"es": "winomt_human_es_in_es_in", "he": "winomt_human_he_in_csv_he_in"}


class LogScores(NamedTuple):
    """What the authors' log says of one system and language, per cent with one decimal.

    Attributes
    ----------
    accuracy : float
        Persons whose gender is the right one.
    f1_male, f1_female : float
        Harmonic means of precision and recall.
    recall_male, recall_female : float
        Of the sentences about men, and about women, those read right.
    """

    accuracy: float
    f1_male: float
    f1_female: float
    recall_male: float
    recall_female: float

    @property
    def delta_g(self) -> float:
        """F1 of men less that of women."""
        return self.f1_male - self.f1_female


# gabrielStanovsky/mt_gender, commit 5862928, logs/<system>/<language>.log; they hold no delta_s.
PUBLISHED = {
    ("google", "es"): LogScores(53.1, 63.4, 40.0, 81.4, 28.5),
    ("bing", "es"): LogScores(47.3, 60.6, 23.8, 82.1, 15.3),
    ("google", "he"): LogScores(53.7, 58.9, 51.0, 68.6, 45.9),
    ("bing", "he"): LogScores(48.1, 55.8, 40.9, 67.9, 34.7),
}


def read_sentences(subset: str = "all") -> pd.DataFrame:
    """The sentences, or the pro- or anti-stereotypical ones. Needs the `sample` files.

    Parameters
    ----------
    subset : str
        One of `SUBSETS`.

    Returns
    -------
    DataFrame
        Columns text; person: whom the pronoun is about; place: of that word among `tokens`;
        gender: "male", "female" or "neutral", as the sentence says.
    """
    one_of("subset", subset, SUBSETS)
    key = "winomt_en" if subset == "all" else f"winomt_en_{subset}"
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    table = pd.DataFrame(
        [line.split("\t") for line in lines], columns=["gender", "place", "text", "person"]
    )
    before = [text.split()[: int(place)] for text, place in zip(table["text"], table["place"])]
    table["place"] = [sum(len(tokens(word)) for word in words) for words in before]
    table["person"] = table["person"].str.strip()
    return table[["text", "person", "place", "gender"]]


def tokens(text: str) -> list[str]:
    """Lower-cased words and punctuation marks of a text.

    Examples
    --------
    >>> tokens("The doctor's here.")
    ['the', "doctor's", 'here', '.']
    """
    return re.findall(r"\w+(?:[\"'״]\w+)?|[^\w\s]", text.lower())


def published_translations(system: str, language: str) -> list[str]:
    """The outputs of "google" or "bing" (2019), in the order of `read_sentences`.

    Raises
    ------
    ValueError
        When the file is not line by line of the sentences; two lines differ in an apostrophe or
        a space.
    """
    key = f"winomt_out_{system}_en_{language}"
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    number = len(read_sentences())
    if len(pairs) != number or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"{key}: expected {number:,} lines 'English ||| translation', got {len(pairs):,}; "
            "fetch it again"
        )
    return [translation.strip() for _, translation in pairs]


def human_genders(language: str) -> pd.DataFrame:
    """What people read in 100 translations into "es" or "he".

    Returns
    -------
    DataFrame
        Columns index, person, translation; found: whether they found the person in it; gender:
        "male", "female", "neutral", or "unknown" where they gave none.
    """
    one_of("language", language, HUMAN)
    table = pd.read_csv(fetch(HUMAN[language]), dtype=str, keep_default_na=False)
    names = {"M": "male", "F": "female", "N": "neutral"}
    return pd.DataFrame(
        {
            "index": table["Index"].astype(int),
            "person": table["Entity"],
            "translation": table["Sentence"].str.strip(),
            "found": table["Find entity? [Y/N]"].str.strip() == "Y",
            "gender": table["Gender? [M/F/N]"].str.strip().map(names).fillna("unknown"),
        }
    )
