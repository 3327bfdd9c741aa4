"""What the chapter `domains` found: the paper's Google News column, its released numbers, and our own vectors."""

import pytest

from lib.ledger import report_card
from lib.ledger.verdicts import OTHER_DATA, SAME_DATA
from tests.chapters.runs import run_of

PAPER = "chaloner2019_domains"


def verdicts_of(profile):
    return report_card(run_of(profile, "domains")).set_index("claim_id")["verdict"]


def test_google_news_effects_are_reproduced_and_their_p_lie_within_the_paper_s_draws():
    card = verdicts_of("sample")
    of_google_news = {number: card[f"{PAPER}.table2.{number}"] for number in (1, 2, 11, 12, 21, 22)}
    assert {number: verdict for number, verdict in of_google_news.items() if number % 10 == 2} == {
        2: "reproduced",
        12: "reproduced",
        22: "reproduced",
    }
    assert set(of_google_news.values()) <= {"reproduced", "within its randomness"}


def test_every_other_number_of_table_2_is_as_released():
    card = verdicts_of("sample")
    table = card[card.index.str.startswith(f"{PAPER}.table2.")]
    computed = table.index.str.fullmatch(r".*\.(1|2|11|12|21|22)")
    assert set(table[~computed]) == {"as released"}


def test_gap_p_values_of_unequal_sets_are_not_compared():
    card = verdicts_of("embedded")
    found = {card[f"{PAPER}.table2.{number}"] for number in (19, 29, 39, 49)}
    assert found.isdisjoint({*SAME_DATA, *OTHER_DATA})


def test_gap_lacks_the_words_that_the_paper_s_gap_lacks():
    found = run_of("embedded", "domains")
    counts = found[
        (found["quantity"] == "words out of vocabulary") & found["settings"].str.contains('"gap"')
    ]
    card = report_card(counts).set_index("claim_id").loc[counts["claim_id"]]
    assert len(card) == 12 and set(card["verdict"]) == {"reproduced"}
    assert set(card["basis"]) == {"recomputed"}


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_random_attributes_are_the_harder_null(profile):
    found = run_of(profile, "domains")
    beyond = {
        kind: (found.loc[found["quantity"] == f"random {kind} sets as far from 0", "value"] < 0.05)
        for kind in ("target", "attribute")
    }
    assert len(beyond["target"]) == len(beyond["attribute"]) > 30
    assert beyond["attribute"].sum() < beyond["target"].sum()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_the_usual_test_rejects_too_often_where_the_attributes_mean_nothing(profile):
    found = run_of(profile, "domains")
    shares = found[found["quantity"] == "share rejected with random attributes"]
    one_sided = shares[shares["settings"].str.contains('"one"')]
    assert len(one_sided) > 30 and (one_sided["low"] > 0.05).mean() > 0.8
    overall = found[found["quantity"] == "share rejected with random attributes, all tests"]
    assert len(overall) == 2 and (overall["low"] > 0.1).all()


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_no_effect_outlives_random_attributes_and_the_number_of_tests(profile):
    found = run_of(profile, "domains")
    adjusted = found[found["quantity"] == "random attribute sets as far from 0, adjusted"]
    assert len(adjusted) > 25 and (adjusted["value"] > 0.05).all()


def test_effects_of_vectors_trained_several_times_are_means_over_their_seeds():
    found = run_of("embedded", "domains")
    effects = found[found["quantity"] == "effect size"]
    b1 = effects[effects["settings"].str.contains("B1")]
    gap = b1[b1["settings"].str.contains('"gap"')].squeeze()
    assert gap["value"] == pytest.approx(1.36, abs=0.01)
    assert gap["low"] < 0 < 1.53 < gap["high"]


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_one_pair_of_gap_speaks_against_the_others(profile):
    found = run_of(profile, "domains")
    smallest = found[found["quantity"] == "smallest d of one pair"]
    gap = smallest[smallest["settings"].str.contains('"gap"')].squeeze()
    assert "male–female" in gap["settings"] and gap["value"] < -1.5


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_known_words_come_out_in_most_vectors_but_not_in_the_news(profile):
    found = run_of(profile, "domains")
    known = found[found["quantity"] == "known words: random attribute sets as far from 0"]
    news = known["settings"].str.contains('"news"')
    assert known.loc[news, "value"].item() > 0.3
    assert (known["value"] <= 0.05).sum() == len(known) - 2


def test_sorted_noise_gives_what_the_categories_as_published_give():
    found = run_of("embedded", "domains").groupby("quantity")["value"]
    ours, noise = (
        found.get_group(title)
        for title in (
            "mean d of induced categories",
            "mean d of sorted noise in clusters of these sizes",
        )
    )
    assert (ours.to_numpy() == pytest.approx(noise.to_numpy(), abs=0.03)) and len(ours) == 5


def test_no_effect_of_the_paper_s_own_vectors_is_beyond_random_words():
    found = run_of("sample", "domains")
    own = found[found["settings"].str.contains("wefe_weat_w2v")].set_index("quantity")["value"]
    for rank in ("", "of any rank "):
        shares = own.loc[f"random attribute sets {rank}as far from 0"]
        assert len(shares) == 3 and (shares > 0.05).all()
    assert (own.loc["share rejected with random attributes"] > 0.15).all()


def test_categories_of_gap_last_without_names_and_words_for_women_and_men():
    found = run_of("embedded", "domains")
    title = "induced categories: pass, without capitals and gender words"
    gap = found[(found["quantity"] == title) & found["settings"].str.contains('"gap"')].squeeze()
    assert gap["n"] > 60 and gap["value"] > 30  # the band of random attributes ends at 26
