"""WinoMT: alignment, the gender read in outputs, published systems against the authors' logs and against people."""

import pandas as pd
import pytest

from lib.translation.person_gender import READERS
from studies.translated_gender.scores import (
    people_and_reader,
    read_genders,
    winomt_scores,
)
from studies.translated_gender.winomt import PUBLISHED, published_translations

KEYS = ("winomt_en", "winomt_en_pro", "winomt_en_anti")


def sentence(text="x", person="x", place=0, gender="male") -> pd.DataFrame:
    return pd.DataFrame({"text": [text], "person": person, "place": place, "gender": gender})


def test_scores_follow_their_definitions(monkeypatch):
    asked = pd.concat(
        [
            sentence(f"s{n}", "doctor", 1, gender)
            for n, gender in enumerate(["male"] * 4 + ["female"] * 4)
        ]
    )
    read = ["male"] * 4 + ["male", "male", "female", "unknown"]
    monkeypatch.setattr(
        "lib.translation.winomt.read_sentences",
        lambda subset: {"pro": asked.iloc[[0, 1, 2, 6]], "anti": asked.iloc[3:6]}[subset],
    )
    found = winomt_scores(read, asked)
    assert (
        found.accuracy == 62.5
        and found.f1_male == pytest.approx(80)
        and found.f1_female == pytest.approx(40)
    )
    assert found.delta_g == pytest.approx(40) and found.delta_s == pytest.approx(100 - 25)
    assert found.counts.loc["female"].to_dict() == {
        "male": 2,
        "female": 1,
        "neutral": 0,
        "unknown": 1,
    }
    assert found.counts.to_numpy().sum() == 8
    assert (found.recall("male"), found.recall("female")) == (100, 25)


READ = [pair for pair in PUBLISHED if pair[1] in READERS]
OUTPUTS = [f"winomt_out_{system}_en_{language}" for system, language in READ]
# How far accuracy and ΔG may be from the authors' logs by their own rule, where its words suffice.
CLOSE = {("google", "fr"): (0.4, 0.3), ("google", "de"): (0.6, 0.5), ("google", "es"): (0.5, 1.2)}


@pytest.mark.sample(*KEYS, *OUTPUTS)
@pytest.mark.parametrize(("pair", "tolerances"), CLOSE.items())
def test_the_authors_rule_brings_their_printed_values_back(pair, tolerances):
    system, language = pair
    released = published_translations(system, language)
    genders = read_genders(released["translation"], language, released, rule="authors")
    found = winomt_scores(genders, released)
    log = PUBLISHED[pair]
    assert found.accuracy == pytest.approx(log.accuracy, abs=tolerances[0])
    assert found.delta_g == pytest.approx(log.delta_g, abs=tolerances[1])


@pytest.mark.sample(*KEYS, *OUTPUTS)
def test_our_reader_of_spanish_and_hebrew_is_near_the_logs():
    for system, language in READ:
        if language in ("es", "he"):
            released = published_translations(system, language)
            genders = read_genders(released["translation"], language, released)
            found, log = winomt_scores(genders, released), PUBLISHED[system, language]
            assert found.counts.to_numpy().sum() == 3888
            assert found.accuracy == pytest.approx(log.accuracy, abs=1.2)
            assert found.f1_male > found.f1_female and found.delta_s > 15


@pytest.mark.sample("winomt_human_es_in_es_in", "winomt_out_google_en_es", "winomt_en")
def test_people_read_the_same_gender_in_spanish_outputs():
    three = people_and_reader("es")
    assert len(three) > 95 and (three["people"] == three["reader"]).mean() >= 0.98
