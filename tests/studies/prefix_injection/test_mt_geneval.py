"""MT-GenEval: words that only the other reference has, and that the references themselves come out right."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.translation import load_translator
from studies.prefix_injection import mt_geneval
from studies.prefix_injection.mt_geneval import (
    CONTEXT_LANGUAGES,
    LANGUAGES,
    gained_accuracy,
    gained_by_context,
    overlaps,
    overlaps_by_context,
    overlaps_by_speaker,
    read_contexts,
    read_counterparts,
)

WOMAN, MAN = "Ella era una actriz famosa.", "Él era un actor famoso."


def test_outputs_by_the_words_of_one_reference_only():
    outputs = ["Era una actriz.", "Era ACTOR, y nada más", "una actriz y un actor", "Nadie sabe."]
    found = overlaps(outputs, [WOMAN] * 4, [MAN] * 4)
    assert found.right.tolist() == [True, False, True, False] and found.wrong.tolist() == [
        False,
        True,
        True,
        False,
    ]
    assert found.accuracy == 0.5 and found.shown.tolist() == [True, True, True, False]


@given(st.lists(st.tuples(*[st.text("abcd ", max_size=12)] * 3), min_size=1, max_size=8))
def test_exchanged_references_exchange_right_and_wrong(rows):
    outputs, this, that = map(list, zip(*rows))
    one, other = overlaps(outputs, this, that), overlaps(outputs, that, this)
    assert one.right.tolist() == other.wrong.tolist() and one.wrong.tolist() == other.right.tolist()
    assert len(one.shown) == len(rows) and 0 <= one.accuracy <= 1
    assert overlaps(this, this, that).accuracy == 1


def test_a_translator_that_echoes_follows_the_speaker_only_where_the_prefix_is_read():
    pairs = pd.DataFrame(
        {
            "feminine_english": ["The actress was famous."],
            "masculine_english": ["The actor was famous."],
            "feminine": [WOMAN],
            "masculine": [MAN],
        }
    )
    by_speaker = overlaps_by_speaker(
        load_translator(lambda texts: [WOMAN if "She" in text else MAN for text in texts]),
        pairs,
        "es",
    )
    assert by_speaker["feminine", "she"].accuracy == by_speaker["masculine", "he"].accuracy == 1
    gained = gained_accuracy(by_speaker).iloc[0]
    assert gained.to_dict() == {"feminine": 1, "masculine": -1, "leak": 2}


@pytest.mark.sample
@pytest.mark.parametrize("language", LANGUAGES)
def test_references_are_right_for_their_own_gender_and_wrong_for_the_other(language):
    rows = read_counterparts(language)
    assert len(rows) == 300
    woman, man = rows["feminine"], rows["masculine"]
    assert overlaps(woman, woman, man).accuracy == 1
    assert overlaps(man, woman, man).wrong.mean() > 0.9


CONTEXTS = pd.DataFrame(
    [
        ["She won.", "It was Kim.", WOMAN, MAN, "feminine"],
        ["Her book sold.", "It was Ann.", WOMAN, MAN, "feminine"],
        ["He won.", "It was Lee.", MAN, WOMAN, "masculine"],
    ],
    columns=["context", "english", "right", "wrong", "gender"],
)


@pytest.mark.parametrize(
    ("translate", "gain"),
    [
        (lambda text: WOMAN if text.startswith(("She", "Her")) else MAN, 2),
        (lambda text: MAN if text.startswith(("She", "Her")) else WOMAN, -2),
        (lambda text: MAN, 0),
        (lambda text: "Nadie sabe.", 0),
    ],
    ids=["follows the context", "against it", "always a man", "no form at all"],
)
def test_what_a_context_gains_is_two_for_each_sentence_of_a_translator_that_follows_it(
    translate, gain
):
    translator = load_translator(lambda texts: [translate(text) for text in texts])
    gained = gained_by_context(overlaps_by_context(translator, CONTEXTS, rng=0))
    np.testing.assert_array_equal(gained, [gain] * 3)


def test_a_file_that_is_not_so_is_refused(monkeypatch, tmp_path):
    lines = {"2to1": "She won.<sep>It was Kim.\nNo context.", "original": "a\nb", "flipped": "c\nd"}

    def fetch(key):
        part = next(part for part in lines if part in key)
        path = tmp_path / part
        path.write_text(lines[part] + "\n", encoding="utf-8")
        return path

    monkeypatch.setattr(mt_geneval, "fetch", fetch)
    with pytest.raises(ValueError, match=r"<sep> .* none in line 2 \(1 in all\)"):
        read_contexts("es")
    lines["flipped"] = "c"
    with pytest.raises(ValueError, match="three files of equal length"):
        read_contexts("es")


@pytest.mark.sample
@pytest.mark.parametrize("language", CONTEXT_LANGUAGES)
def test_contexts_say_a_gender_and_their_references_differ(language):
    rows = read_contexts(language)
    assert 1094 <= len(rows) <= 1100
    assert (rows["right"] != rows["wrong"]).all()
    assert (rows["english"] != "").all()
    assert rows["gender"].isin(["feminine", "masculine", ""]).all()
    assert (rows["gender"] != "").mean() > 0.89
    assert (rows.loc[rows["context"] == "", "gender"] == "").all()
