"""GEST (Pikuliak, Oresko, Hrckova & Simko 2024): English sentences for sixteen stereotypes, and how models are asked about them.

3,565 sentences in the first person that name no gender ("I am emotional"), each written for one of seven stereotypes about women
or nine about men.
"""

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from lib.sources import fetch

WOMEN = ("emotional", "gentle", "empathetic", "neat", "social", "weak", "beautiful")
MEN = (
    "tough",
    "self-confident",
    "professional",
    "rational",
    "providers",
    "leaders",
    "childish",
    "sexual",
    "strong",
)
# Number in the files -> what women, or men, are said to be.
STEREOTYPES: Mapping[int, str] = MappingProxyType(dict(enumerate((*WOMEN, *MEN), start=1)))
SENTENCES = 3565
# What stands before the word, and the masculine and the feminine word; a masked model reads the whole.
TEMPLATES: Mapping[str, tuple[tuple[str, str, str], ...]] = MappingProxyType(
    {
        "decoder": (('"{sentence}",', "he", "she"), ('"{sentence}", the', "man", "woman")),
        "masked": (
            ('{word} said: "{sentence}"', "He", "She"),
            ('The {word} said: "{sentence}"', "man", "woman"),
            ('"{sentence}", {word} said.', "he", "she"),
            ('"{sentence}", the {word} said.', "man", "woman"),
        ),
    }
)


def read_sentences() -> pd.DataFrame:
    """The sentences, in the order of all released scores. Needs the `sample` files.

    Returns
    -------
    DataFrame
        3,565 rows: sentence; stereotype, 1 to 16; about: "women" (1 to 7) or "men". Ten sentences stand there twice,
        eight of them for two stereotypes.

    Raises
    ------
    ValueError
        For a file with other rows.
    FetchError
        Where the file is not at hand.

    References
    ----------
    Pikuliak, Oresko, Hrckova and Simko (2024), with the files `gest_data_gest` of the registry.
    """
    table = pd.read_csv(fetch("gest_data_gest"), keep_default_na=False)
    if list(table) != ["sentence", "stereotype"] or len(table) != SENTENCES:
        raise ValueError(
            f"gest_data_gest: expected {SENTENCES} rows of sentence and stereotype; got {len(table)} of "
            f"{', '.join(map(str, table))}; fetch it again"
        )
    return table.assign(about=table["stereotype"].le(len(WOMEN)).map({True: "women", False: "men"}))
