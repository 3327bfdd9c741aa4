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


def test_more_words_that_are_less_alike_give_selection_more_to_find():
    found = run_of("embedded", "cross_cultural")
    noise = found[found["quantity"] == "95 % point of R2 in noise, words selected on all"]
    limits = noise.assign(
        **pd.json_normalize(noise["settings"].map(json.loads)).set_index(noise.index)
    )
    limits = limits.pivot(index="correlation", columns="words", values="value")
    assert (limits.loc[0.0].diff().dropna() > 0).all()
    assert (limits[20].diff().dropna() < 0).all() and (limits[40].diff().dropna() < 0).all()
