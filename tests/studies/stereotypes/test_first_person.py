"""The gender of a Slavic *I*, read from endings: made sentences, and the released translations with a speaker named."""

import numpy as np
import pandas as pd
import pytest

from lib.ledger import claims
from studies.stereotypes.first_person import RULES, masculine, read_all, share_gaps, spoken
from studies.stereotypes.gest import read_prompted

SAID = {
    "cs": ("Byl jsem doma.", "Byla jsem doma."),
    "sk": ("Bol som doma.", "Bola som doma."),
    "sl": ("Bil sem doma.", "Bila sem doma."),
    "hr": ("Bio sam kod kuće.", "Bila sam kod kuće."),
    "sr": ("Био сам код куће.", "Била сам код куће."),
    "pl": ("Byłem w domu.", "Byłam w domu."),
    "ru": ("Я был дома.", "Я была дома."),
    "uk": ("Я був вдома.", "Я була вдома."),
    "be": ("Я быў дома.", "Я была дома."),
}


@pytest.mark.parametrize("language", RULES)
def test_past_tense_says_who_speaks(language):
    assert [masculine(each, language) for each in SAID[language]] == [True, False]


def test_what_does_not_say_is_not_read():
    assert masculine("Pracuji doma.", "cs") is None and masculine("", "pl") is None
    assert read_all(["Byl jsem.", "Jdu.", "Byla jsem."], "cs").tolist()[::2] == [1, 0]


def test_serbian_is_read_in_both_scripts():
    assert masculine("Bila sam kod kuće.", "sr") is False


def test_only_what_is_said_is_read():
    assert spoken('Žena povedala: "Bola som doma."').startswith("Bola som")
    assert spoken("Bola som doma.") == "Bola som doma."


def test_other_languages_are_refused(refuses):
    refuses(lambda: masculine("Era rico.", "pt"), ["be, ru, uk", "'pt'"])


def test_gaps_of_shares_count_each_stereotype_alike_and_hold_the_value():
    rng = np.random.default_rng(0)
    stereotypes = pd.Series(np.repeat(np.arange(1, 17), 30))
    readings = pd.DataFrame(
        {"a": (rng.random(480) < np.where(stereotypes > 7, 0.8, 0.3)).astype(float)}
    )
    readings.loc[::7, "a"] = np.nan
    found = share_gaps(readings, stereotypes, draws=300, rng=0).loc["a"]
    assert found["low"] < found["value"] < found["high"] and found["value"] == pytest.approx(
        0.5, abs=0.1
    )
    assert found["n"] == readings["a"].notna().sum()


@pytest.mark.sample("gest_data_gest", "gest_data_translations_deepl_sk_translations")
def test_a_speaker_who_is_named_is_read_from_the_translation():
    said = read_prompted("deepl")
    shares = {who: read_all(said[who].map(spoken), "sk").mean() for who in said}
    assert shares["man"] > 0.99 and shares["woman"] < 0.04


def test_the_printed_rates_are_there_for_every_system_and_language():
    place = "Table of translations (notebook _mt)"
    printed = claims.table(paper="pikuliak2024_gest", location=place)
    assert len(printed) == 32 * 16 and printed["printed"].between(0, 1).all()
