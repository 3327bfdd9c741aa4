"""A table of a chapter against a printed one: each row answers the number that is printed for it, or is refused."""

import pandas as pd
import pytest

from lib.ledger import Ledger
from lib.ledger.claims import ClaimError

AT = {"paper": "zhang2020_base_pairs", "location": "Table 2", "metric": "fleiss_kappa"}
KAPPAS = pd.DataFrame(
    {"system": ["RIPA", "NBM"], "value": [0.61, 0.7], "low": [0.5, None], "high": [0.7, None]}
)


@pytest.fixture
def ledger():
    return Ledger("base_pair_stability")


def test_each_row_answers_its_printed_number_and_stands_beside_it(ledger):
    shown = ledger.answer(KAPPAS, "kappa", n=320, seed=1, **AT)
    rows = ledger.rows().set_index("claim_id").loc[shown["claim_id"]]
    assert [*rows["value"]] == [0.61, 0.7] and set(rows["n"]) == {320}
    assert [*rows["low"]] == [0.5, None] and (shown["printed"] > 0).all()
    assert [*rows["settings"]] == ['{"seed": 1, "system": "RIPA"}', '{"seed": 1, "system": "NBM"}']
    assert [*ledger.comparison()["claim_id"]] == sorted(shown["claim_id"])


def test_columns_may_be_chosen_and_called_otherwise_and_rows_have_quantity_data_and_n(ledger):
    table = pd.DataFrame(
        {
            "score": ["a", "b"],
            "note": ["x", None],
            "quantity": ["one", "two"],
            "data": ["d", None],
            "n": [3, None],
            "value": [1, None],
        }
    )
    ledger.answer(table, columns={"score": "measure"}, data="all")
    assert ledger.rows()[["quantity", "settings", "data", "n"]].to_dict("records") == [
        {"quantity": "one", "settings": '{"measure": "a"}', "data": "d", "n": 3}
    ], "a row without a value is passed over"


def test_what_the_paper_does_not_print_is_refused_and_nothing_is_recorded(ledger):
    with pytest.raises(ClaimError, match=r"RIPO.*RIPA"):
        ledger.answer(KAPPAS.replace("NBM", "RIPO"), "kappa", **AT)
    assert ledger.rows().empty
    shown = ledger.answer(KAPPAS.replace("NBM", "RIPO"), "kappa", partly=True, **AT)
    assert [*(shown["claim_id"] != "")] == [True, False] and len(ledger.rows()) == 2


def test_a_row_that_may_be_several_printed_numbers_is_refused(ledger):
    with pytest.raises(ClaimError, match=r"prints \d+ numbers"):
        ledger.answer(KAPPAS, "kappa", paper=AT["paper"], location="Table 1")


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        ({"table": KAPPAS.drop(columns="value")}, ["a column `value`", "system"]),
        ({"quantity": ""}, ["`quantity` as an argument"]),
    ],
)
def test_a_table_that_is_none_is_refused(ledger, refuses, change, fragments):
    refuses(lambda: ledger.answer(**{"table": KAPPAS, "quantity": "kappa", **change}), fragments)
