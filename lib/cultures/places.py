"""From what people write about where they are to a U.S. state or a country: "Austin, TX", "texas",
"GBR".

Names, postal codes and ISO 3166-1 codes come from data/statistics (us_states.csv, countries.csv).
There is no list of cities: a place that names neither a state nor a country is unmatched. A few large
cities settle what is a state's and a country's name: "Tbilisi, Georgia", "Atlanta, Georgia".
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
TWO_STATES = "washington"  # where it stands alone: the state, or the capital
CITIES = {  # country -> large cities and provinces, where its name or code is also a state's
    "ALB": "Tirana, Durres",
    "ARG": "Buenos Aires, Cordoba, Rosario, Mendoza, La Plata",
    "AZE": "Baku, Ganja",
    "CAN": "Toronto, Montreal, Vancouver, Calgary, Edmonton, Ottawa, Winnipeg, Mississauga, Halifax, "
    "BC, British Columbia, Alberta, Manitoba, Saskatchewan, Quebec, Nova Scotia, New Brunswick",
    "COL": "Bogota, Medellin, Cali, Barranquilla, Cartagena",
    "DEU": "Berlin, Hamburg, Munich, Munchen, Cologne, Koln, Frankfurt, Stuttgart, Dusseldorf",
    "GAB": "Libreville",
    "GEO": "Tbilisi, Batumi, Kutaisi, Rustavi, Gori, Zugdidi, Poti, Sukhumi",
    "IDN": "Jakarta, Surabaya, Bandung, Medan, Bali, Denpasar, Yogyakarta",
    "IND": "Bangalore, Bengaluru, Mumbai, Bombay, Delhi, Chennai, Kolkata, Hyderabad, Pune, Jaipur",
    "ISR": "Tel Aviv, Jerusalem, Haifa",
    "LAO": "Vientiane",
    "MAR": "Casablanca, Rabat, Marrakech, Tangier",
    "MDA": "Chisinau",
    "MLT": "Valletta",
    "MNG": "Ulaanbaatar",
    "NER": "Niamey",
    "PAN": "Panama City",
    "SDN": "Khartoum, Omdurman",
    "TUN": "Tunis, Sfax",
    "USA": "Atlanta, Augusta, Savannah, Macon, Athens, Los Angeles, San Diego, San Francisco, San Jose, "
    "Sacramento, Oakland, Denver, Indianapolis, New Orleans, Louisville, Boston, Baltimore, "
    "Minneapolis, St Louis, Kansas City, Charlotte, Raleigh, Omaha, Philadelphia, Pittsburgh, "
    "Nashville, Memphis, Mobile, Little Rock",
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
        What to do with what is a state's and a country's ("Georgia", "CA", "Kakheti, Georgia"), or two states' ("Washington").
        "keep" takes a name or code that stands alone for one of this level, and one behind a city for a state ("Fresno, CA");
        "drop" leaves such places out. "Tbilisi, Georgia" and "Atlanta, Georgia" are not ambiguous, as the city is one of
        `CITIES`.

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
        if self.level == "state" and not ambiguous:
            ambiguous = _of_two_states(place)
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
    parts = _parts(place)
    in_usa = False
    for number in reversed(range(len(parts))):
        state, country = _match(parts[number], behind_city=number > 0)
        if state and (in_usa or not country):
            return state, "USA", len(parts) == 1
        if state and (settled := _settled(parts[:number] + parts[number + 1 :], country)):
            return (state if settled == "USA" else None), settled, False
        if state or (country and country != "USA"):
            return (None, "USA", False) if in_usa else (state, country, len(parts) == 1)
        in_usa = in_usa or country == "USA"
    return None, "USA" if in_usa else None, len(parts) == 1


def _parts(place: str) -> list[str]:
    """The parts of a place; a state's code behind a city and the country behind either are parts of
    their own, also where no comma stands between: "Austin TX USA".
    """
    states, countries, parts = _names("us_states"), _names("countries"), []
    for part in map(normalise, BETWEEN_PARTS.split(place)):
        words, behind = part.split(), []
        for length in (3, 2, 1):
            if countries.names.get(" ".join(words[-length:]).casefold()) == "USA":
                words, behind = words[:-length], words[-length:]
                break
        parts += _city_and_code(words, states.codes) + ([" ".join(behind)] if behind else [])
    return parts


def _city_and_code(words: list[str], codes: dict[str, str]) -> list[str]:
    if len(words) > 1 and words[-1] in codes and not _match(" ".join(words), behind_city=False)[0]:
        return [" ".join(words[:-1]), words[-1]]
    return [" ".join(words)] if words else []


def _settled(parts: list[str], country: str | None) -> str | None:
    """The country that a large city among some parts settles on, of the one given and the USA."""
    for code in (country, "USA"):
        for name in CITIES.get(code or "", "").casefold().split(", "):
            if name and any(f" {part.casefold()}".endswith(f" {name}") for part in parts):
                return code
    return None


def _of_two_states(place: str) -> bool:
    """Whether a name that two states share stands alone, but for the country."""
    countries = _names("countries").names
    parts = [part.casefold() for part in _parts(place)]
    return [part for part in parts if countries.get(part) != "USA"] == [TWO_STATES]


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
        return None, None
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
