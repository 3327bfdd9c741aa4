"""Planted text: that counts of contexts are what was planted, and that the files hold the messages."""

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


def test_counted_log_odds_come_to_what_was_planted_with_more_text():
    text = planted(plan=Plan(tokens=240_000, types=500, themed=0.5, spread=0.0))
    short, whole = (text.counted_log_odds(THEMES, 3, 3, messages=n) for n in (200, None))
    assert np.abs(whole - text.log_odds).to_numpy().max() < 0.1
    assert np.abs(short - text.log_odds).to_numpy().mean() > 0.1
