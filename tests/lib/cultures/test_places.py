"""Places: names, codes and free text as states and countries, and what is ambiguous."""

import pandas as pd
import pytest

from lib.cultures.places import Places
from lib.paths import DATA

BOTH = {  # place -> state, country
    "Austin, TX": ("TX", "USA"),
    "texas": ("TX", "USA"),
    "Austin Texas": ("TX", "USA"),
    "🤠 Dallas,TX 🇺🇸": ("TX", "USA"),
    "Tokyo, Japan / Austin, TX": ("TX", "USA"),
    "Maryland | USA": ("MD", "USA"),
    "Washington, D.C.": ("DC", "USA"),
    "West Virginia": ("WV", "USA"),
    "Jackson, Miss.": ("MS", "USA"),
    "U.S.A.": (None, "USA"),
    "Lagos, Nigeria": (None, "NGA"),
    "GBR": (None, "GBR"),
    "México": (None, "MEX"),
    "Côte d’Ivoire": (None, "CIV"),
    "Tbilisi, Georgia": (None, "GEO"),
    "Georgia, Tbilisi": (None, "GEO"),
    "Bangalore, IN": (None, "IND"),
    "Toronto, CA": (None, "CAN"),
    "Downtown Toronto CA": (None, "CAN"),
    "Baja California": (None, "MEX"),
    "Los Angeles CA": ("CA", "USA"),
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
    "Fresno, CA": ("CA", "USA"),
    "Kakheti, Georgia": ("GA", "USA"),
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
