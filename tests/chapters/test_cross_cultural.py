"""What the chapter `cross_cultural` found: what was planted, what noise gives, and that no printed number is answered."""

import json

import pandas as pd
import pytest

from tests.chapters.runs import run_of


@pytest.mark.parametrize(("profile", "share"), [("embedded", 0.1), ("sample", 0.5)])
def test_what_was_planted_is_found_with_its_sign(profile, share):
    found = run_of(profile, "cross_cultural")
    planted = found[found["quantity"] == "planted signed R2"]["value"].to_numpy()
    recovered = found[
        (found["quantity"] == "recovered signed R2") & found["settings"].str.contains('"all words"')
    ]
    recovered = recovered["value"].to_numpy()
    assert len(planted) == len(recovered) == 3
    assert (planted * recovered > 0).all() and (abs(recovered) > share * abs(planted)).all()


def test_noise_gives_the_known_sizes_of_r2_under_selection():
    found = run_of("embedded", "cross_cultural")
    noise = found[found["quantity"] == "size of R2 in noise"].set_index("settings")["value"]
    of = {
        (cultures, share): noise[
            f'{{"correlation": 0.0, "cultures": {cultures}, "number": "r2, 95 %", "share": {share}}}'
        ]
        for cultures, share in ((51, 1.0), (51, 0.2), (99, 0.2))
    }
    assert of == {
        (51, 1.0): pytest.approx(0.33, abs=0.02),
        (51, 0.2): pytest.approx(0.09, abs=0.015),
        (99, 0.2): pytest.approx(0.054, abs=0.01),
    }


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_planted_text_and_speeches_answer_no_printed_number(profile):
    found = run_of(profile, "cross_cultural")
    assert set(found["claim_id"]) == {""}
    assert "signed R2 by theme and gap" in set(found["quantity"])


def limits_of(found, column="value"):
    """The 95 % points of noise, correlation × words."""
    noise = found[found["quantity"] == "95 % point of R2 in noise, words selected on all"]
    settings = noise["settings"].map(json.loads)
    table = noise.assign(**pd.json_normalize(settings).set_index(noise.index))
    return table.pivot(index="correlation", columns="words", values=column)


def test_more_words_that_are_less_alike_give_selection_more_to_find():
    limits = limits_of(run_of("embedded", "cross_cultural"))
    assert (limits.loc[0.0].diff().dropna() > 0).all()
    assert (limits[20].diff().dropna() < 0).all() and (limits[40].diff().dropna() < 0).all()
    assert limits.loc[0.0, 20] == pytest.approx(0.33, abs=0.02)


def test_as_many_printed_cells_lie_beyond_noise_as_were_counted_by_hand():
    """Another program, with its own noise: 18 of 18 with 4 words, 2 with 40 unlike ones, 16 with 40 that correlate by 0.5."""
    found = run_of("embedded", "cross_cultural")
    cells = found[found["quantity"] == "printed cells of Figure 5 beyond noise"]
    cells = cells.set_index("settings")
    for words, correlation, by_hand in ((4, 0.0, 18), (20, 0.0, 8), (40, 0.0, 2), (40, 0.5, 16)):
        cell = cells.loc[f'{{"correlation": {correlation}, "words": {words}}}']
        assert cell["low"] <= by_hand <= cell["high"] or abs(cell["value"] - by_hand) <= 1


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_counts_of_the_same_messages_find_more_than_vectors(profile):
    found = run_of(profile, "cross_cultural")
    follows = found[found["quantity"] == "R2 with the planted log odds"]
    settings = pd.json_normalize(follows["settings"].map(json.loads))
    by_way = follows["value"].groupby(settings["way"].to_numpy()).min()
    assert by_way["messages, counted"] > max(0.8, by_way["vectors (the paper)"])


@pytest.mark.parametrize("profile", ["embedded", "sample"])
def test_degrees_are_degrees(profile):
    found = run_of(profile, "cross_cultural")
    gaps = found["settings"].str.extract('"gender_gap": "([^"]+)"')[0].dropna()
    assert "Science degrees" in set(gaps) and not gaps.str.contains("computer").any()
