"""Gender and number of persons in Spanish outputs; counts that hide nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.translation.gender import GENDERS, Marking, agreed, count_markings
from lib.translation.gender_spanish import audience_marking, speaker_marking

ADJECTIVES = (
    "cansad",
    "ocupad",
    "enferm",
    "sol",
    "nervios",
    "content",
    "list",
    "convencid",
    "loc",
    "guap",
    "segur",
    "bell",
)
STARTS = (
    "Estoy",
    "Yo estoy",
    "No estoy",
    "Me siento",
    "Me quedé",
    "He estado",
    "Yo estaba",
    "Estaba",
    "Quiero ser",
    "Creo que estoy",
    "Ya me he vuelto",
)
SPEAKERS = {
    "Estoy cansada.": ("feminine", "singular"),
    "¡No estoy muy segura de eso!": ("feminine", "singular"),
    "Yo mismo lo hice.": ("masculine", "singular"),
    "Soy trabajador y hablador.": ("masculine", "singular"),
    "Estamos listas.": ("feminine", "plural"),
    "Estoy cansada y enferma.": ("feminine", "singular"),
    "Estoy francamente harta, pero no.": ("feminine", "singular"),
    "Estoy cansado/a.": ("ambiguous", "singular"),
    "Estoy cansade.": ("ambiguous", "singular"),
    "Estoy cansada. Soy viejo.": ("ambiguous", "singular"),
    "Estoy feliz.": ("unmarked", "singular"),
    "Soy mayor que tú.": ("unmarked", "singular"),
    "Fui a casa.": ("unmarked", "singular"),
    "Estoy todo el día en casa.": ("unmarked", "singular"),
    "Soy una persona tranquila.": ("unmarked", "singular"),
    "Ella está cansada.": ("unmarked", "unmarked"),
    "He estado nunca en España.": ("unmarked", "singular"),
    "": ("unmarked", "unmarked"),
}
AUDIENCES = {
    "Vosotros sabéis.": ("masculine", "plural"),
    "¿Estás sola?": ("feminine", "singular"),
    "Ustedes están listos.": ("masculine", "plural"),
    "Te quiero.": ("unmarked", "singular"),
    "Os quiero.": ("unmarked", "plural"),
    "Vosotras y tú.": ("feminine", "ambiguous"),
    "Su casa es bonita.": ("unmarked", "unmarked"),
    "¿Lo hicisteis?": ("unmarked", "plural"),
    "Jamás irás atrás.": ("unmarked", "singular"),
}


@pytest.mark.parametrize(("sentence", "expected"), SPEAKERS.items(), ids=SPEAKERS)
def test_the_speaker_of_a_spanish_sentence(sentence, expected):
    assert speaker_marking(sentence)[:2] == expected


@pytest.mark.parametrize(("sentence", "expected"), AUDIENCES.items(), ids=AUDIENCES)
def test_the_audience_of_a_spanish_sentence(sentence, expected):
    assert audience_marking(sentence)[:2] == expected


@given(
    st.sampled_from(STARTS),
    st.sampled_from(ADJECTIVES),
    st.sampled_from([".", " hoy.", " de verdad", " porque sí"]),
)
def test_turning_the_ending_turns_the_gender_and_nothing_else(start, stem, end):
    feminine, masculine = (speaker_marking(f"{start} {stem}{ending}{end}") for ending in "ao")
    assert (feminine.gender, masculine.gender) == ("feminine", "masculine")
    assert feminine.number == masculine.number == "singular" and feminine.forms == (f"{stem}a",)


@settings(max_examples=40)
@given(st.text())
def test_any_text_is_read_without_complaint(text):
    for reader in (speaker_marking, audience_marking):
        assert reader(text).gender in GENDERS


def test_counts_show_what_says_nothing_and_shares_are_of_what_is_marked():
    found = count_markings(
        [Marking("feminine", "singular")] * 3
        + [
            Marking("masculine", "plural"),
            Marking("unmarked", "unmarked"),
            Marking("ambiguous", "singular"),
        ]
    )
    assert (
        found.genders == {"feminine": 3, "masculine": 1, "ambiguous": 1, "unmarked": 1}
        and found.n == 6
    )
    assert (
        found.marked == 4
        and found.feminine_share == 0.75
        and 0.3 < found.low < 0.75 < found.high < 1
    )
    nothing = count_markings([Marking("unmarked", "singular")])
    assert (nothing.feminine_share, nothing.low, nothing.high, nothing.marked) == (
        None,
        None,
        None,
        0,
    )
    assert agreed([]) == "unmarked" and agreed(["a", "a"]) == "a" and agreed("ab") == "ambiguous"
