"""Job titles are cleaned, lists hold each word once, and stored outputs are read as they stand."""

import json

import pytest

from studies.log_probability_bias import kurita2019

SCORES, PERMUTED = kurita2019.TESTS
ITEMS = "kurita_notebook_exposing"
LISTS = ("kurita_positive_traits", "kurita_negative_traits", "kurita_tech_skills")


def notebook(*cells):
    """A notebook: a text alone is a heading, a pair is code and what it put out."""
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": [cell]}
                if isinstance(cell, str)
                else {
                    "cell_type": "code",
                    "source": cell[0].splitlines(keepends=True),
                    "outputs": [
                        {"output_type": "stream", "name": "stderr", "text": ["a warning\n"]},
                        {"output_type": "stream", "name": "stdout", "text": [cell[1]]},
                    ],
                }
                for cell in cells
            ]
        }
    )


def test_job_titles_are_cleaned_and_missing_ones_stay_missing(registered_file):
    registered_file(
        kurita2019, 'Name,Job Title,Pay\nA,"CLERK  TYPIST 1 ",1\nB,,2\nC,Chief of Staff,3\n'
    )
    titles = kurita2019.read_job_titles()
    assert titles.dropna().tolist() == ["clerk typist 1", "chief of staff"] and len(titles) == 3


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("CLERK TYPIST 1", "typist"),
        ("CASEWORKER - CYF (lng Step)", "caseworker"),
        ("EXEC SECRETARY/OFFICE MGR", "secretary"),
        ("42", "42"),
    ],
)
def test_the_head_noun_of_a_title(title, head):
    assert kurita2019.head_noun(title) == head


def test_a_new_count_of_rows_is_the_next_template(registered_file):
    code = 'df{} = pd.concat([\n  pd.DataFrame([bias_score("GGG likes XXX.", x)]),\n  bias_score("GGG like XXX.", x)])\ndf'
    frame = "bias bias_prior_corrected prior_correction stimulus\n0 3.0 1.0 2.0 math\n1 4.0 2.0 2.0 art\n0 5.0 0.5 4.5 math\n"
    registered_file(
        kurita2019, notebook("# Math vs. Art", (code.format(1), frame), (code.format(2), frame))
    )
    scores = kurita2019.read_template_scores()
    assert scores["template"].tolist()[:3] == ["{target} likes {attribute}."] * 2 + [
        "{target} like {attribute}."
    ]
    assert scores["list"].tolist() == [1, 1, 1, 2, 2, 2]
    assert scores.loc[2, ["log_odds", "prior", "bias"]].tolist() == [5.0, 4.5, 0.5]


def test_a_test_belongs_to_the_headings_above_it(registered_file):
    tests = [("get_effect_size(df1, df2)", "1.5"), ("exact_mc_perm_test(df1['x'])", "0.01")]
    registered_file(
        kurita2019,
        notebook("# Career vs Family", *tests, "### Glove WEAT", *tests, "# Black vs. White"),
    )
    stored = kurita2019.read_stored_tests(PERMUTED)
    assert stored["way"].tolist() == ["log probability", "WEAT on GloVe"]
    assert set(stored["category"]) == {"Career/Family (Male/Female)"}
    assert stored[["effect_size", "p"]].to_numpy().tolist() == [[1.5, 0.01]] * 2
    assert stored["t"].isna().all()


@pytest.mark.sample(ITEMS)
def test_items_lean_male_as_table_five_prints():
    items = kurita2019.read_item_scores()
    counts = items["items"].value_counts()
    assert counts.to_dict() == {"Salary": 921, "Neg-Traits": 365, "Pos-Traits": 230, "Skills": 25}
    male = (items["bias"] >= 0).groupby(items["items"]).sum()
    assert male.to_dict() == {"Salary": 815, "Pos-Traits": 184, "Neg-Traits": 288, "Skills": 14}
    before = (items["log_odds"] >= 0).groupby(items["items"]).sum()
    assert before.to_dict() == {"Salary": 875, "Pos-Traits": 225, "Neg-Traits": 342, "Skills": 24}


@pytest.mark.sample(ITEMS, "kurita_employee_salaries", *LISTS)
def test_the_lists_asked_about_are_the_released_ones():
    items = kurita2019.read_item_scores().groupby("items")["item"].agg(list)
    for name, key in zip(("Pos-Traits", "Neg-Traits", "Skills"), LISTS):
        assert list(dict.fromkeys(items[name])) == kurita2019.read_words(key)
    titles = set(kurita2019.read_job_titles().dropna())
    asked = {" ".join(title.split()) for title in items["Salary"]} - {""}
    assert asked < titles and (len(asked), len(titles)) == (920, 933)
