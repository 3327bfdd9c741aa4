"""What the story's rule rests on: sentences of one's own, and the differences that `woman_less_man` finds, recorded and read again."""

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from lib.ledger import Ledger
from studies.prefix_injection.contrasts import GENDER

STORY = "prefix_injection"
KIND = "woman's text less man's"
NO_GENDER = f"{KIND}, no gender in the prefix"  # of a contrast that is not one of `GENDER`
# The columns of `woman_less_man` with the names of their quantities; those with an interval.
QUANTITIES = {
    "value": "{}",
    "p": "p, {}",
    "least p": "smallest p, {}",
    "found": "found in 80 % of cases, {}",
    "woman": "BLEU of a woman's text beside {}",
    "blind": "gender-blind BLEU beside {}",
    "quality": "{}, by quality alone",
}
ENDS = {"value": ("low", "high")}
ENDS |= {name: (f"{name} low", f"{name} high") for name in ("woman", "blind", "quality")}
KEYS = ["system", "sentences", "contrast"]


def recorded(translator: str, control: str) -> Callable[[str], pd.DataFrame]:
    """A reader of what the story recorded of two translators, by quantity, in the form of `Ledger.results`."""
    asked = dict(translator=translator, control=control)
    return partial(Ledger(STORY, parameters=asked).results, same=[*asked])


def keep(ledger: Ledger, table: pd.DataFrame, **about: str) -> None:
    """Record a table of `woman_less_man`: each column as a quantity of its own, with its interval where it has one."""
    for row in table.to_dict("records"):
        kind = KIND if row["contrast"] in GENDER else NO_GENDER
        for column, name in QUANTITIES.items():
            if np.isfinite(row[column]):
                ends = dict(zip(("low", "high"), (row[end] for end in ENDS.get(column, ()))))
                said = about | dict(contrast=row["contrast"], n=row["n"]) | ends
                ledger.record(name.format(kind), row[column], **said)


def kept(results: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Those tables again: the columns of `woman_less_man` by system, sentences and contrast, with n and recorded; empty where
    nothing is there.
    """
    tables = []
    for kind in (KIND, NO_GENDER):
        table = _by_key(results(kind))
        for column, name in QUANTITIES.items():
            found = _by_key(results(name.format(kind))).reindex(table.index)
            table[column] = found["value"]
            for end, heading in zip(("low", "high"), ENDS.get(column, ())):
                table[heading] = found[end]
        tables.append(table)
    return pd.concat(tables).sort_index()


def _by_key(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of `Ledger.results` by system, sentences and contrast."""
    columns = ["value", "low", "high", "n", "recorded"]
    return rows.reindex(columns=[*KEYS, *columns]).set_index(KEYS)


def own_sentences(rows: pd.DataFrame | Sequence[Sequence[str]]) -> pd.DataFrame:
    """Sentences in the form of `lib.translation.evaluation_sets.first_person_set`: that table as it is, or from rows (English, as
    a woman says it, as a man says it). form: the words that a man says otherwise, which the sentences of an adjective share; the English
    where both say the same.

    Raises ValueError where there is no row, where one is not three texts, and where the two references have not as many words.
    """
    if isinstance(rows, pd.DataFrame):
        return rows
    table, wanted = [], '("I am lost.", "Estoy perdida.", "Estoy perdido.")'
    for number, row in enumerate(rows, 1):
        if len(row) != 3 or not all(isinstance(text, str) and text.strip() for text in row):
            raise ValueError(f"sentence {number}: expected three texts, {wanted}; got {row!r}")
        english, *both = (text.strip() for text in row)
        hers, his = (re.findall(r"\w+", text) for text in both)
        if len(hers) != len(his):
            raise ValueError(
                f"sentence {number}: expected a woman's and a man's text of as many words, got "
                f"{both[0]!r} and {both[1]!r}; let them differ in single words only"
            )
        form = " ".join(his_ for her_, his_ in zip(hers, his) if her_.lower() != his_.lower())
        table.append((english, both[1], both[0], form.lower() or english))
    if not table:
        raise ValueError(f"expected sentences, got none; the first one could be {wanted}")
    return pd.DataFrame(table, columns=["english", "masculine", "feminine", "form"])
