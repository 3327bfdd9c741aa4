"""The gender of a person by article, noun and ending, in six languages."""

import numpy as np
import pytest

from studies.translated_gender.person_gender import (
    READERS,
    majority_gender,
    subject_gender,
    target_words,
    word_gender,
)

SURE = np.array([0.1, 0.8, 0.0])
PERSONS = {
    "es": {
        "la gerente .": "female",
        "el ama .": "female",
        "a alguien .": "neutral",
        "que doctora .": "female",
        "que gerente .": "unknown",
    },
    "fr": {
        "la cheffe .": "female",
        "le chef .": "male",
        "l' infirmière .": "female",
        "l' avocat .": "male",
        "l' analyste .": "unknown",
        "à quelqu' un": "neutral",
    },
    "it": {
        "la giudice .": "female",
        "dello scrittore .": "male",
        "l' avvocata .": "female",
        "all' autista .": "unknown",
        "a qualcuno .": "neutral",
    },
    "de": {
        "der anwältin .": "female",
        "beim anwalt .": "male",
        "die krankenschwester .": "female",
        "für jemanden .": "neutral",
    },
    "he": {"את המזכירה .": "female", "- הרופא .": "male"},
    "ar": {"- الممرضة .": "female", "- الطبيب .": "male"},
}


@pytest.mark.parametrize("language", PERSONS)
def test_persons_are_read(language):
    for target, gender in PERSONS[language].items():
        assert READERS[language](target.split(), SURE) == gender, target


@pytest.mark.parametrize("language", READERS)
def test_without_a_word_for_the_person_nothing_is_read(language):
    assert READERS[language](["."], np.zeros(1)) == "unknown"


def test_elided_articles_are_words_of_their_own():
    assert target_words("All'avvocato, l’auto.", "it") == [
        "all'",
        "avvocato",
        ",",
        "l'",
        "auto",
        ".",
    ]
    assert target_words('המנכ"ל בא.', "he") == ['המנכ"ל', "בא", "."]


SUBJECTS = {
    ("El ama de llaves llegó.", "es"): "female",
    ("El tímido trabajador de la construcción llegó.", "es"): "male",
    ("Die Ärztin kam.", "de"): "female",
    ("Una persona llegó.", "es"): "female",
    ("Doctora Pérez llegó.", "es"): "female",
    ("Alguien llegó.", "es"): "neutral",
    ("", "es"): "unknown",
    ("¿?", "fr"): "unknown",
}


@pytest.mark.parametrize(("asked", "gender"), SUBJECTS.items())
def test_the_subject_is_read_by_the_first_article(asked, gender):
    assert subject_gender(*asked) == gender


def test_where_as_many_words_say_either_the_first_decides():
    assert majority_gender(["la", "panadero"], "es") == "female"
    assert majority_gender(["panadero", "la"], "es") == "male"
    assert majority_gender([".", "de"], "es") == "unknown"
    assert word_gender("de", "fr") == ""
