"""BOLD: one row a sentence, under its article and its group."""

import json

import pytest

from lib.datasets import bold
from lib.datasets.bold import read_bold


def test_sentences_keep_the_order_of_the_file(tmp_path, monkeypatch):
    groups = {"dance": {"Ballet": ["One.", "Two."], "Tango": ["Three."]}, "art": {"Painter": []}}
    (tmp_path / "bold_gender_wiki").write_text(json.dumps(groups), encoding="utf-8")
    monkeypatch.setattr(bold, "fetch", lambda key: tmp_path / key)
    sentences = read_bold("bold_gender_wiki")
    assert sentences["text"].tolist() == ["One.", "Two.", "Three."]
    assert sentences["title"].tolist() == ["Ballet", "Ballet", "Tango"]
    assert set(sentences["group"]) == {"dance"}


@pytest.mark.sample("bold_profession_prompt")
def test_the_prompts_are_on_eighteen_fields_of_work():
    prompts = read_bold()
    assert prompts["group"].nunique() == 18 and "Metalsmith" in set(prompts["title"])
