"""What Zhang, Sneyd & Stevenson released: the stored outputs of their notebook as tidy tables."""

import json

import numpy as np
import pytest

from lib.embeddings import load_embedding
from lib.ledger import claims
from lib.ledger.printed import Printed
from lib.measures import direct_bias, ripa
from studies.base_pair_stability import zhang2020
from studies.base_pair_stability.zhang2020 import MEAN, PAIRS, read_examples, read_results

LINE = " ".join(f"& 0.{number:02d} " for number in range(11)) + "\n"
OUTPUTS = {
    "# DEFINE REDUCED VOCABULARIES": "size of limited vocabulary: 40\n",
    "# GET OVERALL MEANS": "Vocab size: 40\nDB/WA: -0.25 0.5\nRIPA: 0.125 1.5\nNBM: 0.0 0.75\n",
    "# COMPUTE MAGNITUDE CHANGES": "DB/WA: 0.6\nRIPA: 0.7\nRIPA: 0.8\n",
    "# BASE PAIR AGREEMENT": "DB/WA: 0.1\nRIPA: 0.2\nNB: 0.3\n",
    "# DIFFERENT FORMS": f"GD/WA\n{LINE}RIPA\n{LINE}NBM\n{LINE}",
    "# PROFESSION VARIANT": f"23\nBase vs Plural\n{LINE * 3}Capital\n{LINE * 3}Upper\n{LINE * 3}",
    "# BSRI": LINE * 3,
    "# ANIMAL": LINE * 3,
    "# COMPARE AGREEMENTS": LINE * 3,
    "def pearson": "[(0.9, 5e-06), (0.5, 0.25), (0.8, 1e-3)]",
    "# EXAMPLE INCONSISTENCIES": "-0.5 0.25\n-0.125 0.5\n{'bull': 0.5, 'a': -0.5, 'b': 0.25}",
    "# PERCENTAGE PROFESSION SAME": "DB/WA: 25.0\nRIPA: 50.0\nNBM: 12.5\n",
    "# PERCENTAGE PROFESSIONS CHANGE": "% change: 10.0\n",
    "# ANALOGIES": "Total analogies: 9 Total categories: 2\nMean: 0.5 Std: 0.25\n",
    "# tests if predicted": "({': gram8-plural': 0.75}, 20.0, 8)",
    "print(cosine_similarity": "0.75\n0.5\n",
    "# ESTIMATE MEAN COSINE SIMILARITY BETWEEN EMBEDDING VECTORS": "mean: 0.125 std: 0.25\n",
    "# ESTIMATE MEAN COSINE SIMILARITY BETWEEN EMBEDDING DIFFERENCE": "mean: 0.0 std: 0.5\n",
}


@pytest.fixture
def small_notebook(tmp_path, monkeypatch):
    """A notebook of the published form, with made-up outputs: printed ones, returned ones, warnings."""
    warning = {"output_type": "stream", "name": "stderr", "text": ["line 99: deprecated\n"]}
    cells = [{"cell_type": "code", "source": ["import json\n"], "outputs": []}]
    for source, text in OUTPUTS.items():
        output = {"output_type": "stream", "name": "stdout", "text": text.splitlines(True)}
        if text.startswith(("(", "[")):
            output = {"output_type": "execute_result", "data": {"text/plain": [text]}}
        cells.append({"cell_type": "code", "source": [source], "outputs": [warning, output]})
    (tmp_path / "small.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setattr(zhang2020, "fetch", lambda key: tmp_path / "small.ipynb")


def test_lines_of_kappas_become_cells_with_their_pair_form_and_system(small_notebook):
    kappas = read_results().set_index(["location", "dataset", "word_form", "system", "base_pair"])
    kappas = kappas.loc[kappas["metric"].str.endswith("cohen_kappa"), "stored"]
    assert len(kappas) == (3 + 9 + 6 + 3) * 11
    for column, pair in enumerate([*PAIRS, MEAN]):
        assert kappas["Table 4", "professions", "upper", "NBM", pair] == column / 100
    assert kappas["Table 6", "professions", "", "DB/WA & NBM", "her-his"] == 0.01


def test_numbers_are_in_plain_units_and_warnings_are_not_read(small_notebook):
    found = read_results().set_index(["location", "metric", "system"])["stored"]
    assert found["Table 1", "std_bias_score", "RIPA"] == 1.5
    assert found["Table 2", "mean_proportion_changes_ge_1sd", "NBM"] == 0.8
    assert found["Section 6", "share_same_direction_for_all_pairs", "DB/WA"] == 0.25
    by_metric = read_results().drop_duplicates(["location", "metric"])
    by_metric = by_metric.set_index(["location", "metric"])["stored"]
    assert by_metric["Section 5", "frequent_words_after_filter"] == 40
    assert by_metric["Section 7", "max_p_value"] == 0.25
    assert by_metric["Section 7", "words_changing_direction"] == 32
    assert by_metric["Section 7", "accuracy"] == 0.2


@pytest.mark.sample("zhang_notebook")
def test_the_published_notebook_holds_the_printed_numbers():
    stored, paper, found = read_results(), "zhang2020_base_pairs", []
    of_pairs = stored["metric"].str.endswith("cohen_kappa")
    assert of_pairs.sum() == 231
    for (location, metric), rows in stored[of_pairs].groupby(["location", "metric"]):
        printed = claims.table(paper=paper, location=location, metric=metric)
        about = [name for name in rows if name in printed and rows[name].any()]
        both = rows.merge(printed, on=about, validate="one_to_one")
        assert len(both) == len(rows), location
        found += zip(both["claim_id"], both["stored"])
    for row in stored[~of_pairs].to_dict("records"):
        number = row.pop("stored")
        about = {name: value for name, value in row.items() if value}
        found.append((claims.one(paper=paper, **about), number))
    for claim, number in found:
        assert Printed.of(claims.row(claim)).matches(number), claim


@pytest.mark.sample("zhang_notebook", "sweater_googlenews")
def test_scores_of_surgeon_from_the_published_vectors_are_the_stored_ones():
    stored = read_examples().set_index(["word", "system", "base_pair"])["stored"]
    e = load_embedding("sweater_googlenews")
    for pair in ("she-he", "woman-man"):
        female, male = (e.rows([word]).vectors for word in pair.split("-"))
        ours = ripa(e.rows(["surgeon"]).vectors, female, male)[0, 0]
        assert np.isclose(ours, stored["surgeon", "RIPA", pair], rtol=0, atol=1e-7)
    sides = (e.rows([word]).vectors for word in ("she", "he"))
    ours = direct_bias(e.rows(["surgeon"]).vectors, *sides)[0, 0]
    assert np.isclose(ours, stored["surgeon", "DB/WA", "she-he"], rtol=0, atol=1e-7)
