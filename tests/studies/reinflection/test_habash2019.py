"""The reader of what Habash et al. released. Their sentences are in no test: only their numbers are."""

import pytest

from studies.reinflection import habash2019
from studies.reinflection.habash2019 import LABELS, SCORED, SPLITS


@pytest.mark.sample
@pytest.mark.parametrize("split", SPLITS)
def test_half_of_the_gendered_sentences_are_in_each_form(split):
    rows = habash2019.read_sentences(split)
    counts = rows["label"].value_counts()
    assert set(counts.index) == set(LABELS) and counts["F"] == counts["M"]
    gendered = rows[rows["label"] != "B"].groupby("pair")["label"].agg(sorted)
    assert (gendered.map(len) == 2).mean() > 0.99
    assert (rows["masculine"] != rows["feminine"]).equals(rows["label"] != "B")


@pytest.mark.sample
@pytest.mark.parametrize("given", habash2019.INPUTS)
@pytest.mark.parametrize("split", SCORED)
def test_every_system_has_a_sentence_for_each_reference(split, given):
    read = habash2019.read_outputs(split, given)
    assert set(read.outputs) == {
        (system, target) for system in habash2019.SYSTEMS.values() for target in "MF"
    }
    assert {len(lines) for lines in read.outputs.values()} == {SPLITS[split]}
    assert read.outputs["Baseline", "M"] == read.outputs["Baseline", "F"]


@pytest.fixture
def files(monkeypatch, tmp_path):
    """Files of made-up words in place of the released ones."""
    texts = {
        "habash_licence": "internal use",
        "habash_d_set_dev_input": "ana tab\nana taba\nhum\n",
        "habash_d_set_dev_labels": "M\nF\nB\n",
        "habash_d_set_dev_features": "pron noun+ms\npron noun+fs\npron\n",
        "habash_d_set_dev_target_m": "ana tab\nana tab\nhum\n",
        "habash_d_set_dev_target_f": "ana taba\nana taba\nhum\n",
    }

    def fetch(key):
        path = tmp_path / key
        path.write_text(texts[key], encoding="utf-8")
        return path

    monkeypatch.setattr(habash2019, "fetch", fetch)
    monkeypatch.setitem(SPLITS, "dev", 3)
    return texts


def test_two_forms_of_a_sentence_have_one_number(files):
    assert habash2019.read_sentences("dev")["pair"].tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "key, text, message",
    [
        ("labels", "M\nF\nX\n", "expected labels B, F and M"),
        ("labels", "M\nF\n", "expected 3 lines, got 2"),
        ("target_f", "ana taba\nana\nhum\n", "line 2"),
    ],
)
def test_a_file_that_is_not_so_is_refused(files, key, text, message):
    files[f"habash_d_set_dev_{key}"] = text
    with pytest.raises(ValueError, match=message):
        habash2019.read_sentences("dev")
