"""The chapter `biographies` with a reader's own files."""

import pandas as pd
import pytest

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
    given |= {"e": e, "merging": gender_lists("book"), "vectors": reduced(e.vectors, 50)}
    run = run_some("biographies", OWN, **given)
    assert (
        "Your file: 800 texts" in run.text.replace("&#x27;", "")
        and "400 of 800 texts stand in the file" in run.text
    )
    assert run.namespace["of_all"].loc["accuracy", "value"] == 1


FILES = {"own_texts": "texts", "own_predictions": "said"}
OWN = [
    *("parameters", "set-up", "own-texts", "own-predictions"),
]


SIZES = ["parameters", "set-up", "change-me", "fair-gaps", "first-picture", "picture-read"]


@pytest.mark.parametrize(
    ("people", "boxes", "says"),
    [
        ({"nurse": (120, 30), "surgeon": (40, 200)}, 0, "Yours, 20.0 points, is above"),
        ({"nurse": (120, 30)}, 1, "The smallest printed gap is 6.9 points"),
    ],
)
@pytest.mark.usefixtures("figures_are_closed")
def test_sizes_of_a_reader_have_a_fair_gap_and_no_printed_one_beside_it(people, boxes, says):
    cells = [cell for cell in SIZES if cell != "change-me"]
    run = run_some("biographies", cells, people=people, accuracy=None, gap=0.2, draws=100)
    assert says in run.text and run.text.count("could not be measured") == boxes
    assert ("the paper prints" in run.text) == bool(boxes)
    assert run.namespace["picture"]["paper"].notna().all() == bool(boxes)
