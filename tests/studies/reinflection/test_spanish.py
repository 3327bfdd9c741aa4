"""Rules of Spanish endings: tables, and the way to the feminine and back."""

from hypothesis import given
from hypothesis import strategies as st

from lib.translation.evaluation_sets import first_person_set, plain_set
from lib.translation.gender_spanish import speaker_places
from studies.reinflection.sentences import e_forms, kinds_of_sentence
from studies.reinflection.spanish import OTHER, in_gender, rewrite

PAIRS = [
    ("cansado", "cansada"),
    ("LISTO", "LISTA"),
    ("trabajadores", "trabajadoras"),
    ("inglés", "inglesa"),
    ("dormilón", "dormilona"),
    ("españoles", "españolas"),
    ("alemán", "alemana"),
    ("bailarín", "bailarina"),
    ("actor", "actriz"),
    ("autóctono", "autóctona"),
    ("viejos", "viejas"),
]
SENTENCES = [
    *first_person_set()["masculine"],
    *first_person_set()["feminine"],
    *plain_set()["spanish"],
    *kinds_of_sentence()["sentence"],
]


def test_words_go_to_either_gender_and_stay_where_they_are_in_it():
    for masculine, feminine in PAIRS:
        assert in_gender(masculine, "feminine") == in_gender(feminine, "feminine") == feminine
        assert in_gender(feminine, "masculine") == in_gender(masculine, "masculine") == masculine
    for word in ("feliz", "dentista", "hipócrita", "cansado/a"):  # of one form, or of both
        assert {in_gender(word, gender) for gender in OTHER} == {word}


@given(st.sampled_from(SENTENCES), st.sampled_from(sorted(OTHER)))
def test_rewriting_twice_is_rewriting_once_and_touches_only_forms_that_mark_the_first_person(
    text, gender
):
    once = rewrite(text, gender)
    assert rewrite(once, gender) == once
    changed = [a for a, b in zip(text.split(), once.split(), strict=True) if a != b]
    assert len(changed) <= len(speaker_places(text))


def test_a_form_of_somebody_else_and_a_second_form_of_the_same_word():
    assert rewrite("Estoy sola con mi amiga sola.", "masculine") == "Estoy solo con mi amiga sola."
    assert rewrite("Estoy sola, soy sola.", "masculine") == "Estoy solo, soy solo."
    assert rewrite("  Estoy \n sola ", "masculine") == "Estoy solo"


def test_forms_in_e_are_written_and_only_participles_are_read():
    forms = e_forms()
    written = [rewrite(text, "-e") == wanted for text, wanted in zip(forms["feminine"], forms["e"])]
    read = [
        rewrite(text, "feminine") == wanted for text, wanted in zip(forms["e"], forms["feminine"])
    ]
    by_kind = forms.assign(written=written, read=read).groupby("kind")[["written", "read"]].mean()
    assert by_kind.loc["a participle"].tolist() == [1, 1]
    assert by_kind.loc["an adjective"].tolist() == [1, 0]
    assert by_kind.loc["a noun"].tolist() == [0.5, 0]
