"""Forms that name no gender or several, and forms that only look like them."""

import pytest

from lib.translation.inclusive import LANGUAGES, person_form
from lib.translation.person_gender import target_words

FORMS = {
    ("es", "El/la enfermero/a llegó."): "inclusive",
    ("es", "El enfermero o la enfermera llegó."): "inclusive",
    ("es", "Le enfermere llegó."): "inclusive",
    ("es", "Lx médicx llegó."): "inclusive",
    ("es", "La persona de limpieza llegó."): "neutral",
    ("es", "El médico y la enfermera llegaron."): "",
    ("es", "El enfermero le dice que sí."): "",
    ("es", "La taxista tomó un taxi."): "",
    ("fr", "L'infirmier·e est arrivé·e."): "inclusive",
    ("fr", "Le ou la médecin est là."): "inclusive",
    ("fr", "La personne est là."): "neutral",
    ("fr", "Le médecin est là. Et elle part."): "",
    ("it", "Lə infermierə è qui."): "inclusive",
    ("it", "Il/la medico è qui."): "inclusive",
    ("it", "La persona è qui."): "neutral",
    ("it", "Il medico e la cuoca sono qui."): "",
    ("de", "Die Ärzt:in kam."): "inclusive",
    ("de", "Die ÄrztIn kam."): "inclusive",
    ("de", "Der Arzt oder die Ärztin kam."): "inclusive",
    ("de", "Die Pflegekraft kam."): "neutral",
    ("de", "Die Ärztin kam in den Raum."): "",
    ("pt", "O/a enfermeiro/a chegou."): "inclusive",
    ("pt", "O médico ou a médica chegou."): "inclusive",
    ("pt", "A pessoa chegou."): "neutral",
    ("pt", "A médica e o cozinheiro chegaram."): "",
    ("ru", "Пришёл врач/ка."): "inclusive",
    ("ru", "Пришёл учитель или учительница."): "inclusive",
    ("ru", "Кто-то пришёл."): "neutral",
    ("ru", "Пришла медсестра и врач."): "",
    ("uk", "Прийшов лікар/ка."): "inclusive",
    ("uk", "Прийшла особа."): "neutral",
    ("uk", "Прийшла лікарка, а він пішов."): "",
}


@pytest.mark.parametrize(("language", "text"), FORMS)
def test_forms(language, text):
    words = target_words(text, language)
    assert person_form(text, words, 1, language) == FORMS[language, text]


def test_other_languages_have_none():
    assert "he" not in LANGUAGES and person_form("x", ["x"], 0, "he") == ""
