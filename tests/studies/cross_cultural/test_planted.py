"""Planted text: that counts of contexts are what was planted, and that the files hold the messages."""

import csv
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from studies.cross_cultural.planted import Plan, plant

GAPS = pd.DataFrame(
    {"wages": [0.7, 0.8, 0.9, 0.75], "seats": [10.0, 30.0, 20.0, 40.0]},
    index=["TX", "OH", "NY", "UT"],
)
THEMES = {"threat": ("danger", "threat"), "calm": ("peace", "quiet")}
FEMALE, MALE = ("she", "her", "woman"), ("he", "his", "man")
SMALL = Plan(tokens=24_000, types=500, themed=0.5, noise=0.3, spread=0.0, strength=1.0)


def planted(seed=0, plan=SMALL, follow=None):
    return plant(
        GAPS,
        THEMES,
        {"threat": "-wages"} if follow is None else follow,
        FEMALE,
        MALE,
        plan,
        rng=seed,
    )


def test_log_odds_follow_the_gap_with_strength_and_noise():
    quiet = planted(plan=Plan(strength=0.7, noise=0.0, tokens=1200, types=50))
    standard = (GAPS.wages - GAPS.wages.mean()) / GAPS.wages.std(ddof=0)
    assert (
        np.allclose(quiet.log_odds["threat"], -0.7 * standard) and not quiet.log_odds["calm"].any()
    )
    assert quiet.planted_r2["threat"] == pytest.approx(-1) and np.isnan(quiet.planted_r2["calm"])
    assert -1 < planted().planted_r2["threat"] < 0


def test_contexts_in_the_text_have_the_planted_odds():
    text = planted()
    for culture in GAPS.index:
        for theme, words in THEMES.items():
            with_theme = [message for message in text.texts(culture) if set(message) & set(words)]
            female = sum(bool(set(message) & set(FEMALE)) for message in with_theme)
            odds = np.log(female / (len(with_theme) - female))
            assert odds == pytest.approx(
                text.log_odds.loc[culture, theme], abs=5 * (4 / len(with_theme)) ** 0.5
            )
            assert not any(
                set(message) & set(FEMALE) and set(message) & set(MALE) for message in with_theme
            )


def test_counted_log_odds_are_those_of_the_words_in_the_messages_of_a_theme():
    text, messages = planted(), 300
    found = text.counted_log_odds(THEMES, 3, 3, messages=messages)
    for culture in GAPS.index:
        said = [m for m in text.texts(culture)[:messages] if set(m) & set(THEMES["threat"])]
        women, men = (sum(word in side for m in said for word in m) for side in (FEMALE, MALE))
        assert found.loc[culture, "threat"] == pytest.approx(np.log((women + 0.5) / (men + 0.5)))


def test_counted_log_odds_come_to_what_was_planted_with_more_text():
    text = planted(plan=Plan(tokens=240_000, types=500, themed=0.5, spread=0.0))
    short, whole = (text.counted_log_odds(THEMES, 3, 3, messages=n) for n in (200, None))
    assert np.abs(whole - text.log_odds).to_numpy().max() < 0.1
    assert np.abs(short - text.log_odds).to_numpy().mean() > 0.1


def test_words_are_zipfian_and_of_the_number_asked():
    text = planted(plan=Plan(tokens=240_000, types=5_000))
    counts = Counter(
        word
        for message in text.texts("TX")
        for word in message
        if word[0] == "w" and word != "woman"
    )
    ranked = np.array(sorted(counts.values(), reverse=True), float)
    slope = np.polyfit(np.log(np.arange(10, 1000) + 2.7), np.log(ranked[10:1000]), 1)[0]
    assert slope == pytest.approx(-1, abs=0.1)
    assert len(counts) > 4_800
    assert sum(map(len, text.texts("TX"))) == 240_000


def test_the_same_seed_plants_the_same():
    one, again, other = planted(1), planted(1), planted(2)
    assert one.texts("OH") == again.texts("OH") != other.texts("OH")
    pd.testing.assert_frame_equal(one.log_odds, again.log_odds)


def test_the_file_holds_every_message_with_its_culture(tmp_path):
    text = planted(plan=Plan(tokens=1200, types=50))
    with text.write_csv(tmp_path / "t.csv", rng=0).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter((row["where"], row["body"]) for row in rows) == Counter(
        (culture, " ".join(message)) for culture in GAPS.index for message in text.texts(culture)
    )
    assert [row["where"] for row in rows] != sorted(row["where"] for row in rows)


@pytest.mark.parametrize(
    ("call", "fragments"),
    [
        (lambda: planted(follow={"threat": "income"}), ["follow", "wages, seats", "'income'"]),
        (lambda: planted(follow={"joy": "wages"}), ["follow", "threat, calm", "'joy'"]),
        (
            lambda: plant(GAPS, THEMES, {}, ("she", "peace"), MALE),
            ["each word in one list", "peace"],
        ),
    ],
)
def test_bad_plans_are_refused(call, fragments, refuses):
    refuses(call, fragments)
