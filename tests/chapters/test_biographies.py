"""What the chapter `biographies` finds: fair classifiers have gaps, merging words does the work, and only for those words."""

import json

import pandas as pd
import pytest

from lib.embeddings import load_embedding
from lib.text_classification.occupations.printed import biographies_by_gender
from lib.text_classification.occupations.synthetic import Planted, biographies
from studies.biographies.printed import results_by_variant
from studies.biographies.variants import gender_lists, reduced
from tests.chapters.runs import run_of
from tests.support.chapter_runs import run_some


@pytest.fixture(scope="module")
def found():
    rows = run_of("embedded", "biographies")
    settings = pd.DataFrame([json.loads(text) for text in rows["settings"]], rows.index)
    return pd.concat([rows.drop(columns="data"), settings], axis="columns")


def of(found, quantity, *index):
    return found[found["quantity"] == quantity].set_index(list(index))


def test_no_number_is_recorded_for_the_paper(found):
    assert (found["claim_id"].fillna("") == "").all()
    assert found["value"].notna().all()


def test_every_printed_gap_is_larger_than_any_fair_classifier_shows(found):
    fair = of(found, "gap of a fair classifier", "gap", "recall").loc["TPR gap"]
    assert fair["value"].idxmax() == 0.5
    assert results_by_variant()["TPR gap"].min() > fair["high"].max()


def test_gaps_of_true_negatives_come_from_the_occupations_alone(found):
    fair = of(found, "gap of a fair classifier", "gap", "errors").loc["TNR gap", "value"]
    assert fair["by share of women"] > 3 * fair["by size"]


def test_two_fair_classifiers_differ_less_the_more_their_errors_agree(found):
    limits = of(found, "chance difference of gaps", "true_gap", "correlation")["value"]
    for true_gap in (0, 0.08):
        assert limits[true_gap].is_monotonic_decreasing


def test_variants_do_what_they_promise_on_vectors(found):
    table = of(found, "left in neutral words", "variant")["value"]
    assert table["strongly debiased"] < 1e-6 < table["equalise only"]
    sets = of(found, "sets with one vector", "variant")["value"]
    assert sets["project only"] == 0 < sets["equalise only"] == sets["strongly debiased"]


def test_merging_explicit_words_closes_their_gap_and_no_other(found):
    gap = of(found, "TPR gap, planted", "signal", "variant")["value"]
    explicit = gap["explicit words"]
    for name in ("scrubbed", "strongly debiased", "equalise only"):
        assert explicit[name] < 0.6 * explicit["plain"]
    assert explicit["project only"] > explicit["equalise only"]
    assert explicit["random direction and sets"] > 1.5 * explicit["strongly debiased"]
    for signal in ("stereotyped attributes", "correlated topics"):
        assert gap[signal, "strongly debiased"] == pytest.approx(gap[signal, "plain"], abs=0.03)


def test_the_probe_has_the_floors_of_table_1(found):
    floors = of(found, "floor of the probe", "floor")["value"]
    assert floors.round(3).tolist() == [0.539, 0.627]


def test_files_of_a_reader_have_their_columns_labels_and_encoding_by_parameters(tmp_path):
    counts, e = biographies_by_gender(), load_embedding("minilm")
    texts = biographies(400, Planted(explicit=1), counts, rng=0).rename(columns={"gender": "sex"})
    texts["sex"] = texts["sex"].str[0].str.upper()
    pd.concat([texts, texts]).to_csv(tmp_path / "texts.csv", index=False, encoding="utf-16")
    said = texts.rename(columns={"occupation": "truth"}).assign(said=texts["occupation"])
    said.to_csv(tmp_path / "said.csv", index=False, encoding="utf-16")
    given = {
        "columns": ["gender=sex", "female=F", "male=M"],
        "encoding": "utf-16",
        "counts": counts,
    }
    given |= {name: str(tmp_path / f"{file}.csv") for name, file in FILES.items()}
    given |= {"e": e, "gender": gender_lists("book"), "table": reduced(e.vectors, 50)}
    run = run_some("biographies", OWN, **given)
    assert "Your file: 800 texts" in run.text and "400 of 800 texts stand in the file" in run.text
    assert run.namespace["of_all"].loc["accuracy", "value"] == 1


FILES = {"own_texts": "texts", "own_predictions": "said"}
OWN = [
    *("parameters", "effective-parameters", "imports", "lib-imports", "more-lib-imports"),
    *("run-own-texts", "run-own-read", "run-own-predictions"),
]
