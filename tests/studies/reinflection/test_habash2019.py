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
