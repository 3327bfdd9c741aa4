"""The training of the shipped head of sentiment: what is written can be read, and the card says what lies there."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest

from lib.text_classification.sentiment.encoders import load_head
from scripts.train import sentiment_head

pytestmark = pytest.mark.usefixtures("one_thread")


def test_the_card_says_what_lies_in_the_folder(tmp_path):
    for path in sentiment_head.SHIPPED.parent.iterdir():
        shutil.copy(path, tmp_path)
    shipped = (tmp_path / "card.md").read_text(encoding="utf-8")
    assert sentiment_head.write_card(tmp_path).read_text(encoding="utf-8") == shipped


def test_a_head_is_trained_written_and_read_again(tmp_path, monkeypatch):
    good = ["A good film.", "Fine and warm.", "I liked it.", "Great fun.", "Lovely.", "So moving."]
    bad = ["A bad film.", "Dull and cold.", "I hated it.", "No fun.", "Ugly.", "So boring."]
    rows = pd.DataFrame({"text": good + bad, "label": [1] * 6 + [0] * 6})
    monkeypatch.setattr(sentiment_head, "read_phrases", lambda: rows)
    monkeypatch.setattr(sentiment_head, "read_development", lambda: rows)
    monkeypatch.setattr(sentiment_head, "SIZES", (10,))
    sentiment_head.train(tmp_path)
    scores = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))
    assert scores["dev"] == 1
    assert len(scores["resamples"]) == sentiment_head.RESAMPLES
    classifier = load_head(path=tmp_path / sentiment_head.SHIPPED.name)
    np.testing.assert_array_equal(classifier.positive(rows["text"]) > 0.5, rows["label"] == 1)
    assert "12 phrases" in sentiment_head.write_card(tmp_path).read_text(encoding="utf-8")
