"""Places: names, codes and free text as states and countries, and what is ambiguous."""

import pandas as pd
import pytest

from lib.cultures.places import Places, find, normalise
from lib.paths import DATA

BOTH = {  # place -> state, country
    "Austin, TX": ("TX", "USA"),
    "texas": ("TX", "USA"),
    "Austin Texas": ("TX", "USA"),
    "AUSTIN TX 78701": ("TX", "USA"),
    "austin, tx": ("TX", "USA"),
    "🤠 Dallas,TX 🇺🇸": ("TX", "USA"),
    "Tokyo, Japan / Austin, TX": ("TX", "USA"),
    "Maryland | USA": ("MD", "USA"),
    "Washington, D.C.": ("DC", "USA"),
    "Washington DC": ("DC", "USA"),
    "West Virginia": ("WV", "USA"),
    "New Mexico": ("NM", "USA"),
    "Jackson, Miss.": ("MS", "USA"),
    "Atlanta, GA, USA": ("GA", "USA"),
    "Georgia, United States": ("GA", "USA"),
    "Ohio": ("OH", "USA"),
    "U.S.A.": (None, "USA"),
    "Lagos, Nigeria": (None, "NGA"),
    "Lagos Nigeria": (None, "NGA"),
    "London, England": (None, "GBR"),
    "GBR": (None, "GBR"),
    "México": (None, "MEX"),
    "Côte d’Ivoire": (None, "CIV"),
    "Hong Kong": (None, "HKG"),
    "Amman, Jordan": (None, "JOR"),
    "Tbilisi, Georgia": (None, "GEO"),
    "Georgia, Tbilisi": (None, "GEO"),
    "Atlanta, Georgia": ("GA", "USA"),
    "Bangalore, IN": (None, "IND"),
    "Toronto, CA": (None, "CAN"),
    "Downtown Toronto CA": (None, "CAN"),
    "Baja California": (None, "MEX"),
    "Tijuana, Baja California": (None, "MEX"),
    "Los Angeles CA": ("CA", "USA"),
    "Austin TX USA": ("TX", "USA"),
    "Seattle, Washington": ("WA", "USA"),
    "New York City": ("NY", "USA"),
}
NOWHERE = [
    "NYC",
    "somewhere over the rainbow",
    "I miss you",
    "Michael Jordan",
    "me",
    "",
    "  ",
    "🌍",
    "Everywhere/Nowhere",
]
AMBIGUOUS = {  # place -> read as a state, as a country
    "Georgia": ("GA", "GEO"),
    "CA": ("CA", "CAN"),
    "DE": ("DE", "DEU"),
    "Fresno, CA": ("CA", "USA"),
    "Fresno CA": ("CA", "USA"),
    "Kakheti, Georgia": ("GA", "USA"),
    "Lagos, LA": ("LA", "USA"),
}


@pytest.mark.parametrize("place", BOTH)
def test_a_place_is_found_at_both_levels(place):
    state, country = BOTH[place]
    assert Places("state").read(place) == (state, "matched" if state else "unmatched")
    assert Places("country").read(place) == (country, "matched")


@pytest.mark.parametrize("place", NOWHERE)
def test_what_names_no_place_is_unmatched(place):
    assert Places("state").read(place) == Places("country").read(place) == (None, "unmatched")


@pytest.mark.parametrize("place", AMBIGUOUS)
def test_what_is_a_states_and_a_countrys_is_kept_at_the_level_or_dropped(place):
    for level, code in zip(("state", "country"), AMBIGUOUS[place]):
        assert Places(level).read(place) == (code, "ambiguous")
        assert Places(level, "drop").read(place) == (None, "ambiguous")


@pytest.mark.parametrize("place", ["Washington", "washington, USA"])
def test_washington_alone_is_the_state_or_the_capital_and_in_the_usa(place):
    assert Places("state").read(place) == ("WA", "ambiguous")
    assert Places("state", "drop").read(place) == (None, "ambiguous")
    assert Places("country", "drop").read(place) == ("USA", "matched")


@pytest.mark.parametrize(("table", "level"), [("us_states", "state"), ("countries", "country")])
def test_every_name_and_code_of_the_tables_is_read_as_its_own(table, level):
    rows = pd.read_csv(DATA / "statistics" / f"{table}.csv", dtype=str, keep_default_na=False)
    places = Places(level)
    for row in rows.itertuples():
        assert places.read(row.name).code == places.read(row.code).code == row.code
        for name in filter(None, row.other_names.split("; ")):
            assert places.read(f"Somewhere, {name}").code == row.code


def test_names_are_compared_without_accents_signs_and_numbers():
    assert normalise("  São  Tomé (2) ") == "Sao Tome"
    assert find("Georgia") == ("GA", "GEO", True)


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (("city",), ["level", "state, country", "'city'"]),
        (("state", "guess"), ["ambiguous", "keep, drop", "'guess'"]),
    ],
)
def test_unknown_levels_and_rules_are_refused(arguments, fragments, refuses):
    refuses(lambda: Places(*arguments), fragments)
