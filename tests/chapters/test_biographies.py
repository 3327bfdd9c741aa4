"""The chapter `biographies` with a reader's own files."""

import pandas as pd

from lib.embeddings import load_embedding
from lib.text_classification.occupations.printed import biographies_by_gender
from lib.text_classification.occupations.synthetic import Planted, biographies
from studies.biographies.variants import gender_lists, reduced
from tests.support.chapter_runs import run_some


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
