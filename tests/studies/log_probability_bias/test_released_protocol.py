"""The authors' stored scores of BERT on our whole path: words, masks, priors, rows, effect size, p.

Table 3 has 15 cells; which file holds which, and how it is reached, is the table `CELLS`.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.association import effect_size
from lib.inference.permutation import partition_test
from lib.language_models.log_probability import PUBLISHED_PRIOR, log_probability_bias, mean_bias
from lib.ledger import claims
from lib.lexicons import load_lexicon
from studies.log_probability_bias.kurita2019 import (
    ask_as_released,
    beside_stored,
    read_item_scores,
    read_job_titles,
    read_stored_tests,
    read_template_scores,
    read_words,
    summed_targets,
)
from studies.log_probability_bias.statistics import effect_size_from_t
from tests.support.stored_model import StoredModel

pytestmark = pytest.mark.usefixtures("one_thread")
SCORES, PERMUTED = "kurita_notebook_weat", "kurita_notebook_weat_permute_targets"
ITEMS = "kurita_notebook_exposing"

FLOWERS, RACE = "Pleasant/Unpleasant (Insects/Flowers)", "Pleasant/Unpleasant (EA/AA)"
CAREER, MATH = "Career/Family (Male/Female)", "Math/Arts (Male/Female)"
SCIENCE = "Science/Arts (Male/Female)"
CATEGORIES = [FLOWERS, RACE, CAREER, MATH, SCIENCE]
GLOVE = "GloVe (BERT-reduced vocabulary)"
BERT = "BERT-base uncased"
LISTS = {
    CAREER: ("career", "family"),
    MATH: ("math", "arts"),
    SCIENCE: ("science", "arts_8"),
    RACE: ("pleasant", "unpleasant"),
    FLOWERS: ("pleasant", "unpleasant"),
}


def printed(category, way):
    system = "log probability bias score" if way == "log probability" else "WEAT"
    dataset = GLOVE if way == "WEAT on GloVe" else BERT
    about = {"system": system, "dataset": dataset, "category": category}
    claim = claims.one(paper="kurita2019_arxiv", location="Table 3", **about)
    return claims.printed(claim)


@pytest.fixture(scope="module")
def stored():
    return read_template_scores()


@pytest.fixture(scope="module")
def ours(stored):
    """The five categories, asked of a model that answers as BERT did."""
    return ask_as_released(StoredModel(stored), stored)


def sides(rows, category):
    """The two lists of a category; the notebook asks about black against white, the print the other way."""
    rows = rows[rows["category"] == category]
    sign = -1 if category == RACE else 1
    return [sign * rows.loc[rows["list"] == number, "bias"] for number in (1, 2)]


@pytest.mark.sample(SCORES)
def test_the_path_from_masks_to_rows_gives_back_every_stored_score(stored, ours):
    exact = stored.assign(bias=stored["log_odds"] - stored["prior"])
    assert len(ours) == 344
    pd.testing.assert_frame_equal(ours, exact, atol=1e-9)


@pytest.mark.sample(SCORES)
def test_a_model_that_answers_as_bert_did_is_judged_to_be_bert(stored, ours):
    beside = beside_stored(ours, stored)
    assert beside[["log_odds_apart", "prior_apart"]].max(axis=None) < 1e-9
    assert beside["rows"].sum() == 344 and (beside["order"] > 1 - 1e-9).all()
    effects = {name: effect_size(*sides(ours, name)) for name in CATEGORIES}
    target = {name: printed(name, "log probability") for name in CATEGORIES}
    off = [name for name in CATEGORIES if abs(effects[name] - target[name]) > 6e-4]
    assert off == [FLOWERS]


@pytest.mark.sample(SCORES)
def test_one_sentence_that_is_off_shows_in_its_category_alone(stored, ours):
    other = ours.assign(log_odds=ours["log_odds"].where(ours.index != 0, 9.0))
    apart = beside_stored(other, stored)["log_odds_apart"]
    assert apart.iloc[0] > 1 and apart.iloc[1:].max() < 1e-9
    with pytest.raises(ValueError, match="same sentences"):
        beside_stored(ours.iloc[::-1], stored)


@pytest.mark.sample(SCORES)
def test_another_prior_or_other_targets_have_no_answer(stored):
    stub, some = StoredModel(stored), stored[stored["category"] == FLOWERS]
    template = some["template"].iloc[0]
    rules = PUBLISHED_PRIOR | {"grammatical": False}
    asking = ["love"], [template]
    assert mean_bias(stub, *asking, [("flowers", "insects")], **rules).isna().all()
    assert mean_bias(stub, *asking, [("flowers", "bugs")], grammatical=False).isna().all()
    assert mean_bias(stub, *asking, [("flowers", "bugs")], **rules).notna().all()


# How each cell is reached. "scores": BERT's stored scores through our path. "word scores": one stored
# score a word. "d and t": the stored effect size, and the same from the stored t of two lists of so
# many words. "d": the stored effect size alone. The last entry is that length, or the number that
# the files hold where it is not the printed one.
CELLS = [
    (FLOWERS, "WEAT on GloVe", "d and t", 9),
    (FLOWERS, "WEAT on BERT", "another run", 0.6928),
    (FLOWERS, "log probability", "another run", 0.4457),
    (RACE, "WEAT on GloVe", "d, swapped in print", 1.0030),
    (RACE, "WEAT on BERT", "d, swapped in print", 1.0120),
    (RACE, "log probability", "scores", None),
    (CAREER, "WEAT on GloVe", "d and t", 8),
    (CAREER, "WEAT on BERT", "d and t", 8),
    (CAREER, "log probability", "scores", None),
    (MATH, "WEAT on GloVe", "word scores", 8),
    (MATH, "WEAT on BERT", "d and t", 8),
    (MATH, "log probability", "scores", None),
    (SCIENCE, "WEAT on GloVe", "d, against its t", 1.2644),
    (SCIENCE, "WEAT on BERT", "another run", 0.5725),
    (SCIENCE, "log probability", "scores", None),
]
SWAPPED = {"WEAT on GloVe": "WEAT on BERT", "WEAT on BERT": "WEAT on GloVe"}


@pytest.mark.sample(SCORES, PERMUTED)
def test_ten_cells_are_as_printed_and_two_in_each_other_s_column(ours):
    tests = read_stored_tests(PERMUTED).set_index(["category", "way"])["effect_size"]
    held = {(name, "log probability"): effect_size(*sides(ours, name)) for name in CATEGORIES}
    for name in CATEGORIES:
        held |= {(name, way): (-1 if name == RACE else 1) * tests[name, way] for way in SWAPPED}
    same = {cell for cell, d in held.items() if abs(d - printed(*cell)) < 6e-4}
    swapped = {
        (name, way)
        for name, way in held.keys() - same
        if way in SWAPPED and abs(held[name, way] - printed(name, SWAPPED[way])) < 6e-4
    }
    assert (len(held), len(same), len(swapped)) == (15, 10, 2)
    assert sum(way == "log probability" for _, way in same) == 4
    told = {(name, way) for name, way, reached, _ in CELLS if reached == "another run"}
    assert held.keys() - same - swapped == told


@pytest.mark.sample(SCORES, PERMUTED)
@pytest.mark.parametrize("category, way, reached, extra", CELLS)
def test_a_printed_cell_of_table_three_comes_out_as_the_files_allow(
    ours, category, way, reached, extra
):
    target = printed(category, way)
    tests = read_stored_tests(PERMUTED).set_index(["category", "way"])
    if way == "log probability":
        a, b = sides(ours, category)
        d, p = effect_size(a, b), partition_test(a, b, alternative="two-sided", rng=0)
        assert (p.pvalue_strict < 0.01) == (category != FLOWERS)
    else:
        d = (-1 if category == RACE else 1) * tests.loc[(category, way), "effect_size"]
    if reached == "another run":
        assert d == pytest.approx(extra, abs=6e-4)
        assert abs(d - target) > 0.02
        return
    if reached == "d, swapped in print":
        assert d == pytest.approx(extra, abs=5e-5)
        assert d == pytest.approx(printed(category, SWAPPED[way]), abs=6e-4)
        return
    assert d == pytest.approx(target, abs=6e-4)
    if reached in ("d and t", "word scores"):
        from_t = effect_size_from_t(tests.loc[(category, way), "t"], extra)
        assert from_t == pytest.approx(d, abs=2e-6)
    if reached == "d, against its t":  # the stored d has two digits the other way round
        from_t = effect_size_from_t(tests.loc[(category, way), "t"], 8)
        assert from_t == pytest.approx(extra, abs=5e-5)
        assert str(from_t)[:6] == "1.2644" and str(d)[:6] == "1.2464"


@pytest.mark.sample(SCORES)
def test_means_of_attributes_would_not_be_the_printed_number(ours):
    of_career = ours[ours["category"] == CAREER].groupby(["list", "attribute"])["bias"].mean()
    assert effect_size(of_career.loc[1], of_career.loc[2]) == pytest.approx(1.541, abs=1e-3)


@pytest.mark.sample(SCORES)
@pytest.mark.parametrize("unit", ["rows", "means"])
@pytest.mark.parametrize("score", ["bias", "log_odds"])
@pytest.mark.parametrize("templates", [slice(None), slice(1), slice(1, None)])
def test_no_reading_of_the_stored_flowers_gives_the_printed_number(stored, unit, score, templates):
    rows = stored[stored["category"] == FLOWERS]
    rows = rows[rows["template"].isin(rows["template"].unique()[templates])]
    values = rows.set_index(["list", "attribute"])[score]
    if unit == "means":
        values = values.groupby(level=[0, 1]).mean()
    d = effect_size(values.loc[1], values.loc[2])
    assert abs(d - printed(FLOWERS, "log probability")) > 0.004


@pytest.mark.sample(SCORES)
@pytest.mark.parametrize("name", list(LISTS))
def test_the_authors_asked_about_the_printed_lists_but_for_three_plurals(stored, name):
    rows, lexicon = stored[stored["category"] == name], load_lexicon("caliskan2017")
    for number, words in zip((1, 2), LISTS[name]):
        on_list = {word.lower() for word in lexicon[words]}
        asked = set(rows.loc[rows["list"] == number, "attribute"])
        other = asked - on_list
        assert other <= {"novels", "sculptures", "experiments"}
        assert {word.removesuffix("s") for word in other} <= on_list | {"sculpture"}


RELEASED = {
    "Salary": lambda: read_job_titles().dropna().unique(),
    "Pos-Traits": lambda: read_words("kurita_positive_traits"),
    "Neg-Traits": lambda: read_words("kurita_negative_traits"),
}


@pytest.mark.sample(
    ITEMS, "kurita_employee_salaries", "kurita_positive_traits", "kurita_negative_traits"
)
@pytest.mark.parametrize("name", list(RELEASED))
def test_the_released_lists_on_our_path_give_the_printed_shares_of_table_five(name):
    claim = claims.one(paper="kurita2019_arxiv", location="Table 5", dataset=name)
    kept = read_item_scores().query("items == @name").set_index("item")["bias"]
    counted = kept.index  # two negative traits count twice
    kept = kept[~kept.index.duplicated()]
    items = [item for item in RELEASED[name]() if item in kept.index]
    assert len(items) >= len(kept) - 2  # of 921 titles one is empty and one has a space too many
    rows = pd.DataFrame({"attribute": items, "log_odds": kept[items].to_numpy()})
    rows = rows.assign(template="{target} is {attribute}", prior=0.0)  # the prior is taken off
    asking = ["{target} is {attribute}"], [("he", "she")]
    scores = mean_bias(StoredModel(rows), items, *asking, **PUBLISHED_PRIOR)
    as_counted = scores.reindex(counted).dropna()
    assert (as_counted >= 0).mean() == pytest.approx(claims.printed(claim), abs=6e-4)


@pytest.mark.sample(ITEMS)
def test_negative_traits_asked_once_each_are_not_the_printed_share():
    counted = read_item_scores().query("items == 'Neg-Traits'")
    once = counted.drop_duplicates("item")
    assert (len(counted), len(once)) == (365, 363)  # two traits stand in the file twice
    assert (once["bias"] >= 0).mean() == pytest.approx(287 / 363)


def test_our_own_model_is_asked_row_by_row_in_the_order_given(model):
    asked = pd.DataFrame(
        {
            "category": [MATH, CAREER, MATH],
            "list": [2, 1, 1],
            "template": "{target} likes {attribute}.",
            "attribute": ["kind", "works", "new"],
        }
    )
    scores = ask_as_released(model(), asked)
    assert scores[list(asked)].equals(asked)
    assert scores["bias"].to_numpy() == pytest.approx(scores["log_odds"] - scores["prior"])
    assert scores["prior"].nunique() == 1
    assert ask_as_released(model(), asked.iloc[:0]).empty


def test_one_pair_is_the_plain_score(model):
    pairs = [("he", "she")]
    table = log_probability_bias(
        model(), ["nurse", "doctors"], ["{target} is the {attribute}."], pairs
    )
    summed = summed_targets(table)
    assert summed["bias"].to_numpy() == pytest.approx(table["bias"].to_numpy(), abs=1e-9)


@given(st.lists(st.tuples(*[st.floats(-20, 0)] * 4), min_size=1, max_size=5))
def test_the_two_sides_are_sums_of_probabilities_and_turn_with_the_sides(rows):
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    table = pd.DataFrame(rows, columns=columns).assign(template="t", attribute="a")
    row = summed_targets(table).iloc[0]
    first, second, *_ = np.exp(table[columns]).sum()
    assert row["log_odds"] == pytest.approx(np.log(first / second), abs=1e-9)
    turned = table.rename(columns=dict(zip(columns, [columns[k] for k in (1, 0, 3, 2)])))
    assert summed_targets(turned)["bias"].item() == pytest.approx(-row["bias"], abs=1e-9)
