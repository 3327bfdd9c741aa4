"""Make the tables of data/statistics from the registered files, so that anyone can check them.

python -m scripts.tables.statistics_tables [--folder data/statistics]     some seconds; needs the `sample` files

countries.csv says what countries are called (us_states.csv, its like, is kept by hand);
gender_gap_2018.csv, us_states_2016.csv, us_occupations_2016.csv and us_degrees_2016.csv hold the
statistics. README.md beside them says where each column is from.
"""

import contextlib
import logging
import re
import sys
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from lib.command import command
from lib.datasets.statistics import FOLDER, statistics_table
from lib.files import write_whole
from lib.sources import fetch
from scripts import commands

PREFERRED = {
    "USA": "United States",
    "GBR": "United Kingdom",
    "BIH": "Bosnia and Herzegovina",
    "COD": "Democratic Republic of the Congo",
    "COG": "Congo",
}
OTHER_NAMES = {  # beyond those in the file of ISO codes
    "USA": "USA; U S A; U S; United States; United States of America; America; The States",
    "GBR": "UK; U K; United Kingdom; Great Britain; Britain; England; Scotland; Wales; Northern Ireland",
    "RUS": "Russia",
    "KOR": "South Korea; Republic of Korea",
    "PRK": "North Korea",
    "VNM": "Vietnam; Viet Nam",
    "IRN": "Iran",
    "SYR": "Syria",
    "LAO": "Laos",
    "TZA": "Tanzania",
    "BOL": "Bolivia",
    "VEN": "Venezuela",
    "MDA": "Moldova",
    "CZE": "Czechia; Czech Republic",
    "CIV": "Ivory Coast; Cote d'Ivoire",
    "COD": "DR Congo; DRC; Democratic Republic of the Congo",
    "COG": "Republic of the Congo; Congo Brazzaville",
    "MKD": "Macedonia; North Macedonia",
    "SWZ": "Swaziland; Eswatini",
    "MMR": "Myanmar; Burma",
    "ARE": "UAE; U A E; United Arab Emirates",
    "NLD": "Netherlands; The Netherlands; Holland",
    "TUR": "Turkey; Türkiye; Turkiye",
    "TWN": "Taiwan",
    "HKG": "Hong Kong",
    "MAC": "Macau; Macao",
    "PSE": "Palestine",
    "VAT": "Vatican; Vatican City",
    "BRN": "Brunei",
    "CPV": "Cape Verde; Cabo Verde",
    "TLS": "East Timor; Timor Leste",
    "GMB": "Gambia; The Gambia",
    "BHS": "Bahamas; The Bahamas",
    "IRL": "Ireland; Republic of Ireland",
    "BIH": "Bosnia",
    "KGZ": "Kyrgyzstan",
    "SVK": "Slovakia",
    "TTO": "Trinidad; Trinidad and Tobago",
    "FSM": "Micronesia",
    "ZAF": "South Africa; RSA",
    "NZL": "New Zealand; Aotearoa",
    "DEU": "Germany; Deutschland",
    "ESP": "Spain; España",
    "BRA": "Brazil; Brasil",
    "MEX": "Mexico; México; Baja California; Baja California Sur",
    "ITA": "Italy; Italia",
    "SAU": "Saudi Arabia; KSA",
    "CHN": "China; PRC",
    "PHL": "Philippines; The Philippines",
    "DOM": "Dominican Republic",
    "LKA": "Sri Lanka",
}

log = logging.getLogger("lib")


def countries() -> pd.DataFrame:
    """What countries are called: ISO 3166-1 codes, the short English name, region, other
    spellings.
    """
    table = pd.read_csv(
        fetch("iso_codes"), sep=";", index_col=0, keep_default_na=False
    ).drop_duplicates("ISO3")
    rows, called = [], {}
    for row in table[table.ISO3.str.fullmatch("[A-Z]{3}")].sort_values("ISO3").itertuples():
        spellings = [
            PREFERRED.get(row.ISO3, ""),
            *map(_plain, (row.CLDR, row.Country_eng_short, row.Country_eng_official)),
            *OTHER_NAMES.get(row.ISO3, "").split("; "),
        ]
        called[row.ISO3] = list(dict.fromkeys(filter(None, spellings)))
        region, subregion = (
            (row.Region, row.Subregion) if row.ISO3 != "TWN" else ("Asia", "Eastern Asia")
        )
        rows.append((row.ISO3, called[row.ISO3][0], row.ISO2, region, subregion))
    columns = ["code", "name", "iso2", "region", "subregion"]
    listed = pd.DataFrame(rows, columns=columns).set_index("code")
    first = set(listed.name)  # "China, Hong Kong SAR" does not make Hong Kong another name of China
    listed["other_names"] = [
        "; ".join(name for name in called[code][1:] if name not in first) for code in listed.index
    ]
    return listed


def _plain(name: str) -> str:
    """A name without what stands in brackets, after a comma or dash or as a footnote mark, read in
    its own encoding.
    """
    with contextlib.suppress(UnicodeError):
        name = name.encode("cp1252").decode("utf-8")
    return re.sub(r"\s*([\[(,*]| - ).*", "", name).removeprefix("the ").strip()


