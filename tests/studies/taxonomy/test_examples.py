"""Our own sentences, and what the filters say of them."""

from lib.taxonomy.filters import judge
from studies.taxonomy.examples import examples


def test_every_generalisation_passes_and_most_others_are_dropped_as_they_should():
    table = examples()
    passes = [judge(sentence).candidate for sentence in table["sentence"]]
    right = passes == (table["dropped_by"] == "")
    assert all(table.assign(passes=passes).query("generalises")["passes"])
    assert right.mean() > 0.9
