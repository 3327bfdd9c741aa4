"""GENDEROUS (Hackenbuchner, Gkovedarou & Daems 2025): translations of 2025, labelled by people.

30 occupations, each in "The nurse finished the work.", in the same sentence with *their work*, and
with each of 15 adjectives: 510 English sentences that give no gender, ten occupations and five
adjectives of each stereotype. Four systems translated them into Greek, German, Spanish and Dutch;
a person and GPT-4o labelled the gender of each translation.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from lib.checks import one_of
from lib.sources import fetch

SYSTEMS: Mapping[str, str] = MappingProxyType(
    {"gt": "Google Translate", "deepl": "DeepL", "gpt4o": "GPT-4o", "eurollm": "EuroLLM-9B"}
)
LANGUAGES: Mapping[str, str] = MappingProxyType(
    {"el": "Greek", "de": "German", "es": "Spanish", "nl": "Dutch"}
)
KINDS: Mapping[str, int] = MappingProxyType({"base": 30, "their": 30, "adjectives": 450})
# What people, and GPT-4o in other words, wrote -> what it says here.
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "F": "feminine",
        "M": "masculine",
        "N": "neutral",
        "N/I": "inclusive",
        "M + F": "both",
        "M/F": "both",
        "error [incorrect]": "incorrect",
        "error [mixed]": "mixed",
        "error": "error",
        "Error": "error",
    }
)
GENDERS = ("feminine", "masculine", "neutral")


def read_translations(system: str, language: str) -> pd.DataFrame:
    """The translations of a system into a language, with their labels. Needs the `sample` files.

    Parameters
    ----------
    system : str
        One of `SYSTEMS`.
    language : str
        One of `LANGUAGES`.

    Returns
    -------
    DataFrame
        510 rows. Columns kind: one of `KINDS`; sentence, occupation, adjective ("" where there is
        none); stereotype of the occupation and adjective_stereotype: "feminine", "masculine",
        "neutral" (or ""); translation; person: the label that a person gave; judge: that of GPT-4o.
        Labels are those of `GENDERS`, "incorrect" and "mixed" for errors ("error" and "both" by the
        judge alone).

    Raises
    ------
    ValueError
        For another system or language, and for a file with other columns, rows or labels.
    """
    one_of("system", system, SYSTEMS)
    one_of("language", language, LANGUAGES)
    stereotypes = _stereotypes()
    parts = []
    for kind, number in KINDS.items():
        key = f"genderous_{system}_{kind}"
        table = _table(key, number)
        sentences = table["adj5_sentences" if kind == "adjectives" else "sentences"]
        words = [_words(sentence, stereotypes) for sentence in sentences]
        types = table["type_base" if kind == "adjectives" else "base_type"]
        column = language.upper()
        # The column of outputs is named by the system, the first of its language.
        output = next(name for name in table.columns if name.startswith(f"{column}_"))
        parts.append(
            pd.DataFrame(
                {
                    "kind": kind,
                    "sentence": sentences,
                    "occupation": [occupation for _, occupation in words],
                    "adjective": [adjective for adjective, _ in words],
                    "stereotype": types.map(_stereotype),
                    "adjective_stereotype": [
                        stereotypes.get(adjective, "") for adjective, _ in words
                    ],
                    "translation": table[output].str.strip(),
                    "person": _labels(key, table[f"{column}_annotation"]),
                    "judge": _labels(key, table[f"{column}_GPT_annotation"]),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def read_alternatives(language: str) -> pd.DataFrame:
    """All the translations that GPT-4o gives when it is asked for every gender.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.

    Returns
    -------
    DataFrame
        A row for each alternative of the 30 sentences without adjective. Columns occupation,
        stereotype, number (1 for the first that it gives), translation, person: its label as in
        `read_translations`, or "inclusive" (a form made to name no gender) or "both".

    Raises
    ------
    ValueError
        For another language, and for a file with other columns, rows or labels.
    """
    one_of("language", language, LANGUAGES)
    key = f"genderous_gpt4o_alternatives_{language}"
    table = _table(key, KINDS["base"])
    versions = [
        int(match[1]) for name in table.columns if (match := re.search(r"_ann_v(\d+)$", name))
    ]
    parts = [
        pd.DataFrame(
            {
                "occupation": table["base"],
                "stereotype": table["base_type"].map(_stereotype),
                "number": version,
                "translation": table[f"{language.upper()}_GPT-4o_v{version}"].str.strip(),
                "person": table[f"{language.upper()}_ann_v{version}"].str.strip(),
            }
        )
        for version in versions
    ]
    alternatives = pd.concat(parts, ignore_index=True)
    alternatives = alternatives[~alternatives["person"].isin(["", "n/a"])]
    alternatives["person"] = _labels(key, alternatives["person"])
    return alternatives.sort_values(["occupation", "number"], ignore_index=True)


def _table(key: str, number: int) -> pd.DataFrame:
    lines = fetch(key).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line.strip()]
    widths = {len(row) for row in rows}
    if len(widths) == 1:
        table = pd.DataFrame(rows[1:], columns=rows[0])
        # One file ends in a row that holds one translation and no sentence.
        table = table[table.iloc[:, 0] != ""].reset_index(drop=True)
        if len(table) == number:
            return table
    raise ValueError(
        f"{key}: expected {number} rows of equal width, got {len(rows) - 1} rows of "
        f"{', '.join(map(str, sorted(widths)))} columns; fetch it again"
    )


def _words(sentence: str, adjectives: Mapping[str, str]) -> tuple[str, str]:
    """Adjective ("" for none) and occupation of a sentence."""
    words = sentence.removeprefix("The ").partition(" finished ")[0]
    first, _, rest = words.partition(" ")
    return (first, rest) if first in adjectives else ("", words)


def _stereotypes() -> dict[str, str]:
    """Adjective -> its stereotype, as the authors list them."""
    lines = fetch("genderous_adjectives").read_text(encoding="utf-8").splitlines()
    heads, *rows = [line.strip().split("\t")[1:] for line in lines]
    return {word: _stereotype(head) for row in rows for head, word in zip(heads, row)}


def _stereotype(name: str) -> str:
    """The stereotype that "female_base", "female base" and "female_adj" name."""
    return {"female": "feminine", "male": "masculine"}.get(
        name.replace(" ", "_").partition("_")[0], "neutral"
    )


def _labels(key: str, written: pd.Series) -> pd.Series:
    labels = written.str.strip().map(LABELS)
    if labels.isna().any():
        raise ValueError(
            f"{key}: expected the labels {', '.join(LABELS)}, got "
            f"{', '.join(sorted(set(written[labels.isna()])))[:80]}; fetch it again"
        )
    return labels