def gender_gap() -> pd.DataFrame:
    """Global Gender Gap 2018 (World Economic Forum) and the two indices of UNDP for 2018, by
    country.
    """
    import rdata

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (table,) = rdata.read_rda(fetch("noiris_gender_gap_2018"), default_encoding="utf8").values()
    table = (
        table.rename(columns={"country_iso3": "code", "country_name": "name"})
        .set_index("code")
        .drop(columns="year")
    )
    table = table.rename(
        columns=lambda name: (
            name.replace("overall_global_gender_gap_index", "gggi_overall")
            .replace("global_gender_gap_", "gggi_")
            .replace("_subindex", "")
        )
    )
    table = table[table.gggi_overall.notna()].astype(
        {name: float for name in table.columns if name != "name"}
    )
    world = pd.read_excel(fetch("wef_gggi_2006_2022"))
    wages = world[
        world["Indicator"].str.startswith("Wage equality")
        & (world["Subindicator.Type"] == "Normalized Score")
    ]
    wages = wages.dropna(subset="X2018")
    table["wage_equality_survey"] = pd.to_numeric(wages.set_index("Country.ISO3")["X2018"]).reindex(
        table.index
    )
    for index in ("gii", "gdi"):
        undp = pd.read_csv(fetch(f"undp_{index}"), encoding="latin1").set_index("iso3")
        table[f"undp_{index}"] = undp[f"{index}_2018"].reindex(table.index)
    return table.sort_index()


def _acs(table: str, part: str = "E") -> pd.DataFrame:
    """An ACS 2016 table by postal code: the estimates (or "M", margins of error at 90 %) under the
    Bureau's labels.
    """
    legend = (
        pd.read_csv(fetch(f"acs2016_{table}_legend"))
        .drop_duplicates("VARIABLE")
        .set_index("VARIABLE")
        .LABEL
    )
    codes = statistics_table("us_states").reset_index().set_index("fips").code
    data = pd.read_csv(fetch(f"acs2016_{table}_data"), dtype={"state": str})
    data = data.set_index(data.state.str.zfill(2).map(codes).rename("code"))
    data = data[data.index.notna()].filter(regex=rf"^[A-Z]\d+_\d+{part}$").sort_index()
    return data.rename(columns=lambda name: legend[name].partition("!!")[2]).astype(float)


def states_2016() -> pd.DataFrame:
    """Earnings, work force, legislators, degrees and occupations of women and men by state."""
    states = statistics_table("us_states")[["name"]].sort_index()
    full, error = (_acs("b20017", part).filter(like="full-time, year-round") for part in "EM")
    women, men = (next(name for name in full if f"!!{sex}!!" in name) for sex in ("Female", "Male"))
    states["earnings_women_full_time_dollars"] = full[women].astype(int)
    states["earnings_men_full_time_dollars"] = full[men].astype(int)
    ratio = full[women] / full[men]
    states["earnings_ratio_full_time"] = ratio.round(4)
    margin = np.hypot(error[women], ratio * error[men]) / full[men]
    states["earnings_ratio_full_time_margin90"] = margin.round(4)
    totals = _acs("b20017").filter(regex="!!(Male|Female)!!Total")
    all_workers = totals.filter(like="Female").iloc[:, 0] / totals.filter(like="!!Male").iloc[:, 0]
    states["earnings_ratio_all_workers"] = all_workers.round(4)
    force = _acs("c23001").filter(regex="!!In labor force$")
    women_in_force, men_in_force = (
        force.filter(like=f"!!{sex}!!").sum(axis=1) for sex in ("Female", "Male")
    )
    states["labour_force_women_per_man"] = (women_in_force / men_in_force).round(4)
    seats = pd.read_csv(fetch("ncsl_women_2016")).set_index("state")
    share = 100 * seats.total_women / seats.total_seats
    states["women_state_legislators_percent"] = states.name.map(share).round(1)
    degrees, work = degrees_2016(), occupations_2016()
    science = degrees[degrees.field == "Science and Engineering"]
    groups = {
        "science_degrees_women_percent": science,
        "science_degrees_25_to_39_women_percent": science[science.age == "25 to 39 years"],
        "computer_occupations_women_percent": work[
            work.occupation == "Computer and mathematical occupations"
        ],
    }
    for column, rows in groups.items():
        counts = rows.groupby("code")[["women", "men"]].sum()
        states[column] = (100 * counts.women / (counts.women + counts.men)).round(1)
    return states


def occupations_2016() -> pd.DataFrame:
    """Women and men aged 16 and over in civilian employment by state and group of occupations (ACS
    2016, C24010).
    """
    return _by_sex("c24010", lambda labels: {"occupation": labels[-1]})


def degrees_2016() -> pd.DataFrame:
    """Women and men aged 25 and over with a bachelor's degree by state, age and field of the degree
    (ACS 2016, B15011).
    """
    return _by_sex("b15011", lambda labels: {"age": labels[2], "field": labels[3]})


def _by_sex(table: str, describe: Callable[[list[str]], dict[str, str]]) -> pd.DataFrame:
    """A row for each state and finest group of a table, women beside men."""
    counts = _acs(table).astype(int)
    groups = [
        label for label in counts if not any(other.startswith(f"{label}!!") for other in counts)
    ]
    rows: dict[tuple, dict] = {}
    for code in counts.index:
        for label in groups:
            labels = label.split("!!")
            row = {"code": code} | describe(labels)
            rows.setdefault(tuple(row.values()), row)[
                "women" if labels[1] == "Female" else "men"
            ] = counts.at[code, label]
    return pd.DataFrame(rows.values())


TABLES = {
    "countries": countries,
    "gender_gap_2018": gender_gap,
    "us_states_2016": states_2016,
    "us_occupations_2016": occupations_2016,
    "us_degrees_2016": degrees_2016,
}


@command()
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    options = commands.parser("tables.statistics_tables", __doc__, FOLDER)
    folder = commands.read(options, arguments).folder
    for name, make in TABLES.items():
        table = make()
        write_whole(folder / f"{name}.csv", table.to_csv(index=table.index.name is not None))
        log.info("%s.csv: %d rows", name, len(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
