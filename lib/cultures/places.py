"""From what people write about where they are to a U.S. state or a country: "Austin, TX", "texas",
"GBR".

Names, postal codes and ISO 3166-1 codes come from data/statistics (us_states.csv, countries.csv).
There is no list of cities: a place that names neither a state nor a country is unmatched.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from lib.checks import one_of
from lib.datasets.statistics import statistics_table

LEVELS = ("state", "country")
RULES = ("keep", "drop")
REMEMBERED = 2**16  # different places whose reading is kept
LONGEST_NAME = 7  # words
SHORT = 4  # letters: "Miss" is Mississippi behind a city only
PEOPLE_TOO = {  # not the last word of a phrase
    *("chad", "jordan", "jersey", "guinea", "america", "georgia", "virginia")
}
BETWEEN_PARTS = re.compile(r"[,/|;()•·–—\n]| - ")


class Reading(NamedTuple):
    """How a place was read.

    Attributes
    ----------
    code : str or None
        The code of its culture; None where there is none.
    status : str
        "matched", "ambiguous" or "unmatched".
    """

    code: str | None
    status: str


class Names(NamedTuple):
    """What the rows of a table are called.

    Attributes
    ----------
    names, abbreviations, codes : dict of str to str
        Normalised name -> code; abbreviations of states, which count behind a city only; codes that stand for
        the same.
    """

    names: dict[str, str]
    abbreviations: dict[str, str]
    codes: dict[str, str]


class Places:
    """Reads places as U.S. states (postal codes, D.C. included) or as countries (ISO 3166-1
    alpha-3).

    Parameters
    ----------
    level : str
        "state" or "country".
    ambiguous : str
        What to do with what is a state's and a country's ("Georgia", "CA", "Berlin, DE"). "keep" takes a name
        or code that stands alone for one of this level, and one behind a city for a state ("Los Angeles,
        CA"); "drop" leaves such places out. "Atlanta, Georgia, USA" is not ambiguous.

    Raises
    ------
    ValueError
        For another level or rule.

    Examples
    --------
    >>> Places("state").read("Austin, TX")
    Reading(code='TX', status='matched')
    >>> Places("country").read("Lagos, Nigeria").code
    'NGA'
    """

    def __init__(self, level: str = "state", ambiguous: str = "keep"):
        one_of("level", level, LEVELS)
        one_of("ambiguous", ambiguous, RULES)
        self.level, self.ambiguous = level, ambiguous
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._read)

    def read(self, place: str) -> Reading:
        """The culture of one place; the readings of some ten thousand places are remembered."""
        return self._remembered(place)

    def _read(self, place: str) -> Reading:
        state, country, alone = find(place)
        ambiguous = state is not None and country not in (None, "USA")
        if ambiguous and self.ambiguous == "drop":
            return Reading(None, "ambiguous")
        code = country if self.level == "country" else state
        if self.level == "country" and ambiguous and not alone:
            code = "USA"
        if code is None:
            return Reading(None, "unmatched")
        return Reading(code, "ambiguous" if ambiguous else "matched")


def find(place: str) -> tuple[str | None, str | None, bool]:
    """The U.S. state and the country that a place may name, and whether the name stands alone.

    Returns
    -------
    (str or None, str or None, bool)
        Both codes where both are possible; for a certain state the country is "USA".

    Examples
    --------
    >>> find("Georgia")
    ('GA', 'GEO', True)
    >>> find("Atlanta, Georgia, USA")
    ('GA', 'USA', False)
    """
    parts = [part for part in map(normalise, BETWEEN_PARTS.split(place)) if part]
    in_usa = False
    for number in reversed(range(len(parts))):
        state, country = _match(parts[number], behind_city=number > 0)
        if state and (in_usa or not country):
            return state, "USA", len(parts) == 1
        if state or (country and country != "USA"):
            return (None, "USA", False) if in_usa else (state, country, len(parts) == 1)
        in_usa = in_usa or country == "USA"
    return None, "USA" if in_usa else None, len(parts) == 1


def normalise(text: str) -> str:
    """Without accents, signs and numbers, one space between words; the case stays.

    Examples
    --------
    >>> normalise("Córdoba (Spain) 24")
    'Cordoba Spain'
    """
    apart = unicodedata.normalize("NFKD", text.replace("’", "'"))
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    return " ".join(word for word in re.sub(r"[^\w']|_", " ", plain).split() if not word.isdigit())


def _match(part: str, behind_city: bool) -> tuple[str | None, str | None]:
    """State and country that a part names: the longest name it ends with, or a code."""
    words, (states, countries) = part.split(), (_names("us_states"), _names("countries"))
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        name, whole = " ".join(words[-length:]).casefold(), length == len(words)
        if not whole and (name in PEOPLE_TOO or len(name) <= SHORT):
            continue
        state = states.names.get(name) or (
            states.abbreviations.get(name) if behind_city and whole else None
        )
        if state or name in countries.names:
            return state, countries.names.get(name)
    code = part.upper() if behind_city else part
    if len(words) > 1:
        return states.codes.get(words[-1]), None  # "Austin TX"
    return states.codes.get(code), countries.codes.get(code)


@lru_cache(maxsize=2)
def _names(table: str) -> Names:
    rows = statistics_table(table).reset_index()
    called = Names({}, {}, dict(zip(rows.code, rows.code)))
    if "iso2" in rows:
        called.codes.update(zip(rows.iso2, rows.code))
    for row in rows.itertuples():
        for name in filter(None, (row.name, *row.other_names.split("; "))):
            key = normalise(name).casefold()
            short = name != row.name and len(key) <= SHORT and table == "us_states"
            (called.abbreviations if short else called.names).setdefault(key, row.code)
    return called
