"""Outputs of the French translator are drawn without a reading, and read once they are labelled."""

import pandas as pd
import pytest

from lib.translation.translators import load_translator
from tools.french_outputs import SHIPPED, add, draw, keep


def test_what_is_drawn_is_distinct_and_has_no_prefix():
    made = load_translator(lambda texts: [f"Elle a dit : {text} {len(text) % 7}" for text in texts])
    drawn = draw(made, number=30)
    assert len(drawn) == 30 and not drawn.duplicated("text").any()
    assert drawn["text"].str.startswith("I ").any()
    assert (drawn[["gender", "first_read"]] == "").all(axis=None)


def test_labels_are_added_with_a_first_reading_and_none_is_missing(refuses):
    columns = ["reader", "text", "gender", "number", "source", "first_read"]
    table = pd.DataFrame(
        [("speaker", "Je dors.", "unmarked", "", "written", "unmarked")], columns=columns
    )
    text = "Je suis fatiguée."
    new = pd.DataFrame([("speaker", text, "masculine", "", "tatoeba-en-fr", "")], columns=columns)
    both = add(new, table)
    assert list(both["first_read"]) == ["unmarked", "feminine"]
    assert len(add(new, both)) == 2
    refuses(lambda: add(new.assign(gender=""), table), ["feminine, masculine", text, "1 more"])


def test_a_training_that_has_not_ended_is_not_kept(tmp_path):
    for name in SHIPPED[:-1]:
        (tmp_path / name).touch()
    with pytest.raises(FileNotFoundError, match=f"{SHIPPED[-1]}.*goes on from its checkpoint"):
        keep(tmp_path, tmp_path / "kept")
