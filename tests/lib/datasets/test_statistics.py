"""Tables of statistics: by code, with numbers as numbers and codes as text."""

from lib.datasets.statistics import statistics_table


def test_tables_come_by_the_code_of_state_or_country():
    states = statistics_table("us_states_2016")
    assert states.loc["UT", "earnings_ratio_full_time"] < 0.75
    index = statistics_table("gender_gap_2018")["gggi_overall"]
    assert index["ISL"] == 0.858  # first in the report of 2018


def test_codes_are_text_and_a_name_not_given_is_empty():
    assert statistics_table("us_states").loc["AL", "fips"] == "01"
    countries = statistics_table("countries")
    assert len(countries) == 249 and countries.loc["NAM", "iso2"] == "NA"
    assert countries.loc["ABW", "other_names"] == ""


def test_an_unknown_table_is_refused_with_those_there_are(refuses):
    refuses(
        lambda: statistics_table("us_state"),
        ["us_states_2016", "gender_gap_2018", "'us_state'", "Did you mean 'us_states'?"],
    )
