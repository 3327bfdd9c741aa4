"""What is read of WinoMT and GENDEROUS, and tables of the scores: those of a run, or those that the evidence recorded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from lib.ledger.results import recorded_results
from lib.translation.person_gender import READERS
from studies.translated_gender.scores import beside_logs

EVIDENCE = "translated_gender_evidence"
LANGUAGES = {"es": "Spanish", "fr": "French", "it": "Italian", "de": "German"}
LANGUAGES |= {"he": "Hebrew", "ar": "Arabic", "ru": "Russian", "uk": "Ukrainian"}
LANGUAGES |= {"pt": "Portuguese", "el": "Greek", "nl": "Dutch"}
SERVICES = {"google": "Google 2019", "bing": "Bing 2019", "sota": "research 2018"}
PAIRS = [(system, language) for language in READERS for system in ("google", "bing")]
PAIRS += [("sota", "de"), ("sota", "fr")]
# Read by the rules of the audit, of which some have no labels of people to be tested by: the evidence alone has them.
MORE = [("google", "ru"), ("bing", "ru"), ("google", "uk"), ("bing", "uk"), ("google", "pt")]
UNREAD = 20  # per cent of persons without a gender: outputs with more are left out
Results = Callable[[str], pd.DataFrame]


def recorded(quantity: str) -> pd.DataFrame:
    """What the evidence recorded of a quantity, in the form of `Ledger.results`."""
    return recorded_results(EVIDENCE, quantity).assign(recorded=True)


def row_name(row: Mapping[str, Any] | pd.Series) -> str:
    """A system and a language, for the rows of figures and tables."""
    return f"{LANGUAGES[row['language']]}, {SERVICES[row['system']]}"


def origin(table: pd.DataFrame) -> str:
    """One sentence on where numbers come from."""
    if len(table) and table["recorded"].all():
        return "Recorded in the profile sample, not computed on this page."
    return "Computed on this page."


def unread(results: Results) -> pd.Series:
    """Per cent of the persons whose gender is not read, by row."""
    table = results("WinoMT unread")
    if not len(table):
        return pd.Series(dtype=float)
    return (
        table[table["rule"] == "own"]
        .assign(row=lambda t: t.apply(row_name, axis=1))
        .set_index("row")["value"]
    )


def scores_of(
    results: Results, score: str, rule: str = "own", pairs: Sequence[tuple[str, str]] = PAIRS
) -> pd.DataFrame:
    """One score of the systems and languages of `pairs`: value, interval, the blind translator's band over sentences, and the authors' log.

    Without results an empty table.
    """
    table = results(f"WinoMT {score}")
    if not len(table):
        return table
    table = beside_logs(table, results(f"WinoMT {score} of a blind translator"), score, rule)
    return _in_order(table, results, pairs)


def beside_blind(
    results: Results, score: str, pairs: Sequence[tuple[str, str]] = PAIRS
) -> pd.DataFrame:
    """One score less the blind translator's (value, low, high), and the blind one with occupations drawn (second, null low, null high).

    Without results an empty table.
    """
    table = results(f"WinoMT {score} less a blind translator")
    blind = results(f"WinoMT {score} of a blind translator, occupations drawn")
    if not len(table) or not len(blind):
        return table.iloc[:0]
    keys = ["system", "language"]
    columns = {"value": "second", "low": "null low", "high": "null high"}
    blind = blind[[*keys, *columns]].rename(columns=columns)
    return _in_order(table.merge(blind, on=keys), results, pairs)


def _in_order(
    table: pd.DataFrame, results: Results, pairs: Sequence[tuple[str, str]]
) -> pd.DataFrame:
    """Rows in the order of `pairs`, without outputs of which too little is read."""
    share = unread(results)
    table = table.assign(row=[row_name(row) for _, row in table.iterrows()])
    order = [row_name({"system": system, "language": language}) for system, language in pairs]
    kept = [row for row in order if row in set(table["row"]) and not share.get(row, 0) > UNREAD]
    return table.set_index("row").loc[kept].reset_index()
