"""The statistics that are shipped: that they are the registered files' numbers, and that their form is the one described."""

import re

import pytest

from lib.cultures.regression import signed_r2
from lib.datasets.statistics import statistics_table
from lib.sources import lookup
from scripts.tables.statistics_tables import FOLDER, TABLES

FILES = sorted(path.stem for path in FOLDER.glob("*.csv"))
KEYS = (
    "noiris_gender_gap_2018",
    "wef_gggi_2006_2022",
    "undp_gii",
    "undp_gdi",
    "iso_codes",
    "ncsl_women_2016",
    *(
        f"acs2016_{table}_{part}"
        for table in ("b15011", "b20017", "c23001", "c24010")
        for part in ("data", "legend")
    ),
)


@pytest.mark.sample(*KEYS)
@pytest.mark.parametrize("name", TABLES)
def test_the_shipped_table_is_what_the_registered_files_give(name):
    table = TABLES[name]()
    assert (FOLDER / f"{name}.csv").read_text(encoding="utf-8") == table.to_csv(
        index=table.index.name is not None
    )


@pytest.mark.parametrize("name", FILES)
def test_every_table_has_its_row_in_the_readme_and_begins_with_a_code(name):
    table = statistics_table(name)
    assert f"`{name}.csv`" in (FOLDER / "README.md").read_text(encoding="utf-8")
    letters = 3 if name in ("countries", "gender_gap_2018") else 2
    assert table.index.str.fullmatch(f"[A-Z]{{{letters}}}").all()


def test_registry_keys_named_in_the_readme_are_there():
    named = re.findall(
        r"`((?:acs2016|noiris|wef|undp|iso|ncsl)_\w+)`",
        (FOLDER / "README.md").read_text(encoding="utf-8"),
    )
    assert len(named) >= 8 and all(lookup(key) for key in named)


def test_long_tables_add_up_to_the_shares_by_state():
    degrees, states = statistics_table("us_degrees_2016"), statistics_table("us_states_2016")
    science = (
        degrees[degrees.field == "Science and Engineering"].groupby(level=0)[["women", "men"]].sum()
    )
    assert (
        (100 * science.women / science.sum(axis=1)).round(1) == states.science_degrees_women_percent
    ).all()
    work = statistics_table("us_occupations_2016")
    assert (
        len(work) == 51 * work.occupation.nunique()
        and 140e6 < work[["women", "men"]].sum().sum() < 160e6
    )


def test_the_index_goes_with_its_parts_and_against_the_index_of_inequality():
    table = statistics_table("gender_gap_2018")
    overall = table.gggi_overall.to_numpy()
    parts = table[["gggi_economic_participation_and_opportunity", "gggi_political_empowerment"]]
    assert (signed_r2(parts.to_numpy(), overall) > 0.3).all()
    assert signed_r2(table.undp_gii.to_numpy(float), overall) < -0.2
    four = table.filter(like="gggi_").drop(columns="gggi_overall").mean(axis=1)
    assert (
        four - table.gggi_overall
    ).abs().max() < 0.002  # the index is the mean of its four subindices
