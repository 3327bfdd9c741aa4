"""The gender of a person by article, noun and ending, in six languages."""

import numpy as np
import pytest

from lib.translation.person_gender import (
    READERS,
    subject_gender,
    target_words,
)

SURE = np.array([0.1, 0.8, 0.0])
PERSONS = {
    "es": {
        "la gerente .": "female",
        "el ama .": "female",
        "que doctora .": "female",
    },
    "fr": {
        "la cheffe .": "female",
        "le chef .": "male",
        "l' infirmière .": "female",
        "l' analyste .": "unknown",
    },
    "it": {
        "la giudice .": "female",
        "l' avvocata .": "female",
        "all' autista .": "unknown",
    },
    "de": {
        "der anwältin .": "female",
        "beim anwalt .": "male",
        "die krankenschwester .": "female",
    },
    "he": {"את המזכירה .": "female", "- הרופא .": "male"},
    "ar": {"- الممرضة .": "female", "- الطبيب .": "male"},
}


@pytest.mark.parametrize("language", PERSONS)
def test_persons_are_read(language):
    for target, gender in PERSONS[language].items():
        assert READERS[language](target.split(), SURE) == gender, target
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
    ("Alguien llegó.", "es"): "neutral",
    ("", "es"): "unknown",
}


def test_the_subject_is_read_by_the_first_article():
    assert {asked: subject_gender(*asked) for asked in SUBJECTS} == SUBJECTS
