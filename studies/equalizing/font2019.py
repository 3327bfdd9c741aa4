"""The occupations of Escudé Font & Costa-jussà (2019): English, with both Spanish forms."""

import pandas as pd

from lib.sources import fetch

FILES = {
    "english": "genbiasmt_occ_en",
    "feminine": "genbiasmt_occ_es_f",
    "masculine": "genbiasmt_occ_es_m",
}


def read_occupations() -> pd.DataFrame:
    """The 1,019 lines, some of them twice, in the order of the files: columns english, feminine, masculine, a phrase each in
    small letters. The Spanish ones are the authors' own translation, which they call not professional.
    """
    columns = {
        name: [line.strip() for line in fetch(key).read_text(encoding="utf-8").splitlines()]
        for name, key in FILES.items()
    }
    numbers = {name: len(lines) for name, lines in columns.items()}
    if len(set(numbers.values())) > 1:
        raise ValueError(f"expected equally many lines in the three files, got {numbers}")
    return pd.DataFrame(columns)
