"""WinoMT (Stanovsky, Smith & Zettlemoyer 2019): 3,888 sentences, translations, human judgements.

A sentence names two people, and a pronoun says the gender of one. Outputs of four services and two
research systems are released, the logs of some of them, and the gender that people read in 100
outputs for each of several languages; the gender that the authors' own program read in each output
is not.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch
from lib.translation.winomt import read_sentences

# Language -> the system whose outputs people read, found by comparing texts, and their files.
# Amazon's outputs are released in the files of the people only. Other languages no rule reads.
HUMAN = {
    "es": ("google", ("winomt_human_es_in_es_in",)),
    "fr": ("bing", ("winomt_human_fr_in_fr_in",)),
    "it": ("google", ("winomt_human_google_it_in_it_in", "winomt_human_google_it_in_2_it_in")),
    "de": ("aws", ("winomt_human_aws_de_in_de_in",)),
    "he": ("google", ("winomt_human_he_in_csv_he_in",)),
    "ar": ("aws", ("winomt_human_aws_ar_in_ar_in",)),
    "ru": ("google", ("winomt_human_ru_google_ru_in",)),
    "uk": ("google", ("winomt_human_uk_google_gold_uk_in",)),
}


class LogScores(NamedTuple):
    """What the authors' log says of one system and language, per cent with one decimal: the persons whose gender is the right
    one, harmonic means of precision and recall, and of the sentences about men, and about women, those read right.
    """

    accuracy: float
    f1_male: float
    f1_female: float
    recall_male: float
    recall_female: float

    @classmethod
    def of(cls, counts: Sequence[Sequence[int]]) -> "LogScores":
        """The scores that follow from a log's counts (rows and columns as in `LOGS`)."""
        says = [sum(row) for row in counts]
        read = [sum(column) for column in zip(*counts)]
        right = [row[place] for place, row in enumerate(counts)]
        recall = [round(100 * right[place] / says[place], 1) for place in range(2)]
        precision = [round(100 * right[place] / read[place], 1) for place in range(2)]
        # Of rounded numbers, as the authors' program takes it.
        f1 = [2 * p * r / (p + r) for p, r in zip(precision, recall)]
        scores = [100 * sum(right) / sum(says), *f1, *recall]
        return cls(*(round(score, 1) for score in scores))

    @property
    def delta_g(self) -> float:
        """F1 of men less that of women: positive where men are translated better."""
        return round(self.f1_male - self.f1_female, 1)


# gabrielStanovsky/mt_gender, commit 5862928, logs/<system>/<language>.log: what the sentences say
# (male, female, neutral) by what was read (male, female, neutral, unknown). They hold no delta_s,
# and there is none for Arabic nor of Bing into German.
LOGS = {
    ("google", "es"): ((1487, 246, 89, 4), (1208, 519, 90, 5), (169, 11, 59, 1)),
    ("bing", "es"): ((1499, 236, 86, 5), (1453, 279, 85, 5), (171, 8, 61, 0)),
    ("google", "fr"): ((1462, 213, 134, 17), (750, 957, 92, 23), (158, 29, 52, 1)),
    ("bing", "fr"): ((1414, 229, 164, 19), (1383, 264, 158, 17), (161, 16, 58, 5)),
    ("google", "it"): ((1250, 213, 319, 44), (1188, 268, 321, 45), (205, 12, 22, 1)),
    ("bing", "it"): ((1332, 186, 285, 23), (1333, 187, 281, 21), (200, 13, 27, 0)),
    ("google", "de"): ((1497, 297, 32, 0), (990, 790, 42, 0), (195, 23, 22, 0)),
    ("google", "he"): ((1253, 573, 0, 0), (986, 836, 0, 0), (189, 51, 0, 0)),
    ("bing", "he"): ((1240, 586, 0, 0), (1190, 632, 0, 0), (190, 50, 0, 0)),
    ("google", "ru"): ((1239, 165, 176, 246), (1183, 209, 185, 245), (196, 11, 18, 15)),
    ("bing", "ru"): ((1269, 146, 200, 211), (1262, 146, 206, 208), (195, 15, 14, 16)),
    ("google", "uk"): ((1292, 129, 132, 273), (1282, 139, 133, 268), (151, 12, 63, 14)),
    ("bing", "uk"): ((1420, 127, 136, 143), (1416, 125, 138, 143), (156, 10, 62, 12)),
}
PUBLISHED = {pair: LogScores.of(counts) for pair, counts in LOGS.items()}


def published_translations(system: str, language: str) -> pd.DataFrame:
    """The outputs of "google", "bing" (2019) or "sota" (research systems of 2018; German and French).

    A row for each line of a file: the columns of `read_sentences` for the sentence that stands in the line, and translation. A
    line is not the sentence of its number in all cases: lines 2,121 and 2,122 hold the sentences 537 and 538 again, so that two
    have two outputs, and two with the other pronoun have none.
    """
    key = f"winomt_out_{system}_en_{language}"
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    sentences = read_sentences()
    if len(pairs) != len(sentences) or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"{key}: expected {len(sentences):,} lines 'English ||| translation', got {len(pairs):,}; "
            "fetch it again"
        )
    first = sentences.drop_duplicates("text").reset_index(drop=True)
    places = dict(zip(first["text"], first.index))
    strange = [source for source, _ in pairs if source.strip() not in places]
    if strange:
        raise ValueError(
            f"{key}: expected sentences of WinoMT, got {strange[0]!r:.80}; fetch it again"
        )
    of_line = first.loc[[places[source.strip()] for source, _ in pairs]].reset_index(drop=True)
    return of_line.assign(translation=[translation.strip() for _, translation in pairs])


def human_genders(language: str) -> pd.DataFrame:
    """What people read in 100 translations, or twice 100 (Italian).

    Columns index: of the sentence among `read_sentences`; person, translation; found: whether they found the person in it;
    gender: "male", "female", "neutral", or "unknown" where they gave none.
    """
    one_of("language", language, HUMAN)
    _, keys = HUMAN[language]
    table = pd.concat(
        [pd.read_csv(fetch(key), dtype=str, keep_default_na=False) for key in keys],
        ignore_index=True,
    )
    if language == "uk":  # whose file names a column wrongly
        table.columns = ["Index", "Entity", "Sentence", *table.columns[3:]]
    names = {"M": "male", "F": "female", "N": "neutral"}
    return pd.DataFrame(
        {
            "index": table["Index"].astype(int),
            "person": table["Entity"],
            "translation": table["Sentence"].str.strip(),
            "found": table["Find entity? [Y/N]"].str.strip().str.upper() == "Y",
            "gender": table["Gender? [M/F/N]"].str.strip().str.upper().map(names).fillna("unknown"),
        }
    )


def with_adjectives(language: str) -> list[str]:
    """Google's outputs of `read_sentences("anti")`, in "es", "ru" or "uk", with *handsome* for a man and *pretty* for a woman put
    in: section 4.3 of the paper.
    """
    key = f"winomt_out_google_adj_en_{language}"
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ||| ") for line in lines]
    plain = [source.replace("handsome ", "").replace("pretty ", "") for source, _ in pairs]
    if plain != read_sentences("anti")["text"].tolist():
        raise ValueError(
            f"{key}: expected the {len(read_sentences('anti')):,} anti-stereotypical sentences, got "
            f"{len(plain):,} lines that are not theirs; fetch it again"
        )
    return [translation.strip() for _, translation in pairs]
