"""What the chapter `multiclass` found: scores inside their null, and checks that show what they could have seen."""

import json

import pandas as pd
import pytest

from tests.chapters.runs import run_of

PROFILES = ["embedded", "sample"]


def rows_of(profile, quantity):
    """Results of a quantity, their settings as columns."""
    table = run_of(profile, "multiclass")
    table = table[table["quantity"] == quantity]
    settings = pd.DataFrame(list(table["settings"].map(json.loads)), index=table.index)
    return table[["value", "low", "high", "n"]].join(settings)


@pytest.mark.parametrize("profile", PROFILES)
def test_scores_of_other_vectors_answer_no_printed_score(profile):
    answered = set(run_of(profile, "multiclass")["claim_id"]) - {""}
    assert answered == {"lu2021_bold_and_beyond.sec32.1", "lu2021_bold_and_beyond.sec33.1"}


@pytest.mark.parametrize("profile", PROFILES)
def test_professions_lie_inside_the_null_and_words_that_name_a_gender_do_not(profile):
    shares = rows_of(profile, "share of random class words that score as much")
    of = dict(list(shares.groupby("scored")["value"]))
    assert (of["professions"] > 0.05).all()
    gendered = shares[shares["classes"].str.startswith("man,")]
    check = gendered.loc[gendered["scored"] == "words that name a gender", "value"]
    assert len(check) >= 2 and (check < 0.025).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_the_order_is_seen_in_some_vectors_and_the_size_in_none(profile):
    order = rows_of(profile, "rank correlation of she − he with women's share")
    null = rows_of(profile, "rank correlation of she − he with women's share: random axes")
    order, null = order.set_index("vectors"), null.set_index("vectors")
    assert order.loc["minilm", "value"] > null.loc["minilm", "high"]
    assert (order["value"] < null["high"]).any()  # not a fact of every set of vectors
    size = rows_of(profile, "share of random axes on which as much lean: occupations")
    assert len(size) == len(order) and (size["value"] > 0.025).all()


def test_where_size_misses_the_order_it_can_see_gender_words_only_in_some_sets_of_vectors():
    what = "share of random axes on which as much lean: gender words"
    check = rows_of("sample", what).set_index("vectors")["value"]
    published = ["glove_6b_50d_5k", "glove_twitter_25d_12k", "sweater_googlenews"]
    assert (check[published] > 0.025).all() and (check < 0.025).sum() >= 3
    order = rows_of("sample", "rank correlation of she − he with women's share")
    null = rows_of("sample", "rank correlation of she − he with women's share: random axes")
    seen = order.set_index("vectors")["value"] > null.set_index("vectors")["high"]
    assert seen["minilm"] and check["minilm"] < 0.025


def test_whether_the_poles_are_told_apart_without_one_direction_depends_on_the_vectors():
    quantity = "accuracy of telling the poles apart"
    minilm, glove = (rows_of(p, quantity).set_index("version") for p in PROFILES)
    assert minilm.loc["she − he taken out", "low"] > 0.6
    assert glove.loc["she − he taken out", "low"] < 0.5 < glove.loc["nothing taken out", "low"]
    larger = rows_of("sample", "share of the larger pole")["value"].item()
    assert 0.5 <= larger < 0.6
