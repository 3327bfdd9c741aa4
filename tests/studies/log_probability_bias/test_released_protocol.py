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
from lib.language_models.log_probability import PUBLISHED_PRIOR, mean_bias
from lib.ledger import claims
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


@given(st.lists(st.tuples(*[st.floats(-20, 0)] * 4), min_size=1, max_size=5))
def test_the_two_sides_are_sums_of_probabilities_and_turn_with_the_sides(rows):
    columns = [f"log_{of}_{side}" for of in ("p", "prior") for side in ("first", "second")]
    table = pd.DataFrame(rows, columns=columns).assign(template="t", attribute="a")
    row = summed_targets(table).iloc[0]
    first, second, *_ = np.exp(table[columns]).sum()
    assert row["log_odds"] == pytest.approx(np.log(first / second), abs=1e-9)
    turned = table.rename(columns=dict(zip(columns, [columns[k] for k in (1, 0, 3, 2)])))
    assert summed_targets(turned)["bias"].item() == pytest.approx(-row["bias"], abs=1e-9)
