"""WinoMT (Stanovsky, Smith & Zettlemoyer 2019): 3,888 sentences, translations, human judgements.

A sentence names two people, and a pronoun says the gender of one. Outputs of two services and the
gender that people read in 100 of them per language are released; the authors' own predictions are
not.
"""

import re

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

SUBSETS = ("all", "pro", "anti")
# Language -> what people read; each is of one system, which its file does not always name.
HUMAN = {"es": "winomt_human_es_in_es_in", "he": "winomt_human_he_in_csv_he_in"}
# Accuracy in the authors' own logs of the released outputs, per cent
# (gabrielStanovsky/mt_gender, logs/<system>/<language>.log).
PUBLISHED = {
    ("google", "es"): 53.11,
    ("bing", "es"): 47.3,
    ("google", "he"): 53.7,
    ("bing", "he"): 48.1,
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
