"""What the chapter `base_pair_stability` found: stored outputs beside the print, and nothing judged on other vectors."""

import json

import numpy as np
import pandas as pd

from lib.ledger import report_card
from tests.chapters.runs import run_of


def test_minilm_answers_no_printed_number():
    assert (run_of("embedded", "base_pair_stability")["claim_id"] == "").all()


def test_the_notebook_holds_the_printed_kappas_and_public_rows_the_cosines():
    card = report_card(run_of("sample", "base_pair_stability"))
    card = card[(card["paper"] == "zhang2020_base_pairs") & (card["kind"] == "result")]
    tables = card[card["location"].isin([f"Table {number}" for number in range(1, 7)])]
    assert set(tables["verdict"]) == {"as released"} and len(tables) == 243
    verdicts = card.set_index("claim_id")["verdict"]
    for number in (6, 8, 9, 10, 12, 17):  # two cosines, and counts of the analogy test set
        assert verdicts[f"zhang2020_base_pairs.sec7.{number}"] == "reproduced"
    assert set(card["verdict"]) == {"as released", "reproduced", "no result"}


def test_surgeon_has_the_stored_scores():
    found = run_of("sample", "base_pair_stability")
    found = found[found["quantity"] == "score of a word, also in the stored outputs"]
    stored = [json.loads(settings)["stored"] for settings in found["settings"]]
    assert len(found) == 3 and np.allclose(found["value"], stored, rtol=0, atol=1e-7)


def recorded(quantity, profile="sample"):
    """Results of one quantity, their settings as columns."""
    found = run_of(profile, "base_pair_stability")
    found = found[found["quantity"] == quantity].reset_index(drop=True)
    settings = pd.DataFrame([json.loads(text) for text in found["settings"]])
    numbers = found[["value", "low", "high"]].apply(pd.to_numeric)
    return pd.concat([settings, numbers], axis=1)


def test_pairs_of_google_news_disagree_on_sides_more_than_on_the_order():
    order = recorded("agreement in sign and in order")
    order = order.pivot(index=["vectors", "system"], columns="statistic", values="value")
    news = order.loc[("sweater_googlenews", "DB/WA")]
    assert round(news["kappa"], 2) == 0.49 and round(news["kappa, pairs centred"], 2) == 0.57
    assert round(news["ICC(3,1), one pair"], 2) == 0.77 and news["pairs for .8"] == 2
    # offsets undo all agreement on sides in the Twitter vectors
    twitter = order.loc[("glove_twitter_25d_12k", "DB/WA")]
    assert twitter["kappa"] < 0.05 < 0.2 < twitter["kappa, pairs centred"]
    assert twitter["fewest on the female side"] == 0 and twitter["most on the female side"] == 1
    shares = order.filter(like="share of variance").sum(axis=1)
    assert np.allclose(shares, 1)


def test_the_order_follows_womens_share_in_google_news_and_not_beyond_chance_in_small_glove():
    rho = recorded("rank correlation with women's share")
    null = recorded("rank correlation with women's share, random pairs")
    both = rho.merge(null, on=["vectors", "system", "base_pair"], suffixes=("", "_null"))
    pairs_of = rho[rho["system"] == "NBM"].groupby("vectors").size()
    trained = {"sgns", "gap", "news", "film", "social", "brown"}
    assert len(both) == len(rho) == 3 * pairs_of.sum() and trained < {*pairs_of.index}
    means = both[both["base_pair"] == "mean of pairs"]
    above = (means["value"] > means["high_null"]).groupby(means["vectors"]).sum()
    assert above["sweater_googlenews"] == 3 and above["glove_twitter_25d_12k"] == 0
    assert (both["low"] <= both["value"]).all() and (both["value"] <= both["high"]).all()


def test_every_set_of_vectors_has_the_interval_and_the_null_of_each_reading():
    order = recorded("agreement in sign and in order")
    order = order.pivot(index=["vectors", "system"], columns="statistic", values="value")
    for reading in ("kappa", "kappa, pairs centred", "ICC(3,1), one pair"):
        ends = [f"{reading}, {end}" for end in ("low", "high", "random low", "random high")]
        low, high, by_lot, most = (order[end] for end in ends)
        clear = order[reading] > 0.1  # below 0 kappa depends on the number of pairs
        assert (low < high).all()
        assert (low < order[reading])[clear].all() and (order[reading] < high)[clear].all()
        # of a few pairs with one form each, kappa by chance lies a little below 0
        assert (by_lot < 0).all() and (most > -0.05).all() and (by_lot < most).all()
    beyond = order["kappa"] > order["kappa, random high"]
    assert beyond["sweater_googlenews"].all() and not beyond["glove_twitter_25d_12k"].any()


def test_forms_of_one_pronoun_count_as_one_pair_where_the_order_is_judged():
    order = recorded("agreement in sign and in order")
    order = order.pivot(index=["vectors", "system"], columns="statistic", values="value")
    twitter = order.loc["glove_twitter_25d_12k"]
    one, mean = twitter["ICC(3,1), one pair"], twitter["ICC(3,k), mean of pairs"]
    assert np.allclose(mean, 8 * one / (1 + 7 * one))  # ten pairs, three of them one pronoun


def test_intervals_of_kappa_draw_words_and_pairs():
    kappa = recorded("Fleiss kappa").dropna(subset=["low"])
    assert len(kappa) == 3 and (kappa["high"] - kappa["low"] > 0.2).all()
