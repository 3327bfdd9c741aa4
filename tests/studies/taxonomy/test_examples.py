"""Our own sentences, and what the filters say of them."""

import pytest

from lib.taxonomy.filters import judge
from studies.taxonomy.examples import EXAMPLES, YOURS, examples, feminine_twins, judged


def test_every_generalisation_passes_and_most_others_are_dropped_as_they_should():
    table = examples()
    passes = [judge(sentence).candidate for sentence in table["sentence"]]
    right = passes == (table["dropped_by"] == "")
    assert all(table.assign(passes=passes).query("generalises")["passes"])
    assert right.mean() > 0.9


def test_sentences_are_judged_by_both_rules_and_right_where_their_kind_is_known():
    table = judged(EXAMPLES)
    assert table["sentence"].tolist() == examples()["sentence"].tolist()
    assert table["right"].sum() == len(table) - 1 and table["simple_right"].sum() < 0.7 * len(table)
    own = judged(["A welder checks his mask.", "The sea is cold.", "The sea is cold."])
    assert own["keeps"].tolist() == own["pronoun"].tolist() == [True, False]
    assert own["right"].isna().all() and set(own["kind"]) == {YOURS}
    assert judged({}).empty and judged({"anybody, he": "A cook tastes his soup."})["right"].all()


@pytest.mark.parametrize("wrong", [[""], [3], {"mine": [None]}])
def test_what_is_no_sentence_is_named(wrong, refuses):
    refuses(
        lambda: judged(wrong),
        ["expected texts", repr(([*wrong.values()] if isinstance(wrong, dict) else [wrong])[0][0])],
    )


def test_names_of_one_s_own_drop_a_sentence():
    said = ["At noon Hunter lost his hat."]
    assert judged(said)["keeps"].all() and not judged(said, names=["hunter"])["keeps"].any()


def test_twins_differ_in_their_ending_alone():
    twins = feminine_twins().set_index("feminine")
    assert twins.loc["waitress", "twin"] == "waiter" and twins.loc["poetess", "twin"] == "poet"
    assert twins.loc["chairwoman", ["ending", "twin"]].tolist() == ["-woman", "chairman"]
    assert set(twins["ending"]) == {"-ess", "-woman"} and twins.index.is_unique
