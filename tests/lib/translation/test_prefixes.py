"""Prefixes: the conditions of the paper, taking off exactly one, what translators do to them, bad input."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.lexicons import load_lexicon, word_list
from lib.translation import load_translator
from lib.translation.gender_spanish import speaker_marking
from lib.translation.prefixes import (
    AUDIENCES,
    CONDITIONS,
    LANGUAGES,
    SPEAKERS,
    inject_prefix,
    prefix_of,
    split_prefix,
    strip_prefix,
    translate_with_prefix,
)

VERBS = word_list("speech_prefixes/verbs_of_speech")
SPEAKING = [name for name in SPEAKERS if name != "none"]
PIECES = [
    "abIH :\"“”«»'\n\t.,—–-¿¡…é",
    "שלוםمرحبا\u200f",
    "She said: ",
    " that ",
    "dijo",
    "to them",
]
AWKWARD = st.lists(st.one_of(st.sampled_from(PIECES[2:]), *map(st.sampled_from, PIECES[:2]))).map(
    "".join
)


def test_the_eleven_conditions_are_written_as_in_the_paper():
    assert len(CONDITIONS) == 11 and len(VERBS) == len(set(VERBS)) == 20
    made = {inject_prefix("", *condition).strip() for condition in CONDITIONS}
    assert made >= {"", *load_lexicon("moryossef2019")["prefixes"]}
    printed = load_lexicon("moryossef2019")["conditions"]
    assert tuple(tuple(map(str.lower, condition)) for condition in printed) == CONDITIONS
    assert (
        inject_prefix("I am tired.", speaker="she", audience="them")
        == "She said to them: I am tired."
    )
    assert inject_prefix("I am tired.", "I") == "I said: I am tired."
    assert inject_prefix("I am tired.", "Someone") == "Someone said: I am tired."
    assert (
        inject_prefix("I am tired.", "they", "her", verb="whispered")
        == "They whispered to her: I am tired."
    )
    assert (
        inject_prefix("I am tired.", "none")
        == "I am tired."
        == inject_prefix("I am tired.", None, None)
    )


@given(
    st.one_of(st.text(), AWKWARD),
    st.sampled_from(SPEAKING),
    st.sampled_from(AUDIENCES),
    st.sampled_from(VERBS),
)
@example('"She said: no"', "she", "none", "said")
@example(": to them: x", "i", "them", "said again")
@example("to them: x", "he", "none", "said")
@example('\n\n שלום: "x"', "someone", "her", "said quietly")
@example("", "she", "him", "said")
def test_taking_off_a_prefix_gives_any_text_back(text, speaker, audience, verb):
    told = inject_prefix(text, speaker, audience, verb=verb)
    assert strip_prefix(told) == text
    assert split_prefix(told)[0] == prefix_of(speaker, audience, verb=verb)
    twice = inject_prefix(told, "she", "them")
    assert strip_prefix(twice) == told


@given(st.one_of(st.text(), AWKWARD), st.sampled_from(LANGUAGES))
def test_prefix_and_rest_are_the_text(text, language):
    prefix, rest = split_prefix(text, language)
    assert (prefix or "") + rest == text


TRANSLATED = {
    "es": [
        "Ella les dijo: ",
        "Él le dijo a ella: ",
        "Dijo :",
        "Ella les ha dicho: ",
        "Y luego ella dijo: ",
        "Ella les dijo, sonriendo: ",
        "Ella dijo, ",
        "Ella les dijo que ",
        "Ella dijo — ",
        "Ella dijo ",
        "ella susurró: ",
        "Ella dijo：",
    ],
    "en": ["She said to them with a smile: ", "She told them: ", "She said that ", "She said "],
    "fr": ["Elle leur a dit : ", "J’ai dit: ", "Quelqu'un a dit : "],
    "it": ["Ha detto: ", "Lei gli ha detto: "],
    "pt": ["Ela disse-lhes: ", "Ela disse para eles: "],
    "de": ["Sie sagte zu ihnen: ", "Er hat ihr gesagt: "],
    "ru": ["Она сказала им: ", "Она им сказала: "],
    "uk": ["Вона сказала їм: "],
    "he": ["היא אמרה להם: ", "\u200fהיא אמרה לו: "],
    "ar": ["قالت لهم: ", "هي قالت: "],
    "ro": ["Ea le-a spus: ", "Am spus: "],
    "ca": ["Ella els va dir: ", "Vaig dir: "],
    "cs": ["Řekla: ", "Řekla jim: "],
    "pl": ["Powiedziała: ", "Ona powiedziała do nich: "],
}
RESTS = {
    "es": "Estoy cansada: de verdad.",
    "he": "אני עייפה: באמת",
    "ar": "أنا متعبة: حقا",
    "ru": "Я устала: да.",
    "uk": "Я стомилася: так.",
}


@pytest.mark.parametrize(
    ("language", "prefix"), [(name, prefix) for name, rows in TRANSLATED.items() for prefix in rows]
)
def test_what_translators_make_of_a_prefix_is_taken_off(language, prefix):
    rest = RESTS.get(language, "I'm tired: really.")
    assert split_prefix(prefix + rest, language) == (prefix, rest)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Estoy cansada.", "es"),
        ("She sang: la la.", "en"),
        ("I have one thing to say: no.", "en"),
        ("Ella está cansada: trabaja mucho.", "es"),
        ("Dijo adiós.", "es"),
        ("Hesaid: x", "en"),
        ("She says: x", "es"),
    ],
)
def test_a_text_without_a_prefix_stays_as_it_is(text, language):
    assert split_prefix(text, language) == (None, text) and strip_prefix(text, language) == text


def test_quotes_that_a_translator_added_come_off_where_asked():
    for told in (
        'Ella dijo: "Estoy cansada."',
        "Ella dijo: «Estoy cansada.»",
        'Ella dijo, "Estoy cansada."',
    ):
        assert strip_prefix(told, "es", unquote=True) == "Estoy cansada."
        assert strip_prefix(told, "es") == told[-len("«Estoy cansada.»") :]
    assert strip_prefix('Ella dijo: "Sí" y "no".', "es", unquote=True) == '"Sí" y "no".'
    assert strip_prefix('She said: "', unquote=True) == '"'


def test_a_prefix_comes_off_translations_and_lost_ones_are_counted():
    kept = load_translator(
        lambda texts: [text.replace("She said:", "Ella dijo:") for text in texts]
    )
    lost = load_translator(lambda texts: [strip_prefix(text) for text in texts])
    sentences = ["Estoy cansada.", "Soy feliz: así es."]
    joined = load_translator(
        lambda texts: [text.replace("She said:", "Ella dijo que") for text in texts]
    )
    for translator, number, of_its_own in ((kept, 2, 2), (joined, 2, 0), (lost, 0, 0)):
        outputs = translate_with_prefix(translator, sentences, "she")
        assert outputs.texts == sentences
        assert (outputs.survived, outputs.parataxes) == (number, of_its_own)
        assert outputs.given == "She said: "
    counted = translate_with_prefix(kept, sentences, "she").markings(speaker_marking)
    assert (counted.marked, counted.feminine_share, counted.genders["unmarked"]) == (1, 1, 1)
    plain = translate_with_prefix(kept, ["Ella dijo: no."])
    assert plain.texts == ["Ella dijo: no."] and plain.given == "" and plain.prefixes == [None]


BAD = {
    "a speaker": (
        lambda: inject_prefix("x", "it"),
        ["speaker", "she, he, i, they, someone", "'it'"],
    ),
    "a verb": (lambda: inject_prefix("x", verb="sang"), ["verb", "said", "'sang'"]),
    "an audience alone": (
        lambda: inject_prefix("x", "none", "her"),
        ["no one speaks", "name a speaker"],
    ),
}


@pytest.mark.parametrize(("call", "fragments"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(call, fragments, refuses):
    refuses(call, fragments)


def test_french_joins_that_and_pronouns_with_an_apostrophe():
    assert split_prefix("Elle a dit qu'elle est fatiguée.", "fr") == (
        "Elle a dit qu'",
        "elle est fatiguée.",
    )
    assert split_prefix("Elle m’a dit : Je suis là.", "fr") == ("Elle m’a dit : ", "Je suis là.")
    assert split_prefix("Il déclara que je suis là.", "fr") == ("Il déclara que ", "je suis là.")
    quoted = split_prefix("Elle a dit : « Je suis là. »", "fr", unquote=True)
    assert quoted == ("Elle a dit : ", "Je suis là.")
    assert split_prefix("Il quelque chose.", "fr") == (None, "Il quelque chose.")
