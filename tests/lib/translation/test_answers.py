"""What is read in the answers of language models: known answers, hostile ones, and true translations that look like none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.translation.answers import (
    Cut,
    Reading,
    counts_note,
    in_another_language,
    judges_language,
    outputs_note,
    problems,
    read_answer,
    repeats,
    translator_note,
)
from lib.translation.evaluation_sets import (
    first_person_set,
    first_person_set_french,
    listener_set,
    plain_set,
)
from lib.translation.instructed import Prompt

PROMPT = Prompt(source_language="English", target_language="Spanish")
TIRED = "Estoy cansada."


def read(answer, sentence="I am tired.", language="Spanish"):
    prompt = Prompt(source_language="English", target_language=language).filled(sentence)
    return read_answer(sentence, answer, prompt=prompt, language=language)


FOUND = {
    "bare": (TIRED, ()),
    "reasoning": (
        f"<think>The speaker is a woman.\nSo cansada.</think>\n\n{TIRED}",
        ("reasoning",),
    ),
    "its end alone": (f"The speaker is a woman.\n</think>\n{TIRED}", ("reasoning",)),
    "brackets": (f"[THINK]a woman[/THINK]{TIRED}", ("reasoning",)),
    "channels": (
        f"<|channel|>analysis<|message|>A woman.<|end|><|start|>assistant<|channel|>final<|message|>{TIRED}<|return|>",
        ("reasoning", "tags"),
    ),
    "tags": (f"<translation>{TIRED}</translation>", ("tags",)),
    "in the same line": (f"Sure! Here is the translation: {TIRED}", ("preamble",)),
    "in Spanish": (f"¡Claro! Aquí tienes la traducción:\n{TIRED}", ("preamble",)),
    "courtesy": (f"Sure!\n{TIRED}", ("preamble",)),
    "a label": (f"**Translation:** {TIRED}", ("preamble",)),
    "a line with a colon": (f"This is how one says it:\n{TIRED}", ("preamble",)),
    "a fence with a name": (f"```spanish\n{TIRED}\n```", ("code fence",)),
    "quotes": (f"“{TIRED}”", ("quotes",)),
    "all": (
        f'<think>x</think>Here is the translation:\n```\n"{TIRED}"\n```',
        ("reasoning", "code fence", "preamble", "quotes"),
    ),
}


@pytest.mark.parametrize(("answer", "off"), FOUND.values(), ids=FOUND)
def test_what_stands_around_a_translation_is_taken_off_and_named(answer, off):
    assert read(answer) == Reading(TIRED, "", off)


def test_what_stands_after_it_is_the_rest():
    assert read(f"{TIRED}\n\nNote: said by a woman.") == Reading(TIRED, "Note: said by a woman.")
    assert read(Cut(f"{TIRED}\nEnglish: I am la")).translation == TIRED


NONE = {
    "reasoning without an end": (
        "<think>The speaker",
        "x</think><think>y",
        "<|channel|>a<|message|>b",
    ),
    "empty": ("", "…", "```\n```", "Sure! Here is the translation:", "<think>a</think>"),
    "cut": (Cut("Estoy can"),),
    "refused": (
        "I'm sorry, but I can't help with that request.",
        "Lo siento, no puedo ayudar con eso.",
        "As an AI language model, I am not able to do so.",
    ),
    "thinking aloud": ("Okay, the user wants me to translate this sentence.",),
    "echoed": (
        '"i am tired"',
        "Translate this sentence from English to Spanish. Answer with the translation alone, in one line.",
        "English: I am tired.",
    ),
    "another language": ("I am so tired, and the day was long.", "Ich bin sehr müde.", "我很累"),
    "markup": ('{"translation": "Estoy cansada."}', "<html><body>Estoy</body></html>"),
    "much too long": (f"{TIRED} " * 30,),
    "damaged text": ("Estoy \ud800cansada.",),
}


@pytest.mark.parametrize(
    ("problem", "answer"), [(kind, answer) for kind in NONE for answer in NONE[kind]]
)
def test_an_answer_without_a_translation_is_none_and_is_named(problem, answer):
    found = read(answer)
    assert (found.translation, found.problem) == ("", problem)


TRUE = [
    ("Hotel", "Hotel"),
    ("1, 2, 3, 4", "1, 2, 3, 4"),
    ("Maria Garcia Lopez", "Maria Garcia Lopez"),
    ("Of course!", "¡Por supuesto!"),
    ("She said: I am tired.", "Ella dijo: Estoy cansada."),
    ('"I am tired."', '"Estoy cansada."'),
    ("I am sorry, I can't help you.", "Lo siento, no puedo ayudarte."),
    ("I cannot translate.", "No puedo traducir."),
    ("Translation: hard work.", "Traducción: trabajo duro."),
    ("The user wants help.", "El usuario quiere ayuda."),
    ("I am a {nurse}.", "Soy {enfermera}."),
    ("?", "¿?"),
]


@pytest.mark.parametrize(("sentence", "translation"), TRUE)
def test_a_true_translation_passes_whole(sentence, translation):
    assert read(translation, sentence) == Reading(translation)


def test_the_books_own_references_all_pass_and_their_english_never_does():
    own, plain, listeners = first_person_set(), plain_set(), listener_set()
    french = first_person_set_french()
    tables = [("Spanish", own, name) for name in own.columns[1:] if own[name].dtype == object]
    tables += [("Spanish", plain, "spanish"), ("Spanish", listeners, "her")]
    tables += [("French", french, "feminine"), ("French", french, "masculine")]
    for language, table, column in tables:
        if column not in table or not table[column].str.contains(" ").all():
            continue
        pairs = list(zip(table["english"], table[column]))
        assert len(pairs) > 20
        wrong = [pair for pair in pairs if read(pair[1], pair[0], language) != Reading(pair[1])]
        assert wrong == []
        copied = [read(english, english, language).problem for english, _ in pairs]
        assert set(copied) <= {"echoed", "another language", ""}
        assert np.mean([problem == "" for problem in copied]) < 0.02
        assert not repeats(pairs)


@pytest.mark.sample
def test_people_s_translations_hardly_ever_look_like_none():
    from lib.datasets.tatoeba import read_pairs

    pairs = read_pairs()
    drawn = [pairs[place] for place in np.random.default_rng(0).choice(len(pairs), 3000, False)]
    for language, asked, given_ in (("Spanish", 0, 1), ("English", 1, 0)):
        bad = [pair for pair in drawn if read(pair[given_], pair[asked], language).problem]
        assert len(bad) <= 3
        other = [in_another_language(pair[asked], language) for pair in drawn]
        assert np.mean(other) > 0.4  # the short rest has no word that tells


def test_an_answer_in_letters_of_another_language_is_seen_and_a_name_in_it_is_not():
    assert in_another_language("She is a nurse.", "Korean")
    assert not in_another_language("걔는 간호사야", "Korean")
    assert not in_another_language("Google에서 일해요.", "ko")
    assert not in_another_language("OK", "Korean")
    assert in_another_language("걔는 간호사야", "English")
    assert not in_another_language("彼女は看護師です。", "Japanese")
    assert not in_another_language("anything at all, and the rest", "Klingon")
    assert judges_language("spa_Latn") and judges_language("Brazilian") is False
    assert not judges_language(None)


def test_one_answer_for_most_sentences_translates_none_and_cognates_do():
    sentences = [f"Sentence {number}" for number in range(20)]
    assert repeats([(text, "Okay, boss") for text in sentences]) == sentences
    assert repeats([(text, text) for text in sentences]) == sentences
    half = [
        (text, "Okay") if number < 10 else (text, f"x{number}")
        for number, text in enumerate(sentences)
    ]
    assert repeats(half) == []
    cognates = [
        ("actor", "actor"),
        ("doctor", "doctor"),
        ("animal", "animal"),
        ("nurse", "enfermera"),
        ("cook", "cocinero"),
        ("poet", "poeta"),
    ]
    assert repeats(cognates) == []
    assert repeats([("a", "x"), ("b", "x")]) == []


def test_a_page_says_what_was_counted_and_nothing_from_outside():
    class Chatty:
        def note(self):
            return counts_note(
                [read(answer) for answer in (TIRED, f"Sure!\n{TIRED}\n<b>x", "<think>")], "Spanish"
            )

    noted = translator_note(Chatty(), ["I", "you"], ["yo", "tú"])
    assert noted == (
        "**3 answers** of a model that was told to translate. Taken off: preamble 1, text after the translation 1. "
        "No translation, counted as empty: reasoning without an end 1."
    )
    assert translator_note(object(), ["I", "you"], ["yo", "tú"]) == ""
    assert "Their language was not judged" in counts_note([], "Klingon")
    asked = [f"s{number}" for number in range(100)]
    assert outputs_note(asked, ["<img>"] * 100).startswith(
        "**0 of 100 outputs are empty, and 100 others repeat"
    )
    assert outputs_note(asked, [""] * 3 + asked[3:][::-1]).startswith(
        "**3 of 100 outputs are empty.**"
    )
    assert outputs_note(asked, [""] * 2 + asked[2:][::-1]) == ""
    assert (
        problems([read("<think>"), read(""), read("<think>")])
        == "reasoning without an end 2, empty 1"
    )


@pytest.mark.parametrize(
    "part", ["<think>", "</think>", "<|channel|>a", "\n", "```", "translat:\n", ":\n"]
)
def test_an_answer_of_any_form_and_size_is_read_in_one_go(part):
    for answer in (part * (100_000 // len(part)), part * 100_000, part * 250_000):
        assert read(answer).problem and not read(answer + TIRED).translation.startswith("<think>")


AWKWARD = st.sampled_from(
    [
        "<think>",
        "</think>",
        "```",
        '"',
        "**",
        ":",
        "\n",
        "Sure!",
        "translation",
        "<|channel|>final<|message|>",
        "{",
        "\ud800",
        TIRED,
        " ",
    ]
)


@settings(deadline=None)
@given(st.lists(AWKWARD | st.text(st.characters(), max_size=5), max_size=12).map("".join))
def test_any_answer_is_read_and_a_translation_is_one_line_that_stood_in_it(answer):
    assert read(answer, sentence="".join(answer[::2]) or "a").translation in answer
    found = read(answer)
    assert "\n" not in found.translation and found.translation in answer
    assert bool(found.problem) != bool(found.translation)
    if found.translation:
        assert "<think>" not in found.translation.casefold()
        assert read(found.translation).problem in (
            "",
            "another language",
            "echoed",
            "refused",
            "empty",
        )
