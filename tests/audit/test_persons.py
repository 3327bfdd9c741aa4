"""Readers of Portuguese, Russian and Ukrainian: forms that show a gender are read, others are not; what is recorded of people."""

import numpy as np
import pandas as pd
import pytest

from audit.translator import LANGUAGES, PERSON_READERS, gate, reader_agreement
from audit.translator.persons import ALL_READERS, alignable, subject_of
from lib.translation.person_gender import target_words
from scripts.tables.person_readers import agreement, marked

# The word that is asked for stands between bars.
PERSONS = {
    "pt": {
        "A |enfermeira| saiu.": "female",
        "Falei com o |enfermeiro|.": "male",
        "A nova |gerente| saiu.": "female",
        "Deu um livro ao |dentista|.": "male",
        "A |vítima| fugiu.": "female",
        "Eram |artista| e poeta.": "unknown",
        "Ela virou |professora|.": "female",
        "|Alguém| saiu.": "neutral",
    },
    "ru": {
        "Я видел |инженера|.": "male",
        "Я видел |медсестру|.": "female",
        "Он помог |учительнице|.": "female",
        "Он помог |учителю|.": "male",
        "Он говорил с |домработницей|.": "female",
        "Он говорил с |механиком|.": "male",
        "Он видел |механика|.": "male",
        "Он видел |клерка|.": "male",
        "Он видел |студентку|.": "female",
        "|Врач| не сказала ничего.": "female",
        "|Врач| сказал, она знает.": "male",
        "|Врач|, сказала она, болен.": "male",
        "Он видел |портного|.": "male",
        "Пришла |заведующая|.": "female",
        "Он видел |кого| - то.": "neutral",
        "Он видел |персонал|.": "unknown",
        "Он видел |охранников|.": "unknown",
    },
    "uk": {
        "Він бачив |лікаря|.": "male",
        "Він бачив |лікарку|.": "female",
        "Він допоміг |медсестрі|.": "female",
        "Він допоміг |водієві|.": "male",
        "|Водій| сказав.": "male",
        "|Водій| сказала.": "female",
        "Він говорив із |прибиральницею|.": "female",
        "Він говорив із |суддею|.": "male",
        "Він бачив |підлітка|.": "male",
        "Він допоміг |економці|.": "female",
        "Він бачив |когось|.": "neutral",
    },
}


@pytest.mark.parametrize("language", PERSONS)
def test_a_form_is_read_in_its_case(language):
    for text, gender in PERSONS[language].items():
        before, noun, _ = text.split("|")
        words = target_words(text.replace("|", ""), language)
        place = len(target_words(before, language))
        assert words[place] == noun.lower()
        assert ALL_READERS[language](words, np.eye(len(words))[place]) == gender, text
    assert ALL_READERS[language](["."], np.zeros(1)) == "unknown"


SUBJECTS = {
    "pt": ("A enfermeira perdeu as chaves.", "O enfermeiro perdeu as chaves.", "Alguém saiu."),
    "ru": ("Няня потеряла ключи.", "Судья потерял ключи.", "Кто-то ушёл."),
    "uk": ("Няня загубила ключі.", "Тесля загубив ключі.", "Хтось пішов."),
}


@pytest.mark.parametrize("language", SUBJECTS)
def test_a_subject_is_read_without_alignment(language):
    read = [subject_of(text, language) for text in SUBJECTS[language]]
    assert read == ["female", "male", "neutral"]
    assert subject_of("...", language) == "unknown"


def test_cases_of_a_word_are_aligned_together():
    assert len({*alignable(["учитель", "учителю", "учителем"], "ru")}) == 1
    assert alignable(["enfermeira"], "pt") == ["enfermeira"]


def test_russian_and_ukrainian_are_told_apart_by_their_letters():
    texts = ["Медсестра потеряла свои ключи, это были её.", "Медсестра загубила свої ключі."]
    for language, problems in (("ru", ["", "another language"]), ("uk", ["another language", ""])):
        found = gate(["The nurse lost her keys yesterday."] * 2, texts, language)
        assert found["problem"].tolist() == problems


def test_a_reader_counts_as_validated_where_labels_were_not_seen_and_could_tell():
    assert reader_agreement("ru").forms_only and "136" in reader_agreement("ru").text
    assert reader_agreement("pt").validated
    ukrainian = reader_agreement("uk")
    assert not ukrainian.validated and "unvalidated" in ukrainian.text
    recorded = pd.read_csv(PERSON_READERS)
    assert set(recorded["language"]) == {*LANGUAGES} & {"pt", "ru", "uk"}
    assert (recorded["n"] > 50).all() and recorded["value"].between(0.9, 1).all()


@pytest.mark.sample(
    "mtge_annot_sentences_feminine_test_en_ru_ru", "mtge_annot_sentences_feminine_test_en_pt_pt"
)
@pytest.mark.parametrize("language", ["pt", "ru"])
def test_the_agreement_is_the_recorded_one(language):
    recorded = pd.read_csv(PERSON_READERS).query("language == @language and tested == 'forms'")
    for name, value in agreement(marked(language)).items():
        assert recorded[name].item() == pytest.approx(value, abs=1e-4)
