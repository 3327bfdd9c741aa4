"""Job titles are cleaned, lists hold each word once, and stored outputs are read as they stand."""

import json

import pytest

from lib.association import effect_size
from lib.ledger import claims
from studies.log_probability_bias import kurita2019

SCORES, PERMUTED = kurita2019.TESTS
ITEMS = "kurita_notebook_exposing"
LISTS = ("kurita_positive_traits", "kurita_negative_traits", "kurita_tech_skills")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that puts a text in the place of the registered file."""

    def write(text):
        (tmp_path / "file").write_text(text, encoding="utf-8")
        monkeypatch.setattr(kurita2019, "fetch", lambda key: tmp_path / "file")

    return write


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


def test_job_titles_are_cleaned_and_missing_ones_stay_missing(file):
    file('Name,Job Title,Pay\nA,"CLERK  TYPIST 1 ",1\nB,,2\nC,Chief of Staff,3\n')
    titles = kurita2019.read_job_titles()
    assert titles.dropna().tolist() == ["clerk typist 1", "chief of staff"] and len(titles) == 3


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("CLERK TYPIST 1", "typist"),
        ("Chief of Staff", "chief"),
        ("CASEWORKER - CYF (lng Step)", "caseworker"),
        ("EXEC SECRETARY/OFFICE MGR", "secretary"),
        ("LEGAL SECRETARY 1/", "secretary"),
        ("Attorney III", "attorney"),
        ("nurse", "nurse"),
        ("flight attendant", "attendant"),
        ("Cloud Computing", "computing"),
        ("42", "42"),
    ],
)
def test_the_head_noun_of_a_title(title, head):
    assert kurita2019.head_noun(title) == head


def test_lists_hold_each_word_once(file):
    file("Kind\n\nbrave \nKIND\nwell read\n")
    assert kurita2019.read_words("kurita_positive_traits") == ["kind", "brave", "well read"]


def test_a_new_count_of_rows_is_the_next_template(file):
    code = 'df{} = pd.concat([\n  pd.DataFrame([bias_score("GGG likes XXX.", x)]),\n  bias_score("GGG like XXX.", x)])\ndf'
    frame = "bias bias_prior_corrected prior_correction stimulus\n0 3.0 1.0 2.0 math\n1 4.0 2.0 2.0 art\n0 5.0 0.5 4.5 math\n"
    file(notebook("# Math vs. Art", (code.format(1), frame), (code.format(2), frame)))
    scores = kurita2019.read_template_scores()
    assert scores["template"].tolist()[:3] == ["{target} likes {attribute}."] * 2 + [
        "{target} like {attribute}."
    ]
    assert scores["list"].tolist() == [1, 1, 1, 2, 2, 2]
    assert scores.loc[2, ["log_odds", "prior", "bias"]].tolist() == [5.0, 4.5, 0.5]


def test_a_test_belongs_to_the_headings_above_it(file):
    tests = [("get_effect_size(df1, df2)", "1.5"), ("exact_mc_perm_test(df1['x'])", "0.01")]
    file(notebook("# Career vs Family", *tests, "### Glove WEAT", *tests, "# Black vs. White"))
    stored = kurita2019.read_stored_tests(PERMUTED)
    assert stored["way"].tolist() == ["log probability", "WEAT on GloVe"]
    assert set(stored["category"]) == {"Career/Family (Male/Female)"}
    assert stored[["effect_size", "p"]].to_numpy().tolist() == [[1.5, 0.01]] * 2
    assert stored["t"].isna().all()


def test_t_is_read_from_what_the_test_put_out(file):
    shown = "Ttest_indResult(statistic=-0.25, pvalue=0.8)"
    tests = [("get_effect_size(df1, df2)", "1.5"), ('ttest_ind(df1["x"], df2["x"])', shown)]
    file(notebook("# Math vs. Art", *tests))
    assert kurita2019.read_stored_tests(PERMUTED)["t"].tolist() == [-0.25]


def test_an_item_may_hold_the_word_before_its_score(file):
    runs = []
    for name in kurita2019.ITEMS:
        for suffix, call in (("", "list2Bias"), ("_without_prior", "list2Bias_norm")):
            printed = "Man  is  paid by hour  by  0.5\nWoman  is  nurse  by  -4e-2\n"
            runs.append((f"# Before\n\n{call}('{name}{suffix}.pdf', x, \"is \")", printed))
    file(notebook(*runs))
    items = kurita2019.read_item_scores()
    assert items.loc[items["items"] == "Salary", "item"].tolist() == ["paid by hour", "nurse"]
    assert items["bias"].tolist() == items["log_odds"].tolist() == [0.5, -0.04] * 4


@pytest.mark.sample("kurita_employee_salaries", *LISTS)
def test_the_files_have_the_length_of_the_repository():
    assert len(kurita2019.read_job_titles()) == 6882
    assert all(kurita2019.read_words(key) for key in LISTS)


@pytest.mark.sample(SCORES)
def test_rows_pooled_over_templates_give_what_the_notebook_stored():
    scores = kurita2019.read_template_scores()
    assert len(scores) == 344 and scores.notna().all(axis=None)
    stored = kurita2019.read_stored_tests(SCORES).set_index("category")
    assert set(stored.index) == set(scores["category"])
    for category, rows in scores.groupby("category"):
        first, second = (rows.loc[rows["list"] == number, "bias"] for number in (1, 2))
        assert effect_size(first, second) == pytest.approx(
            stored.loc[category, "effect_size"], abs=1e-6
        )
    assert stored.loc["Pleasant/Unpleasant (Insects/Flowers)", "p"] == 0.02494


@pytest.mark.sample(SCORES)
def test_a_score_is_log_odds_less_the_prior_of_its_template():
    scores = kurita2019.read_template_scores()
    assert (scores["log_odds"] - scores["prior"] - scores["bias"]).abs().max() < 2e-6
    assert (scores.groupby(["category", "template"])["prior"].nunique() == 1).all()
    caress = scores[scores["attribute"] == "caress"].iloc[0]
    assert caress[["log_odds", "prior", "bias"]].tolist() == [4.534074, 9.861201, -5.327127]


@pytest.mark.sample(PERMUTED)
def test_the_two_race_cells_of_weat_are_swapped_in_print():
    stored = kurita2019.read_stored_tests(PERMUTED)
    assert len(stored) == 15 and stored["p"].between(0, 1).all()
    race = stored[stored["category"] == "Pleasant/Unpleasant (EA/AA)"].set_index("way")
    assert race["effect_size"].round(4).tolist() == [-1.0311, -1.012, -1.003]
    about = {"paper": "kurita2019_arxiv", "system": "WEAT", "category": race["category"].iloc[0]}
    swapped = {
        "WEAT on BERT": "GloVe (BERT-reduced vocabulary)",
        "WEAT on GloVe": "BERT-base uncased",
    }
    for way, column in swapped.items():
        printed = claims.printed(claims.one(dataset=column, **about))
        assert -race.loc[way, "effect_size"] == pytest.approx(printed, abs=5e-4)


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
