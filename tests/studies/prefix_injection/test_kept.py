"""Sentences of one's own, and the differences of two texts as they are recorded and read again."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from lib.ledger import Ledger
from lib.translation.evaluation_sets import first_person_set
from studies.prefix_injection.contrasts import GENDER, STEPS, woman_less_man
from studies.prefix_injection.kept import KIND, NO_GENDER, keep, kept, own_sentences, recorded
from tests.studies.prefix_injection.test_contrasts import OWN, answers, asked


def test_what_is_recorded_is_read_again_as_it_was():
    table = woman_less_man(asked(answers), OWN, contrasts=STEPS, resamples=30)
    ledger = Ledger("not_a_chapter")
    for name in ("one", "other"):
        keep(ledger, table, system=name, sentences="own", data="made")
    found = kept(partial(ledger.results, same=[]))
    assert len(found) == 6 and not found["recorded"].any()
    columns = ["value", "low", "high", "p", "least p", "found", "woman", "blind", "quality high"]
    again = found.loc[("other", "own")].loc[[*STEPS], columns].astype(float)
    pd.testing.assert_frame_equal(again, table.set_index("contrast")[columns], check_names=False)
    kinds = ledger.rows()["quantity"].value_counts()
    assert kinds[KIND] == 2 * len(GENDER) and kinds[NO_GENDER] == 2


def test_where_nothing_is_recorded_the_table_is_empty():
    ledger = Ledger("not_a_chapter")
    assert not len(kept(partial(ledger.results, same=[])))


def test_the_story_s_rows_are_those_of_its_two_translators_alone():
    found = kept(recorded("tatoeba-en-es-untaught", "tatoeba-en-es"))
    assert found["recorded"].all() and {*found.index.unique("system")} == {"taught", "not taught"}
    assert not len(kept(recorded("tatoeba-en-es-untaught", "another")))


def test_a_score_that_has_no_value_is_not_recorded():
    table = woman_less_man(asked(lambda texts: ["nada"] * len(texts)), OWN, resamples=20)
    assert not np.isfinite(table["quality"]).any()
    ledger = Ledger("not_a_chapter")
    keep(ledger, table, system="one", sentences="own", data="made")
    found = kept(partial(ledger.results, same=[]))
    assert found["quality"].isna().all() and (found["value"] == 0).all()


def test_the_contrasts_that_are_asked_for_do_not_change_the_others():
    both, all_of = (
        woman_less_man(asked(answers), OWN, contrasts=names, resamples=30)
        for names in (GENDER, STEPS)
    )
    pd.testing.assert_frame_equal(both, all_of[1:].reset_index(drop=True))


def test_own_sentences_share_the_words_that_a_man_says_otherwise():
    rows = [
        ("I am lost.", "Estoy perdida.", "Estoy perdido."),
        ("Lost again!", "¡Perdida otra vez!", "¡Perdido otra vez!"),
        ("I run.", "Corro.", "Corro."),
    ]
    table = own_sentences(rows)
    assert table["form"].tolist() == ["perdido", "perdido", "I run."]
    assert table.loc[0, ["feminine", "masculine"]].tolist() == ["Estoy perdida.", "Estoy perdido."]
    book = first_person_set()
    assert own_sentences(book) is book


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "got none"),
        ([("I am lost.", "Estoy perdida.")], "sentence 1: expected three texts"),
        ([("I am lost.", "Estoy perdida.", " ")], "sentence 1: expected three texts"),
        ([("I am lost.", "Estoy perdida.", "Me perdí yo.")], "of as many words"),
    ],
)
def test_a_sentence_that_cannot_be_scored_is_named(rows, said):
    with pytest.raises(ValueError, match=said):
        own_sentences(rows)
