"""MT-GenEval (Currey et al. 2022): sentences with references of both genders.

Counterparts come in pairs whose English differs in the gender only, 300 test pairs a language, with a reference for each.
Contexts are sentences about someone with a profession that do not say a gender themselves; the sentence before each does.
"""

import re

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

LANGUAGES = ("ar", "de", "es", "fr", "it", "pt", "ru")
CONTEXT_LANGUAGES = ("ar", "de", "es", "fr", "it", "ru")
PRONOUNS = {
    "feminine": re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
    "masculine": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
}


def read_counterparts(language: str) -> pd.DataFrame:
    """The test sentences of a language, a row for each pair: feminine_english, masculine_english, and their references feminine
    and masculine.
    """
    one_of("language", language, LANGUAGES)
    columns = {
        f"{gender}{suffix}": fetch(f"mtge_sentences_{gender}_test_en_{language}_{written}")
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
        for written, suffix in (("en", "_english"), (language, ""))
        for gender in ("feminine", "masculine")
    }
    sizes = [len(lines) for lines in columns.values()]
    if len(set(sizes)) != 1:
        raise ValueError(
            f"MT-GenEval, {language}: expected four files of equal length, got {sizes} lines; "
            "fetch them again"
        )
    return pd.DataFrame(columns)


def read_contexts(language: str) -> pd.DataFrame:
    """Sentences with the one before, which says the gender (section 3.2): context and english; right and wrong, its reference and
    the same with the other gender; gender, by the pronouns of the context: "feminine", "masculine", or "" where it has those
    of both or of neither.
    """
    one_of("language", language, CONTEXT_LANGUAGES)
    texts = {
        name: fetch(f"mtge_context_wikiprofessions_{part}_test_en_{language}_{written}")
        .read_text(encoding="utf-8")
        .rstrip("\n")
        .split("\n")
        for name, part, written in (
            ("both", "2to1", "en"),
            ("right", "original", language),
            ("wrong", "flipped", language),
        )
    }
    sizes = [len(lines) for lines in texts.values()]
    if len(set(sizes)) != 1:
        raise ValueError(
            f"MT-GenEval contexts, {language}: expected three files of equal length, got {sizes} "
            "lines; fetch them again"
        )
    rows = [line.partition("<sep>") for line in texts["both"]]
    if whole := [number for number, (_, sep, _) in enumerate(rows, 1) if not sep]:
        raise ValueError(
            f"MT-GenEval contexts, {language}: expected <sep> between context and sentence in each "
            f"line, got none in line {whole[0]} ({len(whole)} in all); fetch the files again"
        )
    table = pd.DataFrame(
        {
            "context": [before.strip() for before, _, _ in rows],
            "english": [sentence.strip() for _, _, sentence in rows],
            "right": texts["right"],
            "wrong": texts["wrong"],
        }
    )
    said = pd.DataFrame(
        {name: table["context"].str.contains(said) for name, said in PRONOUNS.items()}
    )
    table["gender"] = ""
    for gender, other in (("feminine", "masculine"), ("masculine", "feminine")):
        table.loc[said[gender] & ~said[other], "gender"] = gender
    return table
