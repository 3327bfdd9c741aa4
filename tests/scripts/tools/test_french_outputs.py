"""Outputs of the French translator are drawn without a reading, and read once they are labelled."""

import pandas as pd
import pytest

from scripts.tools.french_outputs import SHIPPED, add, keep


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
