"""WinoMT: alignment, the gender read in outputs, published systems against the authors' logs and against people."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.datasets.winomt import PUBLISHED, human_genders, published_translations, tokens
from lib.translation import winomt
from lib.translation.winomt import (
    hebrew_person,
    human_agreement,
    read_genders,
    spanish_person,
    winomt_scores,
)
from lib.translation.word_alignment import align_words

PROFESSIONS = {
    "doctor": "médic",
    "lawyer": "abogad",
    "baker": "panader",
    "cook": "cociner",
    "mover": "carreter",
}
KEYS = ("winomt_en", "winomt_en_pro", "winomt_en_anti")


def sentences() -> pd.DataFrame:
    """Sentences about two people, what they say in Spanish; `gender` is what that gives the first."""
    found = []
    for number, (first, stem) in enumerate(PROFESSIONS.items()):
        for turn, (second, other) in enumerate(PROFESSIONS.items()):
            if first == second:
                continue
            gender, article, ending = [("male", "el", "o"), ("female", "la", "a")][
                (number + turn) % 2
            ]
            text = f"The {first} told the {second} the news."
            told = f"{article} {stem}{ending} le dio la noticia al {other}o."
            found.append((text, first, 1, gender, told))
    return pd.DataFrame(found, columns=["text", "person", "place", "gender", "spanish"])


def sentence(text="x", person="x", place=0, gender="male") -> pd.DataFrame:
    return pd.DataFrame({"text": [text], "person": person, "place": place, "gender": gender})


def test_words_that_go_together_are_aligned():
    asked = sentences()
    aligned = align_words(list(map(tokens, asked["text"])), list(map(tokens, asked["spanish"])))
    for row, links in zip(asked.itertuples(), aligned):
        target = tokens(row.spanish)
        assert (
            links.shape == (len(tokens(row.text)), len(target))
            and (links.sum(axis=0) <= 1 + 1e-9).all()
        )
        assert target[int(np.argmax(links[1]))].startswith(PROFESSIONS[row.person])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.lists(st.sampled_from("abcd"), max_size=5)] * 2), max_size=6))
def test_any_sentences_are_aligned_in_their_shape(pairs):
    found = align_words([a for a, _ in pairs], [b for _, b in pairs])
    assert [links.shape for links in found] == [(len(a), len(b)) for a, b in pairs]
    assert all((links >= 0).all() and (links.sum(axis=0) <= 1 + 1e-9).all() for links in found)


def test_the_gender_of_a_person_is_that_of_article_or_ending():
    asked = sentences()
    assert read_genders(asked["spanish"], "es", asked) == asked["gender"].tolist()
    chances = np.array([0.1, 0.8, 0.0])
    spanish = {
        "la gerente .": "female",
        "el ama .": "male",
        "a alguien .": "neutral",
        "que doctora .": "female",
        "que gerente .": "unknown",
    }
    for target, gender in spanish.items():
        assert spanish_person(target.split(), chances) == gender
    assert spanish_person(["la", "."], np.zeros(2)) == "unknown"
    assert [hebrew_person([noun], np.ones(1)) for noun in ("המזכירה", "אחות", "הרופא", ".")] == [
        "female",
        "female",
        "male",
        "unknown",
    ]


def test_scores_follow_their_definitions(monkeypatch):
    asked = pd.concat(
        [
            sentence(f"s{n}", "doctor", 1, gender)
            for n, gender in enumerate(["male"] * 4 + ["female"] * 4)
        ]
    )
    read = ["male"] * 4 + ["male", "male", "female", "unknown"]
    monkeypatch.setattr(
        winomt,
        "read_sentences",
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


@pytest.mark.sample(
    *KEYS, *(f"winomt_out_{system}_en_{language}" for system, language in PUBLISHED)
)
@pytest.mark.parametrize(("system", "language"), PUBLISHED)
def test_accuracies_of_published_systems_are_those_of_the_authors(system, language):
    genders = read_genders(published_translations(system, language), language)
    found = winomt_scores(genders)
    assert found.counts.to_numpy().sum() == 3888
    # Hebrew is looser: of several aligned words the authors' aligner gave others than ours.
    assert found.accuracy == pytest.approx(
        PUBLISHED[system, language].accuracy, abs=0.5 if language == "es" else 1.2
    )
    assert found.f1_male > found.f1_female and found.delta_s > 15


@pytest.mark.sample(
    *KEYS, *(f"winomt_out_{system}_en_{language}" for system, language in PUBLISHED)
)
@pytest.mark.parametrize(("system", "language"), PUBLISHED)
def test_this_reader_finds_more_men_and_fewer_women_than_that_of_the_authors(system, language):
    found = winomt_scores(read_genders(published_translations(system, language), language))
    log = PUBLISHED[system, language]
    assert found.recall("male") > log.recall_male and found.recall("female") < log.recall_female
    assert 1.5 < found.delta_g - log.delta_g < 6


@pytest.mark.sample("winomt_human_es_in_es_in", "winomt_out_google_en_es", "winomt_en")
def test_people_read_the_same_gender_in_spanish_outputs():
    translations, people = published_translations("google", "es"), human_genders("es")
    place = {text: number for number, text in enumerate(translations)}
    people = people[people.found & people.translation.isin(place)]
    genders = np.array(read_genders(translations, "es"))
    assert len(people) > 95
    assert (genders[[place[text] for text in people.translation]] == people.gender).mean() >= 0.97


def test_agreement_with_people_is_over_the_translations_in_which_they_found_the_person():
    people = pd.DataFrame(
        {
            "translation": ["a", "b", "c", "d"],
            "found": [True, True, False, True],
            "gender": ["male", "female", "male", "male"],
        }
    )
    assert human_agreement(["male", "male", "male"], ["a", "b", "c"], people) == (0.5, 2)
    share, number = human_agreement(["male"], ["z"], people)
    assert np.isnan(share) and number == 0


BAD = {
    "a language": (
        lambda: read_genders(["x"], "nl", sentence()),
        ["es, he", "'nl'"],
    ),
    "too few": (
        lambda: read_genders([], "es", sentence()),
        ["expected 1 translations", "got 0"],
    ),
    "a gender": (
        lambda: winomt_scores(["m"], sentence()),
        ["expected 1 of male, female", "m"],
    ),
    "unequal": (lambda: align_words([["a"]], []), ["a translation for each source", "0 for 1"]),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)


def test_importing_loads_no_heavy_library(loaded_by):
    assert loaded_by("lib.translation.winomt", ("torch", "transformers", "sklearn")) == []
