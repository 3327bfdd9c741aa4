"""Gender and number of persons in outputs: Spanish by rule, other languages by a parser; counts that hide nothing."""

import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.translation.direct_speech import adjectives, speaker_gender
from lib.translation.gender import GENDERS, Marking, count_markings, one_of
from lib.translation.gender_spanish import audience_marking, gender_of, number_of, speaker_marking
from lib.translation.morphology import MorphologyReader, person_marking
from lib.translation.tatoeba import read_pairs

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
    "Soy profesora de inglés.": ("feminine", "singular"),
    "Soy trabajador y hablador.": ("masculine", "singular"),
    "Soy actriz.": ("feminine", "singular"),
    "Estamos listas.": ("feminine", "plural"),
    "Nosotros somos altos.": ("masculine", "plural"),
    "Estoy cansada y enferma.": ("feminine", "singular"),
    "Estoy francamente harta, pero no.": ("feminine", "singular"),
    "Estoy cansado/a.": ("ambiguous", "singular"),
    "Estoy cansad@ hoy.": ("ambiguous", "singular"),
    "Estoy cansade.": ("ambiguous", "singular"),
    "Estoy cansada. Soy viejo.": ("ambiguous", "singular"),
    "Estoy feliz.": ("unmarked", "singular"),
    "Soy optimista.": ("unmarked", "singular"),
    "Soy mayor que tú.": ("unmarked", "singular"),
    "Estoy esperando.": ("unmarked", "singular"),
    "Fui a casa.": ("unmarked", "singular"),
    "Estoy todo el día en casa.": ("unmarked", "singular"),
    "Estoy perfectamente.": ("unmarked", "singular"),
    "Soy una persona tranquila.": ("unmarked", "singular"),
    "Ella está cansada.": ("unmarked", "unmarked"),
    "Él estaba enfermo.": ("unmarked", "unmarked"),
    "Soy testigo.": ("unmarked", "singular"),
    "He estado nunca en España.": ("unmarked", "singular"),
    "": ("unmarked", "unmarked"),
    "Va.": ("unmarked", "unmarked"),
}
AUDIENCES = {
    "¿Estáis cansadas?": ("feminine", "plural"),
    "Vosotros sabéis.": ("masculine", "plural"),
    "¿Estás sola?": ("feminine", "singular"),
    "Usted es muy amable.": ("unmarked", "singular"),
    "Ustedes están listos.": ("masculine", "plural"),
    "Te quiero.": ("unmarked", "singular"),
    "¿Tienes hambre?": ("unmarked", "singular"),
    "Os quiero.": ("unmarked", "plural"),
    "Vosotras y tú.": ("feminine", "ambiguous"),
    "Su casa es bonita.": ("unmarked", "unmarked"),
    "Estoy triste.": ("unmarked", "unmarked"),
    "¿Lo hicisteis?": ("unmarked", "plural"),
    "Jamás irás atrás.": ("unmarked", "singular"),
    "Existe un país.": ("unmarked", "unmarked"),
    "Estás segura, ¿no?": ("feminine", "singular"),
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


@given(st.text())
def test_any_text_is_read_without_complaint(text):
    for reader in (speaker_marking, audience_marking):
        assert reader(text).gender in GENDERS


def test_endings_tell_gender_and_number():
    assert [
        gender_of(word)
        for word in ["Lista", "listas", "hablador", "inglés", "inglesa", "comilón", "mejor"]
    ] == ["feminine", "feminine", "masculine", "masculine", "feminine", "masculine", ""]
    assert [
        gender_of(word)
        for word in ("astronauta", "cuestión", "hablando", "nunca", "cansadx", "cansadas")
    ] == ["", "", "", "", "ambiguous", "feminine"]
    assert [number_of(word) for word in ("lista", "listas", "inglés", "ingleses")] == [
        "singular",
        "plural",
    ] * 2


@pytest.mark.sample("tatoeba_spa_eng_zip")
def test_forms_that_the_training_rule_finds_are_read_alike():
    pairs = read_pairs()
    stems = adjectives(pairs)
    names = {"f": "feminine", "m": "masculine"}
    spoken = [
        (names[found], speaker_marking(spanish).gender)
        for english, spanish in pairs
        if re.match(r"I[ ']", english) and (found := speaker_gender(spanish, stems))
    ]
    assert len(spoken) > 1500 and sum(one == other for one, other in spoken) > 0.995 * len(spoken)


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
    assert one_of([]) == "unmarked" and one_of(["a", "a"]) == "a" and one_of("ab") == "ambiguous"


def word(number, text, upos, head, deprel, feats=""):
    return SimpleNamespace(id=number, text=text, upos=upos, head=head, deprel=deprel, feats=feats)


TIRED = [
    word(1, "אני", "PRON", 2, "nsubj", "Number=Sing|Person=1"),
    word(2, "עייפה", "ADJ", 0, "root", "Gender=Fem|Number=Sing"),
]
SAID = [
    word(1, "Я", "PRON", 2, "nsubj", "Number=Sing|Person=1"),
    word(2, "сказал", "VERB", 0, "root", "Gender=Masc"),
    word(3, "её", "PRON", 4, "nmod", "Gender=Fem|Person=3"),
    word(4, "маме", "NOUN", 2, "iobj", "Gender=Fem"),
]
READY = [
    word(1, "soy", "AUX", 2, "cop", "Number=Sing|Person=1"),
    word(2, "alta", "ADJ", 0, "root", "Gender=Fem"),
]


def test_a_parsed_word_counts_where_it_agrees_with_the_person():
    assert person_marking([TIRED], "1") == ("feminine", "singular", ("עייפה",))
    assert person_marking([SAID], "1") == ("masculine", "singular", ("сказал",))
    assert person_marking([READY], "1").gender == "feminine"
    assert person_marking([TIRED, SAID], "1").gender == "ambiguous"
    assert person_marking([TIRED], "2") == ("unmarked", "unmarked", ())


@pytest.fixture
def stanza(monkeypatch):
    module = ModuleType("stanza")

    def pipeline(language, *, processors, download_method, verbose, **where):
        assert download_method is None
        if language == "xx":
            raise FileNotFoundError("no resources.json")
        return lambda text: SimpleNamespace(sentences=[SimpleNamespace(words=TIRED)])

    module.Pipeline = pipeline
    monkeypatch.setitem(sys.modules, "stanza", module)


def test_stanza_reads_sentences_and_nothing_is_downloaded(stanza):
    reader = MorphologyReader("he")
    assert [found.gender for found in reader.markings(["אני עייפה", " "])] == [
        "feminine",
        "unmarked",
    ]
    assert reader.markings(["אני עייפה"], "audience")[0].gender == "unmarked"


def test_bad_input_is_refused(stanza, refuses, monkeypatch):
    refuses(
        lambda: MorphologyReader("xx"),
        ["no model for 'xx'", "FileNotFoundError", "stanza.download('xx')"],
    )
    refuses(lambda: MorphologyReader("he").markings(["x"], "them"), ["speaker, audience", "'them'"])
    refuses(lambda: MorphologyReader("he").markings("x"), ["a list of sentences"])
    refuses(
        lambda: count_markings([Marking("f", "singular")]), ["feminine, masculine", "gender='f'"]
    )
    monkeypatch.setitem(sys.modules, "stanza", None)
    refuses(
        lambda: MorphologyReader("he"),
        ["stanza is not installed", "pip install", "stanza.download('he')"],
    )


def test_importing_loads_no_heavy_library(loaded_by):
    assert (
        loaded_by(
            "lib.translation.gender_spanish, lib.translation.morphology, lib.translation.gender",
            ("torch", "stanza", "statsmodels", "pandas"),
        )
        == []
    )
