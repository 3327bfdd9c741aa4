"""GENDEROUS: a crossed design of sentences, their translations and the labels of people and of GPT-4o."""

import pandas as pd
import pytest

from lib.datasets import genderous
from lib.datasets.genderous import (
    KINDS,
    LANGUAGES,
    SYSTEMS,
    read_alternatives,
    read_translations,
)

FILES = [f"genderous_{system}_{kind}" for system in SYSTEMS for kind in KINDS]


@pytest.mark.sample("genderous_adjectives", *FILES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_translated_the_same_crossed_design(system):
    tables = {language: read_translations(system, language) for language in LANGUAGES}
    table = tables["es"]
    assert table["kind"].value_counts().to_dict() == dict(KINDS)
    with_adjective = table[table["kind"] == "adjectives"]
    assert (pd.crosstab(with_adjective["occupation"], with_adjective["adjective"]) == 1).all(
        axis=None
    )
    assert with_adjective["adjective"].nunique() == 15
    assert table.groupby("stereotype")["occupation"].nunique().eq(10).all()
    assert with_adjective.groupby("adjective_stereotype")["adjective"].nunique().eq(5).all()
    assert (table["translation"] != "").all()
    for other in tables.values():
        assert other["sentence"].equals(table["sentence"])


@pytest.mark.sample("genderous_adjectives", *FILES)
def test_human_labels_are_counted_as_in_the_files():
    spanish = pd.concat([read_translations(system, "es") for system in SYSTEMS])
    assert spanish["person"].value_counts().to_dict() == {
        "masculine": 1592,
        "feminine": 295,
        "incorrect": 146,
        "mixed": 4,
        "neutral": 3,
    }
    assert "both" not in set(spanish["person"])


def test_other_names_and_broken_files_are_refused(tmp_path, monkeypatch, refuses):
    refuses(lambda: read_translations("bing", "es"), ["gt, deepl", "'bing'"])
    refuses(lambda: read_translations("gt", "fr"), ["el, de, es, nl", "'fr'"])
    refuses(lambda: read_alternatives("fr"), ["el, de, es, nl", "'fr'"])
    (tmp_path / "x.tsv").write_text("base\tES_ann_v1\nnurse\tF\textra\n", encoding="utf-8")
    monkeypatch.setattr(genderous, "fetch", lambda key: tmp_path / "x.tsv")
    refuses(
        lambda: read_alternatives("es"),
        ["genderous_gpt4o_alternatives_es", "expected 30 rows", "2, 3 columns", "fetch it again"],
    )
    rows = ["base\tbase_type\tES_GPT-4o_v1\tES_ann_v1", *["nurse\tfemale_base\tLa.\tQ"] * 30]
    (tmp_path / "x.tsv").write_text("\n".join(rows), encoding="utf-8")
    refuses(lambda: read_alternatives("es"), ["expected the labels F, M, N", "got Q"])
