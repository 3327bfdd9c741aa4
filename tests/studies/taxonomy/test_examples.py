"""Our own sentences, and what the filters say of them."""

from lib.taxonomy.filters import FILTERS, judge
from studies.taxonomy.examples import examples


def test_every_generalisation_passes_and_most_others_are_dropped_as_they_should():
    table = examples()
    passes = [judge(sentence).candidate for sentence in table["sentence"]]
    right = passes == (table["dropped_by"] == "")
    assert all(table.assign(passes=passes).query("generalises")["passes"])
    assert right.mean() > 0.9


def test_there_are_sixty_sentences_or_more_none_of_them_twice():
    table = examples()
    assert len(table) >= 60 and table["sentence"].is_unique
    assert set(table["dropped_by"]) == {"", *FILTERS}
